"""agent-mini lab and reset: a real JupyterLab, started and ended as a learner would."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
import websocket

from agent_mini.cli import run
from agent_mini.workbook.course import load_course
from agent_mini.workbook.lab_server import LabFailed, LabServer, stopped_by_signals

PATIENCE = 60.0
STOP = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM)


def wait_for(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@dataclass
class Lab:
    """A running ``agent-mini lab`` and what it printed so far."""

    process: subprocess.Popen[bytes]
    log: Path
    scratch: Path

    @property
    def printed(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def address(self) -> str:
        wait_for(lambda: "?token=" in self.printed or self.process.poll() is not None, "no address")
        lines = re.findall(r"^(http://127\.0\.0\.1:\d+/\S+)$", self.printed, flags=re.MULTILINE)
        assert len(lines) == 1, self.printed
        return lines[0]

    def request(
        self, method: str, path: str, body: str | None = None, token: bool = True
    ) -> tuple[int, bytes]:
        address = urlsplit(self.address())
        connection = http.client.HTTPConnection("127.0.0.1", address.port or 0, timeout=PATIENCE)
        headers = {"Authorization": f"token {address.query.removeprefix('token=')}"} if token else {}
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def kernels(self) -> Iterator[psutil.Process]:
        for process in self.family():
            with suppress(psutil.NoSuchProcess):  # it has ended since, as a server's little helpers do
                if "ipykernel_launcher" in process.cmdline():
                    yield process

    def end(self, how: int = STOP) -> str:
        """Ask it to end, wait until all it started is gone, and return what it printed after the address."""
        family = self.family()
        self.process.send_signal(how)
        assert self.process.wait(timeout=PATIENCE) == 0, self.printed
        _, alive = psutil.wait_procs(family, timeout=PATIENCE)
        assert alive == []
        return self.printed.rpartition("?token=")[2].partition("\n")[2]


@contextmanager
def lab(folder: Path, *options: str, browser: bool = False, **settings: str) -> Iterator[Lab]:
    folder.mkdir(exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder))
    log = scratch / "lab.log"
    env = os.environ | {
        "AGENT_WORKSPACE": str(folder / "work space"),
        "TMPDIR": str(scratch),
        "TMP": str(scratch),
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "agent_mini.cli", "lab", *([] if browser else ["--no-browser"]), *options],
            env=env | settings,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    running = Lab(process, log, scratch)
    try:
        yield running
    finally:
        if process.poll() is None:
            family = running.family()
            process.kill()
            for child in family:
                child.kill()
        process.wait(timeout=PATIENCE)


def test_it_opens_the_learners_own_copy_on_this_interpreter(tmp_path):
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "my.env").write_text("AGENT_DEMO_DELAY=0\n", encoding="utf-8")
    foreign = tmp_path / "foreign"
    kernels = foreign / "kernels" / "python3"
    kernels.mkdir(parents=True)
    (kernels / "kernel.json").write_text(
        '{"argv": ["no-such-python"], "display_name": "other"}', encoding="utf-8"
    )
    (foreign / "jupyter_server_config.py").write_text(
        "raise SystemExit('a broken configuration')", encoding="utf-8"
    )
    with lab(
        tmp_path / "lab",
        AGENT_ENV_FILE="my.env",
        JUPYTER_CONFIG_DIR=str(foreign),
        JUPYTER_DATA_DIR=str(foreign),
        JUPYTER_PATH=str(foreign),
    ) as running:
        assert urlsplit(running.address()).path == "/lab/tree/00_start_here.ipynb"
        assert running.request("GET", "/lab/tree/00_start_here.ipynb")[0] == 200
        assert running.request("GET", "/api/contents", token=False)[0] == 403

        listed = json.loads(running.request("GET", "/api/contents")[1])
        names = {item["name"] for item in listed["content"]}
        copies = {path.name for path in (tmp_path / "lab" / "work space" / "notebooks").glob("*.ipynb")}
        assert "00_start_here.ipynb" in names
        assert names == copies

        plugin = "/lab/api/settings/@jupyterlab/apputils-extension:notification"
        defaults = json.loads(running.request("GET", plugin)[1])["schema"]["properties"]
        assert (defaults["fetchNews"]["default"], defaults["checkForUpdates"]["default"]) == ("false", False)
        page = running.request("GET", "/lab")[1].decode()
        assert '"news": {"disabled": true}' in page
        assert "@jupyterlab/apputils-extension:announcements" in page

        assert running.request("POST", "/api/kernels", '{"name": "python3"}')[0] == 201
        (kernel,) = running.kernels()
        assert kernel.cmdline()[0] == sys.executable
        given = kernel.environ()
        assert given["AGENT_WORKSPACE"] == str(tmp_path / "lab" / "work space")
        assert given["AGENT_ENV_FILE"] == str(tmp_path / "lab" / "my.env")

        assert running.end() == "JupyterLab has ended.\n"
    assert list(running.scratch.glob("agent-mini-lab-*")) == []


@pytest.mark.skipif(
    os.name == "nt", reason="BROWSER names a script, and Ctrl-C cannot be sent to one process"
)
def test_two_at_once_with_a_browser_and_ctrl_c(tmp_path):
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{tmp_path}/opened"\n', encoding="utf-8")
    browser.chmod(0o755)
    with lab(tmp_path, browser=True, BROWSER=f"{browser} %s") as one, lab(tmp_path) as two:
        assert urlsplit(one.address()).port != urlsplit(two.address()).port
        wait_for((tmp_path / "opened").exists, "no browser was opened")
        assert two.end(signal.SIGINT) == "JupyterLab has ended.\n"
        assert one.request("POST", "/api/shutdown")[0] == 200, "as File, Shut Down does"
        assert one.process.wait(timeout=PATIENCE) == 0
        assert one.printed.endswith("JupyterLab has ended.\n")


def test_a_lab_that_does_not_start_says_why(tmp_path):
    with (
        LabServer(tmp_path / "missing", tmp_path, "00_start_here.ipynb") as server,
        pytest.raises(LabFailed, match=r"did not start:\n(.*\n)*.*No such (file or )?directory"),
    ):
        server.wait_until_ready()


def test_a_signal_while_it_starts_leaves_nothing_behind(tmp_path, monkeypatch):
    start, started = subprocess.Popen, []

    def start_and_interrupt(*args, **options):
        started.append(start(*args, **options))
        signal.raise_signal(signal.SIGINT)
        return started[0]

    monkeypatch.setattr(subprocess, "Popen", start_and_interrupt)
    with stopped_by_signals(), LabServer(tmp_path, tmp_path, "00_start_here.ipynb"):
        pytest.fail("it was not interrupted")
    assert started[0].poll() is not None


def test_a_taken_port_is_one_line(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["lab", "--no-browser", "--port", str(port)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: port {port} cannot be used (")
    assert error.endswith("(leave out --port to take a free one)\n")
    assert error.count("\n") == 1


@pytest.mark.parametrize("port", ["0", "65536", "-1", "many"])
def test_no_port_at_all_is_one_line(capsys, port):
    assert run(["lab", f"--port={port}"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows terminals print control sequences in between")
def test_the_command_is_found_in_its_terminal(tmp_path):
    with lab(tmp_path / "lab", PATH=os.defpath) as running:
        name = json.loads(running.request("POST", "/api/terminals")[1])["name"]
        page = urlsplit(running.address())
        socket_address = f"ws://{page.netloc}/terminals/websocket/{name}?{page.query}"
        terminal = websocket.create_connection(socket_address, timeout=PATIENCE)
        try:
            terminal.send(json.dumps(["stdin", "agent-mini reset 97; echo EX''IT $?\r"]))
            shown = ""
            deadline = time.monotonic() + PATIENCE
            while "EXIT" not in shown and time.monotonic() < deadline:
                kind, *rest = json.loads(terminal.recv())
                shown += rest[0] if kind == "stdout" else ""
        finally:
            terminal.close()
        running.end()
    assert "error: no notebook '97'" in shown
    assert "EXIT 2" in shown


def test_what_is_missing_stops_it_with_the_reason(capsys, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    monkeypatch.setenv("AGENT_WORKSPACE", str(tmp_path / "file"))
    assert run(["lab", "--no-browser"]) == 1
    out = capsys.readouterr().out
    assert "workspace" in out
    assert "missing" in out
    assert "Python" not in out, "only what is missing is listed"


def test_reset_by_number_and_by_name(capsys, tmp_path):
    folder = tmp_path / "workspace" / "notebooks"
    folder.mkdir(parents=True)
    for number, name in enumerate(["0", "00", "00_start_here.ipynb"], start=1):
        (folder / "00_start_here.ipynb").write_text("mine", encoding="utf-8")
        assert run(["reset", name]) == 0
        assert capsys.readouterr().out == (
            "00_start_here.ipynb: as it comes with the course\n"
            f"00_start_here.mine-{number}.ipynb: yours, kept beside it\n"
        )
    assert run(["reset", "0"]) == 0
    assert "mine" not in capsys.readouterr().out
    later = next(notebook for notebook in load_course() if not notebook.built)
    assert run(["reset", str(later.number)]) == 2
    expected = f"error: notebook {later.label}, {later.title}, is still to come"
    assert capsys.readouterr().err.startswith(expected)
    assert run(["reset", "97"]) == 2
    assert capsys.readouterr().err.startswith("error: no notebook '97'")


def test_what_lab_left_alone_is_named(capsys, monkeypatch, tmp_path):
    folder = tmp_path / "workspace" / "notebooks"
    folder.mkdir(parents=True)
    (folder / "00_start_here.ipynb").write_text("mine", encoding="utf-8")
    with socket.socket() as taken:  # the port is refused after the notebooks are in order
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run(["lab", "--no-browser", "--port", str(taken.getsockname()[1])]) == 2
    out = capsys.readouterr().out
    assert "00_start_here.ipynb: kept yours; `agent-mini reset 00` brings the new one\n" in out
    assert (folder / "00_start_here.ipynb").read_text(encoding="utf-8") == "mine"
