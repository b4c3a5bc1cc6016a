"""The template: a good notebook passes, and each rule reports what breaks it."""

import json
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from agent_mini.cli import app, notebooks
from agent_mini.workbook import course as course_module
from agent_mini.workbook import exercise
from agent_mini.workbook.course import NOTEBOOKS, Course, Notebook, course_map, load_course
from agent_mini.workbook.template import check_folder, check_notebook

Cells = list[nbformat.NotebookNode]

LESSON = Notebook(
    number=97,
    file="97_loops.ipynb",
    title="Loops",
    builds="a loop",
    kind="lesson",
    minutes=45,
    prerequisites=(),
    meets=("agent_mini/errors.py",),
    built=True,
    interview=False,
)
FOLLOWING = Notebook(
    98, "98_teams.ipynb", "Teams", "teams", "lesson", 45, (97,), (), built=False, interview=False
)
GUIDE = Notebook(
    0, "00_start_here.ipynb", "Start here", "one run", "guide", 15, (), (), built=True, interview=True
)
COURSE = Course((GUIDE, LESSON, FOLLOWING))

HEAD = """# 97 · Loops
*It goes round.*

You will build a loop. About 45 minutes.

```mermaid
flowchart LR
    question --> model
```"""

PROSE = "A sentence of ten words that says nothing much twice. " * 8


def markdown(text: str) -> nbformat.NotebookNode:
    return new_markdown_cell(text)


def code(source: str, *outputs: nbformat.NotebookNode) -> nbformat.NotebookNode:
    return new_code_cell(source, outputs=list(outputs))


def printed(text: str, name: str = "stdout") -> nbformat.NotebookNode:
    return new_output("stream", text=text, name=name)


def exercise_cells(letter: str) -> Cells:
    starter = f'def answer(name):\n    ...\n\ncheck("97.{letter}", answer)'
    return [
        markdown(f"## Exercise 97.{letter}\n{PROSE}"),
        code(starter, printed(f'97.{letter}  not attempted yet. Stuck? hint("97.{letter}")\n')),
    ]


def good_lesson() -> Cells:
    steps = [
        cell
        for number in range(8)
        for cell in (
            markdown(f"{PROSE} [python](https://docs.python.org/3/)"),
            code(f"print({number})", printed(f"{number}\n")),
        )
    ]
    return [
        markdown(HEAD),
        code("from agent_mini.workbook import check, hint, show_source, solution"),
        markdown(f"## The smallest one\n{PROSE}"),
        *steps,
        markdown("> **Predict.** What comes out?"),
        code("await naive_loop()"),
        *exercise_cells("a"),
        *exercise_cells("b"),
        markdown(f"## Where this breaks in production\n{PROSE}"),
        markdown("## Recap\nIt loops."),
        markdown("## Terms\n\n| English | 中文 |\n|---|---|\n| tool call | 工具调用 |"),
        markdown("## Questions you will be asked\n<details><summary>Why?</summary>\nBecause.\n</details>"),
        markdown("## Next\nTeams is still to come. Back to [the start](00_start_here.ipynb)."),
    ]


def good_guide() -> Cells:
    return [
        markdown("# 00 · Start here\n*Begin.*\n\nAbout 15 minutes."),
        markdown(PROSE * 2),
        code(
            "from agent_mini.workbook import show_course\nshow_course()",
            new_output("display_data", {"text/markdown": course_map(COURSE)}),
        ),
        markdown("## Next\nNotebook 01."),
    ]


@pytest.fixture
def known_exercises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercise, "REGISTRY", {})
    for letter in "ab":
        register = exercise.exercise(f"97.{letter}", solution=1, solution_source="1", hints=("one",))
        register(lambda answer: None)


@pytest.fixture
def problems(tmp_path: Path, known_exercises: None) -> Callable[..., list[str]]:
    """What is wrong with these cells, numbered and executed, as that notebook of the course."""

    def check(cells: Cells, entry: Notebook = LESSON, *, finished: bool = True) -> list[str]:
        if finished:
            number_cells(cells)
        notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        (tmp_path / GUIDE.file).touch()
        (tmp_path / entry.file).write_text(json.dumps(notebook), encoding="utf-8")
        return check_notebook(entry, COURSE, tmp_path)

    return check


def number_cells(cells: Cells) -> None:
    count = 0
    for place, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{place}"
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count


