"""A discussion in one JSON file, written whole or not at all.

What this does not do: keep two writers apart, answer queries, or know that a step was under way when the
process died.
"""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agent_mini.engine import from_plain, to_plain
from agent_mini.errors import CheckpointError, ErrorCode
from agent_mini.types import TeamState

FORMAT = "agent-mini/discussion"
VERSION = 1


class FileCheckpoint:
    """Saves and loads a discussion at ``path``.

    Args:
        path: The file; its folder is made with the first save.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def exists(self) -> bool:
        """Whether anything is there, good or bad."""
        return self.path.exists()

    def save(self, state: TeamState) -> None:
        """Write ``state`` beside the file, then put it in the file's place.

        Writing in place would leave half a file when the process dies in the middle. A rename on the same
        disk happens or does not happen.

        Raises:
            CheckpointError: Something that is no discussion of ours is there; it is left untouched.
        """
        if self.exists():
            self._read()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        document = {"format": FORMAT, "version": VERSION, "state": to_plain(state)}
        text = json.dumps(document, ensure_ascii=False, indent=1)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())  # the content must be on disk before its name is
            Path(name).replace(self.path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def load(self) -> TeamState:
        """Read the state.

        Raises:
            CheckpointError: The file is damaged, foreign or newer; it is left untouched.
            FileNotFoundError: There is none.
        """
        try:
            return from_plain(self._read()["state"])
        except (KeyError, ValueError) as error:
            raise self._damaged(f"its state cannot be read: {type(error).__name__}") from None

    def _read(self) -> dict[str, Any]:
        try:
            document = TypeAdapter(dict[str, Any]).validate_json(self.path.read_bytes())
        except ValidationError:
            raise self._damaged("not a JSON object") from None
        if document.get("format") != FORMAT:
            raise CheckpointError(ErrorCode.CHECKPOINT_FOREIGN, f"{self.path} holds no discussion")
        if document.get("version") != VERSION:
            raise CheckpointError(
                ErrorCode.CHECKPOINT_FOREIGN,
                f"{self.path} has format version {document.get('version')}; this program reads {VERSION}",
            )
        return document

    def _damaged(self, reason: str) -> CheckpointError:
        return CheckpointError(ErrorCode.CHECKPOINT_DAMAGED, f"{self.path} is damaged: {reason}")
