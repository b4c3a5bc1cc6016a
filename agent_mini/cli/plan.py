"""``agent-mini plan``: how the keyless planner understands a sentence, stage by stage."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from agent_mini.cli.app import app
from agent_mini.cli.inputs import read_question
from agent_mini.clock import SystemClock
from agent_mini.config import load_settings
from agent_mini.planner import Plan, Segment, load_intents
from agent_mini.planner import plan as make_plan
from agent_mini.planner.score import PARTS
from agent_mini.printable import printable
from agent_mini.tools import standard_tools


@app.command()
def plan(
    request: Annotated[str, typer.Argument(help="What a person types; - reads it from standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
    before: Annotated[
        list[str] | None,
        typer.Option(help="An earlier turn, taken as carried out; may be given several times, oldest first."),
    ] = None,
) -> None:
    """Show how a sentence is understood without a model: nothing is run."""
    tools, day = standard_tools(), SystemClock().now().date()
    intents = load_intents(load_settings().agent_data_dir / "intents")
    plans: list[Plan] = []
    for text in (*(before or ()), request):
        plans.append(make_plan(read_question(text), tools, intents, plans, day=day))
    if as_json:
        typer.echo(json.dumps(plans[-1].to_plain(), ensure_ascii=False, indent=2))
    else:
        show_plan(plans[-1], Console(highlight=False))


def show_plan(plan: Plan, console: Console) -> None:
    """A plan stage by stage: what was read, how it was parted, every score with its parts, and what comes of it."""
    console.print(Text(f"normalised  {printable(plan.reading)}"))
    for number, part in enumerate(plan.segments, 1):
        console.print()
        console.print(Text(f"segment {number}   {printable(part.text)}", style="bold"))
        if part.candidates:
            console.print(_scores(part))
        console.print(Text(f"decision    {_decision(part)}"))
        if part.tool:
            console.print(
                Text(f"slots       {printable(_written(part.arguments)) or 'none'}"), soft_wrap=True
            )
        for name, reason in part.left_out.items():
            console.print(Text(f"left out    {printable(name)}: {printable(reason)}", style="yellow"))
    console.print()
    if plan.ask:
        console.print(Text(f"it asks     {_question(plan)}", style="yellow"))
    elif not plan.steps:
        console.print(Text("it calls    nothing: this is small talk", style="dim"))
    for step in () if plan.ask else plan.steps:
        console.print(
            Text(f"${step.number} is       {step.tool}({printable(_written(step.arguments))})", style="green")
        )
    if plan.shortened:
        console.print(Text("The rest has too many steps and is left out.", style="yellow"))


def _scores(part: Segment) -> Table:
    """Each candidate with the parts of its score; only kinds of evidence that occur have a column."""
    kinds = [kind for kind in PARTS if any(kind in candidate.parts for candidate in part.candidates)]
    table = Table(
        Column("tool", no_wrap=True),
        *(Column(kind, justify="right") for kind in kinds),
        Column("score", justify="right"),
        "found",
    )
    for candidate in part.candidates:
        cells = [f"{candidate.parts[kind]:.2f}" if kind in candidate.parts else "" for kind in kinds]
        style = "green" if candidate.tool == part.tool else ""
        found = printable(", ".join(candidate.found))
        table.add_row(Text(candidate.tool), *cells, f"{candidate.total:.2f}", Text(found), style=style)
    return table


def _decision(part: Segment) -> str:
    if part.tool:
        return f"{part.tool}, but {part.ask} is missing" if part.ask else part.tool
    return "not clear which" if part.ask else "small talk"


def _question(plan: Plan) -> str:
    assert plan.ask is not None  # noqa: S101
    tools = " or ".join(plan.ask.tools)
    return (
        f"which of {tools} was meant" if plan.ask.slot == "which" else f"for the {plan.ask.slot} of {tools}"
    )


def _written(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
