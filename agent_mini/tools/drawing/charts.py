"""Charts, drawn by matplotlib: the one door to the modules that draw them."""

import threading
from collections.abc import Sequence
from typing import Literal

from agent_mini.tools.drawing.axes import draw_axes
from agent_mini.tools.drawing.pie import draw_pie
from agent_mini.tools.drawing.sheet import Sheet

# matplotlib's fonts and caches belong to the whole process, and tools run on threads.
_drawing = threading.Lock()


def draw_chart(
    kind: Literal["bar", "line", "pie"], labels: Sequence[str], values: Sequence[float], title: str
) -> tuple[bytes, str]:
    """Draw a chart of checked values.

    Returns:
        A PNG of ``sheet.WIDTH`` x ``sheet.HEIGHT`` pixels, and a note on characters that no font here has, or
        nothing.
    """
    with _drawing:
        sheet = Sheet(title)
        shown = [sheet.drawable(label) for label in labels]
        if kind == "pie":
            draw_pie(sheet, shown, values)
        else:
            draw_axes(sheet, kind, shown, values)
        return sheet.png(), sheet.note
