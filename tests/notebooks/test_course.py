"""data/course.toml, and what is made of it."""

from pathlib import Path

import pytest

from agent_mini.config import CHECKOUT
from agent_mini.errors import InputError
from agent_mini.workbook.course import (
    MAP_BEGIN,
    MAP_END,
    course_map,
    course_overview,
    load_course,
    path_summary,
)

GOOD = """
[[notebook]]
number = 0
file = "00_start_here.ipynb"
title = "Start here"
builds = "one run"
kind = "guide"
minutes = 15
prerequisites = []
meets = ["agent_mini/cli/lab.py", "mcp_servers/x.py"]
built = true
interview = true

[[notebook]]
number = 1
file = "01_calls.ipynb"
title = "Calls"
builds = "a call"
kind = "lesson"
minutes = 50
prerequisites = [0]
meets = ["agent_mini/models/wire.py"]
built = false
interview = true
"""


@pytest.fixture
def course_file(tmp_path: Path) -> Path:
    return tmp_path / "course.toml"


def test_the_course_is_in_order() -> None:
    course = load_course()
    assert [notebook.number for notebook in course] == list(range(20))
    assert {notebook.label for notebook in course if notebook.kind == "heavy"} == {"07", "10", "12"}
    assert {notebook.label for notebook in course if notebook.kind == "guide"} == {"00", "19"}


@pytest.mark.parametrize("name", ["2", "02", 2, "02_tool_loop.ipynb"])
def test_a_notebook_is_found_by_number_or_file(name: str | int) -> None:
    assert load_course().find(name).file == "02_tool_loop.ipynb"


@pytest.mark.parametrize("name", ["20", "-1", "", "loop", "02_tool_loop", "２"])
def test_an_unknown_notebook_is_one_clear_line(name: str) -> None:
    with pytest.raises(InputError, match="no notebook") as caught:
        load_course().find(name)
    assert "00 to 19" in caught.value.hint


def test_the_next_one() -> None:
    course = load_course()
    following = course.after(course.find(1))
    assert following is not None
    assert following.label == "02"
    assert course.after(course.find(19)) is None


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('title = "Calls"', "", "notebook 1 title: Field required"),
        ('kind = "lesson"', 'kind = "talk"', "notebook 1 kind"),
        ("minutes = 50", "minutes = 0", "notebook 1 minutes"),
        ("minutes = 50", "minutes = 50\nauthor = 1", "notebook 1 author"),
        ("number = 1", "number = 2", "notebook 02 stands at place 1"),
        ("01_calls.ipynb", "02_calls.ipynb", "the file must be 01_topic.ipynb"),
        ("prerequisites = [0]", "prerequisites = [1]", "notebook 01 cannot build on 1"),
        ("prerequisites = [0]", "prerequisites = [-1]", "notebook 01 cannot build on -1"),
        ("interview = true\n\n", "interview = false\n\n", "the interview week has notebook 01 but not 00"),
        ("[[notebook]]\nnumber = 1", "[[notebook\nnumber = 1", "course.toml: "),
        (GOOD, "", "there is no"),
    ],
)
def test_what_cannot_be_right_is_named(course_file: Path, before: str, after: str, words: str) -> None:
    assert before in GOOD
    course_file.write_text(GOOD.replace(before, after), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_course(course_file)
    assert words in caught.value.message


def test_a_missing_file_is_one_clear_line(course_file: Path) -> None:
    with pytest.raises(InputError, match=r"course\.toml"):
        load_course(course_file)


def test_the_map_links_to_what_is_built(course_file: Path) -> None:
    course_file.write_text(GOOD, encoding="utf-8")
    course = load_course(course_file)
    assert course_map(course, "notebooks/").splitlines()[2:] == [
        "| 00 | [Start here](notebooks/00_start_here.ipynb) | one run | `cli/lab.py`, `mcp_servers/x.py` | 15 | yes |",
        "| 01 | Calls | a call (to come) |  | 50 | yes |",
    ]
    assert path_summary(course.interview_week) == "00 → 01, 1 h 05 min"


def test_the_readme_shows_the_map() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    shown = readme.partition(MAP_BEGIN)[2].partition(MAP_END)[0].strip()
    assert shown == course_overview(load_course(), "notebooks/"), (
        "put in the output of: agent-mini notebooks map"
    )
