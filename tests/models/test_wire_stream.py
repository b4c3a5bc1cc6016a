"""Answers in pieces, as servers really send them."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models.wire import SseDecoder, StreamReader, chunks_to_wire
from agent_mini.types import Delta, Reply, ToolCall, Usage, assistant


def chunk(delta: Any = None, finish_reason: Any = None, **more: Any) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return json.dumps({"model": "m-1", "choices": [choice], **more})


def part(
    arguments: Any = "", *, index: Any = "none", call_id: Any = None, name: Any = None
) -> dict[str, Any]:
    """A piece of a call; what is not given is not sent."""
    piece: dict[str, Any] = {"function": {"arguments": arguments}}
    if index != "none":
        piece["index"] = index
    if call_id is not None:
        piece["id"] = call_id
    if name is not None:
        piece["function"]["name"] = name
    return piece


def read(*events: str, used_ids: tuple[str, ...] = ()) -> tuple[list[Delta], Reply]:
    reader = StreamReader(used_ids=used_ids)
    deltas = [delta for event in events for delta in reader.feed(event)]
    return deltas + reader.close(), reader.reply()


def calls_of(*pieces: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The calls read from chunks with these pieces, checked against the deltas that were given on the way."""
    deltas, reply = read(*(chunk({"tool_calls": piece}) for piece in pieces), chunk({}, "tool_calls"))
    for position, call in enumerate(reply.tool_calls):
        mine = [delta for delta in deltas if delta.call == position]
        assert "".join(delta.tool_name for delta in mine) == call.name
        assert ("".join(delta.arguments for delta in mine) or "{}") == call.arguments
    assert len({call.id for call in reply.tool_calls}) == len(reply.tool_calls)
    return [(call.id, call.name, call.arguments) for call in reply.tool_calls]


def test_text_comes_in_pieces() -> None:
    deltas, reply = read(
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "Hel"}),
        chunk({"content": "lo"}),
        chunk({}, "stop"),
        json.dumps({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}),
        "[DONE]",
    )

    assert [delta.text for delta in deltas] == ["Hel", "lo"]
    assert (reply.text, reply.model, reply.finish_reason, reply.usage) == (
        "Hello",
        "m-1",
        "stop",
        Usage(5, 2),
    )


@pytest.mark.parametrize("nothing", [None, [], {}])
def test_chunks_without_choices_or_delta_say_nothing(nothing: Any) -> None:
    deltas, reply = read(
        json.dumps({"choices": nothing}), chunk({"content": "a"}), chunk(None, "stop"), "", " "
    )

    assert [delta.text for delta in deltas] == ["a"]
    assert reply.text == "a"


def test_two_calls_side_by_side_are_told_apart_by_index() -> None:
    assert calls_of(
        [part(index=0, call_id="a", name="add")],
        [part(index=1, call_id="b", name="mul")],
        [part('{"x"', index=0)],
        [part('{"y"', index=1)],
        [part(": 1}", index=0), part(": 2}", index=1)],
    ) == [("a", "add", '{"x": 1}'), ("b", "mul", '{"y": 2}')]


@pytest.mark.parametrize("absent", ["none", None, "x", [], True])
def test_without_an_index_a_new_id_begins_a_new_call(absent: Any) -> None:
    assert calls_of(
        [part('{"x"', index=absent, call_id="a", name="add")],
        [part(": 1}", index=absent)],
        [part('{"y"', index=absent, call_id="b", name="mul")],
        [part(": 2}", index=absent, call_id="b")],
    ) == [("a", "add", '{"x": 1}'), ("b", "mul", '{"y": 2}')]


def test_without_an_index_calls_may_be_interleaved_by_id() -> None:
    assert calls_of(
        [part('{"x"', call_id="a", name="add")],
        [part('{"y"', call_id="b", name="add")],
        [part(": 1}", call_id="a")],
        [part(": 2}", call_id="b")],
    ) == [("a", "add", '{"x": 1}'), ("b", "add", '{"y": 2}')]


def test_whole_calls_with_neither_index_nor_id() -> None:
    both = [part('{"x": 1}', name="add"), part('{"x": 1}', name="add")]
    expected = [("call_1", "add", '{"x": 1}'), ("call_2", "add", '{"x": 1}')]

    assert calls_of(both) == expected
    assert calls_of(both[:1], both[1:]) == expected


