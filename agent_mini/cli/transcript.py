"""A conversation on the terminal: thought, action and observation lines, and the answer as it is written."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from agent_mini.conversation import fell_back_line, labelled, picture_path
from agent_mini.printable import printable
from agent_mini.types import Event, EventKind, LoopResult, StopReason


class Transcript:
    """A view of the events; an instance is an ``on_event``.

    Args:
        console: Where to write. Nothing from a model or a tool reaches it with control characters in it.
        workspace: Where the pictures are that tools make.
    """

    def __init__(self, console: Console, workspace: Path) -> None:
        self._console = console
        self._workspace = workspace
        self._streamed = ""
        self._running: set[str] = set()
        self._several = False

    def __call__(self, event: Event) -> None:
        data = event.data
        match event.kind:
            case EventKind.RUN_STARTED:
                self._streamed, self._running, self._several = "", set(), False
            case EventKind.MODEL_DELTA:
                self._stream(str(data["text"]))
            case EventKind.MODEL_REPLIED:
                if data["calls"]:
                    self._break_line()
                    self._streamed = ""
                    self._lines("thought", str(data["reasoning"]), "dim")
            case EventKind.MODEL_FELL_BACK:
                self._fall_back(data)
            case EventKind.TOOL_CALLED:
                self._running.add(str(data["call"]))
                self._several = len(self._running) > 1
                self._lines("action", f"{data['tool']} {data['arguments']}", "cyan")
            case EventKind.TOOL_RETURNED:
                # Whose result it is goes without saying, as long as no other call runs beside it.
                name = f"{data['tool']}: " if self._several else ""
                self._lines("observation", f"{name}{data['content']}", "dim" if data["ok"] else "red")
                if picture := picture_path(data["data"]):
                    self._lines("picture", str(self._workspace / picture), "dim")
                self._running.discard(str(data["call"]))
                self._several = self._several and bool(self._running)
            case _:
                pass

    def pause(self) -> None:
        """Clear the way for a question to the person."""
        self._break_line()

    def close(self) -> None:
        """End a turn that has no result."""
        if self._streamed:
            self._stream(" …")
        self._break_line()

    def show(self, result: LoopResult) -> None:
        """End a turn: its answer, as far as it was not shown as it was written."""
        self._break_line()
        whole = result.stop_reason in (StopReason.ANSWERED, StopReason.CUT_OFF)
        if not (whole and self._streamed.strip()):
            self._print(result.text)
        if result.stop_reason is StopReason.CUT_OFF:
            self._print("… (cut off by the model's length limit)", "yellow")

    def _fall_back(self, data: Mapping[str, Any]) -> None:
        self.close()
        self._streamed = ""
        self._print(fell_back_line(data), "yellow")

    def _lines(self, label: str, text: str, style: str) -> None:
        for line in labelled(label, text):
            self._print(line, style)

    def _stream(self, text: str) -> None:
        self._streamed += text
        self._console.out(printable(text), end="", highlight=False)

    def _break_line(self) -> None:
        if self._streamed and not self._streamed.endswith("\n"):
            self._stream("\n")

    def _print(self, text: str, style: str = "") -> None:
        self._break_line()
        self._console.print(printable(text), style=style, markup=False, soft_wrap=True)
