"""Text and pictures as letters, for where there is nothing but text.

Latin letters come from a table and need no package; Chinese characters and pictures need Pillow.
"""

import unicodedata
from typing import Annotated, Literal

from pydantic import Field

from agent_mini.tools.base import ToolContext, ToolError, tool
from agent_mini.tools.drawing.banner import GLYPHS, Glyph, set_banner
from agent_mini.tools.drawing.text import clean, note_on_missing
from agent_mini.tools.pictures import needs, read_picture
from agent_mini.types import ToolResult

MAX_TEXT = 60
CHINESE_WIDTH = 24  # letters; fewer, and strokes run into each other


@tool(title="Make ASCII art 字符画", read_only=True)
def make_ascii_art(
    context: ToolContext,
    text: Annotated[str, Field(max_length=10_000)] = "",
    image: Annotated[str, Field(max_length=1000)] = "",
    width: Annotated[int, Field(ge=10, le=200)] = 60,
    background: Literal["dark", "light"] = "dark",
) -> ToolResult:
    """Write a short text in large letters made of characters, or show a picture of the workspace as characters.
    Use it when someone asks for ASCII art, a text banner or a picture in the terminal. Give text or image.

    把一小段文字写成字符大字，或者把工作区里的一张图片变成字符画。text 和 image 二选一。

    Args:
        text: What to write in large letters, up to 60 characters.
        image: The path of a picture, for example "pictures/bar-0123456789ab.png" or "files/cat.jpg".
        width: How many characters wide it may be, 10 to 200.
        background: The colour of the screen a picture is for: on a light one, dark spots are the dense ones.
    """
    if bool(text.strip()) == bool(image.strip()):
        given = "both" if text.strip() else "neither"
        raise ToolError(f"text and image: exactly one of them is needed; given {given}")
    art, note = _show(context, image, width, background) if image.strip() else _write(text, width)
    lines = art.splitlines()
    data = {"text": art, "width": max(map(len, lines), default=0), "height": len(lines)}
    return ToolResult(True, f"{art}\n\n{note}" if note else art, data)


def _show(context: ToolContext, image: str, width: int, background: str) -> tuple[str, str]:
    try:
        from agent_mini.tools.drawing.dots import picture_rows
    except ModuleNotFoundError as error:
        raise needs("make_ascii_art", error) from None

    content = read_picture(context, image.strip())
    try:
        return "\n".join(picture_rows(content, width, dark=background == "dark")), ""
    except ValueError as error:
        raise ToolError(f"image: {image!r} cannot be shown: {error}") from None


def _write(text: str, width: int) -> tuple[str, str]:
    # Full-width letters are the usual ones here, and what is joined is drawn apart.
    shown = clean(unicodedata.normalize("NFKC", text)).upper()
    if not shown:
        raise ToolError("text: nothing in it can be seen")
    if len(shown) > MAX_TEXT:
        raise ToolError(f"text: at most {MAX_TEXT} characters; given {len(shown)}")
    drawn = {character: GLYPHS[plain] for character in shown if (plain := _plain(character)) in GLYPHS}
    others = sorted({character for character in shown if character not in drawn and not character.isspace()})
    missing, note = _draw_others(others, width, drawn)
    words = [[drawn.get(character, GLYPHS["?"]) for character in word] for word in shown.split()]
    if len(missing) == len(set("".join(shown.split()))):
        raise ToolError(f"text: none of it can be drawn. {note}")
    return set_banner(words, width), note


def _plain(character: str) -> str:
    """The letter of the table for ``character``: É is drawn as E."""
    return character if character in GLYPHS else unicodedata.normalize("NFD", character)[0]


def _draw_others(others: list[str], width: int, drawn: dict[str, Glyph]) -> tuple[list[str], str]:
    """Add what is not in the table to ``drawn``. Returns what cannot be drawn, and a note on it."""
    if not others:
        return [], ""
    try:
        from agent_mini.tools.drawing.dots import character_rows
        from agent_mini.tools.drawing.lettering import Lettering
    except ModuleNotFoundError as error:
        return others, f"{''.join(others[:10])}: {needs('make_ascii_art', error)}"
    lettering = Lettering()
    for character in others:
        if rows := character_rows(character, lettering, min(CHINESE_WIDTH, width)):
            drawn[character] = rows
    missing = [character for character in others if character not in drawn]
    return missing, note_on_missing(missing, lettering.has_chinese)
