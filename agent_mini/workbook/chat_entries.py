"""What a chat panel shows, piece by piece, each as HTML for the panel and as text for where there are no widgets.

Everything that a person, a model or a tool wrote is escaped, and loses its control characters.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Literal

from agent_mini.conversation import labelled
from agent_mini.printable import printable

Kind = Literal["person", "thought", "call", "note", "answer"]

LONGEST = 20_000
"""Characters of one text that the panel shows."""

# JupyterLab's own colours, so that a dark theme stays readable.
_DIM = "color:var(--jp-ui-font-color2,#616161)"
_WRAP = "white-space:pre-wrap; overflow-wrap:anywhere; line-height:1.4"
_STYLES: dict[Kind, str] = {
    "person": f"{_WRAP}; margin:8px 0 4px auto; width:fit-content; max-width:85%; padding:4px 10px; border-radius:8px; "
    "background:var(--jp-layout-color2,#eee)",
    "thought": f"{_WRAP}; {_DIM}; font-style:italic",
    "call": f"{_WRAP}; margin:2px 0",
    "note": f"{_WRAP}; color:var(--jp-warn-color0,#b34700)",
    "answer": f"{_WRAP}; margin:4px 0 8px",
}


@dataclass(slots=True)
class Entry:
    """One piece of a conversation, while it grows.

    Args:
        kind: Who or what it comes from.
        text: The text; on a call, the arguments.
        tool: On a call, the tool's name.
        result: On a call, what the tool said; None while it runs.
        ok: On a call, whether it worked.
        picture: A PNG that came of it, or nothing.
        path: Where in the workspace that is.
    """

    kind: Kind
    text: str = ""
    tool: str = ""
    result: str | None = None
    ok: bool = True
    picture: bytes = b""
    path: str = ""

    def html(self) -> str:
        """The entry for the panel; a call is folded."""
        if self.kind != "call":
            return f'<div style="{_STYLES[self.kind]}">{_html(self.text)}</div>'
        state = "…" if self.result is None else "✓" if self.ok else "✗"
        head = f"{state} <b>{_html(self.tool)}</b> <code>{_html(_one_line(self.text))}</code>"
        body = f"{_html(self.text)}\n\n{_html(self.result or '')}"
        return (
            f'<details style="{_STYLES["call"]}"><summary style="cursor:pointer">{head}</summary>'
            f'<pre style="{_WRAP}; margin:2px 0 6px 18px">{body}</pre></details>'
        )

    def plain(self) -> str:
        """The entry as lines of text."""
        match self.kind:
            case "person":
                return f"> {printable(self.text)}"
            case "answer":
                return printable(self.text)
            case "call":
                result = [] if self.result is None else labelled("observation", self.result)
                lines = [*labelled("action", f"{self.tool} {self.text}"), *result]
                return "\n".join([*lines, *labelled("picture", self.path)])
            case kind:
                return "\n".join(labelled(kind, self.text))


def plain_text(entries: Iterable[Entry]) -> str:
    """A conversation as text; a blank line goes before each thing the person says."""
    blocks: list[str] = []
    for entry in entries:
        if text := entry.plain():
            blocks += ["", text] if blocks and entry.kind == "person" else [text]
    return "\n".join(blocks)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:100]}…"


def _html(text: str) -> str:
    more = f"… ({len(text) - LONGEST} more characters)" if len(text) > LONGEST else ""
    return escape(printable(text[:LONGEST]) + more)
