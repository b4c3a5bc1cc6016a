"""The floors and the owners: who may import whom, as the house rules say."""

import ast
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_mini.config import CHECKOUT

# Which files may import a library at all. A path ending in "/" is a folder.
OWNERS = {
    "fastapi": ("agent_mini/server/",),
    "httpx": ("agent_mini/models/", "agent_mini/tools/"),
    "ipywidgets": ("agent_mini/workbook/",),
    "langgraph": ("agent_mini/graph/", "agent_mini/bench/"),
    "mcp": ("agent_mini/mcp_bridge/", "mcp_servers/"),
    "playwright": ("agent_mini/workbook/screenshot.py",),
    "typer": ("agent_mini/cli/",),
}


def imports(source: str) -> Iterator[str]:
    """The libraries ``source`` imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def trespasses(root: Path) -> list[str]:
    """Every import in ``root`` of a library by a file that does not own it."""
    found: list[str] = []
    for file in sorted([*root.glob("agent_mini/**/*.py"), *root.glob("mcp_servers/**/*.py")]):
        path = file.relative_to(root).as_posix()
        for library in sorted(set(imports(file.read_text(encoding="utf-8")))):
            if library in OWNERS and not path.startswith(OWNERS[library]):
                found.append(f"{path} imports {library}")
    return found


@pytest.mark.skipif(
    importlib.util.find_spec("importlinter") is None,
    reason="import-linter is not installed: `uv sync --group dev`",
)
def test_a_module_imports_only_lower_floors() -> None:
    command = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert command, "import-linter is installed without its command"
    linted = subprocess.run(
        [command, "--no-cache", "--no-logo"],
        cwd=CHECKOUT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_a_library_has_one_owner() -> None:
    assert trespasses(CHECKOUT) == []


def test_a_trespass_is_found(tmp_path: Path) -> None:
    for path, source in {
        "agent_mini/engine.py": "def draw():\n    from langgraph.graph import StateGraph\n",
        "agent_mini/graph/team.py": "import langgraph.graph, typer\n",
        "agent_mini/cli/lab.py": "import typer\nfrom . import mcp\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source, encoding="utf-8")
    assert trespasses(tmp_path) == [
        "agent_mini/engine.py imports langgraph",
        "agent_mini/graph/team.py imports typer",
    ]
