"""agent_mini.planner.validate: against the schema that is really offered."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.planner import validate
from agent_mini.tools import standard_tools

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "days": {"type": "integer", "minimum": 1, "maximum": 7, "default": 1},
        "share": {"type": "number", "exclusiveMinimum": 0},
        "unit": {"enum": ["c", "f"]},
        "name": {"type": "string", "minLength": 1, "maxLength": 5},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "id": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
        "mood": {"$ref": "#/$defs/Mood"},
        "lost": {"$ref": "#/$defs/Nowhere"},
        "on": {"type": "boolean"},
        "free": {},
    },
    "$defs": {"Mood": {"enum": ["good", "bad"]}},
}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"days": 3}, {"days": 3}),
        ({"days": 99}, {"days": 7}),
        ({"days": 0}, {}),  # the nearer bound, which is the default
        ({"days": "4"}, {"days": 4}),
        ({"days": 4.0}, {"days": 4}),
        ({"days": 1}, {}),
        ({"days": "$1.days"}, {"days": "$1.days"}),
        ({"name": 12}, {"name": "12"}),
        ({"tags": "a"}, {"tags": ["a"]}),
        ({"id": 2}, {"id": 2}),
        ({"mood": "good", "lost": 1, "free": [1]}, {"mood": "good", "lost": 1, "free": [1]}),
        ({"on": True}, {"on": True}),
    ],
)
def test_what_is_accepted(given: dict[str, Any], kept: dict[str, Any]) -> None:
    assert validate(given, SCHEMA) == (kept, {})


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"unit": "k"}, "must be one of c, f"),
        ({"name": ""}, "must have 1 to 5 characters"),
        ({"name": "too long"}, "must have 1 to 5 characters"),
        ({"tags": ["a", "b", "c"]}, "must have 0 to 2 items"),
        ({"tags": [{}]}, "must be string"),
        ({"days": "many"}, "must be integer"),
        ({"days": True}, "must be integer"),
        ({"days": 2.5}, "must be integer"),
        ({"share": 0}, "must be above 0"),
        ({"mood": "so-so"}, "must be one of good, bad"),
        ({"id": "x"}, "must be integer or must be null"),
        ({"on": 1}, "must be boolean"),
        ({"other": 1}, "no such argument"),
    ],
)
def test_what_is_not(given: dict[str, Any], reason: str) -> None:
    kept, wrong = validate(given, SCHEMA)
    assert kept == {}
    assert list(wrong.values()) == [reason]


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*SCHEMA["properties"], "other"]), PLAIN, max_size=4))
def test_any_value_is_kept_or_refused(given: dict[str, Any]) -> None:
    kept, wrong = validate(given, SCHEMA)
    assert kept.keys() | wrong.keys() <= given.keys()
    assert not kept.keys() & wrong.keys()


@given(st.sampled_from(list(standard_tools())), st.dictionaries(st.text(max_size=5), PLAIN, max_size=3))
def test_any_schema_of_our_tools_can_be_checked(tool: Any, given: dict[str, Any]) -> None:
    names = [*tool.schema["properties"]]
    validate(dict(zip(names, given.values(), strict=False)), tool.schema)


@pytest.mark.parametrize(
    "schema", [{}, {"properties": {}}, {"properties": {"a": {"type": ["string", "null"]}}}]
)
def test_a_schema_may_say_little(schema: dict[str, Any]) -> None:
    kept, wrong = validate({"a": "x"}, schema)
    assert kept or wrong == {"a": "no such argument"}