def test_calls_without_arguments_in_one_chunk() -> None:
    assert calls_of([part(name="now"), part(name="now")]) == [
        ("call_1", "now", "{}"),
        ("call_2", "now", "{}"),
    ]


def test_all_calls_under_one_index() -> None:
    assert calls_of(
        [part('{"x": 1}', index=0, call_id="a", name="add")],
        [part('{"x": 2}', index=0, call_id="b", name="add")],
        [part('{"x": 3}', index=0, name="mul")],
        [part('{"x": 4}', index=0, name="mul")],
    ) == [
        ("a", "add", '{"x": 1}'),
        ("b", "add", '{"x": 2}'),
        ("call_1", "mul", '{"x": 3}'),
        ("call_2", "mul", '{"x": 4}'),
    ]


def test_calls_without_arguments_under_one_index() -> None:
    assert calls_of([part(index=0, call_id="a", name="now")], [part(index=0, call_id="b", name="now")]) == [
        ("a", "now", "{}"),
        ("b", "now", "{}"),
    ]


def test_all_calls_under_one_id() -> None:
    assert calls_of(
        [part('{"x": 1}', call_id="x", name="add")],
        [part('{"x": 1}', call_id="x", name="add")],
        [part('{"y"', call_id="x", name="mul")],
        [part(": 2}", call_id="x")],
    ) == [("x", "add", '{"x": 1}'), ("call_1", "add", '{"x": 1}'), ("call_2", "mul", '{"y": 2}')]


def test_the_same_id_under_two_indexes_is_two_calls() -> None:
    assert calls_of(
        [part(index=0, call_id="x", name="add"), part(index=1, call_id="x", name="add")],
        [part('{"x": 1}', index=0, call_id="x")],
        [part('{"x": 2}', index=1, call_id="x")],
    ) == [("x", "add", '{"x": 1}'), ("call_1", "add", '{"x": 2}')]


def test_name_and_id_repeated_with_every_part() -> None:
    again = {"index": 0, "call_id": "a", "name": "add"}

    assert calls_of(
        [part("", **again)], [part('{"x"', **again)], [part(": 1}", **again)], [part("", **again)]
    ) == [("a", "add", '{"x": 1}')]


def test_another_id_with_every_part_but_no_name() -> None:
    assert calls_of(
        [part(index=0, call_id="a", name="add")],
        [part('{"x"', index=0, call_id="b")],
        [part(": 1}", index=0, call_id="c", name="")],
    ) == [("a", "add", '{"x": 1}')]


def test_an_index_only_with_the_first_part_or_only_with_the_later_ones() -> None:
    assert calls_of([part(index=3, call_id="a", name="add")], [part('{"x": 1}', call_id="a")]) == [
        ("a", "add", '{"x": 1}')
    ]
    assert calls_of([part(call_id="a", name="add")], [part('{"x": 1}', index=0)]) == [
        ("a", "add", '{"x": 1}')
    ]


def test_a_name_after_the_first_part() -> None:
    assert calls_of([part(index=0, call_id="a")], [part("{}", index=0, name="add")]) == [("a", "add", "{}")]


def test_an_index_may_be_a_text_and_begin_anywhere() -> None:
    assert calls_of(
        [part("{", index="1", call_id="a", name="add"), part("{", index="2", call_id="b", name="mul")],
        [part("}", index=1), part("}", index=2.0)],
    ) == [("a", "add", "{}"), ("b", "mul", "{}")]


@pytest.mark.parametrize(
    ("sent", "raw"), [(None, "{}"), ("", "{}"), ({"x": 1}, '{"x": 1}'), ('{"x"', '{"x"')]
)
def test_arguments_of_any_type(sent: Any, raw: str) -> None:
    assert calls_of([part(sent, index=0, call_id="a", name="add")]) == [("a", "add", raw)]


def test_ids_used_before_are_replaced() -> None:
    piece = {"tool_calls": [part(index=0, call_id="a", name="add")]}
    _, reply = read(chunk(piece), chunk({}, "tool_calls"), used_ids=("a",))

    assert reply.tool_calls == (ToolCall("call_1", "add", "{}"),)


