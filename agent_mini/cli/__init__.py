"""The ``agent-mini`` command; one file per group of commands."""

import sys


def main() -> None:
    """Entry point of the console script."""
    # Importing a file registers its commands.
    from agent_mini.cli import app, ask, demo, notebooks  # noqa: F401

    sys.exit(app.run())
