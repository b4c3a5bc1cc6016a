"""``agent-mini demo``: a whole team discussion in the terminal, streamed, ending in a report."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from agent_mini.cli.app import app
from agent_mini.cli.inputs import read_question
from agent_mini.config import Settings, load_settings
from agent_mini.engine import new_discussion, run, take_answer
from agent_mini.errors import AgentError, ErrorCode, InputError
from agent_mini.guardrails import Limits
from agent_mini.handwritten import FileCheckpoint, Team
from agent_mini.human import Human, ScriptedHuman, TerminalHuman
from agent_mini.printable import printable
from agent_mini.prompts import HEADINGS
from agent_mini.providers import create_model
from agent_mini.report import is_report, render_report
from agent_mini.tools import ToolContext, calculate, days_between, today
from agent_mini.types import Event, EventKind, TeamState, TeamStatus
from agent_mini.workbook.files import write_whole

DEFAULT_QUESTION = "Should a small team build its first product as one service or as several?"


@app.command()
def demo(
    question: Annotated[
        str | None, typer.Option("-q", "--question", help="What the team discusses; - reads it from stdin.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="provider[:name], for example roleplay:ask or openai:NAME.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=0, max=100, help="Rounds at most.")] = None,
    delay: Annotated[
        float | None, typer.Option(min=0, max=60, help="Seconds a keyless reply takes; 0 does not wait.")
    ] = None,
    state: Annotated[
        Path | None, typer.Option(help="Keep the discussion in this file, and go on with the one in it.")
    ] = None,
    answer: Annotated[str | None, typer.Option(help="Answer the question the discussion waits on.")] = None,
    report: Annotated[Path | None, typer.Option(help="Also write the report to this file.")] = None,
) -> int:
    """Let a team of agents discuss a question: no key and no network needed."""
    settings = load_settings()
    changes = {} if delay is None else {"agent_demo_delay": delay}
    settings = settings.model_copy(update=changes)
    checkpoint = FileCheckpoint(state) if state else None
    if report:
        _check_report(report, state)
    begin = _begin(question, rounds, answer, checkpoint, settings)

    console = Console(highlight=False)
    context = ToolContext.from_settings(settings)
    team = Team(
        create_model(model, settings),
        [calculate, today, days_between],
        limits=Limits(max_steps=settings.agent_max_steps),
        context=context,
    )
    with _Screen(console, begin) as screen:
        end = asyncio.run(
            run(
                team,
                begin,
                human=_human(settings, screen),
                save=checkpoint.save if checkpoint else None,
                on_event=screen,
            )
        )
    text = render_report(end)
    if end.status is TeamStatus.FAILED:
        raise AgentError(ErrorCode(end.error_code), end.error)
    console.rule("report")
    if console.is_terminal:
        console.print(Markdown(printable(text)))
    else:
        typer.echo(printable(text))
    if end.status is TeamStatus.WAITING:
        typer.echo(printable(_how_to_answer(end, state)))
    if report:
        write_whole(report, text.encode())
    return 0


def _begin(
    question: str | None,
    rounds: int | None,
    answer: str | None,
    checkpoint: FileCheckpoint | None,
    settings: Settings,
) -> TeamState:
    """The state to start from: the stored one where there is one, else a new discussion."""
    if checkpoint is not None and checkpoint.exists():
        stored = checkpoint.load()
        if question is not None and read_question(question) != stored.question:
            raise InputError(
                f"{checkpoint.path} holds another question",
                "leave out -q to go on with it, or choose another file",
            )
        return stored if answer is None else take_answer(stored, answer)
    if answer is not None:
        raise InputError("nothing was asked: there is no stored discussion", code=ErrorCode.NOTHING_ASKED)
    limit = settings.agent_max_rounds if rounds is None else rounds
    text = DEFAULT_QUESTION if question is None else read_question(question)
    return new_discussion(text, max_rounds=limit, run_id="demo")


def _check_report(path: Path, state: Path | None) -> None:
    """Refuse, before anything is paid for, to write a report over something else."""
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: its folder does not exist", "make the folder first")
    if state is not None and path.absolute() == state.absolute():
        raise InputError(f"{path}: is the file of --state", "choose another file for the report")
    if path.exists() and not (path.is_file() and is_report(path.read_text("utf-8", "replace"))):
        raise InputError(f"{path}: is there and is no report", "choose another file for the report")


def _human(settings: Settings, screen: "_Screen") -> Human:
    if settings.agent_answers:
        return ScriptedHuman.from_json(settings.agent_answers)
    return TerminalHuman(before=screen.pause)


def _how_to_answer(state: TeamState, path: Path | None) -> str:
    if path is None:
        return f"The team asks: {state.pending_question}\nRun it with --state FILE to answer later."
    return (
        f'The team asks: {state.pending_question}\nAnswer with: agent-mini demo --state {path} --answer "..."'
    )


class _Screen:
    """A view of the events: text as it is written, line by line, above a progress bar."""

    def __init__(self, console: Console, state: TeamState) -> None:
        self._console = console
        self._names = HEADINGS[state.language]
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("round {task.completed:.0f} of at most {task.total:.0f}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("starting", total=state.max_rounds, completed=state.rounds)
        self._line = ""

    def __enter__(self) -> "_Screen":
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def pause(self) -> None:
        """Take the progress bar away while a person types."""
        self._progress.stop()

    def __call__(self, event: Event) -> None:
        data = event.data
        match event.kind:
            case EventKind.DECISION_MADE:
                to = self._names[str(data["target"] or "person")]
                self._print(f"{self._names['coordinator']} → {to}: {data['reason']}", "dim")
            case EventKind.DECISION_REJECTED:
                self._print(f"{self._names['coordinator']}: {data['error']}", "yellow")
            case EventKind.TURN_STARTED:
                self._progress.start()
                name = self._names[str(data["speaker"])]
                self._progress.update(self._task, description=name)
                self._print(f"\n{name}", "bold cyan")
            case EventKind.MODEL_DELTA if data["speaker"] != "coordinator":
                self._stream(str(data["text"]))
            case EventKind.TURN_ENDED:
                self._stream("\n" if self._line else "")
            case EventKind.STEP_ENDED:
                self._progress.update(self._task, completed=data["round"])
            case EventKind.TOOL_RETURNED:
                self._print(f"  {data['tool']} → {data['content']}", "dim")
            case EventKind.MODEL_FAILED:
                self._print(f"{data['code']}: {data['message']}", "red")
            case _:
                pass

    def _stream(self, text: str) -> None:
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._print(line)

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(printable(text), style=style, markup=False, soft_wrap=True)
