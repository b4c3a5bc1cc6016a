"""The plugin, in real runs of pytest on small notebooks: what must fail does, and what may differ may."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from pictures import png

from agent_mini.workbook import pytest_plugin

RECORD = """
import json

def pytest_runtest_logreport(report):
    if report.when == "call" or report.failed:
        with open("reports.jsonl", "a", encoding="utf-8") as file:
            print(json.dumps([report.nodeid, report.outcome, report.longreprtext]), file=file)
"""

SETTINGS = """
[pytest]
filterwarnings = error
asyncio_default_fixture_loop_scope = function
"""

NAME_ONLY = {"agent_mini": {"compare": ["text/plain"]}}


def printed(text: str) -> nbformat.NotebookNode:
    return new_output("stream", text=text)


def shown(metadata: dict | None = None, **kinds: str) -> nbformat.NotebookNode:
    data = {kind.replace("_", "/"): text for kind, text in kinds.items()}
    return new_output("display_data", data, metadata=metadata or {})


def show(metadata: dict | None = None, **kinds: str) -> str:
    """The code whose output is ``shown`` with the same arguments."""
    output = shown(metadata, **kinds)
    return f"display({dict(output.data)!r}, metadata={dict(output.metadata)!r}, raw=True)"


@dataclass(frozen=True)
class Case:
    """A cell, what is committed as its outputs, and what the test of it must say; None when it must pass."""

    source: str
    committed: tuple[nbformat.NotebookNode, ...] = ()
    fails: str | None = None
    tags: tuple[str, ...] = ()
    executed: bool = True


WORLD = """
import os, sys
from pathlib import Path
print(sys.flags.utf8_mode, "LLM_API_KEY" in os.environ, os.environ["AGENT_ENV_FILE"], os.environ["AGENT_OFFLINE"])
print(Path(os.environ["AGENT_WORKSPACE"]).parent == Path.cwd().parent, os.listdir())
print(os.environ["JUPYTER_CONFIG_DIR"] == "elsewhere", os.environ["IPYTHONDIR"] == "elsewhere")
print(Path(sys.executable).samefile(INTERPRETER))
""".strip().replace("INTERPRETER", repr(sys.executable))

GROUP = """
import asyncio
async with asyncio.TaskGroup():
    assert 1 == 2
