"""Dates: what day it is, and how far apart two days are. The clock is the context's, so it can be fixed."""

from datetime import date

from agent_mini.tools.base import ToolContext, ToolError, tool
from agent_mini.types import ToolResult


@tool(title="Today 今天", read_only=True)
def today(context: ToolContext) -> ToolResult:
    """Tell today's date and weekday. Use it whenever a question depends on the present day.

    返回今天的日期和星期。只要问题和今天有关，就先用它。
    """
    day = context.clock.now().date()
    return ToolResult(True, f"{day.isoformat()} ({day:%A})", {"date": day.isoformat()})


@tool(title="Days between 相隔天数", read_only=True)
def days_between(start: str, end: str) -> ToolResult:
    """Count the days from one date to another; negative when the end comes first.

    计算两个日期之间相隔多少天；结束日期更早时为负数。

    Args:
        start: The first date, YYYY-MM-DD.
        end: The second date, YYYY-MM-DD.
    """
    days = (_parse("end", end) - _parse("start", start)).days
    return ToolResult(True, str(days), {"start": start, "end": end, "days": days})


def _parse(name: str, text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise ToolError(f"{name}: {text[:40]!r} is not a date ({error}). Write YYYY-MM-DD.") from None
