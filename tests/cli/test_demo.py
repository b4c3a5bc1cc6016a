"""agent-mini demo: as a person would run it, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_mini.cli import run
from agent_mini.handwritten import FileCheckpoint
from agent_mini.types import TeamStatus


def demo(*arguments: str, answers: str = "") -> subprocess.CompletedProcess[str]:
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("LLM_", "AGENT_"))}
    env = {
        **keep,
        "AGENT_ENV_FILE": "none",
        "AGENT_DEMO_DELAY": "0",
        "AGENT_ANSWERS": answers,
        "PYTHONUTF8": "1",
    }
    return subprocess.run(
        [sys.executable, "-m", "agent_mini.cli", "demo", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env=env,
        check=False,
    )


def test_without_a_question_it_has_its_own() -> None:
    done = demo()
    assert (done.returncode, done.stderr) == (0, "")
    assert "coordinator → proposer" in done.stdout
    assert "VERDICT: APPROVE" in done.stdout
    assert "# Report" in done.stdout
    assert "By consensus: the critic approved the latest proposal." in done.stdout


def test_in_chinese_and_to_a_file(tmp_path: Path) -> None:
    report = tmp_path / "报告.md"
    done = demo("-q", "我们该用微服务吗？", "--rounds", "2", "--report", str(report))
    assert done.returncode == 0
    assert report.read_text(encoding="utf-8") in done.stdout
    assert report.read_text(encoding="utf-8").endswith("没有达成一致：先到了 2 轮的上限。\n")


def test_a_question_waits_in_a_file_until_it_is_answered(tmp_path: Path) -> None:
    state = tmp_path / "run.json"
    waiting = demo("-q", "Go or Rust?", "--model", "roleplay:ask", "--state", str(state))
    assert waiting.returncode == 0
    assert f'agent-mini demo --state {state} --answer "..."' in waiting.stdout
    assert FileCheckpoint(state).load().status is TeamStatus.WAITING
    done = demo("--state", str(state), "--answer", "two people")
    assert done.returncode == 0
    assert "Within this limit: two people" in done.stdout
    assert FileCheckpoint(state).load().status is TeamStatus.DONE
    again = demo("--state", str(state), "--answer", "three people")
    assert (again.returncode, again.stderr) == (
        2,
        "error: nothing was asked: the discussion is done "
        "(only a discussion that waits for a person takes an answer)\n",
    )


def test_scripted_answers_are_played() -> None:
    done = demo("-q", "Go or Rust?", "--model", "roleplay:ask", answers=json.dumps(["two people"]))
    assert "Within this limit: two people" in done.stdout


def test_a_failure_says_its_code_and_keeps_what_was_said(tmp_path: Path) -> None:
    state = tmp_path / "run.json"
    failed = demo("-q", "Go or Rust?", "--model", "roleplay:quota", "--state", str(state))
    assert failed.returncode == 1
    assert failed.stderr.endswith("(out of quota: choose another model or top up, then retry)\n")
    assert len(FileCheckpoint(state).load().turns) == 1
    assert demo("--state", str(state)).returncode == 0
    assert FileCheckpoint(state).load().status is TeamStatus.DONE


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("-q", " "), "error: the question is empty (write what you want to know)"),
        (("-q", "x" * 100_000), "error: the question has 100,000 bytes; the limit is 32,768 (shorten it)"),
        (("--rounds", "many"), "error: Invalid value for '--rounds'"),
        (("--rounds", "-1"), "error: Invalid value for '--rounds'"),
        (("--nope",), "error: No such option: --nope"),
        (("--answer", "yes"), "error: nothing was asked: there is no stored discussion"),
        (
            ("--model", "gpt"),
            "error: there is no model provider 'gpt' (choose one of: keyless, roleplay, openai)",
        ),
        (("--model", "openai:x"), "error: https://api.openai.com/v1 wants a key"),
        (("--model", "roleplay:sing"), "error: there is no roleplay:sing (choose one of: ask,"),
        (
            ("--report", "{tmp}/no/such/folder/r.md"),
            "error: {tmp}/no/such/folder/r.md: its folder does not exist (make the folder first)",
        ),
        (("--report", "{tmp}/notes.txt"), "error: {tmp}/notes.txt: is there and is no report"),
        (("--report", "{tmp}"), "error: {tmp}: is there and is no report"),
        (("--state", "{tmp}/a", "--report", "{tmp}/a"), "error: {tmp}/a: is the file of --state"),
        (("--state", "{tmp}"), "error: {tmp}: Is a directory (check the path"),
        (
            ("--state", "{tmp}/notes.txt"),
            "error: {tmp}/notes.txt is damaged: not a JSON object",
        ),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], line: str
) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert run(["demo", *(argument.format(tmp=tmp_path) for argument in arguments)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(line.format(tmp=tmp_path))
    assert said.count("\n") == 1
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_another_question_for_a_stored_discussion_is_refused(tmp_path: Path) -> None:
    state = tmp_path / "run.json"
    demo("-q", "Go or Rust?", "--state", str(state))
    refused = demo("-q", "Tea or coffee?", "--state", str(state))
    assert refused.returncode == 2
    assert "holds another question (leave out -q to go on with it" in refused.stderr
