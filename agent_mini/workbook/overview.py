"""How far a learner has come: one row a notebook, for a notebook and for the command line."""

from collections.abc import Mapping

from agent_mini.workbook.course import load_course
from agent_mini.workbook.exercise import Exercise, exercises_of
from agent_mini.workbook.record import Entry, load_progress
from agent_mini.workbook.show import show, table

HEADERS = ("notebook", "passed", "exercises")


def progress_rows(entries: Mapping[str, Entry]) -> list[tuple[str, str, str]]:
    """A row for each notebook that has exercises: its title, how many are passed, and each exercise in words."""
    rows: list[tuple[str, str, str]] = []
    for notebook in load_course().built:
        exercises = exercises_of(notebook.label)
        if exercises:
            known = [entries.get(exercise.id, Entry()) for exercise in exercises]
            passed = f"{sum(bool(entry.passed) for entry in known)} of {len(known)}"
            rows.append(
                (f"{notebook.label} {notebook.title}", passed, "; ".join(map(_words, exercises, known)))
            )
    return rows


def progress() -> None:
    """Show what was passed, tried and looked up so far."""
    try:
        entries = load_progress()
    except OSError as error:
        print(f"(progress could not be read: {error})")
        entries = {}
    show(table(progress_rows(entries), HEADERS))


def _words(exercise: Exercise, entry: Entry) -> str:
    """``a passed (2 tries, 1 hint)``."""
    state = "passed" if entry.passed else "not yet" if entry.tries else "not tried"
    details = [_count(entry.tries, "try", "tries"), _count(entry.hints, "hint", "hints")]
    details = [*filter(None, details), *(["solution seen"] if entry.solution else [])]
    return f"{exercise.id[3:]} {state}" + (f" ({', '.join(details)})" if details else "")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""
