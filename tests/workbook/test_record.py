"""The progress file: kept by several kernels at once, never lost, never in the way."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_mini.workbook.files import locked, write_whole
from agent_mini.workbook.record import Entry, load_progress, update


@pytest.fixture(autouse=True)
def workspace(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("AGENT_ENV_FILE", "none")
    monkeypatch.setenv("AGENT_WORKSPACE", str(tmp_path / "work space 工作"))
    return tmp_path / "work space 工作"


def tried(entry: Entry) -> Entry:
    return entry.after_try(passed=False)


def test_nothing_was_tried_yet(workspace):
    assert load_progress() == {}
    assert not workspace.exists(), "looking makes nothing"


def test_tries_are_counted_and_the_first_pass_is_dated():
    update("02.a", tried)
    first = update("02.a", lambda entry: entry.after_try(passed=True))
    assert first.tries == 2
    assert first.passed[:2] == "20"
    assert update("02.a", tried).passed == first.passed
    update("02.b", tried)
    assert {name: entry.tries for name, entry in load_progress().items()} == {"02.a": 3, "02.b": 1}


WRITER = """
import sys
from agent_mini.workbook.record import update
for _ in range(20):
    update("02.a", lambda entry: entry.after_try(passed=False))
    update(sys.argv[1], lambda entry: entry.after_try(passed=False))
"""


def test_kernels_that_write_at_once_lose_nothing(workspace):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, f"03.{letter}"], stdout=subprocess.PIPE, text=True)
        for letter in "abc"
    ]
    assert [writer.communicate(timeout=60)[0] for writer in writers] == ["", "", ""]
    tries = {name: entry.tries for name, entry in load_progress().items()}
    assert tries == {"02.a": 60, "03.a": 20, "03.b": 20, "03.c": 20}
    assert not list(workspace.glob("*.tmp"))


DAMAGED = [
    b"",
    b"{",
    b"\xff\xfe",
    b"[]",
    b'{"exercises": {"02.a": {"tries": -1}}}',
    b'{"exercises": {"02.a": {"tries": "many"}}}',
    b'{"other": 1}',
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_file_is_set_aside_and_named(workspace, capsys, content):
    workspace.mkdir()
    (workspace / "progress.json").write_bytes(content)
    (workspace / "progress.damaged-1.json").write_bytes(b"an older one")
    assert update("02.a", tried).tries == 1
    assert capsys.readouterr().out == (
        "(progress.json was damaged: kept as progress.damaged-2.json, and a new one begun)\n"
    )
    assert (workspace / "progress.damaged-2.json").read_bytes() == content
    assert (workspace / "progress.damaged-1.json").read_bytes() == b"an older one"
    assert load_progress()["02.a"].tries == 1


def test_a_damaged_file_is_set_aside_when_it_is_only_looked_at(workspace, capsys):
    workspace.mkdir()
    (workspace / "progress.json").write_bytes(b"{")
    assert load_progress() == {}
    assert "progress.damaged-1.json" in capsys.readouterr().out


def test_what_a_later_version_adds_is_no_damage(workspace):
    workspace.mkdir()
    newer = {"version": 9, "exercises": {"02.a": {"tries": 4, "mood": "good"}}}
    (workspace / "progress.json").write_text(json.dumps(newer), encoding="utf-8")
    assert load_progress()["02.a"].tries == 4


def test_a_workspace_that_cannot_be_written_is_told_in_one_line(workspace, capsys):
    workspace.write_text("a file where the folder should be", encoding="utf-8")
    assert update("02.a", tried).tries == 1
    told = capsys.readouterr().out
    assert told.startswith("(progress could not be saved: ")
    assert told.count("\n") == 1


def test_settings_that_cannot_be_read_are_told_in_one_line(monkeypatch, capsys):
    monkeypatch.setenv("AGENT_ENV_FILE", "no/such/file")
    assert update("02.a", tried).tries == 1
    assert capsys.readouterr().out.startswith("(progress could not be saved: no/such/file")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a disk that is always full")
def test_a_full_disk_leaves_the_old_file(workspace, monkeypatch, capsys):
    update("02.a", tried)
    before = (workspace / "progress.json").read_bytes()
    full = os.open("/dev/full", os.O_WRONLY)
    name = str(workspace / ".half.tmp")
    Path(name).touch()
    monkeypatch.setattr("tempfile.mkstemp", lambda **_: (full, name))
    update("02.a", tried)
    assert "No space left" in capsys.readouterr().out
    assert (workspace / "progress.json").read_bytes() == before
    assert not Path(name).exists()


HOLDER = """
import sys, time
from pathlib import Path
from agent_mini.workbook.files import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_lock_is_waited_for_only_so_long_and_a_crash_releases_it(tmp_path):
    path = tmp_path / "thing.json"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(OSError, match=r"thing\.json cannot be locked"), locked(path, seconds=0.1):
            pass
        holder.kill()
        holder.wait(timeout=30)
    with locked(path, seconds=5):
        write_whole(path, b"mine")
    assert path.read_bytes() == b"mine"