def replace(old: str, new: str) -> Callable[[Cells], None]:
    def edit(cells: Cells) -> None:
        [cell] = [cell for cell in cells if old in cell.source]
        cell.source = cell.source.replace(old, new)

    return edit


def drop(words: str) -> Callable[[Cells], None]:
    def edit(cells: Cells) -> None:
        [place] = [place for place, cell in enumerate(cells) if words in cell.source]
        del cells[place]

    return edit


def add(*new: nbformat.NotebookNode) -> Callable[[Cells], None]:
    """Put cells where the first step stands."""

    def edit(cells: Cells) -> None:
        cells[3:3] = [nbformat.from_dict(cell) for cell in new]

    return edit


def move_to_front(words: str) -> Callable[[Cells], None]:
    def edit(cells: Cells) -> None:
        [place] = [place for place, cell in enumerate(cells) if words in cell.source]
        cells.insert(1, cells.pop(place))

    return edit


def show_plain(text: str) -> nbformat.NotebookNode:
    return new_output("display_data", {"text/plain": text})


BROKEN: dict[str, tuple[Callable[[Cells], None], str]] = {
    "another title": (
        replace("# 97 · Loops", "# 97 · Loop"),
        "cell 1: the first line must be '# 97 · Loops'",
    ),
    "a second title": (add(markdown("# More")), "cell 4: a second title"),
    "no motto": (
        replace("*It goes round.*", "It goes round."),
        "cell 1: the line after the title must be a motto",
    ),
    "other minutes": (replace("45 minutes", "an hour"), 'cell 1: the head must say "45 minutes"'),
    "no diagram": (replace("```mermaid", "```text"), "cell 1: no mermaid diagram"),
    "a heading inside": (replace("It loops.", "It loops.\n\n## More"), "a ## heading must be the first line"),
    "no guess": (replace("> **Predict.**", "Predict."), "97_loops.ipynb: nowhere does it ask for a guess"),
    "one exercise": (drop("## Exercise 97.b"), "97_loops.ipynb: 1 exercises; a lesson has 2 to 4"),
    "a section gone": (drop("## Exercise 97.b"), "exercise 97.b has a check, but no section"),
    "a skipped letter": (replace("## Exercise 97.b", "## Exercise 97.c"), "must be '## Exercise 97.b', not"),
    "an exercise nobody checks": (replace('check("97.b", answer)', "answer(1)"), 'calls check("97.b", …)'),
    "an unknown exercise": (lambda _: exercise.REGISTRY.pop("97.b"), "no exercise 97.b"),
    "a solved exercise": (
        lambda cells: find(cells, 'check("97.a"').outputs.__setitem__(0, printed("97.a  passed\n")),
        "must say that 97.a is not attempted yet",
    ),
    "no recap": (drop("## Recap"), "97_loops.ipynb: the last sections must be: ## Where this breaks"),
    "another order": (move_to_front("## Recap"), "97_loops.ipynb: the last sections must be"),
    "an exercise after the end": (
        lambda cells: cells.extend(exercise_cells("c")),
        "97_loops.ipynb: the last sections must be",
    ),
    "terms in English only": (replace("工具调用", "tool call"), "the terms must be a table"),
    "answers unfolded": (replace("<details>", "<div>"), "the answers must be folded"),
    "nothing next": (replace("Teams is still to come", "The end"), "must name the next notebook, Teams"),
    "few cells": (lambda cells: cells.__delitem__(slice(3, 17)), "16 cells; a lesson has 30 to 45"),
    "many cells": (add(*[markdown("x")] * 16), "46 cells; a lesson has 30 to 45"),
    "few words": (
        lambda cells: [cell.update(source="x") for cell in cells[3:9] if cell.cell_type == "markdown"],
        "words; a lesson has 900 to 1500",
    ),
    "many words": (add(markdown(PROSE * 10)), "words; a lesson has 900 to 1500"),
    "long cells": (add(*[code("x = 1\n" * 6)] * 14), "code cells have a median of 6 lines; at most 5"),
    "very long cells": (
        add(code("x = 1\n" * 21), code("x = 1\n" * 21)),
        "2 of 14 code cells have more than 20 lines (cells 4, 5)",
    ),
    "an empty cell": (add(markdown(" ")), "cell 4: an empty cell"),
    "a magic": (add(code("%matplotlib inline")), "cell 4: not plain Python"),
    "a syntax error": (add(code("x =")), "cell 4: not plain Python"),
    "a Chinese comment": (add(code("x = 1  # 循环")), "cell 4: Chinese outside a string, line 1"),
    "a Chinese name": (add(code("y = 1\n循环 = 1")), "cell 4: Chinese outside a string, line 2"),
    "prose in comments": (add(code("# a\n# b\n# c\n# d\nx = 1")), "cell 4: more than 3 lines of comment"),
    "asyncio.run": (add(code("import asyncio\nasyncio.run(main())")), "cell 4: asyncio.run does not work"),
    "a private module": (
        add(code("from agent_mini.workbook.show import View")),
        "cell 4: imports from agent_mini.workbook.show",
    ),
    "no way on": (
        replace("import check, hint, show_source, solution", "import check, show_source"),
        "calls check without importing hint and solution",
    ),
    "a private name": (
        add(code("from agent_mini.workbook import record")),
        "whose __all__ does not name it",
    ),
    "a package that is not there": (add(code("import agent_mini.nothing")), "cell 4: cannot import"),
    "an output exempt": (add(code("# NBVAL_IGNORE_OUTPUT\nx = 1")), "cell 4: marked for nbval"),
    "a cell exempt": (
        lambda cells: find(cells, "print(3)").metadata.update(tags=["nbval-skip"]),
        "cell 11: marked for nbval",
    ),
    "an error": (
        add(code("1/0", new_output("error", ename="ZeroDivisionError", evalue="", traceback=[]))),
        "cell 4: an error was committed: ZeroDivisionError",
    ),
    "stderr": (add(code("x", printed("careful\n", "stderr"))), "cell 4: output on stderr: careful"),
    "a path of the machine": (
        add(code("x", show_plain("PosixPath('/home/me/notes')"))),
        "cell 4: the output holds a path of this machine: /home/me/notes",
    ),
    "a Windows path": (add(code("x", printed("C:\\Users\\me\n"))), "cell 4: the output holds a path"),
    "colours": (add(code("x", printed("\x1b[31mred\x1b[0m\n"))), "cell 4: the output holds control"),
    "large outputs": (add(code("x", printed("1234567\n" * 25_000))), "225 KB of outputs; at most 200 KB"),
    "a dead link": (add(markdown("[x](07_nothing.ipynb)")), "cell 4: link to 07_nothing.ipynb: no such file"),
    "a dead picture": (add(markdown('<img src="x.png">')), "cell 4: link to x.png: no such file"),
    "a link out of the folder": (add(markdown("[x](../README.md)")), "a learner's copy stands alone"),
    "an unknown site": (add(markdown("<https://pypi.example.org/x>")), "not one of the known sites"),
    "a local file": (add(markdown("[x](file:///etc/hosts)")), "cell 4: link to file:///etc/hosts"),
}


