"""Charts: numbers with their labels become a picture in the workspace.

What cannot be drawn honestly is refused before anything is drawn: a pie with a negative slice, a bar without
a label, a value that is not a number.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, FailFast, Field

from agent_mini.fonts import load_matplotlib
from agent_mini.tools.base import ToolContext, ToolError, tool
from agent_mini.tools.pictures import needs, picture_name, save_picture
from agent_mini.types import ToolResult

MAX_POINTS = 50
MAX_VALUE = 1e15

Kind = Literal["bar", "line", "pie"]


def _no_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("Input should be a number, not true or false")
    return value


def _text_of_number(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Label = Annotated[str, Field(max_length=100), BeforeValidator(_text_of_number)]
Value = Annotated[float, Field(allow_inf_nan=False, ge=-MAX_VALUE, le=MAX_VALUE), BeforeValidator(_no_bool)]


@tool(title="Make a chart 画图表", idempotent=True)
def make_chart(
    kind: Kind,
    labels: Annotated[list[Label], FailFast(), Field(min_length=1, max_length=MAX_POINTS)],
    values: Annotated[list[Value], FailFast(), Field(min_length=1, max_length=MAX_POINTS)],
    context: ToolContext,
    title: Annotated[str, Field(max_length=200)] = "",
) -> ToolResult:
    """Draw numbers as a chart and save it as a picture. Use it when someone wants to see figures drawn, plotted
    or compared: bar for comparing, line for a course over time, pie for shares of a whole.

    把一组数字画成图表并存成图片。要画图、作图、对比数据时用它：
    比较用柱状图 bar，随时间的变化用折线图 line，占比用饼图 pie。

    Args:
        kind: bar, line or pie.
        labels: What each value belongs to, in order, for example ["Mon", "Tue"] or ["周一", "周二"].
        values: The numbers, as many as there are labels; none negative in a pie.
        title: What stands above the chart.
    """
    numbers = [int(value) if value.is_integer() else value for value in values]
    _check(kind, labels, numbers)
    try:
        load_matplotlib()
        from agent_mini.tools.drawing.charts import draw_chart
        from agent_mini.tools.drawing.sheet import HEIGHT, WIDTH
    except ImportError as error:
        raise needs("make_chart", error) from None

    content, note = draw_chart(kind, labels, numbers, title)
    drawn = {"kind": kind, "title": title, "labels": labels, "values": numbers}
    path = save_picture(context, picture_name(kind, drawn), content)
    count = "1 value" if len(numbers) == 1 else f"{len(numbers)} values"
    text = f"{kind} chart of {count} saved as {path} ({WIDTH} x {HEIGHT} pixels)."
    return ToolResult(
        True, f"{text} {note}".rstrip(), {"path": path, "width": WIDTH, "height": HEIGHT, **drawn}
    )


def _check(kind: Kind, labels: Sequence[str], values: Sequence[float]) -> None:
    if len(labels) != len(values):
        raise ToolError(
            f"labels and values: must be equally many; given {len(labels)} labels and {len(values)} values"
        )
    if kind != "pie":
        return
    for label, value in zip(labels, values, strict=True):
        if value < 0:
            raise ToolError(
                f"values: a pie has no negative slices; given {value:g} for {label!r}. A bar chart can."
            )
    if not any(values):
        raise ToolError("values: a pie needs at least one value above 0; given only 0")
