"""Pictures as letters, with Pillow: the brighter a spot, the denser the letter; a character as ``#`` where it is."""

from io import BytesIO

from PIL import Image, ImageOps

from agent_mini.tools.drawing.lettering import Lettering

RAMP = " .:-=+*#%@"
"""From nothing to dense: on a dark screen, from dark to bright."""

MAX_PIXELS = 16_000_000
MAX_LINES = 200
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP")


def character_rows(character: str, lettering: Lettering, width: int) -> tuple[str, ...] | None:
    """A character as rows of ``#``, ``width`` wide and half as many; None if no font has it."""
    mask = lettering.mask(character, 96)
    if mask is None:
        return None
    small = mask.resize((width, width // 2), Image.Resampling.BOX)
    dots = small.tobytes()
    rows = (dots[start : start + width] for start in range(0, len(dots), width))
    return tuple("".join("#" if dot > 90 else " " for dot in row) for row in rows)


def picture_rows(content: bytes, width: int, *, dark: bool) -> list[str]:
    """A picture as lines of text; of an animation, the first picture.

    Args:
        content: A file in one of ``FORMATS``.
        width: How many letters wide, or fewer where it would be more than ``MAX_LINES`` lines high.
        dark: Whether the letters are bright on a dark screen, rather than dark on a bright one.

    Raises:
        ValueError: It is no such file, it is damaged, or it is too large.
    """
    try:
        with Image.open(BytesIO(content), formats=FORMATS) as picture:
            # Checked before anything is unpacked: a small file can say that it is enormous.
            if picture.width * picture.height > MAX_PIXELS:
                raise _TooLarge(picture.width, picture.height)
            picture.draft("L", (width * 4, width * 4))  # a JPEG can be read smaller, which is quicker
            coloured = _eight_bits(picture).convert("RGBA")
    except _TooLarge:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ValueError(f"it has too many pixels: at most {MAX_PIXELS:,}") from None
    except Image.UnidentifiedImageError:
        raise ValueError(f"it is no picture of a kind that can be read: {', '.join(FORMATS)}") from None
    except Exception as error:  # a damaged file can make a decoder raise anything
        raise ValueError(f"it is damaged: {error}") from None
    return _rows(coloured, width, dark=dark)


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Of grey in 16 bits, ``convert`` would show all but the darkest as white."""
    return picture.point(lambda level: level / 257) if picture.mode.startswith("I;16") else picture


class _TooLarge(ValueError):
    def __init__(self, width: int, height: int) -> None:
        super().__init__(f"it has too many pixels: {width} x {height}, at most {MAX_PIXELS:,}")


def _rows(picture: Image.Image, width: int, *, dark: bool) -> list[str]:
    # A letter is twice as high as it is wide.
    height = max(1, round(width * picture.height / picture.width / 2))
    if height > MAX_LINES:
        width, height = max(1, round(width * MAX_LINES / height)), MAX_LINES
    small = picture.resize((width, height), Image.Resampling.BOX)
    ground = Image.new(
        "RGBA", small.size, "black" if dark else "white"
    )  # what is transparent shows the screen
    grey = ImageOps.autocontrast(Image.alpha_composite(ground, small).convert("L"))
    ramp = RAMP if dark else RAMP[::-1]
    letters = [ramp[level * len(ramp) // 256] for level in grey.tobytes()]
    return ["".join(letters[start : start + width]).rstrip() for start in range(0, len(letters), width)]
