"""Bars and lines over labelled places."""
# pyright: reportUnknownMemberType=false
# matplotlib's functions take untyped keyword arguments.

import math
from collections.abc import Sequence
from typing import Literal

from matplotlib.axes import Axes

from agent_mini.tools.drawing.sheet import DPI, FALLBACK_FAMILY, HEIGHT, INK, WIDTH, Sheet

LEFT, RIGHT = 80, 24  # margins in pixels
LONGEST_LABEL = 140  # of those that do not lie flat, in pixels
COLOUR, GRID = "#2a9d8f", "#dddddd"


def draw_axes(
    sheet: Sheet, kind: Literal["bar", "line"], labels: Sequence[str], values: Sequence[float]
) -> None:
    """Draw ``values`` as bars or as a line."""
    size, angle = _fit_labels(sheet, labels)
    shown = _shorten_labels(sheet, labels, size, angle)
    longest = max(sheet.pixels(label, size) for label in shown)
    line = size * DPI / 72 * 1.3
    bottom = 16 + math.sin(math.radians(angle)) * longest + math.cos(math.radians(angle)) * line
    axes = sheet.axes(LEFT, bottom, WIDTH - LEFT - RIGHT, HEIGHT - sheet.top - bottom)
    places = range(len(values))
    if kind == "bar":
        axes.bar(places, values, width=0.68, color=COLOUR, zorder=2)
        axes.axhline(0, color=INK, linewidth=0.8, zorder=3)
    else:
        axes.plot(places, values, color=COLOUR, marker="o", markersize=5, linewidth=2, zorder=2)
    axes.set_xlim(-0.6, len(values) - 0.4)
    axes.margins(y=0.12)
    axes.grid(axis="y", color=GRID, linewidth=0.8, zorder=0)
    axes.tick_params(length=0, labelcolor=INK, labelsize=10, labelfontfamily=FALLBACK_FAMILY)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(GRID)
    _write_values(sheet, axes, kind, values)
    slanted = {"ha": "right", "rotation_mode": "anchor"} if 0 < angle < 90 else {}
    axes.set_xticks(places, shown, **sheet.style(size, rotation=angle, **slanted))


def _room(count: int) -> float:
    """How many pixels of the axis belong to each of ``count`` places."""
    return (WIDTH - LEFT - RIGHT) / (count + 0.2)


def _fit_labels(sheet: Sheet, labels: Sequence[str]) -> tuple[float, int]:
    """How labels stand under the axis without touching: their size in points and their angle."""
    room = _room(len(labels))
    for size in (11, 9):
        if max(sheet.pixels(label, size) for label in labels) <= room - 6:
            return size, 0
    for size, angle in ((10, 40), (8, 40), (8, 90)):
        if size * DPI / 72 * 1.25 / math.sin(math.radians(angle)) <= room:
            return size, angle
    return 7, 90


def _shorten_labels(sheet: Sheet, labels: Sequence[str], size: float, angle: int) -> list[str]:
    """Labels that leave the chart its height and, where they slant to the left, do not leave the picture."""
    if angle == 0:
        return list(labels)
    across = math.cos(math.radians(angle))
    shown: list[str] = []
    for place, label in enumerate(labels):
        end = LEFT + _room(len(labels)) * (place + 0.6)
        shown.append(sheet.shorten(label, size, min(LONGEST_LABEL, (end - 12) / across)))
    return shown


def _write_values(sheet: Sheet, axes: Axes, kind: str, values: Sequence[float]) -> None:
    """Write each value at its place, unless they would touch."""
    texts = [_short(value) for value in values]
    room = _room(len(values))
    size = next((size for size in (10, 8) if max(sheet.pixels(text, size) for text in texts) <= room), None)
    if size is None:
        return
    for place, (value, text) in enumerate(zip(values, texts, strict=True)):
        around = [*values[max(place - 1, 0) : place], *values[place + 1 : place + 2]]
        # A line comes down to its low points from above: there is room below.
        below = value < 0 if kind == "bar" else bool(around) and value < min(around)
        axes.annotate(
            text,
            (place, value),
            xytext=(0, -6 if below else 6),
            textcoords="offset points",
            **sheet.style(size, ha="center", va="top" if below else "bottom"),
        )


def _short(value: float) -> str:
    if abs(value) >= 100_000:
        return f"{value:,.0f}"
    return f"{value:,.6g}" if abs(value) >= 0.001 or not value else f"{value:.3g}"