def find(cells: Cells, words: str) -> nbformat.NotebookNode:
    [cell] = [cell for cell in cells if words in cell.source]
    return cell


def test_a_good_lesson_passes(problems: Callable[..., list[str]]) -> None:
    assert problems(good_lesson()) == []


def test_a_good_guide_passes(problems: Callable[..., list[str]]) -> None:
    assert problems(good_guide(), GUIDE) == []


@pytest.mark.parametrize("name", BROKEN)
def test_what_breaks_a_rule_is_reported(problems: Callable[..., list[str]], name: str) -> None:
    edit, words = BROKEN[name]
    cells = good_lesson()
    edit(cells)
    found = problems(cells)
    assert any(words in line for line in found), found
    assert all(line.startswith("97_loops.ipynb") and "\n" not in line for line in found)


def test_a_notebook_without_sections_has_ordinary_problems(problems: Callable[..., list[str]]) -> None:
    found = problems([markdown(HEAD), code("print(1)")])
    assert "97_loops.ipynb: 0 exercises; a lesson has 2 to 4" in found
    assert any("the last sections must be" in problem for problem in found)


def test_what_is_allowed(problems: Callable[..., list[str]]) -> None:
    cells = good_lesson()
    add(
        code('ask("现在几点？")', printed("http://127.0.0.1:8000/v1 和 a/tmp/b\n")),
        markdown(
            "```python\n# a comment, not a title\n[x](nowhere.ipynb)\n```\nand `[y](nowhere)`, [z](#recap)"
        ),
        code("x = 1\n" * 21),
    )(cells)
    assert problems(cells) == []