def test_the_older_function_call_is_read() -> None:
    _, reply = read(
        chunk({"function_call": {"name": "add", "arguments": ""}}),
        chunk({"function_call": {"arguments": '{"x": 1}'}}),
        chunk({}, "function_call"),
    )

    assert reply.tool_calls == (ToolCall("call_1", "add", '{"x": 1}'),)
    assert reply.finish_reason == "tool_calls"


@pytest.mark.parametrize(("reason", "ours"), [("length", "length"), ("tool_calls", "tool_calls")])
def test_arguments_that_were_cut_stay_as_they_are(reason: str, ours: str) -> None:
    piece = {"tool_calls": [part('{"path": "/et', index=0, call_id="a", name="delete")]}
    _, reply = read(chunk(piece), chunk({}, reason))

    assert reply.finish_reason == ours
    assert reply.tool_calls[0].arguments == '{"path": "/et'


def test_thinking_never_gets_into_the_text() -> None:
    deltas, reply = read(
        chunk({"reasoning_content": "first, "}),
        chunk({"reasoning": "second, "}),
        chunk({"content": [{"type": "thinking", "thinking": "third, "}]}),
        *(chunk({"content": character}) for character in "<think>fourth</think>\n\nanswer"),
        chunk({}, "stop"),
    )

    assert reply.text == "".join(delta.text for delta in deltas) == "answer"
    assert reply.reasoning == "".join(delta.reasoning for delta in deltas) == "first, second, third, fourth"


def test_what_might_have_been_a_tag_is_given_at_the_end() -> None:
    deltas, reply = read(chunk({"content": "<thi"}), chunk({}, "stop"))

    assert [delta.text for delta in deltas] == ["<thi"]
    assert reply.text == "<thi"


@pytest.mark.parametrize("end", [[chunk({}, "stop")], ["[DONE]"], [chunk({}, "stop"), "[DONE]"]])
def test_one_sign_that_the_answer_is_whole_is_enough(end: list[str]) -> None:
    _, reply = read(chunk({"content": "a"}), *end)

    assert reply.text == "a"


def test_an_answer_that_just_stops_is_no_answer() -> None:
    with pytest.raises(ModelError, match="ended before") as caught:
        read(chunk({"content": "half an ans"}))

    assert caught.value.code is ErrorCode.LLM_UNAVAILABLE


@pytest.mark.parametrize("events", [[], ["[DONE]"], [json.dumps({"choices": [], "usage": {}}), "[DONE]"]])
def test_a_stream_without_an_answer_is_bad_output(events: list[str]) -> None:
    with pytest.raises(ModelError, match="no answer") as caught:
        read(*events)

    assert caught.value.code is ErrorCode.LLM_BAD_OUTPUT


def test_nothing_counts_after_the_end() -> None:
    _, reply = read(chunk({"content": "a"}), "[DONE]", "not json", chunk({"content": "b"}))

    assert reply.text == "a"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"message": "Overloaded", "type": "overloaded_error"}, "LLM_UNAVAILABLE"),
        ({"message": "Overloaded", "code": 429}, "LLM_RATE_LIMITED"),
        ({"message": "Overloaded: you exceeded your current quota"}, "LLM_QUOTA_EXCEEDED"),
        ("Overloaded", "LLM_UNAVAILABLE"),
    ],
)
def test_an_error_in_the_middle_is_raised(error: Any, code: str) -> None:
    reader = StreamReader()
    reader.feed(chunk({"content": "half an ans"}))
    with pytest.raises(ModelError, match="Overloaded") as caught:
        reader.feed(json.dumps({"error": error}))

    assert caught.value.code == code


@pytest.mark.parametrize(
    "data",
    [
        "not json",
        "[]",
        "7",
        json.dumps({"choices": [7]}),
        chunk([1]),
        chunk("text"),
        chunk({"content": 7}),
        chunk({"tool_calls": {"0": {}}}),
        chunk({"tool_calls": [7]}),
        chunk({"tool_calls": [{"index": 0, "function": "add"}]}),
    ],
)
def test_what_makes_no_sense_is_bad_output(data: str) -> None:
    with pytest.raises(ModelError) as caught:
        read(data)

    assert caught.value.code is ErrorCode.LLM_BAD_OUTPUT


