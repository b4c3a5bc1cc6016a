"""Pictures that tools make or look at: their names, their folder, and what is said when a package is missing."""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent_mini.tools.base import ToolContext, ToolError

FOLDER = "pictures"


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


def needs(tool: str, package: str) -> ToolError:
    """The error for a package that is not there: it says what to install, in the version we are pinned to."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        pins = requires("agent-mini") or []
    except PackageNotFoundError:
        pins = []
    pinned = next((pin for pin in pins if pin.startswith(f"{package}==")), package)
    return ToolError(f"{tool} needs {package}: pip install {pinned}")
