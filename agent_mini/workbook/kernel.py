"""A kernel in a world of its own, for whoever runs committed notebooks: the tests, and ``notebooks refresh``.

A learner's settings, keys and Jupyter configuration do not reach it, it runs this very interpreter, and it stands
in an empty folder, so a notebook prints the same for everybody. Running goes through nbclient, which knows the
whole protocol (updated and cleared displays, output widgets) and believes the kernel's reply: that is what tells
of an ExceptionGroup, which IPython reports nowhere else.
"""

import asyncio
import logging
import math
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import ensure_async
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

# What nbclient has to say becomes an exception here; without a handler it would be printed besides.
log = logging.getLogger(__name__)
log.addHandler(logging.NullHandler())

CELL_TIMEOUT = 60.0
"""Seconds that one cell may take."""

START_TIMEOUT = 60.0
"""Seconds until a kernel must answer; a busy machine takes far longer for that than for a cell."""

# What would change a notebook's output: settings and keys, other front ends, how Python and its libraries print.
_FOREIGN_PREFIXES = ("AGENT_", "LLM_", "JUPYTER", "IPYTHON", "MPL", "MATPLOTLIB")
_FOREIGN = {
    "COLUMNS",
    "DATABASE_URL",
    "FORCE_COLOR",
    "LINES",
    "NO_COLOR",
    "PYTHONOPTIMIZE",
    "PYTHONSTARTUP",
    "PYTHONWARNINGS",
}


def isolated_environment(folder: Path) -> dict[str, str]:
    """The environment of a kernel that keeps everything it writes inside ``folder``."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name.upper() not in _FOREIGN and not name.upper().startswith(_FOREIGN_PREFIXES)
    }
    # An empty file stops matplotlib from looking for the user's; its font cache may stay shared.
    style = folder / "matplotlibrc"
    style.touch()
    return inherited | {
        "AGENT_ENV_FILE": "none",
        "AGENT_OFFLINE": "1",
        "AGENT_WORKSPACE": str(folder / "workspace"),
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_CONFIG_DIR": str(folder / "jupyter" / "config"),
        "JUPYTER_DATA_DIR": str(folder / "jupyter" / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "jupyter" / "runtime"),
        "MATPLOTLIBRC": str(style),
        "PYTHONUTF8": "1",
    }


class CellTimeout(Exception):
    """A cell ran longer than it may; its kernel has been stopped."""


class KernelDied(Exception):
    """The kernel's process ended while a cell ran, or before it."""


class IsolatedKernel:
    """One kernel for the cells of one notebook, as a context manager.

    Args:
        notebook: The notebook whose cells will run; their outputs and counts are replaced in it.
        timeout: Seconds that one cell may take.
        start_timeout: Seconds until the kernel must answer.
    """

    def __init__(
        self, notebook: NotebookNode, timeout: float = CELL_TIMEOUT, start_timeout: float = START_TIMEOUT
    ) -> None:
        self._notebook = notebook
        self._timeout = timeout
        self._start_timeout = start_timeout
        self._reply: dict[str, Any] = {}
        # pyzmq cannot wait on the event loop that is Windows' default.
        self._runner = asyncio.Runner(loop_factory=asyncio.SelectorEventLoop)
        self._folder = tempfile.TemporaryDirectory(prefix="agent-mini-kernel-", ignore_cleanup_errors=True)
        self._client: NotebookClient | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the kernel and wait until it answers."""
        try:
            self._client = self._runner.run(self._start())
        except BaseException:
            self._close()
            raise

    def run(self, index: int) -> dict[str, Any]:
        """Run one cell of the notebook, outputs and execution count included.

        Returns:
            The content of the kernel's reply: ``status`` is ``ok`` or ``error``, then with ``ename``, ``evalue``
            and ``traceback``.

        Raises:
            CellTimeout: The cell took too long.
            KernelDied: There is no kernel any more.
        """
        if self._client is None:
            raise KernelDied("the kernel was stopped before this cell")
        self._reply = {"status": "ok"}
        try:
            self._runner.run(self._client.async_execute_cell(self._notebook.cells[index], index))
        except CellTimeoutError:
            self.stop()
            raise CellTimeout(f"did not finish in {self._timeout:g} seconds") from None
        except DeadKernelError:
            self.stop()
            raise KernelDied("the kernel's process ended while this cell ran") from None
        return self._reply

    def stop(self) -> None:
        """End the kernel's process and remove its folder; a second time does nothing."""
        if self._client is not None:
            self._runner.run(self._end(self._client))
            self._client = None
            self._close()

    async def _start(self) -> NotebookClient:
        folder = Path(self._folder.name)
        manager = AsyncKernelManager(
            kernel_name="python3",
            kernel_spec_manager=_ThisInterpreter(),
            connection_file=str(folder / "connection.json"),
        )
        client = NotebookClient(
            self._notebook,
            manager,
            timeout=math.ceil(self._timeout),
            startup_timeout=math.ceil(self._start_timeout),
            iopub_timeout=math.ceil(self._timeout),
            raise_on_iopub_timeout=True,
            allow_errors=True,  # the caller decides, by the reply
            on_cell_executed=self._keep_reply,
            log=log,
        )
        # A folder of its own, so that no notebook depends on what lies beside it or leaves something there.
        desk = folder / "desk"
        desk.mkdir()
        try:
            await client.async_start_new_kernel(
                cwd=str(desk), env=isolated_environment(folder), stderr=subprocess.DEVNULL
            )
            await client.async_start_new_kernel_client()
        except BaseException:
            await self._end(client)
            raise
        return client

    @staticmethod
    async def _end(client: NotebookClient) -> None:
        manager = client.km
        if client.kc is not None:
            client.kc.stop_channels()
        if manager is not None and manager.has_kernel:
            with suppress(RuntimeError):  # it is gone already
                await ensure_async(manager.shutdown_kernel())
            await ensure_async(manager.cleanup_resources())

    def _keep_reply(self, cell: NotebookNode, cell_index: int, execute_reply: dict[str, Any]) -> None:
        self._reply = execute_reply["content"]

    def _close(self) -> None:
        self._runner.close()
        self._folder.cleanup()


class _ThisInterpreter(KernelSpecManager):
    """Knows one kernel: the interpreter that runs this code, whatever kernels are installed."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return KernelSpec(**get_kernel_dict() | {"display_name": f"Python {sys.version_info[0]}"})
