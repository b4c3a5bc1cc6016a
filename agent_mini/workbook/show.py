"""Showing things in a notebook: source, conversations, step logs, tables, diagrams.

Each is a ``View``: the same in plain text, which a terminal prints and a diff can read, and richer where the
front end can. Both are deterministic. The ``show_…`` functions display at once, from anywhere in a cell;
``table`` and ``mermaid`` return the view.
"""

import inspect
import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len, chop_cells

from agent_mini.tools import Tool
from agent_mini.types import Message, ToolStep

LONGEST = 400
"""Characters of one text that are shown; the rest is counted."""

WIDEST = 88
"""Columns of a table's cell in plain text; longer lines are wrapped."""

_COMPARE_NAME_ONLY = {"agent_mini": {"compare": ["text/plain"]}}


@dataclass(frozen=True, repr=False)
class View:
    """Something to display.

    Args:
        plain: The text form.
        html: HTML, or empty.
        markdown: Markdown, or empty.
        printed: What a terminal prints, where that is not ``plain``.
        metadata: Metadata of the notebook output.
    """

    plain: str
    html: str = ""
    markdown: str = ""
    printed: str = ""
    metadata: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return self.plain

    def __str__(self) -> str:
        return self.printed or self.plain

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        forms = {"text/plain": self.plain, "text/markdown": self.markdown, "text/html": self.html}
        return {kind: text for kind, text in forms.items() if text}, self.metadata or {}


def show(view: View) -> None:
    """Display ``view`` in a notebook, print it anywhere else."""
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        from IPython.display import display

        display(view)
    else:
        print(view)


def show_source(thing: Any) -> None:
    """Show the source of a function, a class, a module or a tool, highlighted, under its full name."""
    show(source_view(thing))


def show_messages(messages: Iterable[Message]) -> None:
    """Show a conversation: who speaks to whom, and which answer belongs to which tool call."""
    rows = [row for message in messages for row in _message_rows(message)]
    show(table(rows, ("from → to", "call", "content")))


def show_steps(steps: Iterable[ToolStep]) -> None:
    """Show a tool loop's step log."""
    rows = [
        (
            step.step,
            step.tool,
            step.arguments,
            step.result.content,
            "yes" if step.result.ok else "no",
            round(step.ms, 1),
        )
        for step in steps
    ]
    show(table(rows, ("step", "tool", "arguments", "result", "ok", "ms")))


def show_json(value: Any) -> None:
    """Show plain data as indented JSON, Chinese as it is."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    show(View(text, markdown=f"```json\n{text}\n```"))


def source_view(thing: Any) -> View:
    """The source of a function, a class, a module or a tool.

    In a notebook output only the name is compared by the tests: an edit of the source is no changed output.
    """
    thing = thing.handler if isinstance(thing, Tool) else thing
    target = inspect.unwrap(thing) if callable(thing) else thing
    if not (inspect.ismodule(target) or inspect.isclass(target) or inspect.isroutine(target)):
        target = type(target)
    name = target.__name__ if inspect.ismodule(target) else f"{target.__module__}.{target.__qualname__}"
    try:
        source = inspect.getsource(target).rstrip()
    except (OSError, TypeError):
        return View(f"{name}: no source to show")
    return code_view(name, source, metadata=_COMPARE_NAME_ONLY)


def code_view(name: str, source: str, metadata: dict[str, Any] | None = None) -> View:
    """Python source under a name. Markdown, because front ends highlight it in the reader's own colours."""
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", source)), 3)
    markdown = f"`{name}`\n\n{fence}python\n{source}\n{fence}"
    return View(name, markdown=markdown, printed=f"# {name}\n{source}", metadata=metadata)


def mermaid(text: str) -> View:
    """A mermaid diagram; JupyterLab and GitHub draw it."""
    return View(text.strip(), markdown=f"```mermaid\n{text.strip()}\n```")


def table(rows: Iterable[Sequence[object]], headers: Sequence[str]) -> View:
    """A table. Cells are turned into text, long ones cut; numbers stand on the right.

    Raises:
        ValueError: A row has another number of cells than ``headers``.
    """
    cells = list(rows)
    if any(len(row) != len(headers) for row in cells):
        raise ValueError(f"every row needs {len(headers)} cells, one for each header")
    numeric = [bool(cells) and all(_is_number(row[i]) for row in cells) for i in range(len(headers))]
    texts = [[cut(str(cell)) for cell in row] for row in cells]
    return View(_plain_table(texts, headers, numeric), html=_html_table(texts, headers, numeric))


def cut(text: str, longest: int = LONGEST) -> str:
    """``text``, or its beginning and how much more there is."""
    if len(text) <= longest:
        return text
    return f"{text[:longest]}… ({len(text) - longest} more characters)"


def _message_rows(message: Message) -> list[tuple[str, str, str]]:
    """One row for a text, and one for each tool call: who speaks to whom, the call's id, the text."""
    if message.role == "tool":
        return [(f"{message.name or 'tool'} → model", message.tool_call_id or "", message.content)]
    if message.role != "assistant":
        return [(f"{message.role} → model", "", message.content)]
    rows = [(f"model → {call.name}", call.id, call.arguments) for call in message.tool_calls]
    if message.content or not rows:
        rows.insert(0, ("model → user", "", message.content))
    return rows


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _plain_table(texts: list[list[str]], headers: Sequence[str], numeric: list[bool]) -> str:
    lines = [list(headers), *(line for row in texts for line in _lines_of(row))]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(headers))]

    def fit(line: Sequence[str]) -> str:
        padded = [_pad(cell, width, right) for cell, width, right in zip(line, widths, numeric, strict=True)]
        return "  ".join(padded).rstrip()

    rule = "  ".join("-" * width for width in widths)
    head = [fit(headers), rule] if any(headers) else []
    return "\n".join([*head, *(fit(line) for line in lines[1:])])


def _lines_of(row: list[str]) -> list[list[str]]:
    """A row as lines of a table: a cell of several lines goes on below itself."""
    columns = [[part for line in cell.splitlines() for part in _wrap(line)] or [""] for cell in row]
    return [list(line) for line in zip_longest(*columns, fillvalue="")]


def _wrap(line: str) -> list[str]:
    """A line in pieces of at most ``WIDEST`` columns, cut between words where there are any."""
    pieces = [""]
    for word in re.findall(r"\s*\S+", line.expandtabs(4)):
        if cell_len(pieces[-1] + word) <= WIDEST:
            pieces[-1] += word
        else:
            pieces += chop_cells(word.lstrip(), WIDEST)
    return pieces[1:] if len(pieces) > 1 and not pieces[0] else pieces


def _pad(cell: str, width: int, right: bool) -> str:
    """Fill up to ``width`` columns; a Chinese character takes two."""
    gap = " " * (width - cell_len(cell))
    return gap + cell if right else cell + gap


def _html_table(texts: list[list[str]], headers: Sequence[str], numeric: list[bool]) -> str:
    sides = ["right" if right else "left" for right in numeric]

    def line(tag: str, cells: Sequence[str]) -> str:
        inner = "".join(
            f'<{tag} style="text-align:{side}; vertical-align:top">{_html_text(cell)}</{tag}>'
            for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{inner}</tr>"

    head = f"<thead>{line('th', headers)}</thead>" if any(headers) else ""
    body = "\n".join(line("td", row) for row in texts)
    return f"<table>{head}<tbody>\n{body}\n</tbody></table>"


def _html_text(text: str) -> str:
    """Text as HTML. Front ends read what stands between two ``$`` as a formula, unless each is in a tag of its own."""
    return escape(text).replace("\n", "<br>").replace("$", "<span>$</span>")
