"""What commands write to a terminal."""

_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))


def printable(text: str) -> str:
    """``text`` without control characters: what a model writes must not move the cursor or ring the bell."""
    return text.translate(_CONTROLS)
