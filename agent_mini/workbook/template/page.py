"""A notebook as the rules of the template see it."""

import ast
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from agent_mini.errors import InputError
from agent_mini.workbook.course import Course, Notebook
from agent_mini.workbook.files import reading_notebook

CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")

Problem = tuple[int, str]
"""The place of a cell, from 1, or 0 for the notebook as a whole, and what is wrong."""


@dataclass(frozen=True)
class Section:
    """A ``##`` heading and everything up to the next one."""

    title: str
    place: int
    prose: str
    code: tuple[tuple[int, NotebookNode], ...]


@dataclass(frozen=True)
class Page:
    """One notebook, its entry in the course, and the whole course."""

    entry: Notebook
    course: Course
    folder: Path
    cells: tuple[NotebookNode, ...]

    @cached_property
    def prose(self) -> list[tuple[int, str]]:
        """The Markdown cells: place and text."""
        return [
            (place, cell.source) for place, cell in enumerate(self.cells, 1) if cell.cell_type == "markdown"
        ]

    @cached_property
    def code(self) -> list[tuple[int, NotebookNode]]:
        """The code cells: place and cell."""
        return [(place, cell) for place, cell in enumerate(self.cells, 1) if cell.cell_type == "code"]

    @cached_property
    def trees(self) -> list[tuple[int, ast.AST]]:
        """The code cells that are plain Python: place and syntax tree."""
        return [(place, tree) for place, cell in self.code if (tree := parse(cell.source)) is not None]

    @cached_property
    def head(self) -> str:
        """The prose before the first section."""
        first = self.sections[0].place if self.sections else len(self.cells) + 1
        return "\n\n".join(text for place, text in self.prose if place < first)

    @cached_property
    def sections(self) -> list[Section]:
        """What the ``##`` headings begin; a heading must be the first line of its cell."""
        starts = [place for place, text in self.prose if text.startswith("## ")]
        sections: list[Section] = []
        for start, end in pairwise([*starts, len(self.cells) + 1]):
            prose = [text for place, text in self.prose if start <= place < end]
            code = tuple((place, cell) for place, cell in self.code if start < place < end)
            title = prose[0].split("\n", 1)[0].removeprefix("## ").strip()
            sections.append(Section(title, start, "\n\n".join(prose), code))
        return sections

    def section(self, title: str) -> Section | None:
        """The first section of that title, if there is one."""
        return next((section for section in self.sections if section.title == title), None)


Rule = Callable[[Page], Iterator[Problem]]


def load_page(entry: Notebook, course: Course, folder: Path) -> Page:
    """Read a notebook exactly as it is: nothing is mended or converted.

    Raises:
        InputError: It cannot be read.
    """
    try:
        with reading_notebook():
            notebook = nbformat.v4.reads((folder / entry.file).read_text(encoding="utf-8"))
            if notebook.nbformat != 4:
                raise ValueError(f"format {notebook.nbformat}, not 4")
            _validate(notebook)
            return Page(entry, course, folder, tuple(notebook.cells))
    except OSError as error:
        raise InputError(f"{entry.file}: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{entry.file}: {error}") from None


def _validate(notebook: NotebookNode) -> None:
    """Raise when it does not follow the schema, apart from its ids: for those there is a rule."""
    probe = deepcopy(notebook)
    probe.nbformat_minor = 5
    for place, cell in enumerate(probe.cells):
        cell.id = f"cell-{place}"
    nbformat.validate(probe)


def parse(source: str) -> ast.AST | None:
    """The syntax tree of a cell, in which ``await`` may stand outside functions; None when it is no Python."""
    try:
        return compile(source, "cell", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return None


def without_fences(text: str) -> str:
    """Markdown without its fenced blocks."""
    return re.sub(r"^(```|~~~).*?^\1[^\n]*$", "", text, flags=re.MULTILINE | re.DOTALL)
