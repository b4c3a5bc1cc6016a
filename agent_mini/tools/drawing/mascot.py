"""Mini, the mascot: a small round robot of circles, boxes and lines."""

from functools import cache

from PIL import Image, ImageDraw

BODY, SHADE, FACE, INK = "#2a9d8f", "#1f7a70", "#fdf6e3", "#264653"
CHEEK, LAMP, BADGE = "#f4a6a0", "#e9c46a", "#e76f51"

_FINER = 4  # drawn so many times larger and made smaller, which smooths the edges


@cache
def draw_mascot(size: int) -> Image.Image:
    """Mini on nothing, waving, in a square of ``size`` pixels; one picture for all, not to be drawn on."""
    side = size * _FINER
    picture = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)

    def at(*places: float) -> list[float]:
        return [place * side / 100 for place in places]

    thick = round(side * 0.05)
    # aerial
    draw.line(at(50, 20, 50, 9), fill=INK, width=round(side * 0.022))
    draw.ellipse(at(45, 2, 55, 12), fill=LAMP, outline=INK, width=round(side * 0.012))
    # arms: one hangs, one waves
    for places in ((21, 62, 10, 74), (79, 60, 91, 44)):
        draw.line(at(*places), fill=SHADE, width=thick)
    draw.ellipse(at(5, 70, 15, 80), fill=BODY)
    draw.ellipse(at(86, 36, 97, 47), fill=BODY)
    # feet
    draw.ellipse(at(27, 86, 46, 97), fill=SHADE)
    draw.ellipse(at(54, 86, 73, 97), fill=SHADE)
    # body and face
    draw.rounded_rectangle(at(19, 18, 81, 92), radius=side * 0.26, fill=BODY)
    draw.rounded_rectangle(at(26, 27, 74, 62), radius=side * 0.15, fill=FACE)
    # eyes
    for x in (39, 61):
        draw.ellipse(at(x - 4.5, 36, x + 4.5, 48), fill=INK)
        draw.ellipse(at(x - 0.5, 38, x + 2.8, 42), fill="white")
    # cheeks and mouth
    draw.ellipse(at(29, 48, 36, 53), fill=CHEEK)
    draw.ellipse(at(64, 48, 71, 53), fill=CHEEK)
    draw.arc(at(43, 44, 57, 56), start=20, end=160, fill=INK, width=round(side * 0.018))
    # a prompt on the belly: >_
    draw.line(at(41, 70, 48, 75, 41, 80), fill=FACE, width=round(side * 0.026), joint="curve")
    draw.line(at(51, 80, 60, 80), fill=FACE, width=round(side * 0.026))
    return picture.reduce(_FINER)
