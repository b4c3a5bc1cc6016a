"""Pictures with a text: a meme, a note, a poster, or Mini the mascot saying it."""

from typing import Annotated, Literal

from pydantic import Field

from agent_mini.tools.base import ToolContext, ToolError, tool
from agent_mini.tools.drawing.text import clean
from agent_mini.tools.pictures import needs, picture_name, save_picture
from agent_mini.types import ToolResult

MAX_DRAWN = 300


@tool(title="Make a meme 做表情包", idempotent=True)
def make_meme(
    text: Annotated[str, Field(max_length=10_000)],
    context: ToolContext,
    style: Literal["meme", "note", "poster", "mascot"] = "meme",
) -> ToolResult:
    """Put a text on a funny or decorative picture and save it. Use it when someone asks for a meme, a sticker, a
    sticky note, a poster or a picture of the mascot.

    把一句话做成图片并保存。要表情包、梗图、便签、海报，或者让吉祥物说一句话时用它。

    Args:
        text: What stands on the picture; a line break parts the upper and the lower text of a meme. Of more
            than 300 characters the first 300 are drawn.
        style: meme: large letters above and below the mascot; note: a sticky note; poster: framed;
            mascot: the mascot says it.
    """
    if not text.strip():
        raise ToolError("text: nothing to write; give the words that should stand on the picture")
    try:
        from agent_mini.tools.drawing.memes import HEIGHT, WIDTH, draw_meme
    except ImportError as error:
        raise needs("make_meme", error) from None

    shown = clean(text)
    if not shown:
        raise ToolError("text: nothing in it can be seen; give the words that should stand on the picture")
    notes = [f"{style} picture saved as {{path}} ({WIDTH} x {HEIGHT} pixels)."]
    if len(shown) > MAX_DRAWN:
        notes.append(f"Only the first {MAX_DRAWN} of its {len(shown)} characters are drawn.")
        shown = shown[: MAX_DRAWN - 1].rstrip() + "…"
    try:
        content, note = draw_meme(shown, style)
    except ImportError as error:  # a Pillow without its part for fonts says so when it writes
        raise needs("make_meme", error) from None
    drawn = {"style": style, "text": text}
    path = save_picture(context, picture_name(style, drawn), content)
    words = " ".join(filter(None, [*notes, note])).replace("{path}", path)
    return ToolResult(True, words, {"path": path, "width": WIDTH, "height": HEIGHT, **drawn})
