"""Text on its way into a picture: cleaned, its missing characters dealt with, broken into lines."""

import unicodedata
from collections.abc import Callable, Collection

from agent_mini.printable import printable, whole_text

# A line neither begins with the first nor ends with the second.
_CLOSING = frozenset("，。、！？：；）》」』】〉”’…·,.!?:;)]}%°")
_OPENING = frozenset("（《「『【〈“‘([{")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs"})
# Fillers and the empty Braille cell: letters and symbols by category, blank to the eye.
_BLANKS = dict.fromkeys((0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0), " ")
# Variation selectors choose between two shapes of a character; no font here has both. The rest is never drawn.
_UNSEEN = dict.fromkeys(
    (0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
)


def clean(text: str) -> str:
    """``text`` as it can be drawn: composed characters, no controls, nothing invisible, no stray spaces.

    Line breaks are kept.
    """
    lines = printable(whole_text(text).replace("\t", " ").replace("\r\n", "\n")).splitlines()
    plain = (line.translate(_BLANKS | _UNSEEN) for line in lines)
    visible = ("".join(c for c in line if unicodedata.category(c) not in _INVISIBLE) for line in plain)
    # Composed last: something invisible may have stood between a letter and its accent.
    composed = (unicodedata.normalize("NFC", line) for line in visible)
    return "\n".join(" ".join(line.split()) for line in composed).strip()


def is_mark(character: str) -> bool:
    """Whether ``character`` is drawn on the one before it: an accent, a vowel sign, a keycap's frame."""
    return unicodedata.category(character)[0] == "M"


def clusters(text: str) -> list[str]:
    """What is drawn as one: each character with the marks on it. A mark with nothing before it stands alone."""
    found: list[str] = []
    for character in text:
        if found and is_mark(character) and not found[-1].isspace():
            found[-1] += character
        else:
            found.append(character)
    return found


def drawable(text: str, draws: Callable[[str], bool]) -> tuple[str, list[str]]:
    """What of ``text`` can be drawn.

    Args:
        text: Cleaned text.
        draws: Whether a font has a character with the marks on it.

    Returns:
        The text, with ``?`` for a letter, digit or punctuation mark that no font has and nothing for any
        other such character, and those characters. A mark that cannot be drawn on its letter, or has none, is
        left out. Where nothing would be left, their names stand for them.
    """
    kept = ""
    missing: set[str] = set()
    for cluster in clusters(text):
        base = cluster[0]
        if cluster.isspace():
            kept += cluster
        elif is_mark(base) or not draws(base):
            kept += "?" if unicodedata.category(base)[0] in "LNP" else ""
            missing.update(cluster)
        else:
            shown = base
            for mark in cluster[1:]:
                if draws(shown + mark):
                    shown += mark
                else:
                    missing.add(mark)
            kept += shown
    if not missing:
        return text, []
    kept = clean(kept) or " ".join(unicodedata.name(c, "?").lower() for c in text if c in missing)
    return kept, sorted(missing)


def note_on_missing(missing: Collection[str], has_chinese: bool, obstacle: str = "") -> str:
    """One sentence about characters that could not be drawn, empty when there are none.

    Args:
        missing: Those characters.
        has_chinese: Whether there is a font that draws Chinese.
        obstacle: What is needed before fonts can be looked for, if something is.
    """
    chinese = {
        c for c in missing if unicodedata.east_asian_width(c) in "WF" and unicodedata.category(c) != "So"
    }
    if missing and obstacle:
        return f"Left out or shown as ?: {_listed(missing)}. Finding a font for them needs {obstacle}."
    if chinese and not has_chinese:
        return (
            "Chinese is shown as ? because no font on this machine has it: install one, such as Noto Sans CJK "
            "(Debian and Ubuntu: fonts-noto-cjk), and start again."
        )
    if missing:
        return f"No font here draws these characters, they were left out or shown as ?: {_listed(missing)}"
    return ""


def _listed(characters: Collection[str]) -> str:
    return " ".join(
        c if c.isprintable() and not is_mark(c) else f"U+{ord(c):04X}" for c in sorted(characters)[:10]
    )


def columns(text: str) -> int:
    """How wide ``text`` is, in halves of a Chinese character."""
    return sum(0 if is_mark(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def shorten(text: str, limit: float, width: Callable[[str], float] = columns) -> str:
    """``text`` cut to ``limit`` columns, or to another measure, with an ellipsis where something was cut."""
    if width(text) <= limit:
        return text
    parts = clusters(text)

    def cut(count: int) -> str:
        return "".join(parts[:count]).rstrip() + "…"

    fits, too_many = 0, len(parts)
    while too_many - fits > 1:  # halved, because measuring takes time
        middle = (fits + too_many) // 2
        if width(cut(middle)) <= limit:
            fits = middle
        else:
            too_many = middle
    return cut(fits)


def wrap(text: str, width: Callable[[str], float], limit: float) -> list[str]:
    """Break ``text`` into lines no wider than ``limit``.

    Args:
        text: Cleaned text; its line breaks are kept.
        width: How wide a piece of text is; the width of a whole is taken to be the sum of its parts.
        limit: In the same unit. A single character, with its marks, wider than that still gets a line.

    Returns:
        The lines: Latin is broken between words, Chinese between characters, a word longer than a line anywhere.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, used = "", 0.0
        for piece in pieces(paragraph):
            parts = clusters(piece) if width(piece.rstrip()) > limit else [piece]
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
    if after.isspace() or after in _CLOSING or before in _OPENING or is_mark(after):
        return False
    return before.isspace() or columns(before) == 2 or columns(after) == 2