def test_a_call_that_never_got_a_name_is_bad_output() -> None:
    with pytest.raises(ModelError, match="without a name"):
        read(chunk({"tool_calls": [part("{}", index=0, call_id="a")]}), "[DONE]")


TEXTS = st.lists(st.sampled_from([*'a <>{}"\n\u2028好😀', "<think>", "</think>", "words"]), max_size=12).map(
    "".join
)

REPLIES = st.builds(
    lambda text, reasoning, calls, usage: Reply(
        assistant(
            text,
            [ToolCall(f"id-{place}", name, json.dumps(data)) for place, (name, data) in enumerate(calls)],
        ),
        model="m-1",
        finish_reason="tool_calls" if calls else "stop",
        usage=usage,
        reasoning=reasoning,
    ),
    TEXTS.filter(lambda text: not text.lstrip().startswith("<think>")),
    TEXTS.map(str.strip),
    st.lists(
        st.tuples(st.sampled_from(["add", "mul"]), st.dictionaries(TEXTS, TEXTS, max_size=2)), max_size=3
    ),
    st.builds(Usage, st.integers(0, 99), st.integers(0, 99)),
)


@settings(deadline=None, derandomize=True)
@given(REPLIES, st.data())
def test_bytes_cut_anywhere_give_the_reply_that_was_sent(sent: Reply, data: st.DataObject) -> None:
    chunks = chunks_to_wire(sent, answer_id="x", created=0, include_usage=True)
    ascii_only = data.draw(st.booleans())
    stream = "".join(f"data: {json.dumps(one, ensure_ascii=ascii_only)}\n\n" for one in chunks).encode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=20)))
    decoder, reader = SseDecoder(), StreamReader()
    deltas: list[Delta] = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        for event in decoder.feed(stream[start:end]):
            deltas += reader.feed(event)
    deltas += reader.close()

    assert reader.reply() == sent
    assert "".join(delta.text for delta in deltas) == sent.text
    assert "".join(delta.reasoning for delta in deltas).strip() == sent.reasoning


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
PARTS = st.fixed_dictionaries(
    {},
    optional={
        "index": st.integers(0, 2) | JSON,
        "id": st.sampled_from(["a", "b", ""]) | JSON,
        "function": st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from(["add", "mul", ""]) | JSON,
                "arguments": st.sampled_from(["{", "}", "{}", ""]) | JSON,
            },
        )
        | JSON,
    },
)
DELTAS = st.fixed_dictionaries(
    {}, optional={"content": st.text(max_size=5) | JSON, "tool_calls": st.lists(PARTS, max_size=3) | JSON}
)


@settings(deadline=None, derandomize=True)
@given(st.lists(DELTAS | JSON, max_size=6))
def test_any_json_is_read_or_refused_with_a_code(deltas: list[Any]) -> None:
    try:
        _, reply = read(*(chunk(delta) for delta in deltas), "[DONE]")
    except ModelError as error:
        assert error.code.startswith("LLM_")
        return
    ids = [call.id for call in reply.tool_calls]
    assert len(set(ids)) == len(ids)
    assert all(call.id and call.name and call.arguments for call in reply.tool_calls)


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.lists(st.sampled_from(['{"x": 1}', '{"y": "}{"}', "{}"]), min_size=1, max_size=4),
    st.sampled_from(["index", "id", "neither"]),
    st.data(),
)
def test_calls_are_never_merged_or_split(written: list[str], told_by: str, data: st.DataObject) -> None:
    """Calls in turn, each cut anywhere, under whatever marks a server gives them."""
    pieces: list[list[dict[str, Any]]] = []
    for position, arguments in enumerate(written):
        cut = data.draw(st.integers(0 if told_by != "neither" else 1, len(arguments)))
        mark: dict[str, Any] = {"index": position} if told_by == "index" else {}
        first = {"call_id": f"id-{position}"} if told_by == "id" else {}
        pieces.append([part(arguments[:cut], name="add", **mark, **first)])
        pieces.append([part(arguments[cut:], **mark)])

    assert [arguments for _, _, arguments in calls_of(*pieces)] == written
