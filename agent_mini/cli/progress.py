"""``agent-mini progress``: what a learner has passed."""

from rich.console import Console
from rich.table import Table

from agent_mini.cli.app import app


@app.command()
def progress() -> None:
    """Show which exercises are passed, tried and looked up."""
    from agent_mini.workbook.overview import HEADERS, progress_rows
    from agent_mini.workbook.record import load_progress, progress_file

    table = Table(*HEADERS)
    for row in progress_rows(load_progress()):
        table.add_row(*row)
    Console().print(table)
    Console().print(f"kept in {progress_file()}", highlight=False, soft_wrap=True)
