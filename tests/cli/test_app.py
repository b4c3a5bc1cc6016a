"""The command's frame: whatever goes wrong is one line on stderr, with the right exit code."""

import os
import subprocess
import sys

import pytest

from agent_mini.cli import run
from agent_mini.cli.app import app
from agent_mini.errors import AgentError, CheckpointError, ErrorCode, InputError, ModelError


def command(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agent_mini.cli", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env=os.environ | settings,
    )


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]])
def test_help_lists_the_commands(capsys, arguments):
    assert run(arguments) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    for name in ("lab", "reset", "progress", "doctor", "ask", "chat", "demo", "notebooks"):
        assert name in printed.out


@pytest.mark.parametrize("name", ["lab", "reset", "progress", "doctor", "ask", "chat", "demo"])
def test_every_command_has_help(capsys, name):
    assert run([name, "-h"]) == 0
    assert "Usage: agent-mini " + name in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--wrong"], "error: No such option: --wrong (see agent-mini --help)"),
        (["doctor", "--wrong"], "error: No such option: --wrong (see agent-mini doctor --help)"),
        (["docter"], "error: No such command 'docter'"),
        (["reset"], "error: Missing argument 'name' (see agent-mini reset --help)"),
        (["doctor", "more"], "error: Got unexpected extra argument"),
        (["lab", "--port", "x"], "error: Invalid value for '--port'"),
    ],
)
def test_a_wrong_call_is_one_line(capsys, arguments, line):
    assert run(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(line)
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (InputError("no\nluck", "try again"), 2, "error: no luck (try again)\n"),
        (
            CheckpointError(ErrorCode.CHECKPOINT_DAMAGED, "x.json", "restore it"),
            2,
            "error: x.json (restore it)\n",
        ),
        (ModelError(ErrorCode.LLM_AUTH, "401", "check the key"), 1, "error: LLM_AUTH: 401 (check the key)\n"),
        (AgentError(ErrorCode.RUN_NOT_FOUND, "r1", "look"), 1, "error: RUN_NOT_FOUND: r1 (look)\n"),
        (PermissionError(13, "Permission denied", "a.txt"), 2, "error: a.txt: Permission denied (check "),
    ],
)
def test_every_kind_of_trouble_has_its_line_and_code(capsys, error, code, line):
    @app.command("trouble", hidden=True)
    def trouble() -> None:
        raise error

    try:
        assert run(["trouble"]) == code
    finally:
        app.registered_commands.pop()
    printed = capsys.readouterr()
    assert printed.err.startswith(line)
    assert printed.err.count("\n") == 1


def test_ctrl_c_is_no_traceback(capsys):
    @app.command("endless", hidden=True)
    def endless() -> None:
        raise KeyboardInterrupt

    try:
        assert run(["endless"]) == 130
    finally:
        app.registered_commands.pop()
    assert capsys.readouterr().err.count("\n") <= 1


def test_a_process_ends_with_the_code_and_without_a_traceback():
    done = command("reset", "没有")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: no notebook '没有'")
    assert command("--help").returncode == 0


def test_chinese_prints_where_the_console_knows_only_latin(tmp_path):
    done = command("progress", PYTHONIOENCODING="latin-1", AGENT_WORKSPACE=str(tmp_path / "工作"))
    assert done.returncode == 0
    assert "工作" in done.stdout
