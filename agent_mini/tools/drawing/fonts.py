"""The Chinese font of this process: looked for once, because drawing with every font there is takes a while."""

from functools import cache

from agent_mini import fonts


@cache
def chinese_font() -> fonts.FontChoice | None:
    """A font that draws Chinese, or None where there is none, or no matplotlib to look for one."""
    try:
        return fonts.find_cjk_font()
    except ModuleNotFoundError:
        return None
