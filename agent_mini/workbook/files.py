"""Writing files that several programs share, so that no reader ever sees half a file."""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path, seconds: float = 5.0) -> Iterator[None]:
    """Hold the lock that belongs to ``path``, between processes too.

    Args:
        path: What is protected; the lock is a file beside it. Its folder is made when it is missing.
        seconds: How long to wait for whoever holds it.

    Raises:
        OSError: The lock cannot be had.
    """
    # SQLite's file lock is the portable one in the standard library: it waits, and a crash releases it.
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        connection = sqlite3.connect(
            path.with_name(f".{path.name.lstrip('.')}.lock"), timeout=seconds, isolation_level=None
        )
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise OSError(f"{path.name} cannot be locked: {error}") from error
    try:
        yield
    finally:
        connection.close()


def write_whole(path: Path, content: bytes) -> None:
    """Write ``content`` beside ``path``, then put it in place in one step.

    Raises:
        OSError: It cannot be written; what was there before is still there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, temporary)
        _replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def set_aside(path: Path, word: str) -> Path:
    """Rename ``notes.json`` to ``notes.WORD-1.json``, or the next number that is free, and return the new path."""
    number = 1
    while True:
        target = path.with_name(f"{path.stem}.{word}-{number}{path.suffix}")
        if not target.exists():
            path.rename(target)
            return target
        number += 1


def _replace(source: Path, target: Path) -> None:
    """``os.replace``, a few times over: on Windows a reader holds a file for the moment it reads."""
    for _ in range(20):
        try:
            os.replace(source, target)  # noqa: PTH105
            return
        except PermissionError:
            if os.name != "nt":
                raise
            time.sleep(0.05)
    os.replace(source, target)  # noqa: PTH105
