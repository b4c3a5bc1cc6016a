"""``agent-mini lab`` as a process of its own, for programs that look at it from outside."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from agent_mini.workbook.kernel import isolated_environment
from agent_mini.workbook.lab_server import START_TIMEOUT, LabFailed

LAB = (sys.executable, "-m", "agent_mini.cli", "lab", "--no-browser")
STOP_TIMEOUT = 30.0
"""Seconds until it must have ended once it is asked to."""


@contextmanager
def running_lab(
    folder: Path, command: Sequence[str] = LAB, start_timeout: float = START_TIMEOUT
) -> Iterator[str]:
    """Start JupyterLab, and end it with all it started.

    Args:
        folder: Keeps everything it writes; the learner's notebooks are in ``workspace/notebooks`` below it.
        command: What starts it and prints an address with a token.
        start_timeout: Seconds until it must have printed it.

    Returns:
        The address with its token.

    Raises:
        LabFailed: It did not start, or did not end when asked to; with what it printed.
    """
    log = folder / "lab.log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            command,
            env=isolated_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # Windows: a group of its own, or the signal that ends it would reach us too.
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    try:
        yield _address(process, log, start_timeout)
    finally:
        process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))
        try:
            process.wait(timeout=STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise LabFailed(f"JupyterLab did not end:\n{_text(log)}") from None


def _address(process: subprocess.Popen[bytes], log: Path, timeout: float) -> str:
    deadline = time.monotonic() + timeout
    while process.poll() is None and time.monotonic() < deadline:
        found = re.search(r"http://\S+[?&]token=\S+", _text(log))
        if found:
            return found.group()
        time.sleep(0.1)
    raise LabFailed(f"JupyterLab did not start:\n{_text(log)}")


def _text(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")
