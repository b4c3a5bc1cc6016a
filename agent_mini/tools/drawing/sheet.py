"""The paper a chart is drawn on, by matplotlib: its size, its fonts, its title.

Only matplotlib's objects are used, never ``pyplot``: that keeps a current figure for the whole process and looks
for a display. All places are worked out in pixels beforehand, which is quicker than letting it try layouts.
"""
# pyright: reportUnknownMemberType=false
# matplotlib's functions take untyped keyword arguments.

import io
from pathlib import Path
from typing import Any

from matplotlib import get_data_path
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font

from agent_mini.tools.drawing.fonts import chinese_font
from agent_mini.tools.drawing.text import clean, columns, drawable, note_on_missing, wrap

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
        self._chinese = chinese_font()
        self._fonts = [FT2Font(str(Path(get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")))]
        self._families = [FALLBACK_FAMILY]
        if self._chinese:
            self._fonts.insert(0, FT2Font(self._chinese.path, face_index=self._chinese.face))
            self._families.insert(0, self._chinese.family)
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
        return self.figure.add_axes((left / WIDTH, bottom / HEIGHT, width / WIDTH, height / HEIGHT))

    def png(self) -> bytes:
        """What has been drawn."""
        file = io.BytesIO()
        self._canvas.print_png(file)
        return file.getvalue()

    @property
    def note(self) -> str:
        """A sentence on characters that no font has, or nothing."""
        return note_on_missing(self._missing, self._chinese is not None)

    def _draws(self, character: str) -> bool:
        return any(font.get_char_index(ord(character)) for font in self._fonts)

    def _write_title(self, title: str) -> float:
        if not title:
            return 20
        size, lines = 0, [title]
        for size in (15, 12, 10):
            lines = wrap(title, lambda text, size=size: pixels(text, size), WIDTH - 60)
            if len(lines) <= 2:
                break
        self.write(WIDTH / 2, HEIGHT - 14, "\n".join(lines), size, ha="center", va="top")
        return 24 + len(lines) * size * DPI / 72 * 1.5


def pixels(text: str, size: float) -> float:
    """About how wide ``text`` is at ``size`` points, rather too much than too little."""
    return columns(text) * size * DPI / 72 * 0.56
