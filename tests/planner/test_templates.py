"""agent_mini.planner.templates: pieces filled in, pieces left out, and nothing read twice."""

from typing import Any

import pytest

from agent_mini.planner.templates import fill_in


@pytest.mark.parametrize(
    ("template", "values", "english", "chinese"),
    [
        ("{a}: {b.c}", {"a": 1, "b": {"c": "x"}}, "1: x", "1: x"),
        ("{a}[ ({b})]", {"a": 1, "b": ""}, "1", "1"),
        ("{a}[ ({b})]", {"a": 1, "b": None}, "1", "1"),
        ("{a}[ ({b})]", {"a": 1}, "1", "1"),
        ("{a}[ ({b})]", {"a": 1, "b": 2}, "1 (2)", "1 (2)"),
        ("{gone}", {}, None, None),
        ("{a.b}", {"a": "text"}, None, None),
        ("{a}", {"a": [1, 2.0, "x"]}, "1, 2, x", "1、2、x"),
        ("{t|own}", {"t": "Cloudy 多云"}, "Cloudy", "多云"),
        ("{t|own}", {"t": "heads 正面, tails 反面"}, "heads, tails", "正面, 反面"),
        ("{d|weekday}", {"d": "2026-10-23"}, "Friday", "星期五"),
        ("{d|weekday}", {"d": "soon"}, "", ""),
        ("{d|tick}", {"d": True}, "✓", "✓"),
    ],
)
def test_fill_in(template: str, values: dict[str, Any], english: str | None, chinese: str | None) -> None:
    assert fill_in(template, values, "en") == english
    assert fill_in(template, values, "zh") == chinese


@pytest.mark.parametrize("text", ["{b}", "[x]", "{a}", "[{b}]", "\\1", "{", "]["])
def test_what_is_filled_in_is_not_read_again(text: str) -> None:
    assert fill_in("{a} and [{a}]", {"a": text, "b": "secret"}, "en") == f"{text} and {text}"
