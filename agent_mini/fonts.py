"""Finding a font that can write Chinese, for pictures. Nothing is assumed from a name: a font has to draw."""

import os
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
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


class MatplotlibSettingsError(ImportError):
    """matplotlib does not start with the settings it finds."""


_loading = threading.Lock()


def load_matplotlib() -> None:
    """Import matplotlib, without a person's settings for it if it does not start with them.

    Raises:
        MatplotlibSettingsError: It starts neither way: a file ``matplotlibrc`` in the working folder cannot be read.
        ImportError: It is not installed, or its installation is broken.
    """
    with _loading:
        try:
            import_module("matplotlib")
        except ImportError:
            raise
        except Exception:  # whatever reading MPLBACKEND or a file of settings came to
            _forget_matplotlib()
            with _default_settings():
                try:
                    import_module("matplotlib")
                except ImportError:
                    raise
                except Exception as error:
                    _forget_matplotlib()
                    raise MatplotlibSettingsError(str(error), name="matplotlib") from error


def _forget_matplotlib() -> None:
    """Take away what a failed import has left: its parts stay loaded and would not be put into a new whole."""
    for name in list(sys.modules):
        if name.partition(".")[0] == "matplotlib":
            del sys.modules[name]


@contextmanager
def _default_settings() -> Generator[None]:
    names = ("MPLBACKEND", "MATPLOTLIBRC")
    earlier = {name: os.environ.pop(name) for name in names if name in os.environ}
    if file := matplotlib_file("matplotlibrc"):
        os.environ["MATPLOTLIBRC"] = str(file)
    try:
        yield
    finally:
        os.environ.pop("MATPLOTLIBRC", None)
        os.environ.update(earlier)


def matplotlib_file(*pieces: str) -> Path | None:
    """A file of matplotlib's data, or None where there is none. matplotlib is not imported for it: it may be broken."""
    with suppress(ImportError, ValueError):
        if (spec := find_spec("matplotlib")) and spec.origin:
            path = Path(spec.origin).parent.joinpath("mpl-data", *pieces)
            return path if path.exists() else None
    return None


def find_cjk_font() -> FontChoice | None:
    """The best installed font that really draws Chinese, or None. Takes a second the first time on a machine.

    Raises:
        ImportError: matplotlib, which knows the fonts, is missing or does not start; see ``load_matplotlib``.
    """
    load_matplotlib()
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
