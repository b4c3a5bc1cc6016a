"""Text and pictures as letters, for where there is nothing but text.

Latin letters come from a table and need no package; Chinese characters and pictures need Pillow.
"""

import unicodedata
from typing import Annotated, Literal

from pydantic import Field

from agent_mini.tools.base import ToolContext, ToolError, tool
from agent_mini.tools.drawing.banner import GLYPHS, Glyph, set_banner
from agent_mini.tools.drawing.text import clean, clusters, is_mark
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
    except ImportError as error:
        raise needs("make_ascii_art", error) from None

    content = read_picture(context, image.strip())
    try:
        rows, note = picture_rows(content, width, dark=background == "dark")
    except ValueError as error:
        raise ToolError(f"image: {image!r} cannot be shown: {error}") from None
    return "\n".join(rows), note


def _write(text: str, width: int) -> tuple[str, str]:
    # Full-width letters are the usual ones here, and what is joined is drawn apart.
    shown = clean(unicodedata.normalize("NFKC", text)).upper()
    if not shown:
        raise ToolError("text: nothing in it can be seen")
    if len(shown) > MAX_TEXT:
        raise ToolError(f"text: at most {MAX_TEXT} characters; given {len(shown)}")
    found = {cluster for cluster in clusters(shown) if not cluster.isspace()}
    drawn = {cluster: GLYPHS[plain] for cluster in found if (plain := _plain(cluster[0])) in GLYPHS}
    marks = {mark for cluster in drawn for mark in cluster[1:]}
    lone = {cluster for cluster in found if is_mark(cluster[0])}
    note = _draw_others(sorted(found - drawn.keys() - lone), width, drawn, marks)
    if marks or lone:
        codes = " ".join(f"U+{ord(mark):04X}" for mark in sorted(marks | lone)[:10])
        note = f"{note} Letters are written without the marks on them: {codes}.".lstrip()
    if not drawn:
        raise ToolError(f"text: none of it can be drawn. {note}")
    words = [[cluster for cluster in clusters(word) if cluster not in lone] for word in shown.split()]
    glyphs = [[drawn.get(cluster, GLYPHS["?"]) for cluster in word] for word in words if word]
    return set_banner(glyphs, width), note


def _plain(character: str) -> str:
    """The letter of the table for ``character``: É is drawn as E."""
    return character if character in GLYPHS else unicodedata.normalize("NFD", character)[0]


def _draw_others(others: list[str], width: int, drawn: dict[str, Glyph], marks: set[str]) -> str:
    """Add what is not in the table to ``drawn``, and what a font has no mark for, to ``marks``.

    Returns:
        A note on what cannot be drawn, or nothing.
    """
    if not others:
        return ""
    try:
        from agent_mini.tools.drawing.dots import character_rows
        from agent_mini.tools.drawing.lettering import Lettering

        lettering = Lettering()
        missing: set[str] = set()
        for cluster in others:
            whole = character_rows(cluster, lettering, min(CHINESE_WIDTH, width))
            if rows := whole or character_rows(cluster[0], lettering, min(CHINESE_WIDTH, width)):
                drawn[cluster] = rows
                marks.update("" if whole else cluster[1:])
            else:
                missing.update(cluster)
    except ImportError as error:
        return (
            f"Shown as ?: {' '.join(cluster[0] for cluster in others[:10])}. {needs('make_ascii_art', error)}"
        )
    return lettering.note_on(missing)
