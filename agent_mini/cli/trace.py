"""What a turn did and what there is to do, in detail: ``/trace`` and ``/tools`` of the chat."""

import json
import re

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from agent_mini.printable import printable
from agent_mini.tools import Tool, Toolbox
from agent_mini.tracing import EventLog
from agent_mini.types import EventKind, LoopResult

LONGEST = 400
"""Characters of a text that are shown."""


def show_trace(console: Console, result: LoopResult, events: EventLog) -> None:
    """Every step of a turn: why, what was asked for, what came of it; and what it all cost."""
    reasons = [str(event.data["reasoning"]) for event in events.of(EventKind.MODEL_REPLIED)]
    table = Table("step", Column("what", overflow="fold"), Column("detail", overflow="fold"))
    for number, reason in enumerate(reasons, 1):
        if reason:
            table.add_row(str(number), "why", _shown(reason))
        for step in (step for step in result.steps if step.step == number):
            table.add_row(str(number), Text(printable(step.tool)), _shown(step.arguments))
            outcome = "ok" if step.result.ok else "failed"
            table.add_row("", f"{outcome}, {step.ms:.0f} ms", _shown(step.result.content))
            if step.result.data is not None:
                table.add_row("", "data", _shown(json.dumps(step.result.data, ensure_ascii=False)))
    if table.rows:
        console.print(table)
    usage = result.usage
    parts = [
        result.model,
        result.stop_reason.replace("_", " "),
        f"model calls: {len(reasons)}",
        f"tool calls: {len(result.steps)}",
        f"{result.seconds:.1f} s",
        f"{usage.prompt_tokens} + {usage.completion_tokens} tokens",
    ]
    console.print(printable(" · ".join(filter(None, parts))), style="dim", markup=False)


def show_tools(console: Console, tools: Toolbox) -> None:
    """The tools, and in a sentence of each language what they do."""
    for tool in tools:
        marks = f"({', '.join(_marks(tool))})" if _marks(tool) else ""
        console.print(printable(f"{tool.name}  {tool.title}  {marks}").strip(), style="bold", markup=False)
        for paragraph in tool.description.split("\n\n"):
            sentence = re.split(r"(?<=。)|(?<=\.)\s", " ".join(paragraph.split()), maxsplit=1)[0]
            console.print(f"    {printable(sentence)}", markup=False, soft_wrap=True)


def _marks(tool: Tool) -> list[str]:
    if tool.read_only:
        return ["changes nothing"]
    marks = {"idempotent": tool.idempotent, "asks first": tool.side_effects}
    return [mark for mark, holds in marks.items() if holds]


def _shown(text: str) -> Text:
    """Plain text of a table's cell: no markup in it counts."""
    more = f"… ({len(text) - LONGEST} more characters)" if len(text) > LONGEST else ""
    return Text(printable(text[:LONGEST]) + more)
