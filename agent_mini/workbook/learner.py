"""A learner's own copy of the notebooks: filled, refreshed where it is untouched, never taken away.

A notebook is touched when its cells' sources are others than those it was copied with; running it, or an empty
cell at its end, does not count. What was copied is written down in a manifest beside the notebooks. Whatever
cannot be read counts as touched.

A copy has no outputs: a notebook asks for a guess before it shows what comes.
"""

import hashlib
import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ValidationError

from agent_mini.config import load_settings
from agent_mini.errors import InputError
from agent_mini.workbook.course import NOTEBOOKS
from agent_mini.workbook.files import (
    locked,
    move_to_free,
    reading_notebook,
    set_aside,
    write_new,
    write_whole,
    written_beside,
)

MANIFEST = ".agent-mini.json"


@dataclass(frozen=True, slots=True)
class Changes:
    """What a refresh did, by file name: copied anew, renewed, or left alone although there is a newer one."""

    added: list[str] = field(default_factory=list[str])
    renewed: list[str] = field(default_factory=list[str])
    kept: list[str] = field(default_factory=list[str])


class _Copied(BaseModel):
    """A notebook as it was copied: hashes of its cells' sources and of the whole copy."""

    sources: str
    file: str


class _Manifest(BaseModel):
    notebooks: dict[str, _Copied] = {}


def learner_folder() -> Path:
    """Where a learner's own notebooks are."""
    return load_settings().agent_workspace / "notebooks"


def refresh_copy(folder: Path, committed: Path = NOTEBOOKS) -> Changes:
    """Bring ``folder`` up to date with the committed notebooks, and leave alone what was touched.

    Raises:
        InputError: A committed notebook cannot be read.
        OSError: The folder cannot be written.
    """
    changes = Changes()
    with locked(folder / MANIFEST):
        manifest = _read_manifest(folder)
        for source in sorted(committed.glob("*.ipynb")):
            content, now = _read_committed(source)
            before = manifest.notebooks.get(source.name)
            ours = {now.sources, (before or now).sources}
            target = folder / source.name
            if not os.path.lexists(target) and write_new(target, content):
                changes.added.append(source.name)
            elif before == now:
                continue
            elif _sources_in(target) in ours and _renew(target, content, ours):
                changes.renewed.append(source.name)
            else:
                changes.kept.append(source.name)
                continue
            manifest.notebooks[source.name] = now
            _write_manifest(folder, manifest)
    return changes


def reset(name: str, folder: Path, committed: Path = NOTEBOOKS) -> Path | None:
    """Put the committed notebook ``name`` (a file name) back.

    Returns:
        Where the learner's version was moved, as ``02_tool_loop.mine-1.ipynb``; None when there was nothing of
        theirs in it.

    Raises:
        InputError: The committed notebook is not there or cannot be read.
        OSError: The folder cannot be written.
    """
    content, now = _read_committed(committed / name)
    target = folder / name
    moved: Path | None = None
    with locked(folder / MANIFEST), written_beside(target, content) as fresh:
        manifest = _read_manifest(folder)
        before = manifest.notebooks.get(name, now)
        while not move_to_free(fresh, target):  # again when JupyterLab saves in between
            aside = set_aside(target, "mine")
            if _sources_in(aside) in (now.sources, before.sources):
                aside.unlink()
            else:
                moved = aside
        manifest.notebooks[name] = now
        _write_manifest(folder, manifest)
    return moved


def hash_of_sources(content: bytes) -> str:
    """A hash of a notebook's cells: their kinds and sources, without outputs, counts and empty cells.

    Raises:
        ValueError: It is no notebook.
    """
    with reading_notebook():
        cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(content)["cells"]]
        return _hash(json.dumps([cell for cell in cells if cell[1].strip()]).encode())


def _read_committed(path: Path) -> tuple[bytes, _Copied]:
    """The notebook as a learner gets it, and its hashes."""
    try:
        content = _without_outputs(path.read_bytes())
        return content, _Copied(sources=hash_of_sources(content), file=_hash(content))
    except (OSError, ValueError) as error:
        raise InputError(
            f"notebooks/{path.name} cannot be read ({error})",
            f"git restore notebooks/{path.name} brings it back",
        ) from None


def _without_outputs(content: bytes) -> bytes:
    with reading_notebook():
        notebook = json.loads(content)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell |= {"outputs": [], "execution_count": None}
        return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def _renew(target: Path, content: bytes, ours: set[str]) -> bool:
    """Put ``content`` in place of an untouched copy, and say whether that was done.

    JupyterLab may save at any moment, so the copy is moved out of its way before it is judged. What was saved
    until then goes back, or stays aside when there is a newer one; what is saved after that is not replaced.
    """
    with written_beside(target, content) as fresh:
        shutil.copymode(target, fresh)
        aside = set_aside(target, "mine")
        if _sources_in(aside) not in ours:
            move_to_free(aside, target)
            return False
        done = move_to_free(fresh, target)
        aside.unlink()
        return done


def _sources_in(path: Path) -> str | None:
    """The hash of a file's sources, or None when it cannot be read."""
    try:
        return hash_of_sources(path.read_bytes())
    except (OSError, ValueError):
        return None


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_manifest(folder: Path) -> _Manifest:
    try:
        return _Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (FileNotFoundError, ValidationError):
        return _Manifest()


def _write_manifest(folder: Path, manifest: _Manifest) -> None:
    write_whole(folder / MANIFEST, manifest.model_dump_json(indent=1).encode() + b"\n")
