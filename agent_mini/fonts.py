"""Finding a font that can write Chinese, for pictures. Nothing is assumed from a name: a font has to draw."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.font_manager import FontEntry
    from matplotlib.ft2font import FT2Font

# What common systems have, the best first; after these, whatever else is installed.
CANDIDATES = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "STHeiti",
    "Microsoft YaHei",
    "SimHei",
    "DengXian",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "Arial Unicode MS",
)

_SAMPLES = "中文"
_ABSENT = "\U0010fffe"  # no character: every font draws its box for a missing one


@dataclass(frozen=True, slots=True)
class FontChoice:
    """A font that draws Chinese.

    Args:
        family: The name to give to matplotlib.
        path: The file it is in.
        face: Which of the faces in that file it is.
    """

    family: str
    path: str
    face: int = 0


def find_cjk_font() -> FontChoice | None:
    """The best installed font that really draws Chinese, or None. Takes a second the first time on a machine."""
    for entry in _installed():
        if draws_chinese(entry.fname, entry.index):
            return FontChoice(entry.name, entry.fname, entry.index)
    return None


def draws_chinese(path: str, face: int = 0) -> bool:
    """Whether a face of a font file draws Chinese characters, not the box that stands for a missing one."""
    from matplotlib.ft2font import FT2Font

    try:
        font = FT2Font(path, face_index=face)
        font.set_size(24, 72)
        drawings = {_draw(font, character) for character in _SAMPLES + _ABSENT}
    except (OSError, RuntimeError):  # not a font, or one of fixed pictures
        return False
    # Three pictures: some fonts have one for everything they do not know, under a glyph of its own.
    return len(drawings) == 3


def _draw(font: "FT2Font", character: str) -> bytes:
    import numpy

    image = numpy.zeros((48, 48), dtype=numpy.uint8)
    glyph = font.load_glyph(font.get_char_index(ord(character)))
    font.draw_glyph_to_bitmap(image, 0, 0, glyph)
    return image.tobytes()


def _installed() -> "Iterator[FontEntry]":
    """Every font, the candidates first: those matplotlib knows, then those installed since it last looked."""
    from matplotlib.font_manager import findSystemFonts, fontManager  # pyright: ignore[reportUnknownVariableType]

    known = list(fontManager.ttflist)
    yield from sorted(known, key=_rank)
    for path in sorted(set(findSystemFonts()) - {entry.fname for entry in known}):
        with suppress(OSError, RuntimeError):
            fontManager.addfont(path)  # pyright: ignore[reportUnknownMemberType]
    yield from sorted(fontManager.ttflist[len(known) :], key=_rank)


def _rank(entry: "FontEntry") -> tuple[int, str, bool]:
    place = CANDIDATES.index(entry.name) if entry.name in CANDIDATES else len(CANDIDATES)
    return place, entry.name, entry.weight != 400
