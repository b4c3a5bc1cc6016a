"""A tool found on a server may describe itself in any way; the others go on working."""

import pytest

from agent_mini.planner import KeylessModel
from agent_mini.tools import Tool, ToolContext, calculate
from agent_mini.types import ToolResult, user


async def nothing(arguments: object, context: ToolContext) -> ToolResult:
    return ToolResult(True, "")


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": True}},
        {"properties": {"a": None}, "required": ["a"]},
        {"properties": ["a"]},
        {"properties": {"a": {"anyOf": [True, None]}}, "required": ["a"]},
        {"properties": {"a": {"anyOf": "x"}}},
        {"properties": {"a": {"enum": 5}}},
        {"properties": {"a": {"enum": [None, {}, 1]}}},
        {"required": 5},
        {},
        {"properties": {f"a{n}": {"type": "string"} for n in range(5000)}},
    ],
)
async def test_an_odd_schema_stops_nothing(schema: dict[str, object]) -> None:
    odd = Tool("odd", "Odd thing", "Odd.", schema, nothing)
    reply = await KeylessModel().chat([user("算一下 6 * 7")], [odd, calculate])
    assert [call.name for call in reply.tool_calls] == ["calculate"]


@pytest.mark.parametrize(("name", "title"), [("", "x"), ("x", ""), ("x" * 5000, "y" * 5000), ("汉", "汉字")])
async def test_odd_names_stop_nothing(name: str, title: str) -> None:
    odd = Tool(name, title, "Odd.", {}, nothing)
    reply = await KeylessModel().chat([user("算一下 6 * 7")], [odd, calculate])
    assert [call.name for call in reply.tool_calls] == ["calculate"]
