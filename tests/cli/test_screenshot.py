from pathlib import Path

import pytest

from agent_mini.cli import run
from agent_mini.workbook.course import load_course


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["77", "out.png"], "error: no notebook '77'"),
        ([next(n.label for n in load_course() if not n.built), "out.png"], "is not built yet"),
        (["00", "."], "error: Invalid value for 'OUT.png'"),
        (["00", "out.png", "--cell", "999"], "cells, not 999"),
        (["00", "out.png", "--cell", "0"], "error: Invalid value for '--cell'"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["notebooks", "screenshot", *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_a_browser_it_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["notebooks", "screenshot", "00", str(tmp_path / "out.png")]) == 2
    assert "is not installed" in (message := capsys.readouterr().err) or "no Chromium on the PATH" in message
    assert not (tmp_path / "out.png").exists()
