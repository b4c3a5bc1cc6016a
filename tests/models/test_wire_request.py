"""What is sent: strict, and the same shape every server takes."""

import json

import pytest

from agent_mini.models.wire import messages_to_wire, request_body, tools_to_wire
from agent_mini.tools import tool
from agent_mini.types import ToolCall, assistant, system, tool_message, user


@tool(title="Add", read_only=True)
def add(a: int, b: int = 0) -> int:
    """Add two numbers.

    Args:
        a: The first.
        b: The second.
    """
    return a + b


CALL = ToolCall("c1", "add", '{"a": 1}')


def test_a_whole_round_trip_has_the_shape_of_the_format() -> None:
    messages = [
        system("Be brief."),
        user("1 + 2?"),
        assistant(tool_calls=[CALL]),
        tool_message(CALL, "3"),
        assistant("3"),
    ]

    assert messages_to_wire(messages) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "1 + 2?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
            ],
        },
        {"role": "tool", "content": "3", "tool_call_id": "c1", "name": "add"},
        {"role": "assistant", "content": "3"},
    ]


def test_some_servers_want_an_empty_text_for_a_missing_one() -> None:
    (wire,) = messages_to_wire([assistant(tool_calls=[CALL])], null_content=False)

    assert wire["content"] == ""


def test_content_is_null_only_beside_tool_calls() -> None:
    silent, talking = messages_to_wire([assistant(""), assistant("I add.", [CALL])])

    assert silent["content"] == ""
    assert talking["content"] == "I add."


@pytest.mark.parametrize("arguments", ["", "null", "[1]", "7", '"text"', '{"a": ', "tomorrow", "[" * 100_000])
def test_arguments_that_are_no_object_are_echoed_as_an_empty_one(arguments: str) -> None:
    (wire,) = messages_to_wire([assistant(tool_calls=[ToolCall("c1", "add", arguments)])])

    assert wire["tool_calls"][0]["function"]["arguments"] == "{}"


def test_arguments_that_are_an_object_are_echoed_as_written() -> None:
    written = '{ "a":1,\n "b": 2 }'
    (wire,) = messages_to_wire([assistant(tool_calls=[ToolCall("c1", "add", written)])])

    assert wire["tool_calls"][0]["function"]["arguments"] == written


def test_a_tool_is_shown_with_its_schema() -> None:
    (wire,) = tools_to_wire([add])

    assert wire["type"] == "function"
    assert wire["function"]["name"] == "add"
    assert wire["function"]["description"] == "Add two numbers."
    assert wire["function"]["parameters"]["required"] == ["a"]
    json.dumps(wire)


def test_what_is_not_asked_for_is_not_sent() -> None:
    assert request_body("m", [user("hi")]) == {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def test_a_stream_asks_for_its_usage_too() -> None:
    body = request_body("m", [user("hi")], [add], stream=True)

    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}
    assert [shown["function"]["name"] for shown in body["tools"]] == ["add"]


def test_a_schema_becomes_a_response_format() -> None:
    schema = {"type": "object", "properties": {"target": {"type": "string"}}}

    assert request_body("m", [user("hi")], response_schema=schema)["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": schema},
    }
