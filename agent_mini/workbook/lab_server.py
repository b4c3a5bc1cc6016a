"""JupyterLab as a child process: on loopback, on this interpreter, with settings of its own.

What a learner sets (dark mode, shortcuts, the open tabs) is kept in the workspace; their Jupyter and IPython
configuration for other work is neither read nor changed. Nothing is fetched from the network.
"""

import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from ipykernel.kernelspec import get_kernel_dict

from agent_mini.errors import InputError

START_TIMEOUT = 60.0
STOP_TIMEOUT = 20.0


class LabFailed(Exception):
    """JupyterLab did not start, or ended by itself; the message holds the end of its log."""


class LabServer:
    """JupyterLab, as a context manager that starts it, and in the end ends it and its kernels.

    Args:
        notebooks: The folder it shows.
        workspace: Where it keeps its own files, in a folder ``jupyter``.
        opens: The notebook it opens first, a file in ``notebooks``.
        port: The port on 127.0.0.1; None takes a free one.
        browser: Whether it opens a browser.

    Raises:
        InputError: ``port`` cannot be used.
    """

    def __init__(
        self, notebooks: Path, workspace: Path, opens: str, port: int | None = None, browser: bool = False
    ) -> None:
        if port is not None and (reason := _why_not(port)):
            raise InputError(f"port {port} cannot be used ({reason})", "leave out --port to take a free one")
        self._token = secrets.token_urlsafe(24)
        self._page = f"/lab/tree/{opens}"
        self._port = 0  # not known yet
        self._folder = tempfile.TemporaryDirectory(prefix="agent-mini-lab-", ignore_cleanup_errors=True)
        self._run = Path(self._folder.name)
        self._log = self._run / "lab.log"
        self._write_configuration(notebooks, port, browser)
        self._variables = self._environment(workspace)
        self._ending = ExitStack()
        self._ending.callback(self._folder.cleanup)

    def __enter__(self) -> Self:
        try:
            # Not on this thread: a signal could interrupt it between the start and the note of what was started.
            with ThreadPoolExecutor(1) as thread:
                thread.submit(self._start).result()
        except BaseException:
            self._ending.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    @property
    def address(self) -> str:
        """Where it answers, token included; known once it is ready."""
        return f"http://127.0.0.1:{self._port}{self._page}?token={self._token}"

    def wait_until_ready(self) -> None:
        """Wait until it answers.

        Raises:
            LabFailed: It ended, or did not answer in time.
        """
        deadline = time.monotonic() + START_TIMEOUT
        # A page that wants the token: another server on this port must not count.
        while self._request("GET", "/api/status") != 200:
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise LabFailed(f"JupyterLab did not start:\n{self._end_of_log()}")
            time.sleep(0.1)
            self._port = self._read_port()

    def wait_until_ended(self) -> None:
        """Wait until somebody shuts it down in the browser.

        Raises:
            LabFailed: It ended by itself.
        """
        while self._process.poll() is None:
            time.sleep(0.2)  # Windows hands a signal over only in between
        if self._process.returncode:
            raise LabFailed(f"JupyterLab ended:\n{self._end_of_log()}")

    def _start(self) -> None:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "jupyterlab"],
                env=self._variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # A group of its own: Ctrl-C reaches this program only, which then ends it in good order.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        self._ending.callback(self._end)

    def _end(self) -> None:
        if self._process.poll() is not None:
            return
        if self._request("POST", "/api/shutdown") != 200:
            self._process.terminate()
        try:
            self._process.wait(timeout=STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read_port(self) -> int:
        """The port it listens on, which it writes down once it does; 0 before that."""
        for written in (self._run / "runtime").glob("jpserver-*.json"):
            with suppress(OSError, ValueError):  # half written
                return json.loads(written.read_text(encoding="utf-8"))["port"]
        return 0

    def _request(self, method: str, path: str) -> int:
        """The status of a request to it, or 0 when it does not answer; no proxy stands between."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=STOP_TIMEOUT)
        try:
            connection.request(method, path, headers={"Authorization": f"token {self._token}"})
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()

    def _write_configuration(self, notebooks: Path, port: int | None, browser: bool) -> None:
        server = {
            "ip": "127.0.0.1",
            "port": port or 0,  # counting up from a fixed one, two that start together choose the same
            "port_retries": 0,
            "root_dir": str(notebooks),
            "open_browser": browser,
            "terminado_settings": _terminal(),
            "allow_root": True,  # in a container there is often nobody else
        }
        lab = {
            "default_url": self._page,
            "news_url": None,
            "check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
            "extension_manager": "readonly",
        }
        _write_json(self._run / "config" / "jupyter_lab_config.json", {"ServerApp": server, "LabApp": lab})
        _write_json(
            self._run / "config" / "labconfig" / "default_setting_overrides.json",
            {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}},
        )
        _write_json(
            self._run / "config" / "labconfig" / "page_config.json",
            {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}},
        )
        # The first place where kernels are looked for: no other `python3` can take this one's place.
        _write_json(self._run / "data" / "kernels" / "python3" / "kernel.json", get_kernel_dict())

    def _environment(self, workspace: Path) -> dict[str, str]:
        own = workspace / "jupyter"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
        for name in ("AGENT_ENV_FILE", "AGENT_DATA_DIR"):  # kernels start in another folder
            if inherited.get(name, "none") not in ("", "none"):
                inherited[name] = str(Path(inherited[name]).resolve())
        return inherited | {
            "AGENT_WORKSPACE": str(workspace),
            "IPYTHONDIR": str(own / "ipython"),
            "JUPYTER_CONFIG_DIR": str(own),
            "JUPYTER_CONFIG_PATH": str(self._run / "config"),
            "JUPYTER_DATA_DIR": str(own / "data"),
            "JUPYTER_PATH": str(self._run / "data"),
            "JUPYTER_RUNTIME_DIR": str(self._run / "runtime"),
            "JUPYTER_TOKEN": self._token,
            # `agent-mini` is found in JupyterLab's terminal, however it was started.
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
            "PYTHONUTF8": "1",
        }

    def _end_of_log(self) -> str:
        return "\n".join(self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:])


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Ctrl-C, SIGTERM and a closed terminal leave the block quietly."""

    def leave(*_: object) -> None:
        for number in before:  # once is enough: what is being ended ends in good order
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        signal.signal(number, leave)
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _terminal() -> dict[str, list[str]]:
    """How a terminal starts: not as a login shell, which would set the PATH anew."""
    if os.name == "nt":
        return {}
    return {"shell_command": [os.environ.get("SHELL") or "sh"]}


def _why_not(port: int) -> str:
    """Why nobody can listen on ``port``; empty when one can."""
    with socket.socket() as probe:
        if os.name != "nt":  # where it means what it says: a port just left is free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            return error.strerror or str(error)
        return ""


def _write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
