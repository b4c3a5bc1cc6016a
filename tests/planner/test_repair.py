"""agent_mini.planner.repair: one rule at a time."""

from typing import Any

import pytest

from agent_mini.planner import Intents, match_tools, repair
from agent_mini.tools import standard_tools


@pytest.fixture
def mended(intents: Intents):
    offers = {offer.name: offer for offer in match_tools(standard_tools(), intents)}

    def of(tool: str, arguments: dict[str, Any], reason: str) -> dict[str, Any] | None:
        found = repair(arguments, reason, offers[tool])
        return None if found is None else dict(found.arguments)

    return of


@pytest.mark.parametrize(
    ("tool", "arguments", "reason", "wanted"),
    [
        (
            "todo",
            {"action": "add", "title": "a", "due": "x"},
            "due: 'x' is not a date",
            {"action": "add", "title": "a"},
        ),
        (
            "get_weather",
            {"city": "a", "days": 30},
            "wrong arguments. days: Input should be less than or equal to 7; given 30. Accepted: city, days, unit.",
            {"city": "a", "days": 7},
        ),
        (
            "fun_pick",
            {"mode": "dice", "sides": 1},
            "wrong arguments. sides: Input should be greater than or equal to 2; given 1.",
            {"mode": "dice", "sides": 2},
        ),
        (
            "get_weather",
            {"city": "a", "unit": "k", "days": 2},
            "wrong arguments. unit: Input should be 'c' or 'f'; given 'k'.",
            {"city": "a", "days": 2},
        ),
        ("get_weather", {"city": "%%"}, "city: '%' cannot be in a city's name", None),
        ("todo", {"action": "add", "title": "x" * 300}, "title: too long", None),
        ("files", {"action": "read", "path": "../x"}, "path: leads out", None),
        ("todo", {"action": "add", "title": "a"}, "due: 'x' is not a date", None),
        ("calculate", {"expression": "1/0"}, "division by zero in 1 / 0", None),
    ],
)
def test_repair(
    mended, tool: str, arguments: dict[str, Any], reason: str, wanted: dict[str, Any] | None
) -> None:
    assert mended(tool, arguments, reason) == wanted
