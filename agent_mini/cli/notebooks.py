"""``agent-mini notebooks``: what the maintainers of the course run."""

from pathlib import Path
from typing import Annotated

import typer

from agent_mini.cli.app import app
from agent_mini.errors import InputError
from agent_mini.workbook.course import MAP_BEGIN, MAP_END, NOTEBOOKS, course_overview, load_course

notebooks = typer.Typer(
    help="For maintainers: run, check and list the committed notebooks.", no_args_is_help=True
)
app.add_typer(notebooks, name="notebooks")

Name = Annotated[
    str | None,
    typer.Argument(metavar="[NAME]", help="A number (02) or a file; every built notebook when left out."),
]


@notebooks.command("refresh")
def refresh_command(
    name: Name = None,
    redraw: Annotated[bool, typer.Option("--redraw", help="Take new pictures of the same size too.")] = False,
) -> None:
    """Run notebooks and save them with their outputs; shows what changed."""
    from agent_mini.workbook.refresh import CellFailed, refresh

    failed = False
    for path in _chosen(name):
        try:
            result = refresh(path, redraw=redraw)
        except CellFailed as error:
            typer.echo(str(error), err=True)
            failed = True
            continue
        typer.echo(f"{path.name}: {'written' if result.written else 'unchanged'}")
        for place, lines in result.changes.items():
            typer.echo("\n".join([f"  cell {place}", *("    " + line for line in lines)]))
        for place in result.kept_pictures:
            typer.echo(
                f"  cell {place}: kept the committed picture, of the same size; --redraw takes the new one"
            )
    if failed:
        raise typer.Exit(1)


@notebooks.command("check")
def check_command(name: Name = None) -> None:
    """Compare notebooks with the template; one line a problem."""
    from agent_mini.workbook.template import check_folder, check_notebook

    course = load_course()
    entries = course.built if name is None else (course.find(name),)
    problems = check_folder(course, NOTEBOOKS) if name is None else []
    for entry in entries:
        if name is not None or entry.path.is_file():
            problems += check_notebook(entry, course, NOTEBOOKS)
    for problem in problems:
        typer.echo(problem)
    if problems:
        raise typer.Exit(1)
    typer.echo(f"{len(entries)} notebooks follow the template")


@notebooks.command("map")
def map_command() -> None:
    """Print the course map for the README, between its markers."""
    typer.echo("\n".join([MAP_BEGIN, course_overview(load_course(), "notebooks/"), MAP_END]))


def _chosen(name: str | None) -> list[Path]:
    course = load_course()
    paths = [notebook.path for notebook in course.built] if name is None else [course.find(name).path]
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path.name}: no such file", "write the notebook first, in notebooks/")
    return paths
