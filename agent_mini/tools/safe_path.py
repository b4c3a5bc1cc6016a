"""Which paths a model may write: each piece is looked at, and whatever could mean another place is refused.

A path is refused for what it says, on every system alike, before the disk is touched: what is harmless here may
be a device or a way out where the folder is opened next. What this does not do: look at links; ``safe_folder``
does, since only the one who opens a file knows what it has opened.
"""

import re
import unicodedata
from pathlib import Path
from typing import NoReturn

from agent_mini.printable import printable
from agent_mini.tools.base import ToolError

MAX_PIECE_BYTES = 255
MAX_PATH_BYTES = 1000
MAX_PIECES = 16

_DEVICES = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"} | {
    f"{port}{number}" for port in ("COM", "LPT") for number in range(10)
}
_FORBIDDEN = '<>:"|?*\\'
_SLASH_LIKE = "\u2044\u2215\u29f8\u29f9\u2571\u2572\ufe68\uff0f\uff3c"
_UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0"
_SELECTORS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))  # they pick a variant of the character before
_ENCODED = re.compile(r"%(?:[0-9a-f]{2}|u[0-9a-f]{4})", re.IGNORECASE)
_SHORT_NAME = re.compile(r"~[0-9]{1,6}(?:\.[^.]{0,3})?$")


def safe_pieces(path: str) -> tuple[str, ...]:
    """The pieces of a relative path such as ``notes/today.txt``, in Unicode's composed form (NFC).

    Raises:
        ToolError: It could lead out of its folder, or mean something else on another system. The message begins
            with ``path:`` and names the offending piece.
    """
    if not path:
        _refuse(path, "it is empty")
    if path.startswith("\\\\") or path.startswith("//"):
        _refuse(path, "it names a network share")
    if path[0] in "/\\":
        _refuse(path, "it is absolute")
    if re.match("[a-zA-Z]:", path):
        _refuse(path, "it begins with a drive letter")
    if path.startswith("~"):
        _refuse(path, "'~' would be a home folder")
    if _size(path) > MAX_PATH_BYTES:
        _refuse(path, f"it is too long: {_size(path)} bytes, at most {MAX_PATH_BYTES}")
    pieces = unicodedata.normalize("NFC", path).split("/")
    if len(pieces) > MAX_PIECES:
        _refuse(path, f"it is {len(pieces)} pieces deep, at most {MAX_PIECES}")
    for piece in pieces:
        if reason := _fault(piece):
            _refuse(path, f"{_shown(piece)} {reason}")
    return tuple(pieces)


def is_safe_piece(piece: str) -> bool:
    """Whether one name could be asked for as it is."""
    return not _fault(piece) and unicodedata.is_normalized("NFC", piece)


def is_unseen(character: str) -> bool:
    """Whether nothing of it is to be seen, so that two names which differ in it look the same."""
    return (
        unicodedata.category(character) in ("Cf", "Zl", "Zp")
        or character in _UNSEEN
        or ord(character) in _SELECTORS
    )


def check_workspace(path: Path) -> None:
    """Refuse a place that no system can have.

    Raises:
        ToolError: There is a NUL character in it.
    """
    if "\0" in str(path):
        raise ToolError("the path of the workspace has a NUL character in it: set AGENT_WORKSPACE to another")


def _fault(piece: str) -> str:
    """Why this piece is refused; empty when it is a plain name."""
    if not piece:
        return "is an empty piece"
    for character in piece:
        if reason := _character_fault(character):
            return f"has {reason}"
    if piece != piece.strip():
        return "begins or ends with a space"
    look = unicodedata.normalize("NFKC", piece)  # what it looks like: ．． is .., ＣＯＮ and COM¹ are devices
    if not look.strip(". \u3002\uff61"):
        return "leads to another folder" if len(look) > 1 else "means the folder itself"
    if match := _ENCODED.search(piece):
        return f"has the encoded character {match[0]!r}; write the character itself"
    if piece.endswith("."):
        return "ends with a dot"
    if look.partition(".")[0].rstrip().upper() in _DEVICES:
        return "is a device on Windows"
    if _SHORT_NAME.search(piece):
        return "can be the short name of another file on Windows"
    if (size := _size(piece)) > MAX_PIECE_BYTES:
        return f"is too long: {size} bytes, at most {MAX_PIECE_BYTES}"
    return ""


def _character_fault(character: str) -> str:
    if character in _FORBIDDEN:
        return f"the forbidden character {character!r}"
    if character in _SLASH_LIKE:
        return f"{character!r}, which looks like a slash"
    match unicodedata.category(character):
        case "Cc":
            return f"the control character {character!r}"
        case "Cs" | "Co":
            return f"{character!a}, which is no character"
        case _:
            return f"the invisible character {character!a}" if is_unseen(character) else ""


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _shown(text: str) -> str:
    shown = text if len(text) <= 60 else text[:57] + "..."
    return repr(shown) if printable(shown) == shown else ascii(shown)


def _refuse(path: str, reason: str) -> NoReturn:
    raise ToolError(
        f"path: {_shown(path)} is refused: {reason}. Write a relative path of plain names, such as notes/today.txt."
    )
