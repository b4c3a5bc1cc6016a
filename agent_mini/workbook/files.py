"""Files that others write and read too: no reader ever sees half a file, and no content is taken on trust."""

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


@contextmanager
def written_beside(path: Path, content: bytes) -> Iterator[Path]:
    """A temporary file with ``content`` in the folder of ``path``, which is made when it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write ``content`` beside ``path``, then put it in place in one step.

    Raises:
        OSError: It cannot be written; what was there before is still there.
    """
    with written_beside(path, content) as temporary:
        if path.exists():
            shutil.copymode(path, temporary)
        _replace(temporary, path)


def write_new(path: Path, content: bytes) -> bool:
    """Write ``content`` in one step where nothing is, and say whether that was so.

    Raises:
        OSError: It cannot be written.
    """
    with written_beside(path, content) as temporary:
        return move_to_free(temporary, path)


def move_to_free(source: Path, target: Path) -> bool:
    """Rename ``source`` where nothing is, and say whether that was so; a rename alone would replace what is there.

    Raises:
        OSError: It cannot be renamed.
    """
    try:
        os.link(source, target)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        if os.path.lexists(target):
            return False
        source.rename(target)
    else:
        source.unlink()
    return True


@contextmanager
def reading_notebook() -> Iterator[None]:
    """Whatever goes wrong in the block, in which a file is taken to be a notebook, is a ``ValueError`` of one line.

    What is no notebook shows that in many ways: keys are missing, a list is a number, or it is nested too deep.

    Raises:
        ValueError: It is no notebook.
        OSError: The file cannot be read.
    """
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        reason = str(error).strip() or type(error).__name__
        raise ValueError(f"not a notebook: {reason.splitlines()[0]}") from None


def set_aside(path: Path, word: str) -> Path:
    """Rename ``notes.json`` to ``notes.WORD-1.json``, or the next number that is free, and return the new path."""
    number = 1
    while True:
        target = path.with_name(f"{path.stem}.{word}-{number}{path.suffix}")
        if not target.exists():
            _replace(path, target)
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
