"""``agent-mini lab`` opens the learner's own notebooks in JupyterLab; ``agent-mini reset`` brings one back."""

from pathlib import Path
from typing import Annotated

import typer

from agent_mini.cli.app import app
from agent_mini.errors import InputError


@app.command()
def lab(
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port on this machine.")] = None,
) -> None:
    """Open your own copy of the notebooks in JupyterLab."""
    from agent_mini.cli.doctor import print_checks, quick_checks
    from agent_mini.config import load_settings
    from agent_mini.workbook.course import load_course
    from agent_mini.workbook.lab_server import LabFailed, LabServer, stopped_by_signals

    missing = [check for check in quick_checks() if check.state == "missing"]
    if missing:
        print_checks(missing)
        raise typer.Exit(1)
    folder = _refresh()
    first = load_course().notebooks[0].file
    try:
        with (
            stopped_by_signals(),
            LabServer(folder, load_settings().agent_workspace, first, port, browser) as server,
        ):
            server.wait_until_ready()
            print("JupyterLab runs here until you press Ctrl-C:")
            print(server.address, flush=True)
            server.wait_until_ended()
    except LabFailed as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    print("JupyterLab has ended.")


@app.command()
def reset(
    name: Annotated[str, typer.Argument(help="A notebook's number (02) or file name.")],
) -> None:
    """Bring a notebook back as it was; yours is kept beside it."""
    from agent_mini.workbook import learner
    from agent_mini.workbook.course import load_course

    notebook = load_course().find(name)
    if not notebook.built:
        raise InputError(f"notebook {notebook.label}, {notebook.title}, is still to come")
    moved = learner.reset(notebook.file, learner.learner_folder())
    print(f"{notebook.file}: as it comes with the course")
    if moved:
        print(f"{moved.name}: yours, kept beside it")


def _refresh() -> Path:
    """Fill or refresh the learner's folder, say what happened, and return the folder."""
    from agent_mini.workbook import learner

    folder = learner.learner_folder()
    changes = learner.refresh_copy(folder)
    print(f"Your notebooks: {folder}")
    for word, names in (("new", changes.added), ("renewed", changes.renewed)):
        if names:
            print(f"{word}: {', '.join(names)}")
    for name in changes.kept:
        print(f"{name}: kept yours; `agent-mini reset {name[:2]}` brings the new one")
    return folder
