"""Writing with Pillow: several fonts on one line, each character in the first that has it; text made to fit a box."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from agent_mini.fonts import FontChoice
from agent_mini.tools.drawing.fonts import chinese_font
from agent_mini.tools.drawing.text import clean, drawable, note_on_missing, pieces, wrap

LINE = 1.35  # the height of a line, in sizes of its letters

_REFERENCE = 64  # widths are measured at this size: they grow with it
_ABSENT = "\U0010fffe"  # no character: every font draws its box for a missing one


@dataclass(frozen=True, slots=True)
class Fitted:
    """Text that fits a box: its lines, and the size of its letters in pixels."""

    lines: tuple[str, ...]
    size: int


class Lettering:
    """The fonts of one picture, and the characters they turned out not to have."""

    def __init__(self) -> None:
        self._chinese = chinese_font()
        self._sources = _sources(self._chinese)
        self._sized: dict[tuple[int, int], ImageFont.FreeTypeFont] = {}
        self._boxes: dict[int, bytes] = {}
        self._choices: dict[str, int | None] = {}
        self._widths: dict[str, float] = {}
        self._missing: set[str] = set()
        self._cut = False

    @property
    def has_chinese(self) -> bool:
        """Whether there is a font that draws Chinese."""
        return self._chinese is not None

    @property
    def note(self) -> str:
        """Sentences on characters that no font has and on text that was cut, or nothing."""
        cut = "The text is too long for this picture and is cut." if self._cut else ""
        return " ".join(filter(None, (note_on_missing(self._missing, self.has_chinese), cut)))

    def drawable(self, text: str) -> str:
        """``text`` of characters that the fonts have, its line breaks kept."""
        kept, missing = drawable(clean(text), lambda c: self._choose(c) is not None)
        self._missing.update(missing)
        return kept

    def width(self, text: str, size: float) -> float:
        """How wide ``text`` is in letters of ``size`` pixels."""
        return sum(map(self._width, text)) * size / _REFERENCE

    def fit(self, text: str, width: float, height: float, sizes: Iterable[int]) -> Fitted:
        """Break ``text`` into lines for a box in the first of ``sizes`` that will do; cut it if none does."""
        size, lines = 0, [text]
        for size in sizes:
            lines = wrap(text, lambda part, size=size: self.width(part, size), width)
            # A single letter can be wider than the box, too.
            if len(lines) * size * LINE <= height and max(self.width(line, size) for line in lines) <= width:
                return Fitted(tuple(self._even(text, lines, width, size)), size)
        room = max(1, int(height / (size * LINE)))
        if len(lines) <= room:  # one letter is too wide in any size
            return Fitted(tuple(lines), size)
        self._cut = True
        lines = lines[:room]
        while lines[-1] and self.width(lines[-1] + "…", size) > width:
            lines[-1] = lines[-1][:-1]
        lines[-1] = lines[-1].rstrip() + "…"
        return Fitted(tuple(lines), size)

    def write(
        self,
        draw: ImageDraw.ImageDraw,
        text: Fitted,
        box: tuple[float, float, float, float],
        *,
        fill: str,
        centred: bool = True,
        stroke: str = "",
    ) -> None:
        """Write ``text`` in the middle of ``box`` (left, top, right, bottom).

        Args:
            draw: What draws on the picture.
            text: What ``fit`` gave.
            box: In pixels.
            fill: The colour of the letters.
            centred: Whether lines stand in the middle rather than at the left.
            stroke: The colour of an outline, if there is one.
        """
        left, top, right, bottom = box
        step = text.size * LINE
        # Letters rise about 0.85 of their size above the line they stand on.
        y = (top + bottom - step * len(text.lines)) / 2 + step / 2 + text.size * 0.36
        outline = max(2, text.size // 12) if stroke else 0
        for line in text.lines:
            x = (left + right - self.width(line, text.size)) / 2 if centred else left
            for index, run in groupby(line, key=self._choose):
                part = "".join(run)
                font = self._font(index or 0, text.size)
                draw.text((x, y), part, fill, font, "ls", stroke_width=outline, stroke_fill=stroke or None)
                x += font.getlength(part)
            y += step

    def mask(self, character: str, size: int) -> Image.Image | None:
        """``character`` in white on a black square of ``size`` pixels, or None if no font has it."""
        number = self._choose(character)
        if number is None:
            return None
        image = Image.new("L", (size, size))
        ImageDraw.Draw(image).text((size / 2, size * 0.88), character, 255, self._font(number, size), "ms")
        return image

    def _width(self, character: str) -> float:
        if character not in self._widths:
            font = self._font(self._choose(character) or 0, _REFERENCE)
            self._widths[character] = font.getlength(character)
        return self._widths[character]

    def _choose(self, character: str) -> int | None:
        """The number of the first font that has ``character``."""
        if character not in self._choices:
            numbers = range(len(self._sources))
            self._choices[character] = next((n for n in numbers if self._has(n, character)), None)
        return self._choices[character]

    def _has(self, number: int, character: str) -> bool:
        if number not in self._boxes:
            self._boxes[number] = self._picture(number, _ABSENT)
        return character.isspace() or self._picture(number, character) != self._boxes[number]

    def _picture(self, number: int, character: str) -> bytes:
        image = Image.new("L", (48, 48))
        ImageDraw.Draw(image).text((12, 36), character, 255, self._font(number, 24), "ls")
        return image.tobytes()

    def _font(self, number: int, size: int) -> ImageFont.FreeTypeFont:
        if (number, size) not in self._sized:
            self._sized[number, size] = self._sources[number](size=size)
        return self._sized[number, size]

    def _even(self, text: str, lines: list[str], width: float, size: int) -> list[str]:
        """The same number of lines, the last of them not much shorter than the others, where that can be."""
        longest = max((self.width(piece.rstrip(), size) for piece in pieces(text)), default=0.0)
        for share in (0.6, 0.7, 0.8, 0.9):
            limit = width * share
            narrow = wrap(text, lambda part: self.width(part, size), limit)
            if len(narrow) == len(lines) and longest <= limit:  # no word is broken for it
                return narrow
        return lines


def _sources(chinese: FontChoice | None) -> list[Callable[..., ImageFont.FreeTypeFont]]:
    """The fonts there are, the one to look in first at the front: each gives itself in a ``size``."""
    files = [(chinese.path, chinese.face)] if chinese else []
    with suppress(ModuleNotFoundError):
        from matplotlib import get_data_path

        files.append((str(Path(get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")), 0))
    return [*(partial(ImageFont.truetype, file, index=face) for file, face in files), _own_font]


def _own_font(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own font, a few hundred letters: it is there where matplotlib is not."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # noqa: S101 - it is, when a size is given
    return font
