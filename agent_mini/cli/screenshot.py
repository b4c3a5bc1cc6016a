"""``agent-mini notebooks screenshot``: a picture of a notebook for the README."""

from pathlib import Path
from typing import Annotated

import typer

from agent_mini.cli.notebooks import notebooks
from agent_mini.errors import InputError
from agent_mini.workbook.course import load_course


@notebooks.command("screenshot")
def screenshot_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A number (02) or a file name.")],
    picture: Annotated[
        Path, typer.Argument(metavar="OUT.png", help="Where to save the picture.", dir_okay=False)
    ],
    cell: Annotated[int, typer.Option(min=1, help="The cell to show at the top, counted from 1.")] = 1,
) -> None:
    """Run a notebook in JupyterLab and save a picture of it; needs Playwright and Chromium."""
    from agent_mini.workbook.lab_server import LabFailed
    from agent_mini.workbook.screenshot import PageFailed, take_screenshot

    notebook = load_course().find(name)
    if not notebook.built:
        raise InputError(f"{notebook.file} is not built yet", "agent-mini notebooks map lists those that are")
    try:
        take_screenshot(notebook.path, picture, cell)
    except (LabFailed, PageFailed) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1) from None
    typer.echo(picture)
