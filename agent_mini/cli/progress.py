"""``agent-mini progress``: what a learner has passed."""

from rich.console import Console
from rich.table import Table

from agent_mini.cli.app import app
from agent_mini.errors import InputError


@app.command()
def progress() -> None:
    """Show which exercises are passed, tried and looked up."""
    from agent_mini.workbook.overview import HEADERS, progress_rows
    from agent_mini.workbook.progress import load_progress, progress_file

    try:
        entries = load_progress()
    except OSError as error:
        raise InputError(f"{progress_file()}: cannot be read ({error})", "make it a readable file") from None
    table = Table(*HEADERS)
    for row in progress_rows(entries):
        table.add_row(*row)
    Console().print(table)
    Console().print(f"kept in {progress_file()}", highlight=False, soft_wrap=True)