""".strip()

CASES = {
    "prints what it printed": Case(
        "print(1)\nprint(2, flush=True)\nprint(3)", (printed("1\n2\n"), printed("3\n"))
    ),
    "prints something else": Case("print(1)", (printed("2\n"),), "outputs differ"),
    "prints no more": Case("x = 1", (printed("2\n"),), "outputs differ"),
    "prints from now on": Case("print(1)", (), "outputs differ"),
    "prints what varies": Case("print(object())", (printed("<object object at 0x7f0123456789>\n"),)),
    "raises": Case("1/0", (), "raised ZeroDivisionError"),
    "raises a group": Case(
        "raise ExceptionGroup('two', [ValueError(1), KeyError(2)])", (), "raised ExceptionGroup"
    ),
    "asserts in a task group": Case(GROUP, (), "AssertionError"),
    "raises as it should": Case(
        "1/0",
        (new_output("error", ename="ZeroDivisionError", evalue="division by zero", traceback=[]),),
        tags=("raises-exception",),
    ),
    "should raise and does not": Case("x = 1", (), "nothing was raised", tags=("raises-exception",)),
    "raises something else": Case(
        "1/0",
        (new_output("error", ename="ValueError", evalue="x", traceback=[]),),
        "outputs differ",
        tags=("raises-exception",),
    ),
    "draws another picture": Case(show(image_png=png(8, 6)), (shown(image_png=png(8, 6, "red")),)),
    "draws a larger picture": Case(show(image_png=png(8, 7)), (shown(image_png=png(8, 6)),), "picture 8x7"),
    "shows another source": Case(
        show(NAME_ONLY, text_plain="f", text_html="new"), (shown(NAME_ONLY, text_plain="f", text_html="old"),)
    ),
    "shows another name": Case(
        show(NAME_ONLY, text_plain="g", text_html="new"),
        (shown(NAME_ONLY, text_plain="f", text_html="old"),),
        "outputs differ",
    ),
    "shows other HTML": Case(
        show(text_plain="f", text_html="new"), (shown(text_plain="f", text_html="old"),), "outputs differ"
    ),
    "updates a display": Case(
        "handle = display({'text/plain': 'a'}, raw=True, display_id=True)\n"
        "handle.update({'text/plain': 'b'}, raw=True)",
        (shown(text_plain="b"),),
    ),
    "has an isolated world": Case(WORLD, (printed("1 False none 1\nTrue []\nFalse False\nTrue\n"),)),
    "was not executed": Case("print(1)", (printed("1\n"),), "without having been executed", executed=False),
    "is empty": Case("", executed=False),
    "is skipped": Case("1/0", tags=("nbval-skip",)),
    "kills its kernel": Case("import os\nos._exit(3)", (), "process ended"),
}


@dataclass(frozen=True)
class Report:
    outcome: str
    text: str


Run = Callable[..., tuple[int, dict[str, Report]]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Write notebooks, run pytest on them with the plugin, and give its exit code and a report a test."""

    def run_pytest(*options: str, **notebooks: list[Case]) -> tuple[int, dict[str, Report]]:
        folder = tmp_path_factory.mktemp("notebooks")
        (folder / "conftest.py").write_text(RECORD, encoding="utf-8")
        (folder / "pytest.ini").write_text(SETTINGS, encoding="utf-8")
        (folder / "rules.cfg").write_text("regex: 0x[0-9a-f]{6,16}\nreplace: ADDRESS\n", encoding="utf-8")
        for name, cases in notebooks.items():
            nbformat.write(notebook(cases), folder / f"{name}.ipynb")
        command = [sys.executable, "-m", "pytest", "-p", pytest_plugin.__name__, "--nbval", "-n0", *options]
        hostile = {
            "LLM_API_KEY": "k",
            "AGENT_WORKSPACE": "w",
            "JUPYTER_CONFIG_DIR": "elsewhere",
            "IPYTHONDIR": "elsewhere",
        }
        done = subprocess.run(
            [*command, "--nbval-sanitize-with=rules.cfg"],
            cwd=folder,
            env=os.environ | hostile,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        assert (folder / "reports.jsonl").exists(), done.stdout + done.stderr
        lines = (folder / "reports.jsonl").read_text(encoding="utf-8").splitlines()
        reports = {node: Report(outcome, text) for node, outcome, text in map(json.loads, lines)}
        return done.returncode, reports

    return run_pytest


def notebook(cases: list[Case]) -> nbformat.NotebookNode:
    cells = [
        new_code_cell(
            case.source,
            id=f"cell-{number}",
            outputs=list(case.committed),
            execution_count=number if case.executed else None,
            metadata={"tags": list(case.tags)} if case.tags else {},
        )
        for number, case in enumerate(cases, 1)
    ]
    # Whatever kernel a notebook asks for, the one that runs the tests runs it.
    kernel = {"name": "some-other-kernel", "display_name": "Other", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


@pytest.fixture(scope="module")
def reports(run: Run) -> dict[str, Report]:
    fresh = [Case("print(1)", executed=False), Case("print(2)", executed=False)]
    _, reports = run(cases=list(CASES.values()), fresh=fresh)
    return reports


@pytest.mark.parametrize("name", CASES)
def test_a_cell(reports: dict[str, Report], name: str) -> None:
    case = CASES[name]
    report = reports[f"cases.ipynb::cell {list(CASES).index(name) + 1}"]
    if case.fails:
        assert report.outcome == "failed"
        assert case.fails in report.text
        assert case.source in report.text
    else:
        assert report.outcome == ("skipped" if case.tags == ("nbval-skip",) else "passed"), report.text


def test_a_cell_that_hangs_is_cut_and_the_rest_given_up(run: Run) -> None:
    hangs = Case("import itertools\nfor _ in itertools.count(): pass")
    code, reports = run("--nbval-cell-timeout=1", hangs=[hangs, Case("x = 1")])
    assert code == 1
    assert reports["hangs.ipynb::cell 1"].outcome == "failed"
    assert "did not finish in 1 seconds" in reports["hangs.ipynb::cell 1"].text
    assert reports["hangs.ipynb::cell 2"].outcome == "skipped"


def test_a_notebook_that_was_never_executed_fails_with_one_line(reports: dict[str, Report]) -> None:
    report = reports["fresh.ipynb::executed"]
    assert (report.outcome, report.text) == (
        "failed",
        "fresh.ipynb was committed without outputs: run `agent-mini notebooks refresh fresh.ipynb`",
    )
    assert not [node for node in reports if node.startswith("fresh.ipynb::cell")]


def test_one_file_needs_no_further_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_XDIST_AUTO_NUM_WORKERS", raising=False)
    file = tmp_path / "test_one.py"
    file.touch()

    def workers(*arguments: str) -> int | None:
        return pytest_plugin.pytest_xdist_auto_num_workers(SimpleNamespace(args=list(arguments)))

    assert workers(str(file)) == 0
    assert workers(f"{file}::test_a", f"{file}::test_b[x::y]") == 0
    cpus = os.cpu_count() or 1
    assert (
        workers(str(tmp_path)) == workers(str(file), str(tmp_path)) <= min(cpus, pytest_plugin.MOST_WORKERS)
    )
    monkeypatch.setenv("PYTEST_XDIST_AUTO_NUM_WORKERS", "3")
    assert workers(str(file)) is None


def test_another_nbval_is_refused() -> None:
    with pytest.raises(ImportError, match="has no runtest, sanitize"):
        pytest_plugin._require(object(), "runtest", "sanitize", "__init__")
