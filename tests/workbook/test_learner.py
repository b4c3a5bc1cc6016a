"""A learner's copy: refreshed where it is untouched, and nothing of theirs is ever lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from agent_mini.errors import InputError
from agent_mini.workbook import learner
from agent_mini.workbook.learner import MANIFEST, Changes, hash_of_sources, refresh_copy, reset

LOOP = "02_tool_loop.ipynb"


def notebook(*sources: str, run: bool = False) -> bytes:
    cells = []
    for number, source in enumerate(sources):
        cell = nbformat.v4.new_code_cell(source, id=f"c{number}")
        if run:
            cell.execution_count = number + 1
            cell.outputs = [nbformat.v4.new_output("stream", text="done\n")]
        cells.append(cell)
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode()


@pytest.fixture
def committed(tmp_path) -> Path:
    folder = tmp_path / "checkout" / "notebooks"
    folder.mkdir(parents=True)
    (folder / "00_start_here.ipynb").write_bytes(notebook("print('start')", run=True))
    (folder / LOOP).write_bytes(notebook("x = 1", "check('02.a', ...)", run=True))
    (folder / "README.txt").write_text("no notebook", encoding="utf-8")
    return folder


@pytest.fixture
def mine(tmp_path, committed) -> Path:
    """A learner's folder, filled once."""
    folder = tmp_path / "我的 notebooks"
    assert refresh_copy(folder, committed) == Changes(added=["00_start_here.ipynb", LOOP])
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def plain(path: Path) -> dict:
    """A notebook without what running it left in it."""
    found = json.loads(path.read_bytes())
    for cell in found["cells"]:
        cell |= {"outputs": [], "execution_count": None}
    return found


def test_a_copy_does_not_give_the_outputs_away(mine, committed):
    cells = json.loads((mine / LOOP).read_bytes())["cells"]
    assert json.loads((committed / LOOP).read_bytes())["cells"][0]["outputs"]
    assert [(cell["outputs"], cell["execution_count"]) for cell in cells] == [([], None)] * 2


def test_a_new_folder_is_filled_with_the_notebooks_only(mine, committed):
    assert names(mine) == ["00_start_here.ipynb", LOOP]
    assert plain(mine / LOOP) == plain(committed / LOOP)
    assert refresh_copy(mine, committed) == Changes(), "nothing changed, nothing is said"


UNTOUCHED = {
    "as it was": notebook("x = 1", "check('02.a', ...)"),
    "run": notebook("x = 1", "check('02.a', ...)", run=True),
    "an empty cell at the end": notebook("x = 1", "check('02.a', ...)", " \n"),
    "saved with other spacing": json.dumps(json.loads(notebook("x = 1", "check('02.a', ...)"))).encode(),
}

TOUCHED = {
    "a cell changed": notebook("x = 2", "check('02.a', ...)"),
    "a cell added": notebook("x = 1", "check('02.a', ...)", "y = 2"),
    "a cell removed": notebook("x = 1"),
    "cells swapped": notebook("check('02.a', ...)", "x = 1"),
    "a comment added": notebook("x = 1  # mine", "check('02.a', ...)"),
    "empty": b"",
    "cut off": notebook("x = 1", "check('02.a', ...)")[:-9],
    "not JSON": b"\xff\xfe\x00",
    "JSON, but no notebook": b'{"cells": [1]}',
    "a list": b"[]",
    "a cell of no kind": b'{"cells": [{"source": "x = 1"}]}',
    "a cell that is text": b'{"cells": ["x"]}',
    "nested too deep": b"[" * 100_000 + b"]" * 100_000,
    "nested too deep inside": b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
}


@pytest.mark.parametrize("content", UNTOUCHED.values(), ids=UNTOUCHED)
def test_an_untouched_notebook_is_renewed(mine, committed, content):
    newer = notebook("x = 1", "print(x)", "check('02.a', ...)")
    (mine / LOOP).write_bytes(content)
    (committed / LOOP).write_bytes(newer)
    assert refresh_copy(mine, committed) == Changes(renewed=[LOOP])
    assert plain(mine / LOOP) == json.loads(newer)
    assert refresh_copy(mine, committed) == Changes()


