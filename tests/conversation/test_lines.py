"""agent_mini.conversation.lines: a turn as text that a terminal may show."""

import pytest

from agent_mini.conversation import fell_back_line, labelled, picture_path, stopped_line


def test_a_label_stands_before_the_first_line_only() -> None:
    assert labelled("action", "a\nb") == ["action       a", "             b"]
    assert labelled("observation", "\n  __\n |__|\n\n") == ["observation    __", "              |__|"]


@pytest.mark.parametrize("text", ["", " ", "\n\n"])
def test_nothing_is_no_line(text: str) -> None:
    assert labelled("thought", text) == []


def test_what_is_long_is_shortened_and_says_so() -> None:
    assert labelled("x", "\n".join(map(str, range(20))))[-2:] == [
        "             7",
        "             … (12 more lines)",
    ]
    assert labelled("x", "字" * 300)[0].endswith("字… (60 more characters)")


def test_no_control_character_is_left() -> None:
    assert labelled("x", "\x1b[2J\x07\r\u202ea\tb") == ["x            [2Ja\tb"]


def test_a_fall_back_is_one_line_with_what_to_do() -> None:
    data = {"from": "a\x1b", "to": "b", "code": "LLM_AUTH", "message": "no\nkey", "hint": "check it"}
    assert fell_back_line(data) == "a failed, b answers this turn. LLM_AUTH: no key (check it)"


def test_a_stopped_turn_names_what_stands() -> None:
    assert stopped_line(()) == "stopped"
    assert stopped_line(("todo", "files")) == "stopped; run already, or running: todo, files"


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"path": "pictures/a.png", "width": 1, "height": 2, "kind": "bar"}, "pictures/a.png"),
        ({"path": "notes.txt", "action": "read"}, ""),
        ({"path": 1, "width": 1, "height": 2}, ""),
        ([1], ""),
        (None, ""),
    ],
)
def test_a_picture_is_known_by_its_path_and_size(data: object, path: str) -> None:
    assert picture_path(data) == path
