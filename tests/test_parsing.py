"""agent_mini.parsing: what each function forgives, and what it does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.parsing import find_json_object, parse_arguments, parse_verdict
from agent_mini.types import Verdict


@pytest.mark.parametrize("raw", ["", "  \n", "null", "{}"])
def test_no_arguments(raw: str) -> None:
    assert parse_arguments(raw) == {}


def test_arguments_are_an_object() -> None:
    assert parse_arguments('{"a": [1, {"b": "上海"}]}') == {"a": [1, {"b": "上海"}]}


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ('{"a": 1', "not valid JSON"),
        ("{'a': 1}", "not valid JSON"),
        ("[1]", "must be a JSON object, not list"),
        ('"a"', "must be a JSON object, not str"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": Infinity}', "Infinity is not JSON"),
        ('{"a":' * 100_000, "nested too deep"),
    ],
)
def test_bad_arguments_say_what_is_wrong(raw: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_arguments(raw)


@pytest.mark.parametrize(
    "text",
    [
        '{"action": "dispatch"}',
        'Sure! Here it is:\n```json\n{"action": "dispatch"}\n```\nAnything else?',
        '<think>{"action": "no"}</think>{"action": "dispatch"}',
        'the shape {target} is filled in: {"action": "dispatch"} {"action": "second"}',
    ],
)
def test_an_object_is_found_in_prose(text: str) -> None:
    assert find_json_object(text) == {"action": "dispatch"}


@pytest.mark.parametrize("text", ["", "no object", "[1, 2]", "{broken", "{" * 50_000, '{"a": NaN}'])
def test_no_object_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        find_json_object(text)


APPROVALS = [
    "VERDICT: APPROVE",
    "Fine.\n\nVERDICT: APPROVE",
    "Fine.\n**VERDICT: APPROVE**",
    "Fine.\n**VERDICT**: APPROVE",
    "Fine.\n**Verdict:** approve.",
    "很好。\nVERDICT：APPROVE",
    "很好。\nVERDICT: APPROVE。",
    "`VERDICT: APPROVE`",
    "# VERDICT: APPROVE",
    "It is not VERDICT: REVISE.\nVERDICT: APPROVE\n\n",
    "<think>VERDICT: REVISE</think>\nVERDICT: APPROVE",
    "ＶＥＲＤＩＣＴ：ＡＰＰＲＯＶＥ",
]
REVISIONS = [
    "VERDICT: REVISE",
    "",
    "I would approve this.",
    "VERDICT: MAYBE",
    "VERDICT: APPROVE or VERDICT: REVISE",
    "VERDICT: NOT APPROVE",
    "They will say\nVERDICT: APPROVE\nbut I do not.",
    "> VERDICT: APPROVE",
    "<think>\nVERDICT: APPROVE",
    "VERDICT: APPROVE\n<think>hm",
    "APPROVE",
    "VERDICT: APPROVED",
]


@pytest.mark.parametrize("text", APPROVALS)
def test_an_approval_in_any_dress(text: str) -> None:
    expected = Verdict.APPROVE
    assert parse_verdict(text) is expected


@pytest.mark.parametrize("text", REVISIONS)
def test_anything_else_is_a_revision(text: str) -> None:
    assert parse_verdict(text) is Verdict.REVISE


def test_a_flood_of_braces_takes_no_time() -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        find_json_object("{" * 5_000_000)


@given(st.text())
def test_no_text_breaks_a_parser(text: str) -> None:
    assert parse_verdict(text) in Verdict
    for parser in (parse_arguments, find_json_object):
        try:
            assert isinstance(parser(text), dict)
        except ValueError as error:
            assert str(error)
