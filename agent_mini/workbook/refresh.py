"""Run a committed notebook again and save it in one normal form, so that a diff shows what really changed."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from agent_mini.config import CHECKOUT
from agent_mini.errors import InputError
from agent_mini.workbook.files import reading_notebook, write_whole
from agent_mini.workbook.kernel import CELL_TIMEOUT, CellTimeout, IsolatedKernel, KernelDied
from agent_mini.workbook.outputs import WIDGET, Sanitize, comparable, difference, merge_streams, sanitizer

RULES = CHECKOUT / "tests" / "notebooks" / "sanitize.cfg"

_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "pygments_lexer": "ipython3",
    },
}
_KEPT_CELL_METADATA = ("tags",)


class CellFailed(Exception):
    """A cell raised, hung or lost its kernel, or the file changed meanwhile; the message is one line."""


@dataclass(frozen=True)
class Refreshed:
    """What refreshing a notebook did.

    ``changes`` maps the place of a cell, from 1, to the diff of its outputs; ``kept_pictures`` lists the cells
    whose picture was drawn again with other bytes in the same size, and left as it was.
    """

    written: bool
    changes: dict[int, list[str]]
    kept_pictures: list[int]


def refresh(path: Path, *, redraw: bool = False, timeout: float = CELL_TIMEOUT) -> Refreshed:
    """Execute a notebook and save it in place; a second time changes no byte.

    An output that the tests would accept for the committed one stays as it is.

    Args:
        path: The notebook.
        redraw: Take every new picture, also where size and kind are the same.
        timeout: Seconds that one cell may take.

    Raises:
        InputError: The file is no notebook.
        CellFailed: The file was left as it was.
    """
    notebook, original = read_notebook(path)
    committed = [cell.get("outputs", []) for cell in notebook.cells]
    _execute(notebook, path.name, timeout)

    sanitize = sanitizer(RULES.read_text(encoding="utf-8"))
    changes: dict[int, list[str]] = {}
    kept_pictures: list[int] = []
    for place, (cell, before) in enumerate(zip(notebook.cells, committed, strict=True), 1):
        if cell.cell_type != "code":
            continue
        fresh = [_without_widget(output) for output in merge_streams(cell.outputs)]
        if lines := difference(before, fresh, sanitize):
            changes[place] = lines
        cell.outputs = fresh if redraw else _keep_equal(before, fresh, sanitize)
        if _pictures(cell.outputs) != _pictures(fresh):
            kept_pictures.append(place)
    normalize(notebook)

    content = (nbformat.v4.writes(notebook) + "\n").encode()
    if not path.is_file() or path.read_bytes() != original:
        raise CellFailed(f"{path.name}: changed while it ran: run it again")
    written = content != original
    if written:
        write_whole(path, content)
    return Refreshed(written, changes, kept_pictures)


def read_notebook(path: Path) -> tuple[NotebookNode, bytes]:
    """Read a notebook of format 4, in which a cell without a good id gets one, and the bytes that it was read from.

    Raises:
        InputError: There is no such file, or it is no notebook.
    """
    try:
        with reading_notebook():
            content = path.read_bytes()
            raw = json.loads(content.decode("utf-8"))
            raw["nbformat_minor"] = 5
            _give_ids(raw["cells"], path.name[:2])
            notebook = nbformat.reads(json.dumps(raw), as_version=4)
            nbformat.validate(notebook)
            return notebook, content
    except OSError as error:
        raise InputError(f"{path.name}: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{path.name}: {error}") from None


def normalize(notebook: NotebookNode) -> None:
    """Leave nothing in an executed notebook that says when, where or how it was run."""
    notebook.metadata = nbformat.from_dict(_METADATA)
    count = 0
    for cell in notebook.cells:
        cell.metadata = NotebookNode(
            {name: cell.metadata[name] for name in _KEPT_CELL_METADATA if name in cell.metadata}
        )
        if cell.cell_type != "code":
            continue
        executed = bool(cell.source.strip())
        count += executed
        cell.execution_count = count if executed else None
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count


def _give_ids(cells: list[dict[str, Any]], prefix: str) -> None:
    """Keep every id that is valid and the first of its kind; derive the others from the cell's source."""
    used: set[str] = set()
    lacking: list[dict[str, Any]] = []
    for cell in cells:
        known = cell.get("id")
        if isinstance(known, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,64}", known) and known not in used:
            used.add(known)
        else:
            lacking.append(cell)
    for cell in lacking:
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        stem = f"{prefix}-{hashlib.sha256(source.encode()).hexdigest()[:8]}"
        cell["id"] = next(name for name in _numbered(stem) if name not in used)
        used.add(cell["id"])


def _numbered(stem: str) -> Iterator[str]:
    yield stem
    number = 2
    while True:
        yield f"{stem}-{number}"
        number += 1


def _execute(notebook: NotebookNode, name: str, timeout: float) -> None:
    with IsolatedKernel(notebook, timeout) as kernel:
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type != "code":
                continue
            try:
                reply = kernel.run(index)
            except (CellTimeout, KernelDied) as error:
                raise CellFailed(f"{name}, cell {index + 1}: {error}") from None
            raised = reply["status"] == "error"
            if raised != ("raises-exception" in cell.metadata.get("tags", [])):
                what = (
                    f"{reply['ename']}: {reply['evalue']}"
                    if raised
                    else "tagged raises-exception, but did not"
                )
                raise CellFailed(f"{name}, cell {index + 1}: {' '.join(what.split())}")


def _keep_equal(
    committed: list[NotebookNode], fresh: list[NotebookNode], sanitize: Sanitize
) -> list[NotebookNode]:
    """Every fresh output, or in its place the committed one that equals it."""
    if len(committed) != len(fresh):
        return fresh
    return [
        old if comparable(old, sanitize, whole=True) == comparable(new, sanitize, whole=True) else new
        for old, new in zip(committed, fresh, strict=True)
    ]


def _without_widget(output: NotebookNode) -> NotebookNode:
    """A widget's view is of no use without the kernel that made it; its text remains."""
    if "data" in output:
        output.data.pop(WIDGET, None)
    return output


def _pictures(outputs: list[NotebookNode]) -> list[str]:
    return [
        text
        for output in outputs
        for kind, text in output.get("data", {}).items()
        if kind.startswith("image/")
    ]
