"""A turn as lines of text, for a terminal and for wherever else there is nothing but text."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_mini.printable import printable

LINES = 8
"""Lines of one text that are shown; the model is given them all."""

LONGEST = 240
"""Characters of a line that are shown."""

_WIDTH = len("observation  ")


def labelled(label: str, text: str) -> list[str]:
    """``text`` with a label in front, shortened, and without control characters; nothing when it is empty."""
    lines = printable(text).strip("\n").rstrip().split("\n") if text.strip() else []
    shown = [_short(line) for line in lines[:LINES]]
    if len(lines) > LINES:
        shown.append(f"… ({len(lines) - LINES} more lines)")
    return [f"{'' if number else label:<{_WIDTH}}{line}" for number, line in enumerate(shown)]


def fell_back_line(data: Mapping[str, Any]) -> str:
    """A ``MODEL_FELL_BACK`` event in one line."""
    line = f"{data['from']} failed, {data['to']} answers this turn. {data['code']}: {data['message']}"
    return printable(f"{' '.join(line.split())} ({data['hint']})")


def stopped_line(interrupted: Sequence[str]) -> str:
    """What to say of a turn that was stopped, with the tools whose work stands."""
    return f"stopped; run already, or running: {', '.join(interrupted)}" if interrupted else "stopped"


def picture_path(data: Any) -> str:
    """Where a result's picture is in the workspace, as the result says; empty when it has none."""
    match data:
        case {"path": str(path), "width": int(), "height": int()}:
            return path
        case _:
            return ""


def _short(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}… ({len(line) - LONGEST} more characters)"
