"""Running a notebook again: the normal form, what stays as it was, and what is left alone after a failure."""

import json
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from pictures import png

from agent_mini.cli import app, notebooks
from agent_mini.errors import InputError
from agent_mini.workbook import course
from agent_mini.workbook.outputs import WIDGET
from agent_mini.workbook.refresh import CellFailed, refresh


def show(**kinds: object) -> str:
    return f"display({kinds!r}, raw=True)"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "02_tool_loop.ipynb"


def write(path: Path, *cells: nbformat.NotebookNode, **metadata: object) -> bytes:
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path.read_bytes()


def read(path: Path) -> nbformat.NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def test_the_second_time_changes_no_byte(path: Path) -> None:
    write(
        path,
        new_markdown_cell("# 02 · 工具循环", metadata={"collapsed": True}),
        new_code_cell(
            "print(1, flush=True)\nprint(object())", execution_count=7, metadata={"tags": ["a"], "trusted": 1}
        ),
        new_code_cell(
            f"import uuid\n{show(**{'text/plain': 'Slider', WIDGET: {}})}".replace("{}", "str(uuid.uuid4())")
        ),
        new_code_cell(""),
        new_code_cell("1 + 1"),
        kernelspec={"name": "other", "display_name": "Other", "language": "python"},
        widgets={"state": {}},
    )
    mode = path.stat().st_mode
    first = refresh(path)
    assert first.written
    assert path.stat().st_mode == mode
    assert sorted(first.changes) == [2, 3, 5]

    notebook = read(path)
    assert notebook.metadata.kernelspec.name == "python3"
    assert sorted(notebook.metadata) == ["kernelspec", "language_info"]
    assert "version" not in notebook.metadata.language_info
    assert [cell.metadata for cell in notebook.cells] == [{}, {"tags": ["a"]}, {}, {}, {}]
    assert [cell.get("execution_count") for cell in notebook.cells] == [None, 1, 2, None, 3]
    assert len(notebook.cells[1].outputs) == 1
    assert notebook.cells[2].outputs[0].data == {"text/plain": "Slider"}
    assert notebook.cells[4].outputs[0].execution_count == 3
    content = path.read_bytes()
    assert content.startswith(b'{\n "cells": [')
    assert content.endswith(b"}\n")
    assert b"\r" not in content
    assert "工具循环" in content.decode()

    second = refresh(path)
    assert (second.written, second.changes, second.kept_pictures) == (False, {}, [])
    assert path.read_bytes() == content


def test_good_ids_stay_and_others_follow_from_the_source(path: Path) -> None:
    cells = [
        new_markdown_cell("one", id="kept"),
        *(new_markdown_cell(text) for text in ["two", "two", "four", "five"]),
    ]
    for cell, cell_id in zip(cells[1:], [None, "kept", "no good", "später"], strict=True):
        cell["id"] = cell_id
    del cells[1]["id"]
    write(path, *cells)
    refresh(path)
    ids = [cell.id for cell in read(path).cells]
    assert ids[0] == "kept"
    assert all(cell_id.startswith("02-") for cell_id in ids[1:])
    assert ids[2] == f"{ids[1]}-2"
    assert len(set(ids)) == 5
    write(path, *cells)
    refresh(path)
    assert [cell.id for cell in read(path).cells] == ids


def test_a_picture_of_the_same_size_is_kept(path: Path) -> None:
    old, new = png(8, 6, "red"), png(8, 6)
    source = show(**{"image/png": new})
    write(
        path,
        new_code_cell(source, outputs=[new_output("display_data", {"image/png": old})], execution_count=1),
    )
    result = refresh(path)
    assert (result.changes, result.kept_pictures) == ({}, [1])
    assert read(path).cells[0].outputs[0].data["image/png"] == old

    result = refresh(path, redraw=True)
    assert (result.written, result.kept_pictures) == (True, [])
    assert read(path).cells[0].outputs[0].data["image/png"] == new


def test_what_the_comparison_passes_over_is_kept_up_to_date(path: Path) -> None:
    marked = {"agent_mini": {"compare": ["text/plain"]}}
    old = new_output("display_data", {"text/plain": "f", "text/html": "old"}, metadata=marked)
    source = f"display({{'text/plain': 'f', 'text/html': 'new'}}, metadata={marked!r}, raw=True)"
    write(path, new_code_cell(source, outputs=[old], execution_count=1))
    result = refresh(path)
    assert (result.written, result.changes) == (True, {})
    assert read(path).cells[0].outputs[0].data["text/html"] == "new"


@pytest.mark.parametrize(
    ("source", "tags", "words"),
    [
        ("raise ValueError('two\\nlines')", [], "cell 2: ValueError: two lines"),
        (
            "raise ExceptionGroup('both', [ValueError()])",
            [],
            "cell 2: ExceptionGroup: both (1 sub-exception)",
        ),
        ("x = 1", ["raises-exception"], "cell 2: tagged raises-exception"),
        ("import os\nos._exit(3)", [], "cell 2: the kernel's process ended"),
    ],
)
def test_a_failing_cell_leaves_the_file_alone(path: Path, source: str, tags: list[str], words: str) -> None:
    before = write(path, new_markdown_cell("one"), new_code_cell(source, metadata={"tags": tags}))
    with pytest.raises(CellFailed) as caught:
        refresh(path)
    assert f"{path.name}, {words}" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_cell_that_hangs_is_cut(path: Path) -> None:
    before = write(path, new_code_cell("import itertools\nfor _ in itertools.count(): pass"))
    with pytest.raises(CellFailed, match=r"02_tool_loop\.ipynb, cell 1: did not finish in 1 seconds"):
        refresh(path, timeout=1)
    assert path.read_bytes() == before


def test_what_is_saved_while_it_runs_is_kept(path: Path) -> None:
    write(path, new_code_cell(f"from pathlib import Path\nPath({str(path)!r}).write_text('mine')"))
    with pytest.raises(CellFailed, match=r"^02_tool_loop\.ipynb: changed while it ran: run it again$"):
        refresh(path)
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        '{"cells": 3}',
        '{"cells": ["x"]}',
        '{"cells": [{}], "nbformat": 4, "metadata": {}}',
        '{"cells": [{"id": "a", "metadata": {}, "source": ""}], "nbformat": 4, "metadata": {}}',
        "[" * 100_000 + "]" * 100_000,
    ],
    ids=range(8),
)
def test_what_is_no_notebook_is_one_clear_line(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="not a notebook") as caught:
        refresh(path)
    assert "\n" not in caught.value.message
    assert path.read_text(encoding="utf-8") == content


def test_the_command(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert notebooks
    monkeypatch.setattr(course, "NOTEBOOKS", path.parent)
    assert app.run(["notebooks", "refresh", "2"]) == 2
    assert "02_tool_loop.ipynb: no such file" in capsys.readouterr().err

    write(path, new_code_cell("print(1)"))
    assert app.run(["notebooks", "refresh", f"notebooks/{path.name}"]) == 0
    assert capsys.readouterr().out.startswith("02_tool_loop.ipynb: written\n  cell 1\n    --- committed")

    write(path, new_code_cell("1/0"))
    assert app.run(["notebooks", "refresh", "02"]) == 1
    assert capsys.readouterr().err == "02_tool_loop.ipynb, cell 1: ZeroDivisionError: division by zero\n"
