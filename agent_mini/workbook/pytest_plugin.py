"""A pytest plugin that runs notebooks as tests and compares what they print; loaded with ``-p``.

nbval finds the notebooks, reads its tags and options and reports. This plugin takes over how a cell runs
(``workbook.kernel``) and how outputs are compared (``workbook.outputs``), which closes what nbval leaves open: a
cell passes only if the kernel's reply says so, a missing, additional or unexecuted output fails, and a cell that is
tagged ``raises-exception`` has to raise.
"""

import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nbval import plugin as nbval

from agent_mini.workbook.kernel import CellTimeout, IsolatedKernel, KernelDied
from agent_mini.workbook.outputs import difference

MOST_WORKERS = 8


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Processes for ``-n auto``: none for a single file, where starting them costs more than it saves."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    files = {argument.split("::")[0] for argument in config.args}
    if len(files) == 1 and Path(files.pop()).is_file():
        return 0
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cpus, MOST_WORKERS) if cpus > 1 else 0


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Iterator[None]:
    """Put our collector in the place of nbval's."""
    collectors = yield
    return [
        NotebookFile.from_parent(parent, path=file_path)
        if isinstance(collector, nbval.IPyNbFile)
        else collector
        for collector in collectors
    ]


class NotebookFile(nbval.IPyNbFile):
    """A notebook: one kernel, one test a code cell, named by its place among all cells from 1."""

    def collect(self) -> Iterator[pytest.Item]:
        cells = list(super().collect())
        self.executed = not cells or any(cell.cell.execution_count for cell in cells)
        if not self.executed:
            yield Unexecuted.from_parent(self, name="executed")
            return
        places = [place for place, cell in enumerate(self.nb.cells, 1) if cell.cell_type == "code"]
        for place, cell in zip(places, cells, strict=True):
            yield NotebookCell.from_parent(
                self, name=f"cell {place}", cell_num=place, cell=cell.cell, options=cell.options
            )

    def setup(self) -> None:
        self.setup_sanitize_files()
        if self.executed:
            limits = self.config.option
            self.kernel = IsolatedKernel(
                self.nb, limits.nbval_cell_timeout, limits.nbval_kernel_startup_timeout
            )
            self.kernel.start()

    def teardown(self) -> None:
        if self.kernel is not None:
            self.kernel.stop()

    def get_sanitize_files(self) -> list[Path]:
        # A relative path means the project's folder, wherever pytest is started.
        return [self.config.rootpath / name for name in super().get_sanitize_files()]


class NotebookCell(nbval.IPyNbCell):
    """A code cell: it runs as it says it will, and prints what was committed."""

    def runtest(self) -> None:
        if self.options["skip"]:
            pytest.skip("tagged nbval-skip")
        if not self.cell.source.strip():
            return
        committed = self.cell.outputs
        if self.cell.execution_count is None:
            self.raise_cell_error("committed without having been executed")
        try:
            reply = self.parent.kernel.run(self.cell_num - 1)
        except (CellTimeout, KernelDied) as error:
            self.parent.timed_out = True
            self.raise_cell_error(str(error))
        raised = reply["status"] == "error"
        if raised and not self.options["check_exception"]:
            self.raise_cell_error(f"raised {reply['ename']}", _trace(reply, self.cell.outputs))
        if self.options["check_exception"] and not raised:
            self.raise_cell_error("tagged raises-exception, but nothing was raised")
        if self.options["check"]:
            changes = difference(committed, self.cell.outputs, self.sanitize)
            if changes:
                self.raise_cell_error("outputs differ from the committed ones", "\n".join(changes))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        error = excinfo.value
        if not isinstance(error, nbval.NbCellError):
            return super().repr_failure(excinfo)
        parts = [f"{self.path.name}, cell {error.cell_num}: {error}", error.source, error.inner_traceback]
        return "\n\n".join(part for part in parts if part)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"{self.path.name}, {self.name}"


class Unexecuted(pytest.Item):
    """Stands for a notebook none of whose cells has been executed."""

    def runtest(self) -> None:
        pytest.fail(
            f"{self.path.name} was committed without outputs: run `agent-mini notebooks refresh {self.path.name}`",
            pytrace=False,
        )


def _trace(reply: dict[str, Any], outputs: list[Any]) -> str:
    """The traceback; of a group of exceptions IPython sends none, but prints it to stderr."""
    lines = reply["traceback"] or [output.text for output in outputs if output.get("name") == "stderr"]
    return "\n".join([*lines, f"{reply['ename']}: {reply['evalue']}"])


def _require(holder: object, *names: str) -> None:
    """Refuse to work with an nbval in which something that we use or replace has another name."""
    missing = [name for name in names if not hasattr(holder, name)]
    if missing:
        raise ImportError(
            f"this nbval has no {', '.join(missing)} in {holder}: mend agent_mini.workbook.pytest_plugin"
        )


_require(
    nbval.IPyNbFile, "collect", "setup", "teardown", "setup_sanitize_files", "get_sanitize_files", "kernel"
)
_require(nbval.IPyNbCell, "runtest", "sanitize", "raise_cell_error")
_require(nbval, "pytest_collect_file")
_made_from = list(inspect.signature(nbval.IPyNbCell.__init__).parameters)
if _made_from != ["self", "name", "parent", "cell_num", "cell", "options"]:
    raise ImportError("this nbval makes its cells in another way: mend agent_mini.workbook.pytest_plugin")
