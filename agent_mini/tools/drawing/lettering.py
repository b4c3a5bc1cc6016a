"""Writing with Pillow: several fonts on one line, each character in the first that has it and its marks; text made
to fit a box."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from PIL import Image, ImageDraw, ImageFont

from agent_mini.fonts import FontChoice, matplotlib_file
from agent_mini.tools.drawing.fonts import chinese_font
from agent_mini.tools.drawing.text import clean, clusters, drawable, is_mark, note_on_missing, pieces, wrap

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
        self._search = chinese_font()
        self._sources = _sources(self._search.font)
        self._sized: dict[tuple[int, int], ImageFont.FreeTypeFont] = {}
        self._unshaped: dict[int, ImageFont.FreeTypeFont] = {}
        self._boxes: dict[int, bytes] = {}
        self._maps: dict[tuple[int, str], bool] = {}
        self._choices: dict[str, int | None] = {}
        self._widths: dict[str, float] = {}
        self._missing: set[str] = set()
        self._cut = False

    @property
    def note(self) -> str:
        """Sentences on characters that no font has and on text that was cut, or nothing."""
        cut = "The text is too long for this picture and is cut." if self._cut else ""
        return " ".join(filter(None, (self.note_on(self._missing), cut)))

    def note_on(self, missing: Collection[str]) -> str:
        """A sentence on characters that cannot be drawn with these fonts, or nothing."""
        return note_on_missing(missing, self._search.font is not None, self._search.obstacle)

    def drawable(self, text: str) -> str:
        """``text`` of characters that the fonts have, its line breaks kept."""
        kept, missing = drawable(clean(text), lambda cluster: self._choose(cluster) is not None)
        self._missing.update(missing)
        return kept

    def width(self, text: str, size: float) -> float:
        """How wide ``text`` is in letters of ``size`` pixels."""
        return sum(map(self._width, clusters(text))) * size / _REFERENCE

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
        kept = clusters(lines[-1])
        while kept and self.width("".join(kept) + "…", size) > width:
            kept.pop()
        lines[-1] = "".join(kept).rstrip() + "…"
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
            for index, run in groupby(clusters(line), key=self._choose):
                part = "".join(run)
                font = self._font(index or 0, text.size)
                draw.text((x, y), part, fill, font, "ls", stroke_width=outline, stroke_fill=stroke or None)
                x += font.getlength(part)
            y += step

    def mask(self, cluster: str, size: int) -> Image.Image | None:
        """A character, with its marks, in white on a black square of ``size`` pixels, or None if no font has it."""
        number = self._choose(cluster)
        if number is None:
            return None
        image = Image.new("L", (size, size))
        ImageDraw.Draw(image).text((size / 2, size * 0.88), cluster, 255, self._font(number, size), "ms")
        return image

    def _width(self, cluster: str) -> float:
        if cluster not in self._widths:
            font = self._font(self._choose(cluster) or 0, _REFERENCE)
            self._widths[cluster] = font.getlength(cluster)
        return self._widths[cluster]

    def _choose(self, cluster: str) -> int | None:
        """The number of the first font that has a character and the marks on it; a mark alone is nothing to draw."""
        if cluster not in self._choices:
            numbers = () if is_mark(cluster[0]) else range(len(self._sources))
            self._choices[cluster] = next((n for n in numbers if all(self._has(n, c) for c in cluster)), None)
        return self._choices[cluster]

    def _has(self, number: int, character: str) -> bool:
        if (number, character) not in self._maps:
            if number not in self._boxes:
                self._unshaped[number] = self._sources[number](size=24, layout_engine=ImageFont.Layout.BASIC)
                self._boxes[number] = self._picture(number, _ABSENT)
            has = character.isspace() or self._picture(number, character) != self._boxes[number]
            self._maps[number, character] = has
        return self._maps[number, character]

    def _picture(self, number: int, character: str) -> bytes:
        """A character as the font's character map gives it: nothing is put around it, as shaping does with a mark."""
        image = Image.new("L", (48, 48))
        ImageDraw.Draw(image).text((12, 36), character, 255, self._unshaped[number], "ls")
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
    if file := matplotlib_file("fonts", "ttf", "DejaVuSans.ttf"):
        files.append((str(file), 0))
    return [*(partial(ImageFont.truetype, file, index=face) for file, face in files), _own_font]


def _own_font(size: int, layout_engine: ImageFont.Layout = ImageFont.Layout.BASIC) -> ImageFont.FreeTypeFont:
    """Pillow's own font, a few hundred letters and never shaped: it is there where matplotlib is not."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # noqa: S101 - it is, when a size is given
    return font.font_variant(layout_engine=layout_engine)
