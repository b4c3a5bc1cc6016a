"""What a notebook consists of: head, sections, exercises, closing part, and how much of each."""

import ast
import re
import statistics
from collections.abc import Iterator

from agent_mini.workbook.course import course_map
from agent_mini.workbook.template.page import CJK, Page, Problem, parse, without_fences

CLOSING = ("Where this breaks in production", "Recap", "Terms", "Questions you will be asked", "Next")

CELLS = {"guide": (3, 45), "lesson": (30, 45), "heavy": (30, 60)}
WORDS = {"guide": (100, 1500), "lesson": (900, 1500), "heavy": (900, 2000)}
EXERCISES = (2, 4)


def title(page: Page) -> Iterator[Problem]:
    """The first line is the number and the title of the course."""
    expected = f"# {page.entry.label} · {page.entry.title}"
    first = page.prose[0][1] if page.prose and page.prose[0][0] == 1 else ""
    if first.split("\n")[0] != expected:
        yield 1, f"the first line must be {expected!r}"
    for place, text in page.prose:
        if re.search(r"^# ", without_fences(text), re.MULTILINE) and place != 1:
            yield place, "a second title: sections begin with ##"


def motto(page: Page) -> Iterator[Problem]:
    """The line after the title is in italics."""
    lines = [line for line in page.head.split("\n") if line.strip()]
    if len(lines) < 2 or not re.fullmatch(r"\*[^*].*[^*]\*", lines[1].strip()):
        yield 1, "the line after the title must be a motto in italics: *…*"


def minutes(page: Page) -> Iterator[Problem]:
    """The head says how long it takes, as the course does."""
    if not re.search(rf"\b{page.entry.minutes} minutes\b", page.head):
        yield 1, f'the head must say "{page.entry.minutes} minutes", as data/course.toml does'


def diagram(page: Page) -> Iterator[Problem]:
    """The head has a diagram."""
    if not re.search(r"^```mermaid$", page.head, re.MULTILINE):
        yield 1, "no mermaid diagram before the first section"


def headings(page: Page) -> Iterator[Problem]:
    """A section begins a cell, so that a link to it and the outline work, and cells stay short."""
    for place, text in page.prose:
        if re.search(r"\n## ", without_fences(text)):
            yield place, "a ## heading must be the first line of its cell"


def predict(page: Page) -> Iterator[Problem]:
    """The reader is asked to guess at least once."""
    if not any(re.search(r"^> \*\*Predict\.\*\*", text, re.MULTILINE) for _, text in page.prose):
        yield 0, "nowhere does it ask for a guess: > **Predict.** …"


def exercises(page: Page) -> Iterator[Problem]:
    """Two to four, lettered in order, each with a check that knows it and a starter nobody has solved."""
    from agent_mini.workbook.exercise import exercises_of

    found = [section for section in page.sections if section.title.startswith("Exercise ")]
    least, most = EXERCISES
    if not least <= len(found) <= most:
        yield 0, f"{len(found)} exercises; a lesson has {least} to {most}"
    known = {exercise.id for exercise in exercises_of(page.entry.label)}
    expected = [f"{page.entry.label}.{letter}" for letter in "abcdefgh"]
    for section, wanted in zip(found, expected, strict=False):
        if not re.fullmatch(rf"Exercise {re.escape(wanted)}(\W.*)?", section.title):
            yield section.place, f"the heading must be '## Exercise {wanted}', not '## {section.title}'"
        checking = [(place, cell) for place, cell in section.code if wanted in _checked(cell.source)]
        if not checking:
            yield section.place, f'no code cell of this section calls check("{wanted}", …)'
        for place, cell in checking:
            if not any("not attempted yet" in output.get("text", "") for output in cell.outputs):
                yield place, f"the output must say that {wanted} is not attempted yet: commit the starter"
        if wanted not in known:
            yield section.place, f"agent_mini/workbook/exercises has no exercise {wanted}"
    for unused in sorted(known - set(expected[: len(found)])):
        yield 0, f"exercise {unused} has a check, but no section"


