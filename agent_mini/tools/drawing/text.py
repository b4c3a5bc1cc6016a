"""Text on its way into a picture: cleaned, its missing characters dealt with, broken into lines."""

import unicodedata
from collections.abc import Callable, Collection

from agent_mini.printable import printable, whole_text

# A line neither begins with the first nor ends with the second.
_CLOSING = frozenset("，。、！？：；）》」』】〉”’…·,.!?:;)]}%°")
_OPENING = frozenset("（《「『【〈“‘([{")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs"})
_SELECTORS = dict.fromkeys(range(0xFE00, 0xFE10))


def clean(text: str) -> str:
    """``text`` as it can be drawn: composed characters, no controls, nothing invisible, no stray spaces.

    Line breaks are kept.
    """
    composed = unicodedata.normalize("NFC", whole_text(text))
    lines = printable(composed.replace("\t", " ").replace("\r\n", "\n")).splitlines()
    visible = ("".join(c for c in line if unicodedata.category(c) not in _INVISIBLE) for line in lines)
    # Variation selectors choose between two shapes of an emoji; no font here has both.
    plain = (line.translate(_SELECTORS) for line in visible)
    return "\n".join(" ".join(line.split()) for line in plain).strip()


def drawable(text: str, draws: Callable[[str], bool]) -> tuple[str, list[str]]:
    """What of ``text`` can be drawn.

    Args:
        text: Cleaned text.
        draws: Whether a font has a character.

    Returns:
        The text, with ``?`` for a letter, digit or punctuation mark that no font has and nothing for any
        other such character, and those characters. Where nothing would be left, their names stand for them.
    """
    missing = sorted({c for c in text if not c.isspace() and not draws(c)})
    if not missing:
        return text, []
    marks = {c: "?" if unicodedata.category(c)[0] in "LNP" else "" for c in missing}
    kept = clean("".join(marks.get(c, c) for c in text))
    if not kept:
        kept = " ".join(unicodedata.name(c, "?").lower() for c in text if c in marks)
    return kept, missing


def note_on_missing(missing: Collection[str], has_chinese: bool) -> str:
    """One sentence about characters that could not be drawn, empty when there are none."""
    chinese = {
        c for c in missing if unicodedata.east_asian_width(c) in "WF" and unicodedata.category(c) != "So"
    }
    if chinese and not has_chinese:
        return (
            "Chinese is shown as ? because no font on this machine has it: install one, such as Noto Sans CJK "
            "(Debian and Ubuntu: fonts-noto-cjk), and start again."
        )
    if missing:
        shown = " ".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in sorted(missing)[:10])
        return f"No font here draws these characters, they were left out or shown as ?: {shown}"
    return ""


def columns(text: str) -> int:
    """How wide ``text`` is, in halves of a Chinese character."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def shorten(text: str, limit: int) -> str:
    """``text`` cut to ``limit`` columns, with an ellipsis where something was cut."""
    if columns(text) <= limit:
        return text
    while text and columns(text) > limit - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def wrap(text: str, width: Callable[[str], float], limit: float) -> list[str]:
    """Break ``text`` into lines no wider than ``limit``.

    Args:
        text: Cleaned text; its line breaks are kept.
        width: How wide a piece of text is; the width of a whole is taken to be the sum of its parts.
        limit: In the same unit. A single character wider than that still gets a line.

    Returns:
        The lines: Latin is broken between words, Chinese between characters, a word longer than a line anywhere.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, used = "", 0.0
        for piece in pieces(paragraph):
            parts = list(piece) if width(piece.rstrip()) > limit else [piece]
            for part in parts:
                if line and used + width(part.rstrip()) > limit:
                    lines.append(line.rstrip())
                    line, used = "", 0.0
                line, used = line + part, used + width(part)
        lines.append(line.rstrip())
    return lines


def pieces(text: str) -> list[str]:
    """What stays together on a line: a word or a Chinese character, with its punctuation and the space after it."""
    found: list[str] = []
    for character in text:
        if found and not _may_break(found[-1][-1], character):
            found[-1] += character
        else:
            found.append(character)
    return found


def _may_break(before: str, after: str) -> bool:
    if after.isspace() or after in _CLOSING or before in _OPENING or unicodedata.combining(after):
        return False
    return before.isspace() or columns(before) == 2 or columns(after) == 2
