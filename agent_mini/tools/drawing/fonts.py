"""The Chinese font of this process: looked for once, because drawing with every font there is takes a while."""

from dataclasses import dataclass
from functools import cache

from agent_mini import fonts
from agent_mini.tools.pictures import remedy


@dataclass(frozen=True, slots=True)
class FontSearch:
    """What a search for a font that draws Chinese came to.

    Args:
        font: The font, or None.
        obstacle: Why there was no search: what is needed for it, and what to do. Empty when there was one.
    """

    font: fonts.FontChoice | None
    obstacle: str = ""


@cache
def chinese_font() -> FontSearch:
    """A font that draws Chinese. Without matplotlib, or with one that does not start, there is no looking for it."""
    try:
        return FontSearch(fonts.find_cjk_font())
    except Exception as error:  # a picture without Chinese is better than none, whatever is broken there
        return FontSearch(None, remedy(error, "matplotlib"))