def way_on(page: Page) -> Iterator[Problem]:
    """Where ``check`` is called, the ``hint`` it speaks of and ``solution`` are at hand too."""
    if not any(_checked(cell.source) for _, cell in page.code):
        return
    imported = {
        alias.name
        for _, tree in page.trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "agent_mini.workbook"
        for alias in node.names
    }
    if missing := {"hint", "solution"} - imported:
        yield 0, f"calls check without importing {' and '.join(sorted(missing))} from agent_mini.workbook"


def closing(page: Page) -> Iterator[Problem]:
    """The last sections are the same five in every lesson."""
    titles = [section.title for section in page.sections]
    if tuple(titles[-len(CLOSING) :]) != CLOSING:
        yield 0, "the last sections must be: " + ", ".join(f"## {name}" for name in CLOSING)
    terms = page.section("Terms")
    if terms and not CJK.search(re.sub(r".*^\|[-| :]+\|$", "", terms.prose, flags=re.MULTILINE | re.DOTALL)):
        yield terms.place, "the terms must be a table that gives the Chinese ones too"
    questions = page.section("Questions you will be asked")
    if questions and "<details>" not in questions.prose:
        yield (
            questions.place,
            "the answers must be folded: <details><summary>question</summary>answer</details>",
        )


def next_up(page: Page) -> Iterator[Problem]:
    """The end leads to the next notebook, or says that it is not there yet."""
    following = page.course.after(page.entry)
    section = page.section("Next")
    if following is None or section is None:
        return
    if following.built and f"({following.file})" not in section.prose:
        yield section.place, f"must link to the next notebook: [{following.title}]({following.file})"
    if not following.built and not (following.title in section.prose and "to come" in section.prose):
        yield (
            section.place,
            f"must name the next notebook, {following.title}, and say that it is still to come",
        )


def course_shown(page: Page) -> Iterator[Problem]:
    """Notebook 00 shows the course as it is now."""
    shown = [
        output.get("data", {}).get("text/markdown", "") for _, cell in page.code for output in cell.outputs
    ]
    if page.entry.number == 0 and not any(course_map(page.course) in text for text in shown):
        yield 0, "must call show_course(); refresh the notebook when the course has changed"


def cell_count(page: Page) -> Iterator[Problem]:
    """As many cells as a sitting bears."""
    least, most = CELLS[page.entry.kind]
    if not least <= len(page.cells) <= most:
        yield 0, f"{len(page.cells)} cells; a {page.entry.kind} has {least} to {most}"


def word_count(page: Page) -> Iterator[Problem]:
    """As many words as a sitting bears; code, diagrams, tags and addresses do not count."""
    prose = " ".join(without_fences(text) for _, text in page.prose)
    prose = re.sub(r"<[^>]*>|\]\([^)]*\)", " ", prose)
    words = len(re.findall(r"\w+(?:[-'’.]\w+)*", prose))
    least, most = WORDS[page.entry.kind]
    if not least <= words <= most:
        yield 0, f"{words} words; a {page.entry.kind} has {least} to {most}"


def code_length(page: Page) -> Iterator[Problem]:
    """Short cells: half of them at most 5 lines, nine in ten at most 20."""
    lengths = {
        place: len([line for line in cell.source.split("\n") if line.strip()]) for place, cell in page.code
    }
    if not lengths:
        return
    median = statistics.median(lengths.values())
    if median > 5:
        yield 0, f"code cells have a median of {median:g} lines; at most 5"
    long = [place for place, length in lengths.items() if length > 20]
    if len(long) > len(lengths) / 10:
        places = ", ".join(map(str, long))
        yield (
            0,
            f"{len(long)} of {len(lengths)} code cells have more than 20 lines (cells {places}); at most one in ten",
        )


def _checked(source: str) -> set[str]:
    """The ids with which a cell calls ``check``."""
    return {
        str(node.args[0].value)
        for node in ast.walk(parse(source) or ast.Module([], []))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "check"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