@pytest.mark.parametrize("content", TOUCHED.values(), ids=TOUCHED)
def test_a_touched_notebook_is_left_alone_and_named_every_time(mine, committed, content):
    (mine / LOOP).write_bytes(content)
    assert refresh_copy(mine, committed) == Changes(), "there is nothing newer to speak of"
    (committed / LOOP).write_bytes(notebook("x = 1", "print(x)"))
    for _ in range(2):
        assert refresh_copy(mine, committed) == Changes(kept=[LOOP])
    assert (mine / LOOP).read_bytes() == content


def test_new_outputs_alone_change_nothing(mine, committed):
    (mine / LOOP).write_bytes(notebook("x = 1", "check('02.a', ...)", run=True))
    before = (mine / LOOP).read_bytes()
    (committed / LOOP).write_bytes(notebook("x = 1", "check('02.a', ...)"))
    assert refresh_copy(mine, committed) == Changes()
    assert (mine / LOOP).read_bytes() == before


def test_a_deleted_copy_comes_back(mine, committed):
    (mine / LOOP).unlink()
    assert refresh_copy(mine, committed) == Changes(added=[LOOP])


@pytest.mark.parametrize("damage", [None, b"", b"{", b"[]", b'{"notebooks": 3}', b"\xff"])
def test_without_a_manifest_what_differs_counts_as_touched(mine, committed, damage):
    (mine / LOOP).write_bytes(notebook("x = 1"))
    (mine / MANIFEST).unlink()
    if damage is not None:
        (mine / MANIFEST).write_bytes(damage)
    assert LOOP in refresh_copy(mine, committed).kept
    assert plain(mine / LOOP) == json.loads(notebook("x = 1"))
    (committed / "00_start_here.ipynb").write_bytes(notebook("print('newer')"))
    assert refresh_copy(mine, committed).renewed == ["00_start_here.ipynb"], (
        "the one that was the same is known"
    )


def test_what_a_learner_made_is_never_touched(mine, committed):
    own = notebook("my = 'own'")
    for name in ("scratch.ipynb", "03_tools_that_act.ipynb"):
        (mine / name).write_bytes(own)
    (mine / "04_agent_without_model.ipynb").mkdir()
    for name in ("03_tools_that_act.ipynb", "04_agent_without_model.ipynb"):
        (committed / name).write_bytes(notebook("ours"))
    changes = refresh_copy(mine, committed)
    assert changes == Changes(kept=["03_tools_that_act.ipynb", "04_agent_without_model.ipynb"])
    assert (mine / "scratch.ipynb").read_bytes() == own
    assert (mine / "03_tools_that_act.ipynb").read_bytes() == own


def test_reset_brings_the_committed_one_and_keeps_theirs(mine, committed):
    theirs = [notebook(f"mine = {number}") for number in (1, 2)]
    moved = []
    for content in theirs:
        (mine / LOOP).write_bytes(content)
        moved.append(reset(LOOP, mine, committed))
        assert plain(mine / LOOP) == plain(committed / LOOP)
    assert moved == [mine / "02_tool_loop.mine-1.ipynb", mine / "02_tool_loop.mine-2.ipynb"]
    assert [path.read_bytes() for path in moved] == theirs
    (committed / LOOP).write_bytes(notebook("newer"))
    assert refresh_copy(mine, committed) == Changes(renewed=[LOOP]), "after a reset it is untouched again"


def test_reset_keeps_no_copy_of_what_is_not_theirs(mine, committed):
    (mine / LOOP).write_bytes(UNTOUCHED["run"])
    (committed / LOOP).write_bytes(notebook("newer"))
    assert reset(LOOP, mine, committed) is None
    (mine / LOOP).unlink()
    assert reset(LOOP, mine, committed) is None
    assert names(mine) == ["00_start_here.ipynb", LOOP]


@pytest.mark.parametrize("content", TOUCHED.values(), ids=TOUCHED)
def test_reset_keeps_whatever_it_cannot_read_or_does_not_know(mine, committed, content):
    (mine / MANIFEST).unlink()
    (mine / LOOP).write_bytes(content)
    moved = reset(LOOP, mine, committed)
    assert moved is not None
    assert moved.read_bytes() == content


ONE, TWO = notebook("saved = 1"), notebook("saved = 2")


def save_during_checks(monkeypatch, path: Path, *saves: bytes | None) -> None:
    """JupyterLab saves right after a check of the learner's file: after the first, the second, and so on."""
    check, left = learner._sources_in, list(saves)

    def check_then_save(checked: Path) -> str | None:
        found = check(checked)
        if left and (content := left.pop(0)):
            path.write_bytes(content)
        return found

    monkeypatch.setattr(learner, "_sources_in", check_then_save)