def test_a_next_notebook_that_is_there_has_to_be_linked(tmp_path: Path, known_exercises: None) -> None:
    following = Notebook(
        98, "98_teams.ipynb", "Teams", "teams", "lesson", 45, (97,), (), built=True, interview=False
    )
    cells = good_lesson()
    number_cells(cells)
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / GUIDE.file).touch()
    (tmp_path / LESSON.file).write_text(json.dumps(notebook), encoding="utf-8")
    [problem] = check_notebook(LESSON, Course((GUIDE, LESSON, following)), tmp_path)
    assert problem.endswith("must link to the next notebook: [Teams](98_teams.ipynb)")


def test_ids_and_counts(problems: Callable[..., list[str]]) -> None:
    cells = good_lesson()
    number_cells(cells)
    del cells[3]["id"]
    cells[5]["id"] = cells[6]["id"]
    cells[6].execution_count = 17
    found = problems(cells, finished=False)
    assert [line.split(":")[0] for line in found] == [
        f"97_loops.ipynb, cell {place}" for place in (4, 6, 7, 7)
    ]
    assert any("no cell id" in line for line in found)
    assert any("is used twice" in line for line in found)
    assert any("not executed in order" in line for line in found)


def test_a_guide_shows_the_course_as_it_is(problems: Callable[..., list[str]]) -> None:
    cells = good_guide()
    cells[2].outputs[0].data["text/markdown"] = course_map(COURSE).replace("Teams", "Crowds")
    assert problems(cells, GUIDE) == [
        "00_start_here.ipynb: must call show_course(); refresh the notebook when the course has changed"
    ]


def test_files_it_meets_exist(problems: Callable[..., list[str]]) -> None:
    entry = Notebook(
        97,
        "97_loops.ipynb",
        "Loops",
        "a loop",
        "lesson",
        45,
        (),
        ("agent_mini/no.py",),
        built=True,
        interview=False,
    )
    cells = good_lesson()
    number_cells(cells)
    found = problems(cells, entry)
    assert (
        "97_loops.ipynb: data/course.toml says that it meets agent_mini/no.py, which does not exist" in found
    )


@pytest.mark.parametrize(
    "content",
    [
        None,
        "",
        "[]",
        '{"nbformat": 3, "cells": []}',
        '{"nbformat": 4}',
        '{"nbformat": 4, "cells": ["x"]}',
        '{"nbformat": 4, "metadata": {}, "cells": [{"metadata": {}, "source": ""}]}',
        '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "metadata": {}, "source": ""}]}',
        "[" * 100_000 + "]" * 100_000,
    ],
    ids=range(9),
)
def test_what_is_no_notebook_is_one_line(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / LESSON.file).write_text(content, encoding="utf-8")
    [problem] = check_notebook(LESSON, COURSE, tmp_path)
    assert problem.startswith("97_loops.ipynb: ")
    assert "\n" not in problem


def test_exactly_the_built_ones_are_there(tmp_path: Path) -> None:
    (tmp_path / GUIDE.file).touch()
    (tmp_path / FOLLOWING.file).touch()
    assert check_folder(COURSE, tmp_path) == [
        "97_loops.ipynb: data/course.toml says that it is built, but there is no such file",
        "98_teams.ipynb: data/course.toml does not say that it is built",
    ]


def test_exactly_the_built_ones_are_committed() -> None:
    assert check_folder(load_course(), NOTEBOOKS) == []


@pytest.mark.parametrize("entry", load_course().built, ids=lambda entry: entry.file)
def test_the_committed_notebooks_follow_the_template(entry: Notebook) -> None:
    assert check_notebook(entry, load_course(), NOTEBOOKS) == []


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(notebooks, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(course_module, "NOTEBOOKS", tmp_path)
    assert app.run(["notebooks", "check", "02"]) == 1
    assert capsys.readouterr().out == "02_tool_loop.ipynb: No such file or directory\n"
    assert app.run(["notebooks", "map"]) == 0
    assert "| 00 | [Start here](notebooks/00_start_here.ipynb)" in capsys.readouterr().out
