"""agent-mini progress, and the same table in a notebook."""

from agent_mini.cli import run
from agent_mini.workbook import progress
from agent_mini.workbook.exercise import exercises_of
from agent_mini.workbook.overview import progress_rows
from agent_mini.workbook.record import Entry, update

A, B, *_ = exercises_of("01")


def row(entries: dict[str, Entry]) -> tuple[str, str]:
    (found,) = [row for row in progress_rows(entries) if row[0].startswith("01 ")]
    return found[1:]


def test_a_row_says_what_happened_with_each_exercise():
    count = len(exercises_of("01"))
    assert row({})[0] == f"0 of {count}"
    passed, words = row(
        {
            A.id: Entry(passed="2026-11-30T10:00:00+00:00", tries=2, hints=1, solution=True),
            B.id: Entry(tries=1),
        }
    )
    assert passed == f"1 of {count}"
    assert words.startswith("a passed (2 tries, 1 hint, solution seen); b not yet (1 try)")


def test_the_command_and_the_notebook_show_the_same(capsys, tmp_path):
    update(A.id, lambda entry: entry.after_try(passed=True))
    assert run(["progress"]) == 0
    out = capsys.readouterr().out
    assert "a passed (1 try)" in out
    assert str(tmp_path / "workspace" / "progress.json") in out
    progress()
    assert "a passed (1 try)" in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_one_line(capsys, tmp_path):
    (tmp_path / "workspace" / "progress.json").mkdir(parents=True)
    assert run(["progress"]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    progress()
    assert capsys.readouterr().out.startswith("(progress could not be read: ")
