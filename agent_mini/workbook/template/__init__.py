"""The template every notebook follows, as rules that can be checked: ``agent-mini notebooks check``.

A rule is a function that is given a page and yields what is wrong with it.
"""

from pathlib import Path

from agent_mini.errors import InputError
from agent_mini.workbook.course import Course, Notebook
from agent_mini.workbook.template import cells, links, shape
from agent_mini.workbook.template.page import Rule, load_page

__all__ = ["EVERY", "LESSON", "check_folder", "check_notebook"]

EVERY: tuple[Rule, ...] = (
    shape.title,
    shape.motto,
    shape.minutes,
    shape.headings,
    shape.course_shown,
    shape.way_on,
    shape.cell_count,
    shape.word_count,
    shape.code_length,
    cells.ids,
    cells.empty,
    cells.plain_python,
    cells.english_code,
    cells.no_asyncio_run,
    cells.public_names,
    cells.no_nbval_marks,
    cells.executed,
    cells.clean_outputs,
    cells.output_size,
    links.links,
    links.meets,
)
"""What holds for every notebook."""

LESSON: tuple[Rule, ...] = (shape.diagram, shape.predict, shape.exercises, shape.closing, shape.next_up)
"""What holds for lessons besides; guides have a shape of their own."""


def check_notebook(entry: Notebook, course: Course, folder: Path) -> list[str]:
    """Everything that is wrong with one notebook, a line each.

    Args:
        entry: The notebook.
        course: The course it belongs to.
        folder: Where its file is.
    """
    try:
        page = load_page(entry, course, folder)
    except InputError as error:
        return [error.message]
    rules = EVERY if entry.kind == "guide" else EVERY + LESSON
    problems = sorted(problem for rule in rules for problem in rule(page))
    return [
        f"{entry.file}, cell {place}: {what}" if place else f"{entry.file}: {what}"
        for place, what in problems
    ]


def check_folder(course: Course, folder: Path) -> list[str]:
    """Where the notebooks in the folder and those that the course calls built differ."""
    there = {path.name for path in folder.glob("*.ipynb")}
    built = {entry.file for entry in course.built}
    problems = [
        f"{name}: data/course.toml says that it is built, but there is no such file" for name in built - there
    ]
    problems += [f"{name}: data/course.toml does not say that it is built" for name in there - built]
    return sorted(problems)
