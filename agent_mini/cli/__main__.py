"""``python -m agent_mini.cli``: the command, where the console script is not on the path."""

from agent_mini.cli import main

main()
