"""Whole answers, as servers really send them."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models.wire import reply_from_wire
from agent_mini.types import ToolCall, Usage


def answer(message: dict[str, Any], finish_reason: Any = "stop", **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", **message}
    return {
        "model": "m-1",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        **more,
    }


def call(arguments: Any = "{}", call_id: Any = "c1", name: Any = "add") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls_of(*calls: dict[str, Any], used_ids: tuple[str, ...] = ()) -> tuple[ToolCall, ...]:
    return reply_from_wire(answer({"content": None, "tool_calls": list(calls)}), used_ids=used_ids).tool_calls


def test_a_plain_answer() -> None:
    body = answer({"content": "Hello"}, usage={"prompt_tokens": 5, "completion_tokens": 2}, unknown={"x": 1})
    reply = reply_from_wire(body, model="asked-for")

    assert (reply.text, reply.model, reply.finish_reason) == ("Hello", "m-1", "stop")
    assert reply.usage == Usage(5, 2)
    assert reply.message.role == "assistant"


def test_the_name_asked_for_stands_in_for_a_missing_one() -> None:
    body = answer({"content": "Hello"})
    del body["model"]

    assert reply_from_wire(body, model="asked-for").model == "asked-for"


@pytest.mark.parametrize(
    ("sent", "raw"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ("", "{}"),
        (None, "{}"),
        ({"a": 1, "城": "京"}, '{"a": 1, "城": "京"}'),
        ([1], "[1]"),
        (7, "7"),
        ('{"a": ', '{"a": '),
        ("tomorrow", "tomorrow"),
    ],
)
def test_arguments_are_the_raw_text_whatever_their_type(sent: Any, raw: str) -> None:
    assert calls_of(call(sent))[0].arguments == raw


def test_missing_arguments_are_an_empty_object() -> None:
    assert calls_of({"id": "c1", "function": {"name": "now"}}) == (ToolCall("c1", "now", "{}"),)


@pytest.mark.parametrize(
    ("sent", "used", "unique"),
    [
        (["a", "b"], (), ["a", "b"]),
        ([None, ""], (), ["call_1", "call_2"]),
        (["x", "x", "x"], (), ["x", "call_1", "call_2"]),
        (["call_1", None], (), ["call_1", "call_2"]),
        ([None, "call_1"], (), ["call_2", "call_1"]),
        (["a", "b"], ("a", "call_1"), ["call_2", "b"]),
        ([None], ("call_1", "call_2"), ["call_3"]),
        ([7, 7, 0], (), ["7", "call_1", "call_2"]),
        ([{}, [], True], (), ["call_1", "call_2", "call_3"]),
    ],
)
def test_ids_are_unique_in_the_whole_conversation(
    sent: list[Any], used: tuple[str, ...], unique: list[str]
) -> None:
    calls = calls_of(*(call(call_id=call_id) for call_id in sent), used_ids=used)

    assert [one.id for one in calls] == unique


def test_the_same_tool_twice_is_two_calls() -> None:
    assert [one.arguments for one in calls_of(call('{"a": 1}', "x"), call('{"a": 1}', "x"))] == [
        '{"a": 1}'
    ] * 2


def test_the_older_function_call_is_read() -> None:
    body = answer(
        {"content": None, "function_call": {"name": "add", "arguments": '{"a": 1}'}}, "function_call"
    )
    reply = reply_from_wire(body)

    assert reply.tool_calls == (ToolCall("call_1", "add", '{"a": 1}'),)
    assert reply.finish_reason == "tool_calls"


@pytest.mark.parametrize(
    ("sent", "with_calls", "read"),
    [
        ("stop", False, "stop"),
        ("stop", True, "tool_calls"),
        ("tool_calls", True, "tool_calls"),
        ("tool_calls", False, "stop"),
        ("function_call", True, "tool_calls"),
        (None, False, "stop"),
        (None, True, "tool_calls"),
        ("eos", False, "stop"),
        ("end_turn", False, "stop"),
        ("STOP", False, "stop"),
        (["odd"], False, "stop"),
        ("length", False, "length"),
        ("length", True, "length"),
        ("max_tokens", True, "length"),
        ("MAX_TOKENS", False, "length"),
        ("model_length", False, "length"),
        ("content_filter", False, "content_filter"),
        ("SAFETY", False, "content_filter"),
        ("sensitive", True, "content_filter"),
    ],
)
def test_finish_reasons_become_ours(sent: Any, with_calls: bool, read: str) -> None:
    message = {"content": "x", "tool_calls": [call()] if with_calls else None}

    assert reply_from_wire(answer(message, sent)).finish_reason == read


def test_arguments_cut_by_the_limit_are_marked_and_kept() -> None:
    reply = reply_from_wire(answer({"tool_calls": [call('{"a": 1')]}, "length"))

    assert reply.cut_off
    assert reply.tool_calls[0].arguments == '{"a": 1'


@pytest.mark.parametrize("reason", ["error", "abort", "network_error", "insufficient_system_resource"])
def test_a_server_that_broke_off_is_unavailable(reason: str) -> None:
    with pytest.raises(ModelError, match=reason) as caught:
        reply_from_wire(answer({"content": "half an ans"}, reason))

    assert caught.value.code is ErrorCode.LLM_UNAVAILABLE


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ({"content": None}, "", ""),
        ({}, "", ""),
        ({"content": [{"type": "text", "text": "a"}, "b", {"type": "output_text", "text": "c"}]}, "abc", ""),
        ({"content": [{"type": "image_url", "image_url": {}}]}, "", ""),
        ({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, "a"]}, "a", "hm"),
        ({"content": [{"type": "thinking", "thinking": "hm"}]}, "", "hm"),
        ({"content": "a", "reasoning_content": "hm"}, "a", "hm"),
        ({"content": "a", "reasoning": "hm"}, "a", "hm"),
        ({"content": "a", "reasoning_content": None, "reasoning": "hm"}, "a", "hm"),
        ({"content": "a", "reasoning": {"effort": "low"}}, "a", ""),
        ({"content": "<think>\nhm\n</think>\n\na"}, "a", "hm"),
        ({"content": None, "refusal": "I will not."}, "I will not.", ""),
    ],
)
def test_text_and_thinking_are_told_apart(message: dict[str, Any], text: str, reasoning: str) -> None:
    reply = reply_from_wire(answer(message))

    assert (reply.text, reply.reasoning) == (text, reasoning)


@pytest.mark.parametrize(
    ("sent", "usage"),
    [
        (None, Usage()),
        ([], Usage()),
        ({}, Usage()),
        ({"prompt_tokens": "7", "completion_tokens": 3.0}, Usage(7, 3)),
        ({"prompt_tokens": -1, "completion_tokens": "many"}, Usage()),
        ({"prompt_tokens": None, "completion_tokens": True}, Usage()),
        ({"prompt_tokens": 10**12, "completion_tokens": 10**12 + 1}, Usage(10**12, 0)),
        ({"prompt_tokens": 10**4000, "completion_tokens": 1e300}, Usage()),
        ({"prompt_tokens": "9" * 19, "completion_tokens": "9" * 4000}, Usage()),
    ],
)
def test_tokens_are_zero_where_the_server_does_not_count(sent: Any, usage: Usage) -> None:
    assert reply_from_wire(answer({"content": "a"}, usage=sent)).usage == usage


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "text",
        7,
        {},
        {"choices": None},
        {"choices": []},
        {"choices": {}},
        {"choices": [None]},
        {"choices": [[]]},
        {"choices": [{}]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": "hi"}]},
        answer({"content": 7}),
        answer({"content": {"text": "a"}}),
        answer({"content": [7]}),
        answer({"content": [{"type": "thinking", "thinking": [7]}]}),
        answer({"tool_calls": {"id": "c1"}}),
        answer({"tool_calls": "add"}),
        answer({"tool_calls": [None]}),
        answer({"tool_calls": ["add"]}),
        answer({"tool_calls": [{"id": "c1"}]}),
        answer({"tool_calls": [{"id": "c1", "function": "add"}]}),
        answer({"tool_calls": [call(name="")]}),
        answer({"tool_calls": [call(name=7)]}),
        answer({"function_call": "add"}),
    ],
)
def test_what_makes_no_sense_is_bad_output(body: Any) -> None:
    with pytest.raises(ModelError) as caught:
        reply_from_wire(body)

    assert caught.value.code is ErrorCode.LLM_BAD_OUTPUT
    assert caught.value.message


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            {"choices": None, "error": {"message": "quota is used up", "code": "insufficient_quota"}},
            "LLM_QUOTA_EXCEEDED",
        ),
        ({"choices": None, "error": {"message": "quota is used up", "code": 503}}, "LLM_UNAVAILABLE"),
        ({"error": "quota is used up, per minute"}, "LLM_RATE_LIMITED"),
        ({"object": "error", "message": "no quota is used up", "code": 401}, "LLM_AUTH"),
        ({"choices": [{"error": {"message": "quota is used up", "code": 502}}]}, "LLM_UNAVAILABLE"),
        ({"choices": None, "error_msg": "quota is used up"}, "LLM_BAD_OUTPUT"),
    ],
)
def test_an_error_in_a_200_keeps_the_providers_text(body: Any, code: str) -> None:
    with pytest.raises(ModelError, match="quota is used up") as caught:
        reply_from_wire(body)

    assert caught.value.code == code


@pytest.mark.parametrize("nothing", [None, "", {}, []])
def test_an_empty_error_is_none(nothing: Any) -> None:
    assert reply_from_wire(answer({"content": "a"}, error=nothing)).text == "a"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)

FULL = answer(
    {
        "content": [{"type": "text", "text": "a"}, {"type": "thinking", "thinking": [{"text": "hm"}]}],
        "reasoning_content": "hm",
        "tool_calls": [call({"a": 1}), call(None, None)],
    },
    "tool_calls",
    usage={"prompt_tokens": 1, "completion_tokens": 2},
    error=None,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything inside ``value``."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in inside for found in [(*path, key), *places(item, (*path, key))]]


def read_or_refuse(body: Any) -> None:
    try:
        reply = reply_from_wire(body, used_ids={"c1"})
    except ModelError as error:
        assert error.code.startswith("LLM_")
        return
    assert isinstance(reply.text, str)
    ids = [one.id for one in reply.tool_calls]
    assert all(ids)
    assert len({*ids, "c1"}) == len(ids) + 1
    assert all(one.name and one.arguments for one in reply.tool_calls)
    json.dumps([reply.text, reply.model, reply.reasoning, reply.usage.total_tokens])


@settings(deadline=None, derandomize=True)
@given(JSON)
def test_any_json_is_read_or_refused_with_a_code(body: Any) -> None:
    read_or_refuse(body)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(st.sampled_from(places(FULL)), JSON)
def test_an_answer_broken_in_one_place_is_read_or_refused_with_a_code(
    place: tuple[Any, ...], junk: Any
) -> None:
    body = copy.deepcopy(FULL)
    *path, last = place
    target: Any = body
    for key in path:
        target = target[key]
    target[last] = junk

    read_or_refuse(body)
