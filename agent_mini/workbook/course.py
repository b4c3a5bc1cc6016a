"""The course as ``data/course.toml`` describes it: which notebooks there are, and in what order to read them."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from agent_mini.config import CHECKOUT
from agent_mini.errors import InputError
from agent_mini.workbook.show import View, show

NOTEBOOKS = CHECKOUT / "notebooks"
MAP_BEGIN = "<!-- course map -->"
MAP_END = "<!-- /course map -->"


@dataclass(frozen=True)
class Notebook:
    """One notebook of the course.

    ``builds`` says in a line what the reader builds; ``meets`` lists files from the checkout's root;
    ``prerequisites`` are numbers of earlier notebooks; ``interview`` says whether it belongs to the interview
    week, the shorter path.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    number: Annotated[int, Field(ge=0, le=99)]
    file: str
    title: Annotated[str, Field(min_length=1)]
    builds: Annotated[str, Field(min_length=1)]
    kind: Literal["guide", "lesson", "heavy"]
    minutes: Annotated[int, Field(gt=0, le=180)]
    prerequisites: tuple[int, ...]
    meets: tuple[str, ...]
    built: bool
    interview: bool

    @property
    def label(self) -> str:
        """The number as it is written: ``02``."""
        return f"{self.number:02d}"

    @property
    def path(self) -> Path:
        """Where the committed notebook is, or will be."""
        return NOTEBOOKS / self.file


@dataclass(frozen=True)
class Course:
    """Every notebook, in the order they are read."""

    notebooks: tuple[Notebook, ...]

    def __iter__(self) -> Iterator[Notebook]:
        return iter(self.notebooks)

    @property
    def built(self) -> tuple[Notebook, ...]:
        """The notebooks that exist."""
        return tuple(notebook for notebook in self if notebook.built)

    @property
    def interview_week(self) -> tuple[Notebook, ...]:
        """The shorter path; it holds everything its notebooks build on."""
        return tuple(notebook for notebook in self if notebook.interview)

    def find(self, name: str | int) -> Notebook:
        """The notebook with this number (``2``, ``"2"``, ``"02"``), or with the name of this file.

        Raises:
            InputError: There is none; the message lists the numbers.
        """
        wanted = PurePath(str(name)).name
        number = int(wanted) if wanted.isascii() and wanted.isdigit() else None
        for notebook in self:
            if wanted == notebook.file or number == notebook.number:
                return notebook
        known = f"{self.notebooks[0].label} to {self.notebooks[-1].label}"
        raise InputError(f"no notebook {str(name)!r}", f"give a number, {known}, or a file")

    def after(self, notebook: Notebook) -> Notebook | None:
        """The one to read next on the whole path, or None after the last."""
        return next((later for later in self if later.number > notebook.number), None)


def load_course(path: Path | None = None) -> Course:
    """Read and check the course.

    Args:
        path: A TOML file; the checkout's ``data/course.toml`` when None.

    Raises:
        InputError: The file cannot be read, or something in it cannot be right; the message names the table.
    """
    return _load(path or CHECKOUT / "data" / "course.toml")


@lru_cache
def _load(path: Path) -> Course:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8")).get("notebook", [])
    except (OSError, ValueError) as error:
        raise InputError(f"{path.name}: {error}", "the course is described in data/course.toml") from None
    try:
        course = Course(TypeAdapter(tuple[Notebook, ...]).validate_python(tables))
    except ValidationError as error:
        first = error.errors()[0]
        where = " ".join(str(part) for part in first["loc"])
        raise InputError(f"{path.name}: notebook {where}: {first['msg']}", "mend data/course.toml") from None
    for problem in _contradictions(course):
        raise InputError(f"{path.name}: {problem}", "mend data/course.toml")
    return course


def _contradictions(course: Course) -> Iterator[str]:
    """What no single value shows."""
    if not course.notebooks:
        yield "there is no [[notebook]]"
    for place, notebook in enumerate(course):
        if notebook.number != place:
            yield f"notebook {notebook.label} stands at place {place}"
        if not re.fullmatch(rf"{notebook.label}_[a-z0-9_]+\.ipynb", notebook.file):
            yield f"notebook {notebook.label}: the file must be {notebook.label}_topic.ipynb, not {notebook.file}"
        for needed in notebook.prerequisites:
            if not 0 <= needed < notebook.number:
                yield f"notebook {notebook.label} cannot build on {needed}: it comes later or does not exist"
            elif notebook.interview and not course.notebooks[needed].interview:
                yield f"the interview week has notebook {notebook.label} but not {needed:02d}, on which it builds"


def course_map(course: Course, folder: str = "") -> str:
    """The course as a Markdown table; *Week* marks the interview week.

    Args:
        course: The course.
        folder: What links start with: ``"notebooks/"`` in the README, nothing in a notebook.
    """
    lines = ["| | Notebook | You build | You meet | Minutes | Week |", "|---|---|---|---|---|---|"]
    for notebook in course:
        title = f"[{notebook.title}]({folder}{notebook.file})" if notebook.built else notebook.title
        builds = notebook.builds if notebook.built else f"{notebook.builds} (to come)"
        met = ", ".join(f"`{path.removeprefix('agent_mini/')}`" for path in notebook.meets if notebook.built)
        week = "yes" if notebook.interview else ""
        lines.append(f"| {notebook.label} | {title} | {builds} | {met} | {notebook.minutes} | {week} |")
    return "\n".join(lines)


def path_summary(notebooks: tuple[Notebook, ...]) -> str:
    """A path in one line: ``00 → 01 → 02, 1 h 40 min``."""
    hours, minutes = divmod(sum(notebook.minutes for notebook in notebooks), 60)
    return " → ".join(notebook.label for notebook in notebooks) + f", {hours} h {minutes:02d} min"


def course_overview(course: Course, folder: str = "") -> str:
    """The map and the two paths in Markdown; ``folder`` as for ``course_map``."""
    whole, week = path_summary(course.notebooks), path_summary(course.interview_week)
    return f"{course_map(course, folder)}\n\nWhole course: {whole}\n\nInterview week: {week}"


def show_course() -> None:
    """Show the map and the two paths, as the course file has them now."""
    text = course_overview(load_course())
    show(View(plain=text, markdown=text))
