"""Small pictures for the tests beside this file."""

import base64
import io

from PIL import Image


def png(width: int, height: int, colour: str = "white") -> str:
    """A PNG of one colour, in base64 as a notebook holds it."""
    file = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()
