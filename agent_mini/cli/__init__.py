"""The ``agent-mini`` command; one file per group of commands."""

# pyright: reportUnusedImport=false
import sys
from collections.abc import Sequence


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; ``sys.argv`` when ``arguments`` is None. Returns the exit code."""
    # Importing a file registers its commands.
    from agent_mini.cli import app, ask, chat, demo, doctor, lab, notebooks, plan, progress, screenshot  # noqa: F401

    return app.run(arguments)


def main() -> None:
    """Entry point of the console script."""
    sys.exit(run())
