"""Pictures that tools make or look at: their names, their folder, and what is said when a package is missing."""

import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent_mini.tools.base import ToolContext, ToolError
from agent_mini.tools.safe_folder import BY_HANDLE, HandleFolder, PathFolder
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
        ToolError: It cannot be written there.
    """
    path = context.workspace / FOLDER / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            _put_in_place(Path(temporary), path, content)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ToolError(f"the picture cannot be saved in {FOLDER}/ of the workspace: {reason}") from None
    return f"{FOLDER}/{name}"


def _put_in_place(temporary: Path, path: Path, content: bytes) -> None:
    try:
        temporary.replace(path)
    except PermissionError:
        # Windows keeps a file in its place while somebody reads it; that one may be the same picture.
        if path.read_bytes() != content:
            raise
        temporary.unlink()


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


def _open(workspace: Path, pieces: Sequence[str]) -> int:
    folder = (HandleFolder if BY_HANDLE else PathFolder).at(workspace)
    try:
        for name in pieces[:-1]:
            inner = folder.enter(name)
            folder.close()
            folder = inner
        return folder.open(pieces[-1], os.O_RDONLY)
    finally:
        folder.close()


def needs(tool: str, error: ModuleNotFoundError) -> ToolError:
    """The error for a package that is not there: it says what to install, in the version we are pinned to."""
    from importlib.metadata import PackageNotFoundError, requires

    module = (error.name or "").partition(".")[0]
    package = {"PIL": "pillow"}.get(module, module)
    try:
        pins = requires("agent-mini") or []
    except PackageNotFoundError:
        pins = []
    pinned = next((pin for pin in pins if pin.startswith(f"{package}==")), package)
    return ToolError(f"{tool} needs {package}: pip install {pinned}")
