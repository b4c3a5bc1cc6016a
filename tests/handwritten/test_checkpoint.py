"""agent_mini.handwritten.checkpoint: whole or not at all, resumable elsewhere, and careful with others' files."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agent_mini.engine import new_discussion, run
from agent_mini.errors import CheckpointError, ErrorCode
from agent_mini.handwritten import FileCheckpoint, Team
from agent_mini.models.roleplay import RoleplayModel
from agent_mini.types import TeamStatus, Turn

STATE = new_discussion("该用 Go 吗？", run_id="r1").with_turn(Turn("proposer", "写", "用"))


def test_round_trip_and_nothing_left_behind(tmp_path: Path) -> None:
    checkpoint = FileCheckpoint(tmp_path / "deep" / "run.json")
    assert not checkpoint.exists()
    checkpoint.save(STATE)
    checkpoint.save(STATE)
    assert checkpoint.load() == STATE
    assert [path.name for path in checkpoint.path.parent.iterdir()] == ["run.json"]
    assert "该用 Go 吗？" in checkpoint.path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", ErrorCode.CHECKPOINT_DAMAGED),
        (b"{", ErrorCode.CHECKPOINT_DAMAGED),
        (b"[]", ErrorCode.CHECKPOINT_DAMAGED),
        (b"\xff\xfe", ErrorCode.CHECKPOINT_DAMAGED),
        (b"[" * 100_000, ErrorCode.CHECKPOINT_DAMAGED),
        (b"{}", ErrorCode.CHECKPOINT_FOREIGN),
        (b'{"format": "other/thing"}', ErrorCode.CHECKPOINT_FOREIGN),
        (b'{"format": "agent-mini/discussion", "version": 99}', ErrorCode.CHECKPOINT_FOREIGN),
        (b'{"format": "agent-mini/discussion", "version": 1}', ErrorCode.CHECKPOINT_DAMAGED),
        (
            b'{"format": "agent-mini/discussion", "version": 1, "state": {"question": 5}}',
            ErrorCode.CHECKPOINT_DAMAGED,
        ),
    ],
)
def test_a_bad_file_is_a_clear_error_and_stays(tmp_path: Path, content: bytes, code: ErrorCode) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(content)
    with pytest.raises(CheckpointError) as refused:
        FileCheckpoint(path).load()
    assert refused.value.code is code
    assert str(path) in refused.value.message
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"my notes", b'{"mine": 1}'])
def test_saving_never_overwrites_somebody_elses_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(content)
    with pytest.raises(CheckpointError):
        FileCheckpoint(path).save(STATE)
    assert path.read_bytes() == content


def test_a_truncated_file_is_damaged_wherever_it_was_cut(tmp_path: Path) -> None:
    checkpoint = FileCheckpoint(tmp_path / "run.json")
    checkpoint.save(STATE)
    whole = checkpoint.path.read_bytes()
    for length in range(len(whole)):
        checkpoint.path.write_bytes(whole[:length])
        with pytest.raises(CheckpointError):
            checkpoint.load()


async def test_a_run_is_resumed_after_any_step(tmp_path: Path) -> None:
    reference = await run(Team(RoleplayModel()), new_discussion("Go or Rust?"))
    checkpoint = FileCheckpoint(tmp_path / "run.json")
    state = new_discussion("Go or Rust?")
    while state.status is not TeamStatus.DONE:
        checkpoint.save((await Team(RoleplayModel()).step(state)).state)
        state = FileCheckpoint(checkpoint.path).load()
    assert state == reference


WORKER = """
import asyncio, sys
from agent_mini.engine import new_discussion, run
from agent_mini.handwritten import FileCheckpoint, Team
from agent_mini.models.roleplay import RoleplayModel

checkpoint = FileCheckpoint(sys.argv[1])
state = checkpoint.load() if checkpoint.exists() else new_discussion("Go or Rust?")
state = asyncio.run(run(Team(RoleplayModel(delay=float(sys.argv[2]))), state, save=checkpoint.save))
print(state.answer)
"""


def test_a_killed_process_is_continued_by_another(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    command = [sys.executable, "-c", WORKER, str(path)]
    first = subprocess.Popen([*command, "0.2"], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    if os.name == "nt":
        first.kill()
    else:
        first.send_signal(signal.SIGKILL)
    first.wait(10)
    left = FileCheckpoint(path).load()
    assert 1 <= len(left.turns) < 5
    env = {**os.environ, "PYTHONUTF8": "1"}
    second = subprocess.run(
        [*command, "0"], capture_output=True, encoding="utf-8", timeout=30, env=env, check=True
    )
    end = FileCheckpoint(path).load()
    assert end.turns[: len(left.turns)] == left.turns
    assert (end.status, second.stdout.strip()) == (TeamStatus.DONE, end.answer)


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    checkpoint = FileCheckpoint(tmp_path / "run.json")
    checkpoint.save(STATE)
    document = json.loads(checkpoint.path.read_text(encoding="utf-8"))
    assert (document["format"], document["version"]) == ("agent-mini/discussion", 1)
