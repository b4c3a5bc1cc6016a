"""What a learner has passed, in one JSON file of their workspace.

The file holds, for each exercise, when it was first passed, the tries, the hints and whether the solution was
seen. Several kernels may write at once. Trouble with the file never stops a notebook: it is told in one line.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent_mini.clock import SystemClock
from agent_mini.config import load_settings
from agent_mini.errors import InputError
from agent_mini.workbook.files import locked, set_aside, write_whole


class Entry(BaseModel):
    """What happened with one exercise.

    ``passed`` is the date and time of the first pass, empty before it; ``hints`` is the highest hint given.
    """

    model_config = ConfigDict(frozen=True)

    passed: str = ""
    tries: int = Field(default=0, ge=0)
    hints: int = Field(default=0, ge=0)
    solution: bool = False

    def after_try(self, passed: bool) -> "Entry":
        """The entry after one more try."""
        moment = (
            SystemClock().now().isoformat(timespec="seconds") if passed and not self.passed else self.passed
        )
        return self.model_copy(update={"tries": self.tries + 1, "passed": moment})


class _File(BaseModel):
    exercises: dict[str, Entry]


def progress_file() -> Path:
    """Where the progress is kept."""
    return load_settings().agent_workspace / "progress.json"


def load_progress() -> Mapping[str, Entry]:
    """Every exercise's entry; empty when nothing was tried yet.

    Raises:
        OSError: The file is there and cannot be read.
    """
    path = progress_file()
    try:
        return _read(path)
    except ValidationError:
        with locked(path):
            return _read_or_set_aside(path)


def update(exercise_id: str, change: Callable[[Entry], Entry]) -> Entry:
    """Change one exercise's entry and return the new one, saved if at all possible."""
    entry = Entry()
    try:
        path = progress_file()
        with locked(path):
            entries = _read_or_set_aside(path)
            entry = change(entries.get(exercise_id, entry))
            whole = _File(exercises={**entries, exercise_id: entry})
            write_whole(path, whole.model_dump_json(indent=1).encode() + b"\n")
    except (OSError, InputError) as error:
        print(f"(progress could not be saved: {' '.join(str(error).split())})")
        return change(Entry())
    return entry


def _read(path: Path) -> dict[str, Entry]:
    try:
        return _File.model_validate_json(path.read_bytes()).exercises
    except FileNotFoundError:
        return {}


def _read_or_set_aside(path: Path) -> dict[str, Entry]:
    """What the file holds; a damaged one is kept under another name. The caller holds the lock."""
    try:
        return _read(path)
    except ValidationError:
        kept = set_aside(path, "damaged")
        print(f"({path.name} was damaged: kept as {kept.name}, and a new one begun)")
        return {}
