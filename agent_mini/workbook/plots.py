"""Figures as pictures: sums as stacked bars, and what was chosen for what as a matrix.

Each has the size and the fonts of the chart tool's pictures; Chinese is drawn where the machine has a font for it. What
this is not: a plotting library.
"""
# pyright: reportUnknownMemberType=false
# matplotlib's functions take untyped keyword arguments.

from collections.abc import Mapping, Sequence

from IPython.display import Image
from matplotlib.colors import ListedColormap

from agent_mini.tools.drawing.axes import GRID
from agent_mini.tools.drawing.sheet import DPI, HEIGHT, INK, WIDTH, Sheet
from agent_mini.tools.drawing.text import columns

COLOURS = ("#2a9d8f", "#e9c46a", "#8ab17d", "#f4a261", "#457b9d", "#b5838d", "#6d597a", "#999999")
NEGATIVES = ("#d1495b", "#e8a0a8")
NONE, RIGHT, WRONG = "#f4f4f4", "#5ab2a8", "#d9a441"


def stacked_bars(
    rows: Sequence[tuple[str, Mapping[str, float]]], marks: Mapping[str, float] | None = None
) -> Image:
    """Sums, each as a bar of its parts, with the total behind it.

    Args:
        rows: A label and the named parts of its sum; parts of one name have one colour, negative ones go to the left.
        marks: Values to draw a line at, by name.
    """
    sheet = Sheet("")
    labels = [_label(sheet, label, 40) for label, _ in rows]
    left = 24 + max((_pixels(label, 10) for label in labels), default=0)
    axes = sheet.axes(left, 56, WIDTH - left - 20, HEIGHT - 90)
    colours: dict[str, str] = {}
    for place, (_, parts) in enumerate(rows):
        ends = {True: 0.0, False: 0.0}
        for name, value in parts.items():
            fresh = NEGATIVES if value < 0 else COLOURS
            used = list(colours.values())
            colour = colours.setdefault(name, next((each for each in fresh if each not in used), fresh[-1]))
            axes.barh(place, value, left=ends[value > 0], height=0.62, color=colour, zorder=2)
            ends[value > 0] += value
        total = f"{sum(parts.values()):.4g}".replace("-", "\N{MINUS SIGN}")
        axes.annotate(
            total, (ends[True], place), xytext=(5, 0), textcoords="offset points", va="center", zorder=4,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6}, **sheet.style(9),
        )  # fmt: skip
    for name, value in (marks or {}).items():
        axes.axvline(value, color=INK, linewidth=1, linestyle=":", zorder=3)
        axes.annotate(
            sheet.drawable(name), (value, 1), xycoords=("data", "axes fraction"), xytext=(0, 3),
            textcoords="offset points", ha="center", **sheet.style(9),
        )  # fmt: skip
    axes.margins(x=0.08)
    axes.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    axes.axvline(0, color=INK, linewidth=0.8, zorder=3)
    axes.set_yticks(range(len(rows)), labels, **sheet.style(10))
    axes.tick_params(length=0, labelcolor=INK, labelsize=10)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(GRID)
    place = 24.0
    for name, colour in colours.items():
        sheet.write(place, 14, "■", 12, color=colour)
        sheet.write(place + 18, 14, _label(sheet, name, 24), 10)
        place += 40 + _pixels(name, 10)
    return Image(sheet.png(), width=WIDTH)


def matrix(counts: Mapping[tuple[str, str], int], title: str = "") -> Image:
    """A confusion matrix: a row for each thing that was expected, a column for each that was chosen instead.

    Args:
        counts: How often, by what was expected and what was chosen.
        title: What stands above it.
    """
    sheet = Sheet(title)
    names = sorted({name for pair in counts for name in pair})
    if not names:
        return Image(sheet.png(), width=WIDTH)
    labels = [_label(sheet, name, 24) for name in names]
    margin = 30 + max(_pixels(label, 10) for label in labels)
    size = max(min(WIDTH - margin, HEIGHT - sheet.top - margin) - 24, 60)
    axes = sheet.axes(margin + (WIDTH - margin - size) / 3, margin, size, size)
    cells = [[counts.get((row, column), 0) for column in names] for row in names]
    shades = [
        [bool(count) * (1 + (row != column)) for column, count in enumerate(line)]
        for row, line in enumerate(cells)
    ]
    axes.imshow(shades, cmap=ListedColormap([NONE, RIGHT, WRONG]), vmin=0, vmax=2, aspect="equal")
    for row, line in enumerate(cells):
        for column, count in enumerate(line):
            if count:
                axes.text(column, row, f"{count}", ha="center", va="center", **sheet.style(9))
    places = range(len(names))
    axes.set_xticks(places, labels, **sheet.style(10, rotation=90))
    axes.set_yticks(places, labels, **sheet.style(10))
    axes.set_ylabel("expected", **sheet.style(10, fontweight="bold"))
    axes.set_xlabel("chosen", **sheet.style(10, fontweight="bold"))
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0)
    axes.spines[:].set_color(GRID)
    return Image(sheet.png(), width=WIDTH)


def _label(sheet: Sheet, text: str, most: int) -> str:
    """``text`` as it can be drawn, in ``most`` characters."""
    kept = sheet.drawable(text)
    return kept if len(kept) <= most else kept[: most - 1] + "…"


def _pixels(text: str, size: float) -> float:
    """About how wide ``text`` is at ``size`` points, rather too much than too little."""
    return columns(text) * size * DPI / 72 * 0.56
