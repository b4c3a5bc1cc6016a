"""Pictures as letters, with Pillow: the brighter a spot, the denser the letter; a character as ``#`` where it is."""

from contextlib import suppress
from io import BytesIO

from PIL import ExifTags, Image, ImageOps

from agent_mini.tools.drawing.lettering import Lettering

RAMP = " .:-=+*#%@"
"""From nothing to dense: on a dark screen, from dark to bright."""

MAX_PIXELS = 16_000_000
MAX_SIDE = 16_384  # a picture takes memory for each of its rows, however short they are
MAX_LINES = 200
_LIMIT = f"{MAX_PIXELS:,}, and {MAX_SIDE:,} on a side"
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP")


def character_rows(cluster: str, lettering: Lettering, width: int) -> tuple[str, ...] | None:
    """A character, with its marks, as rows of ``#``, ``width`` wide and half as many; None if no font has it."""
    mask = lettering.mask(cluster, 96)
    if mask is None:
        return None
    small = mask.resize((width, width // 2), Image.Resampling.BOX)
    dots = small.tobytes()
    rows = (dots[start : start + width] for start in range(0, len(dots), width))
    return tuple("".join("#" if dot > 90 else " " for dot in row) for row in rows)


def picture_rows(content: bytes, width: int, *, dark: bool) -> tuple[list[str], str]:
    """A picture as lines of text, the way up its camera says; of an animation, the first picture.

    Args:
        content: A file in one of ``FORMATS``.
        width: How many letters wide, or fewer where it would be more than ``MAX_LINES`` lines high.
        dark: Whether the letters are bright on a dark screen, rather than dark on a bright one.

    Returns:
        The lines, and a note when little or nothing of the picture is to be seen in them.

    Raises:
        ValueError: It is no such file, it is damaged, or it is too large.
    """
    try:
        with Image.open(BytesIO(content), formats=FORMATS) as picture:
            # Checked before anything is unpacked: a small file can say that it is enormous.
            if picture.width * picture.height > MAX_PIXELS or max(picture.size) > MAX_SIDE:
                raise _TooLarge(picture.width, picture.height)
            picture.draft("L", (width * 4, width * 4))  # a JPEG can be read smaller, which is quicker
            coloured = _upright(_eight_bits(picture).convert("RGBA"), picture)
    except _TooLarge:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ValueError(f"it has too many pixels: at most {_LIMIT}") from None
    except Image.UnidentifiedImageError:
        raise ValueError(f"it is no picture of a kind that can be read: {', '.join(FORMATS)}") from None
    except Exception as error:  # a damaged file can make a decoder raise anything
        raise ValueError(f"it is damaged: {error}") from None
    return _rows(coloured, width, dark=dark)


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Of grey in 16 bits, ``convert`` would show all but the darkest as white."""
    return picture.point(lambda level: level / 257) if picture.mode.startswith("I;16") else picture


# What turns a picture upright, by what Exif says about how the camera was held.
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _upright(loaded: Image.Image, picture: Image.Image) -> Image.Image:
    """``loaded`` turned as the Exif data of ``picture`` says; damaged data says nothing."""
    turn = None
    with suppress(Exception):  # as with a damaged picture, anything can be raised
        turn = _TURNS.get(picture.getexif().get(ExifTags.Base.Orientation, 1))
    return loaded if turn is None else loaded.transpose(turn)


class _TooLarge(ValueError):
    def __init__(self, width: int, height: int) -> None:
        super().__init__(f"it has too many pixels: {width} x {height}, at most {_LIMIT}")


def _rows(picture: Image.Image, width: int, *, dark: bool) -> tuple[list[str], str]:
    # A letter is twice as high as it is wide.
    exact = width * picture.height / picture.width / 2
    columns, lines = width, max(1, round(exact))
    if lines > MAX_LINES:
        columns, lines = max(1, round(width * MAX_LINES / exact)), MAX_LINES
    small = picture.resize((columns, lines), Image.Resampling.BOX)
    # What is transparent shows the screen.
    ground = Image.new("RGBA", small.size, "black" if dark else "white")
    grey = ImageOps.autocontrast(Image.alpha_composite(ground, small).convert("L"))
    ramp = RAMP if dark else RAMP[::-1]
    letters = [ramp[level * len(ramp) // 256] for level in grey.tobytes()]
    rows = ["".join(letters[start : start + columns]).rstrip() for start in range(0, len(letters), columns)]
    notes: list[str] = []
    if not any(rows):
        notes.append("Nothing is to be seen: all of the picture is as the screen behind it.")
    if exact < 0.5 or width * MAX_LINES / exact < 0.5:
        notes.append("The picture is far wider or higher than can be shown: it is squeezed.")
    return rows, " ".join(notes)
