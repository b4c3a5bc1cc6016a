"""What ``import agent_mini`` costs: a notebook's first cell and every command wait for it."""

import subprocess
import sys

import pytest

HEAVY = (
    "IPython",
    "fastapi",
    "ipywidgets",
    "jupyterlab",
    "langgraph",
    "matplotlib",
    "mcp",
    "nbformat",
    "playwright",
)

# Measured on Python 3.11: 33 for the bare package, 80 for plain values, 250 once pydantic checks something, 320 for
# ten tools, a module or two for each.
# Other versions load up to 30 more at start.
MODULES_AT_MOST = {
    "agent_mini": 100,
    "agent_mini.types": 150,
    "agent_mini.tools": 350,
    "agent_mini.models": 450,
}


def loaded_by(program: str) -> set[str]:
    """The names in ``sys.modules`` of a new interpreter at the end of ``program``."""
    report = "import atexit, sys\natexit.register(lambda: print(*sys.modules, sep='\\n', file=sys.stderr))\n"
    done = subprocess.run(
        [sys.executable, "-c", report + program],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize("package", MODULES_AT_MOST)
def test_a_package_loads_few_modules(package: str) -> None:
    modules = loaded_by(f"import {package}")
    assert package in modules
    assert not modules.intersection(HEAVY)
    assert len(modules) <= MODULES_AT_MOST[package]


def test_all_public_names_together_are_still_light() -> None:
    modules = loaded_by("from agent_mini import *")
    assert not modules.intersection(HEAVY)
    assert len(modules) <= 450


def test_the_command_loads_what_a_command_needs_only_when_it_runs() -> None:
    modules = loaded_by("from agent_mini.cli import main\nsys.argv = ['agent-mini', '--help']\nmain()")
    assert "agent_mini.cli.app" in modules
    assert not modules.intersection(HEAVY)
