import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from agent_mini.workbook import lab_process
from agent_mini.workbook.lab_process import LabFailed, running_lab

SERVES = """
import http.server, os
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
print("model:", os.environ.get("LLM_MODEL"), flush=True)
print(f"http://127.0.0.1:{server.server_port}/lab?token=abc", flush=True)
server.serve_forever()
"""
DEAF = """
import signal, sys, time
for name in ("SIGTERM", "SIGBREAK"):
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
print("http://127.0.0.1:1/lab?token=abc", flush=True)
time.sleep(60)
"""


def python(program: str) -> Sequence[str]:
    return (sys.executable, "-c", program)


def answers(address: str) -> bool:
    host, _, port = address.removeprefix("http://").partition("/")[0].partition(":")
    with socket.socket() as probe:
        probe.settimeout(5)
        return probe.connect_ex((host, int(port))) == 0


def test_it_runs_for_the_block_and_is_gone_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_MODEL", "whoever-runs-this")
    with running_lab(tmp_path, python(SERVES)) as address:
        assert address.endswith("/lab?token=abc")
        assert answers(address)
    assert not answers(address)
    assert "model: None" in (tmp_path / "lab.log").read_text(encoding="utf-8")


def test_it_is_gone_when_the_block_raises(tmp_path: Path) -> None:
    seen: list[str] = []
    with suppress(ZeroDivisionError), running_lab(tmp_path, python(SERVES)) as address:
        seen.append(address)
        raise ZeroDivisionError
    assert not answers(seen[0])


def test_what_it_printed_is_in_the_error_when_it_ends_at_once(tmp_path: Path) -> None:
    failed = pytest.raises(LabFailed, match="did not start:\nno such port")
    with failed, running_lab(tmp_path, python("raise SystemExit('no such port')")):
        pass


def test_no_address_in_time(tmp_path: Path) -> None:
    failed = pytest.raises(LabFailed, match="did not start")
    with failed, running_lab(tmp_path, python("import time; time.sleep(60)"), start_timeout=0.5):
        pass


def test_one_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_process, "STOP_TIMEOUT", 0.5)
    started: list[subprocess.Popen[bytes]] = []

    class Popen(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Popen)
    with pytest.raises(LabFailed, match="did not end"), running_lab(tmp_path, python(DEAF)):
        pass
    assert started[0].wait(timeout=10) != 0
