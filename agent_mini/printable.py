"""Text from outside on its way to a terminal, or to a place where only real text is taken."""

_BIDI = (0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160), *_BIDI))


def printable(text: str) -> str:
    """``text`` without control characters: nobody else moves the cursor, rings the bell or turns a line around."""
    return text.translate(_CONTROLS)


def whole_text(text: str) -> str:
    """``text`` with a mark in the place of every half of a character: no file and no server takes those."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
