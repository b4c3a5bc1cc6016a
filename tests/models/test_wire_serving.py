"""The server's side of the wire."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models.wire import (
    chunks_to_wire,
    messages_from_wire,
    messages_to_wire,
    reply_from_wire,
    reply_to_wire,
    request_body,
    request_from_wire,
)
from agent_mini.tools import ToolContext, tool
from agent_mini.types import Message, Reply, ToolCall, Usage, assistant, system, tool_message, user


@tool(title="Add")
def add(a: int) -> int:
    """Add one."""
    return a + 1


CALL = ToolCall("c1", "add", '{"a": 1}')
CONVERSATION = (
    system("Be brief."),
    user("1 + 1?"),
    assistant("", [CALL]),
    tool_message(CALL, "2"),
    assistant("2"),
)


def test_what_a_client_writes_is_read_back_the_same() -> None:
    schema = {"type": "object"}
    body = request_body("m", CONVERSATION, [add], response_schema=schema, stream=True)
    request = request_from_wire(json.dumps(body))

    assert request.messages == CONVERSATION
    assert [(shown.name, shown.description, dict(shown.schema)) for shown in request.tools] == [
        ("add", "Add one.", dict(add.schema))
    ]
    assert (request.response_schema, request.stream, request.include_usage) == (schema, True, True)


async def test_the_server_does_not_run_the_clients_tools() -> None:
    (shown,) = request_from_wire(json.dumps(request_body("m", CONVERSATION, [add]))).tools

    assert not (await shown.run({"a": 1}, ToolContext())).ok


def test_an_answer_to_a_call_finds_its_tools_name() -> None:
    wire = messages_to_wire(CONVERSATION)
    del wire[3]["name"]

    assert messages_from_wire(wire) == CONVERSATION


def test_other_clients_write_it_otherwise() -> None:
    assert messages_from_wire(
        [
            {"role": "developer", "content": [{"type": "text", "text": "Be brief."}]},
            {
                "role": "user",
                "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
                "name": "me",
            },
            {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "now"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": None},
        ]
    ) == (
        system("Be brief."),
        user("ab"),
        assistant("", [ToolCall("c1", "now", "{}")]),
        Message("tool", "", tool_call_id="c1", name="now"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[]",
        "{}",
        '{"messages": {}}',
        '{"messages": ["hi"]}',
        '{"messages": [{"content": "hi"}]}',
        '{"messages": [{"role": "king", "content": "hi"}]}',
        '{"messages": [{"role": "user", "content": 7}]}',
        '{"messages": [], "tools": [{"type": "function"}]}',
        '{"messages": [], "tools": [{"function": {"name": 7}}]}',
        '{"messages": [], "tools": [{"function": {"name": "a", "parameters": 7}}]}',
        '{"messages": [], "response_format": "json"}',
        '{"messages": [], "response_format": {"json_schema": {"schema": 7}}}',
        '{"messages": [], "stream_options": 1}',
    ],
)
def test_what_cannot_be_understood_is_a_bad_request(text: str) -> None:
    with pytest.raises(ModelError) as caught:
        request_from_wire(text)

    assert caught.value.code is ErrorCode.LLM_BAD_REQUEST


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["messages", "tools", "response_format", "stream", "stream_options"])
MESSAGES = st.lists(
    st.dictionaries(
        st.sampled_from(["role", "content", "tool_calls", "tool_call_id", "name"]),
        st.sampled_from(["user", "assistant", "tool"]) | JSON,
    )
)


@settings(deadline=None, derandomize=True)
@given(st.dictionaries(KEYS, MESSAGES | JSON))
def test_any_json_is_read_or_a_bad_request(body: dict[str, Any]) -> None:
    try:
        request = request_from_wire(json.dumps(body))
    except ModelError as error:
        assert error.code is ErrorCode.LLM_BAD_REQUEST
        return
    assert isinstance(request.messages, tuple)


REPLY = Reply(
    assistant("One moment, I will look it up.", [CALL, ToolCall("c2", "now", "not json")]),
    model="m-1",
    finish_reason="tool_calls",
    usage=Usage(5, 7),
    reasoning="I need two tools.",
)


def test_a_whole_answer_keeps_everything() -> None:
    wire = reply_to_wire(REPLY, answer_id="chatcmpl-1", created=1_767_225_600)

    assert (wire["id"], wire["object"], wire["created"]) == ("chatcmpl-1", "chat.completion", 1_767_225_600)
    assert wire["usage"]["total_tokens"] == 12
    assert reply_from_wire(wire) == REPLY


def test_an_answer_without_text_has_null_content() -> None:
    wire = reply_to_wire(Reply(assistant("", [CALL]), "m"), answer_id="x", created=0)

    assert wire["choices"][0]["message"]["content"] is None
    assert "reasoning_content" not in wire["choices"][0]["message"]


def test_a_stream_cuts_text_and_arguments_and_ends_with_reason_and_usage() -> None:
    chunks = list(chunks_to_wire(REPLY, answer_id="chatcmpl-1", created=0, include_usage=True))
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks[:-1]]

    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert deltas[0] == {"role": "assistant", "content": ""}
    assert [delta["content"] for delta in deltas if delta.get("content")] == [
        "One moment, ",
        "I will look ",
        "it up.",
    ]
    pieces = [delta["tool_calls"][0] for delta in deltas if "tool_calls" in delta]
    assert [(piece["index"], piece.get("id")) for piece in pieces] == [
        (0, "c1"),
        (0, None),
        (1, "c2"),
        (1, None),
    ]
    assert chunks[-2]["choices"][0] == {"index": 0, "delta": {}, "finish_reason": "tool_calls"}
    assert (chunks[-1]["choices"], chunks[-1]["usage"]["total_tokens"]) == ([], 12)
    assert len(chunks) == 1 + len(list(chunks_to_wire(REPLY, answer_id="x", created=0)))
