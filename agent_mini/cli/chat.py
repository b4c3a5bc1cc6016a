"""``agent-mini chat``: a conversation in the terminal, in a pipe, or about one question."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from agent_mini.cli.app import app, complain
from agent_mini.cli.inputs import LIMIT, decode, read_question
from agent_mini.cli.plan import show_plan
from agent_mini.cli.trace import show_tools, show_trace
from agent_mini.cli.transcript import Transcript
from agent_mini.config import Settings, load_settings
from agent_mini.conversation import Conversation, demo_requests, stopped_line
from agent_mini.errors import AgentError, InputError
from agent_mini.guardrails import Limits
from agent_mini.human import Human, Nobody, TerminalHuman
from agent_mini.planner import KeylessModel
from agent_mini.printable import printable
from agent_mini.providers import create_model
from agent_mini.tools import ToolContext, standard_tools
from agent_mini.tracing import EventLog, JsonlLog
from agent_mini.types import LoopResult, StopReason

KEYLESS = "keyless"

Line = str | InputError
"""A line to take, or what is wrong with it."""


@app.command()
def chat(
    question: Annotated[
        str | None, typer.Option("-c", "--question", help="Answer this and end; - reads it from stdin.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="provider[:name], for example openai:NAME. By default the one in the settings, or keyless where "
            "those name none (or roleplay, which plays a team and uses no tools)."
        ),
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Keep off the network, tools included.")] = False,
    demo: Annotated[
        bool, typer.Option("--demo", help="Play prepared requests that use every tool, in a workspace apart.")
    ] = False,
    log: Annotated[Path | None, typer.Option(help="Append every event to this file, as JSON Lines.")] = None,
) -> int:
    """Talk to an agent that uses tools: no key and no network needed.

    Without -c it reads one request a line, from you or from a pipe. /help lists what else it takes.
    """
    if demo and question is not None:
        raise InputError("--demo brings its own questions", "leave out -c or --demo")
    if offline:
        os.environ["AGENT_OFFLINE"] = "1"  # not a setting alone: child processes have to see it too
    settings = load_settings()
    session = Session(_conversation(model, settings, demo), log)
    if demo:
        return session.run(_echoed(demo_requests(settings.agent_data_dir), session.console))
    if question is not None:
        return 0 if session.take(read_question(question)) else 1
    if sys.stdin is not None and sys.stdin.isatty():
        session.console.print(f"{session.model_name}: /help lists the commands, /quit ends.", style="dim")
        session.run(_typed())
        return 0
    return session.run(_echoed(_piped(), session.console))


class Session:
    """A conversation, what is shown of it, and the slash commands.

    Args:
        conversation: What is said, and what comes of it.
        log: A file for the events.
    """

    def __init__(self, conversation: Conversation, log: Path | None = None) -> None:
        self.console = Console(highlight=False)
        self._transcript = Transcript(self.console, conversation.context.workspace)
        self._listeners = [self._transcript, *([JsonlLog(log)] if log else [])]
        human = _human(self._transcript.pause)
        conversation.context = replace(conversation.context, human=human)
        self._conversation = conversation
        self._last: tuple[LoopResult, EventLog] | None = None
        self._commands: dict[str, tuple[str, Callable[[], object]]] = {
            "/trace": ("what the last turn did, in detail", self._trace),
            "/tools": ("what there is to ask for", self._tools),
            "/reset": ("forget what was said", self._reset),
            "/help": ("this list", self._help),
            "/quit": ("end", lambda: None),
        }

    @property
    def model_name(self) -> str:
        return printable(self._conversation.model.name)

    def run(self, lines: Iterable[Line]) -> int:
        """Take line after line, to the end or to /quit; the exit code is 1 when one of them came to nothing."""
        failed = False
        for line in lines:
            try:
                if isinstance(line, InputError):
                    raise line
                if line.strip().lower() == "/quit":
                    break
                failed |= not self.take(line)
            except AgentError as error:
                complain(error)
                failed = True
            except KeyboardInterrupt:
                if not self._conversation.interrupted:
                    self.console.print(stopped_line(()), style="yellow")
                failed = True
        return int(failed)

    def take(self, line: str) -> bool:
        """Do what one line says; whether that came to its end. An empty line says nothing."""
        words = line.split()
        if not words:
            return True
        if not words[0].startswith("/"):
            return self._turn(line).stop_reason is StopReason.ANSWERED
        command = self._commands.get(words[0].lower())
        if command is None:
            raise InputError(f"there is no command {words[0][:40]}", "/help lists them")
        command[1]()
        return True

    def _turn(self, text: str) -> LoopResult:
        events = EventLog(*self._listeners)
        try:
            result = asyncio.run(self._conversation.send(text, events))
        except InputError:  # nothing has begun
            raise
        except BaseException:
            self._transcript.close()
            if self._conversation.interrupted:
                self.console.print(stopped_line(self._conversation.interrupted), style="yellow")
            raise
        self._transcript.show(result)
        self._last = result, events
        return result

    def _trace(self) -> None:
        if self._last is None:
            raise InputError("nothing was asked yet", "ask something first")
        result, events = self._last
        for model in (self._conversation.model, self._conversation.fallback):
            if isinstance(model, KeylessModel) and result.model == model.name:
                progress = model.progress(result.messages, self._conversation.tools)
                show_plan(progress.plan, self.console)
        show_trace(self.console, result, events)

    def _tools(self) -> None:
        show_tools(self.console, self._conversation.tools)

    def _reset(self) -> None:
        self._conversation.reset()
        self._last = None
        self.console.print("forgotten", style="dim")

    def _help(self) -> None:
        for name, (what, _) in self._commands.items():
            self.console.print(f"{name:8}{what}", markup=False)
        self.console.print("Anything else is a request. Ctrl-C stops a turn, and between turns the chat.")


def _conversation(spec: str | None, settings: Settings, demo: bool) -> Conversation:
    chosen = spec or (settings.model_spec if settings.llm_provider != "roleplay" else KEYLESS)
    model = create_model(chosen, settings)
    context = ToolContext.from_settings(settings)
    if demo:
        context = replace(context, workspace=context.workspace / "demo")
    return Conversation(
        model,
        standard_tools(),
        context=context,
        fallback=None if chosen == KEYLESS else create_model(KEYLESS, settings),
        limits=Limits(max_steps=settings.agent_max_steps),
    )


def _human(before: Callable[[], None]) -> Human:
    return TerminalHuman(before) if sys.stdin is not None and sys.stdin.isatty() else Nobody()


def _typed() -> Iterator[Line]:
    """The lines of a person, until they end it."""
    with suppress(ImportError):
        import readline  # noqa: F401  # pyright: ignore[reportUnusedImport]  # arrow keys, where there are any
    while True:
        try:
            yield input("> ")
        except UnicodeDecodeError:
            yield InputError("that was not UTF-8 text", "type it again")
        except (EOFError, KeyboardInterrupt):
            print()
            return


def _piped() -> Iterator[Line]:
    """The lines of standard input; of one that is too long, nothing is taken."""
    if sys.stdin is None:
        return
    source = sys.stdin.buffer
    while data := source.readline(LIMIT + 2):
        if len(data) > LIMIT and not data.endswith(b"\n"):
            while (rest := source.readline(LIMIT)) and not rest.endswith(b"\n"):
                pass
            yield InputError(f"a line has more than {LIMIT:,} bytes", "shorten it")
            continue
        try:
            yield decode(data)
        except InputError as error:
            yield error


def _echoed(lines: Iterable[Line], console: Console) -> Iterator[Line]:
    """The lines, each shown before it is answered: nobody has typed them here."""
    for line in lines:
        if isinstance(line, str) and line.strip():
            console.print(f"> {printable(line.strip())}", style="bold", markup=False, soft_wrap=True)
        yield line
