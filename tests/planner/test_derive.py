"""agent_mini.planner.derive: tools that nobody wrote phrases for, and tools with a server's prefix."""

from dataclasses import replace
from datetime import date
from typing import Annotated, Literal

import pytest
from pydantic import Field

from agent_mini.planner import Intents, derive, match_tools, plan
from agent_mini.tools import Tool, get_weather, todo, tool


@tool(title="Start a timer 计时器")
def set_timer(minutes: Annotated[int, Field(ge=1)], loud: bool = False) -> str:
    """Start a timer that rings after some minutes."""
    return f"{minutes} minutes"


@tool(title="Search notes 搜索笔记", read_only=True)
def search_notes(query: str, limit: int = 5) -> str:
    """Search the notes."""
    return query


@tool(title="Translate 翻译")
def translate_text(text: str, language: Literal["french", "german"]) -> str:
    """Translate a text."""
    return text


@pytest.mark.parametrize(
    ("text", "offered", "arguments"),
    [
        ("start a timer for 20 minutes", set_timer, {"minutes": 20}),
        ("设一个计时器，20分钟", set_timer, {"minutes": 20}),
        ("search notes about leases", search_notes, {"query": "leases"}),
        ("搜索笔记：租约", search_notes, {"query": "租约"}),
        (
            "translate “good morning” into french",
            translate_text,
            {"text": "good morning", "language": "french"},
        ),
    ],
)
def test_a_tool_says_enough_itself(
    intents: Intents, day: date, text: str, offered: Tool, arguments: dict[str, object]
) -> None:
    made = plan(text, [offered], intents, day=day)
    assert [(step.tool, dict(step.arguments)) for step in made.steps] == [(offered.name, arguments)]
    assert made.ask is None


def test_what_it_lacks_is_asked_and_answered(intents: Intents, day: date) -> None:
    first = plan("start a timer", [set_timer], intents, day=day)
    assert first.ask is not None
    assert first.ask.slot == "minutes"
    second = plan("15", [set_timer], intents, [first], day=day)
    assert dict(second.steps[0].arguments) == {"minutes": 15}


@pytest.mark.parametrize("prefix", ["weather__", "home.", "mcp_", "a-b/", "x:"])
def test_a_prefix_is_looked_through(intents: Intents, day: date, prefix: str) -> None:
    offered = [replace(get_weather, name=f"{prefix}get_weather"), replace(todo, name=f"{prefix}todo")]
    made = plan("上海天气，然后提醒我带伞", offered, intents, day=day)

    assert [step.tool for step in made.steps] == [tool.name for tool in offered]
    assert [step.intent for step in made.steps] == ["get_weather", "todo"]


def test_a_longer_word_is_no_prefix(intents: Intents) -> None:
    (offer,) = match_tools([replace(todo, name="mytodo")], intents)
    assert offer.intent.tool == "mytodo"


def test_only_arguments_that_the_offered_tool_has_are_given(intents: Intents, day: date) -> None:
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "country": {"type": "string"}},
        "required": ["city", "country"],
    }
    offered = replace(get_weather, schema=schema)
    made = plan("上海明天天气", [offered], intents, day=day)

    assert dict(made.steps[0].arguments) == {"city": "上海"}
    assert made.ask is not None
    assert made.ask.slot == "country"


@pytest.mark.parametrize(
    "schema",
    [{}, {"properties": None}, {"properties": {"x": {}}, "required": ["x", "gone"]}, {"required": None}],
)
def test_a_tool_that_says_little_is_no_trouble(
    intents: Intents, day: date, schema: dict[str, object]
) -> None:
    bare = replace(set_timer, name="Z", title="", description="", schema=schema)
    assert derive(bare).tool == "Z"
    plan("Z please", [bare], intents, day=day)
    plan("", [bare] * 3, intents, day=day)
