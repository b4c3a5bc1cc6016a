"""Pictures that tools make or look at: their names, their folder, and what is said when a package is missing."""

import hashlib
import json
import os
import secrets
import stat
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from agent_mini.fonts import MatplotlibSettingsError
from agent_mini.tools.base import ToolContext, ToolError
from agent_mini.tools.safe_folder import BY_HANDLE, Folder, HandleFolder, PathFolder
from agent_mini.tools.safe_path import safe_pieces

FOLDER = "pictures"
SOURCES = (FOLDER, "files")
MAX_BYTES = 20_000_000


def picture_name(kind: str, drawn: Mapping[str, Any]) -> str:
    """A file name for a picture, the same whenever the same is drawn: doing it twice leaves one file."""
    digest = hashlib.sha256(json.dumps(drawn, sort_keys=True).encode()).hexdigest()
    return f"{kind}-{digest[:12]}.png"


def save_picture(context: ToolContext, name: str, content: bytes) -> str:
    """Put a picture into the workspace, whole or not at all; one of that name is replaced.

    Returns:
        Its path in the workspace, with forward slashes.

    Raises:
        ToolError: It cannot be written there, or the folder of pictures is a link, which can lead anywhere.
    """
    try:
        context.workspace.mkdir(parents=True, exist_ok=True)
        workspace = _hold(context.workspace)
        try:
            folder = workspace.enter(FOLDER, make=True)
        finally:
            workspace.close()
        try:
            _put(folder, name, content)
        finally:
            folder.close()
    except ToolError as error:
        reason = str(error).removeprefix("path: ")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    else:
        return f"{FOLDER}/{name}"
    raise ToolError(f"the picture cannot be saved in {FOLDER}/ of the workspace: {reason}")


def _put(folder: Folder, name: str, content: bytes) -> None:
    """Write a file beside its place, then put it there in one step."""
    temporary = f".{name}.{secrets.token_hex(8)}"
    descriptor = folder.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        try:
            folder.move(temporary, folder, name)
        except PermissionError:
            # Windows keeps a file in its place while somebody reads it; that one may be the same picture.
            if _read(folder, name) != content:
                raise
            folder.remove(temporary)
    except BaseException:
        with suppress(OSError, ToolError):
            folder.remove(temporary)
        raise


def _read(folder: Folder, name: str) -> bytes:
    with os.fdopen(folder.open(name, os.O_RDONLY), "rb") as file:
        return file.read()


def read_picture(context: ToolContext, path: str) -> bytes:
    """The content of a picture in the workspace, from the folder of pictures or that of files.

    Raises:
        ToolError: The path leads elsewhere, nothing that can be read is there, or it is too large.
    """
    try:
        pieces = safe_pieces(path)
        if len(pieces) < 2 or pieces[0] not in SOURCES:
            raise ToolError(f"path: {path!r} must begin with {' or '.join(f'{name}/' for name in SOURCES)}")
        descriptor = _open(context.workspace, pieces)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise ToolError(f"path: {path!r} is not a file")
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                content = file.read(MAX_BYTES + 1)
        finally:
            os.close(descriptor)
    except ToolError as error:  # the argument has another name here
        raise ToolError(str(error).replace("path:", "image:", 1)) from None
    except OSError as error:
        raise ToolError(f"image: {path!r} cannot be read: {error.strerror or error}") from None
    if len(content) > MAX_BYTES:
        raise ToolError(f"image: {path!r} is too large: at most {MAX_BYTES // 1_000_000} MB")
    return content


def _hold(path: Path) -> Folder:
    return (HandleFolder if BY_HANDLE else PathFolder).at(path)


def _open(workspace: Path, pieces: Sequence[str]) -> int:
    folder = _hold(workspace)
    try:
        for name in pieces[:-1]:
            inner = folder.enter(name)
            folder.close()
            folder = inner
        return folder.open(pieces[-1], os.O_RDONLY)
    finally:
        folder.close()


def needs(tool: str, error: ImportError) -> ToolError:
    """The error of a tool for a package that is not there or does not start."""
    return ToolError(f"{tool} needs {remedy(error)}")


def remedy(error: Exception, package: str = "") -> str:
    """What is needed after an import failed: the package, what is wrong with it, and what to do.

    Args:
        error: What the import raised.
        package: What was used, for an error that is none of importing.
    """
    if isinstance(error, ImportError):
        top = (error.name or _raised_in(error)).partition(".")[0]
        package = {"PIL": "pillow"}.get(top, top)
    install = f"pip install {_pinned(package)}"
    if isinstance(error, ModuleNotFoundError):
        return f"{package}: {install}"
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    if isinstance(error, MatplotlibSettingsError):
        return f"{package}, whose settings cannot be read ({reason}): correct or remove the file matplotlibrc"
    return f"{package}, which is there but does not start ({reason}): {install} --force-reinstall"


def _raised_in(error: Exception) -> str:
    """The module that did not start: the last one an error passed, apart from Python's own part for imports."""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    return next((name for name in reversed(modules) if "importlib" not in name), "")


def _pinned(package: str) -> str:
    """``package`` in the version we are pinned to."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        pins = requires("agent-mini") or []
    except PackageNotFoundError:
        pins = []
    return next((pin for pin in pins if pin.startswith(f"{package}==")), package)
