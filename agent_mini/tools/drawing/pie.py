"""A pie, its labels in a list beside it: around it, those of small slices would lie on each other."""
# pyright: reportUnknownMemberType=false
# matplotlib's functions take untyped keyword arguments.

import math
from collections.abc import Sequence

from matplotlib import colormaps
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from agent_mini.tools.drawing.sheet import HEIGHT, INK, WIDTH, Sheet

COLOURS = ("#2a9d8f", "#e76f51", "#e9c46a", "#457b9d", "#8ab17d", "#f4a261", "#9b5de5", "#6d6875")
LIST_LINES = 17  # in a column of the list

Colour = tuple[float, float, float]


def draw_pie(sheet: Sheet, labels: Sequence[str], values: Sequence[float]) -> None:
    """Draw the shares of ``values``, none of which is negative and one of which is more than 0."""
    largest = max(values)
    scaled = [value / largest for value in values]  # matplotlib reckons in small floats
    shares = [value / math.fsum(scaled) for value in scaled]
    colours = _colours(len(values))
    side = min(HEIGHT - sheet.top - 20, WIDTH * (0.5 if len(values) <= LIST_LINES else 0.4))
    axes = sheet.axes(24, (HEIGHT - sheet.top - side) / 2, side, side)
    axes.pie(shares, colors=colours, startangle=90, counterclock=False, wedgeprops={"edgecolor": "white"})
    done = 0.0
    for share, colour in zip(shares, colours, strict=True):
        if share >= 0.06:
            angle = 2 * math.pi * (0.25 - done - share / 2)
            place = (0.7 * math.cos(angle), 0.7 * math.sin(angle))
            axes.text(
                *place, f"{share:.0%}", **sheet.style(10, color=_ink_on(colour), ha="center", va="center")
            )
        done += share
    _write_list(sheet, 44 + side, labels, shares, colours)


def _write_list(
    sheet: Sheet, left: float, labels: Sequence[str], shares: Sequence[float], colours: Sequence[Colour]
) -> None:
    """Write each slice's label and share beside its colour, in as many columns as it takes."""
    width = (WIDTH - left - 8) / math.ceil(len(labels) / LIST_LINES)
    lines = min(len(labels), LIST_LINES)
    size = 11 if len(labels) <= 12 else 9 if len(labels) <= LIST_LINES else 8
    step = min(26, (HEIGHT - sheet.top - 30) / lines)
    first = (HEIGHT + sheet.top - step * (lines - 1)) / 2
    for place, (label, share, colour) in enumerate(zip(labels, shares, colours, strict=True)):
        column, line = divmod(place, LIST_LINES)
        x, y = left + column * width, HEIGHT - first - line * step
        box = Rectangle((x / WIDTH, (y - 5) / HEIGHT), 10 / WIDTH, 10 / HEIGHT, color=colour)
        sheet.figure.add_artist(box)
        percent = f"  {share:.1%}"
        shown = sheet.shorten(label, size, width - 20 - sheet.pixels(percent, size))
        sheet.write(x + 16, y, shown + percent, size, va="center")


def _colours(count: int) -> list[Colour]:
    if count <= len(COLOURS):
        return [to_rgb(colour) for colour in COLOURS[:count]]
    return [to_rgb(colormaps["turbo"](0.08 + 0.84 * place / (count - 1))) for place in range(count)]


def _ink_on(colour: Colour) -> str:
    red, green, blue = colour
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "white"