@pytest.fixture(params=[True, False], ids=["hard links", "no hard links"])
def linking(request, monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("a file system without hard links")

    if not request.param:
        monkeypatch.setattr(os, "link", refuse)


@pytest.mark.usefixtures("linking")
@pytest.mark.parametrize(
    ("saves", "kept"),
    [
        ([ONE], {LOOP: ONE}),
        ([None, ONE], {LOOP: ONE}),
        ([ONE, TWO], {LOOP: TWO, "02_tool_loop.mine-1.ipynb": ONE}),
    ],
    ids=["before it is moved", "after it was moved", "both"],
)
def test_what_is_saved_while_a_notebook_is_renewed_is_kept(mine, committed, monkeypatch, saves, kept):
    (committed / LOOP).write_bytes(notebook("newer"))
    save_during_checks(monkeypatch, mine / LOOP, *saves)
    assert refresh_copy(mine, committed) == Changes(kept=[LOOP])
    assert {path.name: path.read_bytes() for path in mine.glob("02*")} == kept
    assert refresh_copy(mine, committed) == Changes(kept=[LOOP])


@pytest.mark.usefixtures("linking")
def test_a_file_system_without_hard_links_will_do(mine, committed):
    (committed / LOOP).write_bytes(notebook("newer"))
    (committed / "03_new.ipynb").write_bytes(notebook("new"))
    assert refresh_copy(mine, committed) == Changes(added=["03_new.ipynb"], renewed=[LOOP])
    assert plain(mine / LOOP) == json.loads(notebook("newer"))
    assert not list(mine.glob("*mine*"))


def test_what_is_saved_during_a_reset_is_kept_beside_it(mine, committed, monkeypatch):
    save_during_checks(monkeypatch, mine / LOOP, ONE, TWO)
    moved = reset(LOOP, mine, committed)
    assert moved == mine / "02_tool_loop.mine-2.ipynb"
    assert (mine / "02_tool_loop.mine-1.ipynb").read_bytes() == ONE
    assert moved.read_bytes() == TWO
    assert plain(mine / LOOP) == plain(committed / LOOP)


def test_reset_works_before_the_first_lab(tmp_path, committed):
    assert reset(LOOP, tmp_path / "new", committed) is None
    assert names(tmp_path / "new") == [LOOP]


def test_a_committed_notebook_with_a_merge_conflict_is_named(mine, committed):
    (committed / LOOP).write_bytes(b"<<<<<<< HEAD\n")
    with pytest.raises(InputError, match="02_tool_loop") as caught:
        refresh_copy(mine, committed)
    assert caught.value.hint == "git restore notebooks/02_tool_loop.ipynb brings it back"
    with pytest.raises(InputError, match="09_missing"):
        reset("09_missing.ipynb", mine, committed)
    assert names(mine) == ["00_start_here.ipynb", LOOP]


def test_source_in_lines_or_in_one_piece_is_the_same():
    whole = {"cells": [{"cell_type": "code", "source": "a = 1\nb = 2"}]}
    lines = {"cells": [{"cell_type": "code", "source": ["a = 1\n", "b = 2"]}]}
    other = {"cells": [{"cell_type": "markdown", "source": "a = 1\nb = 2"}]}
    assert hash_of_sources(json.dumps(whole).encode()) == hash_of_sources(json.dumps(lines).encode())
    assert hash_of_sources(json.dumps(whole).encode()) != hash_of_sources(json.dumps(other).encode())


REFRESH = """
import sys
from pathlib import Path
from agent_mini.workbook.learner import refresh_copy
changes = refresh_copy(Path(sys.argv[1]), Path(sys.argv[2]))
print(len(changes.added), len(changes.renewed), len(changes.kept))
"""


def test_two_at_once_do_the_work_once(tmp_path, committed):
    for number in range(3, 20):
        (committed / f"{number:02d}_topic.ipynb").write_bytes(notebook(f"n = {number}"))
    both = [
        subprocess.Popen(
            [sys.executable, "-c", REFRESH, str(tmp_path / "new"), str(committed)],
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(2)
    ]
    assert sorted(process.communicate(timeout=60)[0] for process in both) == ["0 0 0\n", "19 0 0\n"]
    assert names(tmp_path / "new") == names(committed)[:-1]
