"""The paper a chart is drawn on, by matplotlib: its size, its fonts, its title.

Only matplotlib's objects are used, never ``pyplot``: that keeps a current figure for the whole process and looks
for a display. All places are worked out in pixels beforehand, which is quicker than letting it try layouts.
"""
# pyright: reportUnknownMemberType=false
# matplotlib's functions take untyped keyword arguments.

import io
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text
from matplotlib.ticker import ScalarFormatter

from agent_mini.fonts import matplotlib_file
from agent_mini.tools.drawing.fonts import chinese_font
from agent_mini.tools.drawing.text import clean, columns, drawable, note_on_missing, shorten, wrap

WIDTH, HEIGHT = 800, 480
DPI = 100
INK = "#333333"
FALLBACK_FAMILY = "DejaVu Sans"  # comes with matplotlib


class Sheet:
    """One chart's paper.

    Args:
        title: What stands at its top, in up to two lines or else smaller.

    Attributes:
        top: How many pixels from the top are taken by the title.
    """

    def __init__(self, title: str) -> None:
        self.figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor="white")
        self._canvas = FigureCanvasAgg(self.figure)
        self._search = chinese_font()
        self._fonts = [FT2Font(str(matplotlib_file("fonts", "ttf", "DejaVuSans.ttf")))]
        self._families = [FALLBACK_FAMILY]
        if chinese := self._search.font:
            self._fonts.insert(0, FT2Font(chinese.path, face_index=chinese.face))
            self._families.insert(0, chinese.family)
        self._widths: dict[tuple[str, float], float] = {}
        self._renderer = self._canvas.get_renderer()
        self._missing: set[str] = set()
        self.top = self._write_title(self.drawable(title))

    def drawable(self, text: str) -> str:
        """``text`` in one line, of characters that the fonts have."""
        kept, missing = drawable(clean(text).replace("\n", " "), self._draws)
        self._missing.update(missing)
        return kept

    def style(self, size: float, **more: Any) -> dict[str, Any]:
        """The properties of a text of ``size`` points: a dollar sign in it is one, and no mathematics."""
        plain = {"parse_math": False, "usetex": False}
        return {"fontfamily": self._families, "fontsize": size, "color": INK, **plain, **more}

    def write(self, x: float, y: float, text: str, size: float, **more: Any) -> None:
        """Write ``text`` at a place in pixels from the left and the bottom."""
        self.figure.text(x / WIDTH, y / HEIGHT, text, **self.style(size, **more))

    def axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Axes at a place in pixels."""
        axes = self.figure.add_axes((left / WIDTH, bottom / HEIGHT, width / WIDTH, height / HEIGHT))
        for axis in (axes.xaxis, axes.yaxis):  # numbers are plain text, whatever a person has set
            axis.set_major_formatter(ScalarFormatter(useMathText=False, useLocale=False, usetex=False))
        return axes

    def pixels(self, text: str, size: float) -> float:
        """How wide ``text`` is at ``size`` points: measured by what draws it, with its fonts and rounding."""
        if (text, size) not in self._widths:
            font = FontProperties(family=self._families, size=size)
            width, _, _ = self._renderer.get_text_width_height_descent(text, font, ismath=False)
            self._widths[text, size] = width
        return self._widths[text, size]

    def shorten(self, text: str, size: float, room: float) -> str:
        """``text`` cut to ``room`` pixels at ``size`` points, with an ellipsis where something was cut."""
        return shorten(text, room, lambda part: self.pixels(part, size))

    def png(self) -> bytes:
        """What has been drawn."""
        for artist in self.figure.findobj():
            # A person's settings for matplotlib are the whole process's; these are read by every artist.
            artist.set_sketch_params(None)
            artist.set_path_effects([])
            if isinstance(artist, Text):
                artist.set_usetex(False)
        file = io.BytesIO()
        self._canvas.print_png(file)
        return file.getvalue()

    @property
    def note(self) -> str:
        """A sentence on characters that no font has, or nothing."""
        return note_on_missing(self._missing, self._search.font is not None, self._search.obstacle)

    def _draws(self, cluster: str) -> bool:
        return all(any(font.get_char_index(ord(c)) for font in self._fonts) for c in cluster)

    def _write_title(self, title: str) -> float:
        if not title:
            return 20
        size, lines = 0, [title]
        for size in (15, 12, 10):
            lines = wrap(title, lambda text, size=size: self.pixels(text, size), WIDTH - 60)
            if len(lines) <= 2:
                break
        self.write(WIDTH / 2, HEIGHT - 14, "\n".join(lines), size, ha="center", va="top")
        return 24 + len(lines) * size * DPI / 72 * 1.5


def pixels(text: str, size: float) -> float:
    """About how wide ``text`` is at ``size`` points; ``Sheet.pixels`` measures it."""
    return columns(text) * size * DPI / 72 * 0.56
