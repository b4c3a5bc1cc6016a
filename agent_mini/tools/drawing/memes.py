"""The four kinds of picture with a text: each a scene, a place for Mini, and a place for the words."""

import io
import math
from collections.abc import Callable
from typing import Literal

from PIL import Image, ImageDraw

from agent_mini.tools.drawing.lettering import Lettering
from agent_mini.tools.drawing.mascot import draw_mascot
from agent_mini.tools.drawing.text import is_mark

WIDTH, HEIGHT = 800, 600
SIZES = tuple(range(72, 21, -4))

Style = Literal["meme", "note", "poster", "mascot"]

_INK = "#264653"
_FINER = 2  # shapes are drawn so many times larger and made smaller, which smooths their edges


def draw_meme(text: str, style: Style) -> tuple[bytes, str]:
    """Draw a text in a style.

    Returns:
        A PNG of ``WIDTH`` x ``HEIGHT`` pixels, and a note on what of the text is not drawn, or nothing.
    """
    lettering = Lettering()
    picture = _STYLES[style](lettering.drawable(text), lettering)
    png = io.BytesIO()
    picture.save(png, "PNG")
    return png.getvalue(), lettering.note


def split(text: str) -> tuple[str, str]:
    """The upper and the lower text of a meme: before and after a line break, else the punctuation or space
    nearest to the middle; a short text is all above."""
    first, broken, rest = text.partition("\n")
    if broken:
        return first, rest.replace("\n", " ")
    for marks, least in (("，。！？；,!?;", 4), (" ", 24)):
        # What stands on a punctuation mark stays with it.
        places = [
            place for place in range(1, len(text)) if text[place - 1] in marks and not is_mark(text[place])
        ]
        if places and len(text) >= least:
            middle = min(places, key=lambda place: abs(place - len(text) / 2))
            return text[:middle].strip(), text[middle:].strip()
    return text, ""


def _meme(text: str, lettering: Lettering) -> Image.Image:
    picture = _scene("#f4a261", _rays)
    _put_mascot(picture, 300, (250, 150))
    draw = ImageDraw.Draw(picture)
    for part, box in zip(split(text), ((24, 12, 776, 160), (24, 440, 776, 588)), strict=True):
        fitted = lettering.fit(part, box[2] - box[0], box[3] - box[1], SIZES)
        lettering.write(draw, fitted, box, fill="white", stroke="#1d1d1d")
    return picture


def _note(text: str, lettering: Lettering) -> Image.Image:
    picture = _scene("#e9e4d8", _sticky_note)
    _put_mascot(picture, 120, (590, 440))
    box = (130, 80, 670, 430)
    fitted = lettering.fit(text, 540, 350, SIZES)
    lettering.write(ImageDraw.Draw(picture), fitted, box, fill=_INK, centred=False)
    return picture


def _poster(text: str, lettering: Lettering) -> Image.Image:
    picture = _scene(_INK, _frame)
    _put_mascot(picture, 170, (315, 55))
    box = (80, 260, 720, 525)
    fitted = lettering.fit(text, 640, 265, SIZES)
    lettering.write(ImageDraw.Draw(picture), fitted, box, fill="#fdf6e3")
    return picture


def _mascot(text: str, lettering: Lettering) -> Image.Image:
    picture = _scene("#d8eeea", _bubble)
    _put_mascot(picture, 300, (12, 275))
    box = (360, 70, 740, 350)
    fitted = lettering.fit(text, 380, 280, SIZES)
    lettering.write(ImageDraw.Draw(picture), fitted, box, fill=_INK)
    return picture


def _scene(ground: str, paint: Callable[[ImageDraw.ImageDraw, float], None]) -> Image.Image:
    """A picture of one colour on which ``paint`` has drawn; it is told how many dots a pixel has."""
    large = Image.new("RGB", (WIDTH * _FINER, HEIGHT * _FINER), ground)
    paint(ImageDraw.Draw(large), _FINER)
    return large.reduce(_FINER)


def _put_mascot(picture: Image.Image, size: int, place: tuple[int, int]) -> None:
    mascot = draw_mascot(size)
    picture.paste(mascot, place, mascot)


def _rays(draw: ImageDraw.ImageDraw, dots: float) -> None:
    middle, reach = (WIDTH / 2 * dots, HEIGHT / 2 * dots), WIDTH * dots
    for ray in range(0, 24, 2):
        ends = [
            (middle[0] + reach * math.cos(turn), middle[1] + reach * math.sin(turn))
            for turn in (math.tau * ray / 24, math.tau * (ray + 1) / 24)
        ]
        draw.polygon([middle, *ends], fill="#e9c46a")


def _sticky_note(draw: ImageDraw.ImageDraw, dots: float) -> None:
    def at(*places: float) -> list[float]:
        return [place * dots for place in places]

    draw.polygon(at(92, 52, 722, 52, 722, 480, 640, 562, 92, 562), fill="#cfc8b8")  # its shadow
    draw.polygon(at(80, 40, 710, 40, 710, 468, 628, 550, 80, 550), fill="#fff3a3")
    draw.polygon(at(710, 468, 628, 468, 628, 550), fill="#e8d877")  # its folded corner
    draw.rounded_rectangle(at(330, 22, 470, 58), radius=4 * dots, fill="#f4a6a0")  # tape


def _frame(draw: ImageDraw.ImageDraw, dots: float) -> None:
    for inset, colour, width in ((18, "#e9c46a", 5), (30, "#2a9d8f", 2)):
        box = [inset * dots, inset * dots, (WIDTH - inset) * dots, (HEIGHT - inset) * dots]
        draw.rectangle(box, outline=colour, width=round(width * dots))
    for left, right in ((110, 345), (455, 690)):
        draw.line([left * dots, 242 * dots, right * dots, 242 * dots], fill="#e9c46a", width=round(3 * dots))
    draw.polygon(
        [400 * dots, 234 * dots, 408 * dots, 242 * dots, 400 * dots, 250 * dots, 392 * dots, 242 * dots],
        fill="#e76f51",
    )


def _bubble(draw: ImageDraw.ImageDraw, dots: float) -> None:
    def at(*places: float) -> list[float]:
        return [place * dots for place in places]

    draw.ellipse(at(30, 548, 300, 588), fill="#b9dcd6")  # the floor under Mini
    for grow, colour in ((4, _INK), (0, "white")):
        draw.rounded_rectangle(
            at(330 - grow, 40 - grow, 770 + grow, 380 + grow), radius=(40 + grow) * dots, fill=colour
        )
        draw.polygon(
            at(405 - 1.2 * grow, 378, 485 + 1.2 * grow, 378, 332 - 2 * grow, 440 + 1.6 * grow), fill=colour
        )


_STYLES: dict[Style, Callable[[str, Lettering], Image.Image]] = {
    "meme": _meme,
    "note": _note,
    "poster": _poster,
    "mascot": _mascot,
}
