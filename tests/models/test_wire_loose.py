"""Reading JSON that does not keep to the format."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models.wire import parse_json
from agent_mini.models.wire.loose import as_int, dump_json, is_json_object


@pytest.mark.parametrize(
    "text",
    ["", " ", "<html><h1>502</h1></html>", "{", "{'a': 1}", "[" * 100_000, "9" * 10_000, '{"a": 1} {"b": 2}'],
)
def test_what_is_not_json_is_bad_output(text: str) -> None:
    with pytest.raises(ModelError, match="not JSON") as caught:
        parse_json(text)

    assert caught.value.code is ErrorCode.LLM_BAD_OUTPUT
    assert len(caught.value.message) < 320


def test_halves_of_surrogate_pairs_are_replaced_and_whole_pairs_kept() -> None:
    assert parse_json(r'{"a": "\ud83d\ude00", "\ud800": ["\udc00!", "\\ud800", "好"]}') == {
        "a": "😀",
        "\ufffd": ["\ufffd!", r"\ud800", "好"],
    }


@settings(deadline=None, derandomize=True)
@given(st.text(alphabet=st.characters(codec=None, categories=["Cs", "L"])))
def test_whatever_is_read_can_be_written(text: str) -> None:
    value = parse_json(json.dumps({"a": text}))

    assert value["a"].encode("utf-8").decode("utf-8") == value["a"]


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *[(3, 3), ("3", 3), (3.0, 3), (-1, -1)],
        *(
            (odd, None)
            for odd in (True, 3.5, "x", "", None, [], {}, float("inf"), float("nan"), "²", "9" * 5000)
        ),
    ],
)
def test_numbers_may_be_texts(value: Any, number: int | None) -> None:
    assert as_int(value) == number


def test_only_a_whole_object_is_one() -> None:
    assert is_json_object('{"a": [1]}')
    assert not any(map(is_json_object, ["", "[]", "{", "{}{}", "[" * 100_000]))


def test_what_is_nested_too_deeply_to_write_is_bad_output() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ModelError, match="nested"):
        dump_json(deep)
