"""agent_mini.tools.results: whatever a tool gives can be stored and read again."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.engine import from_plain, new_discussion, to_plain
from agent_mini.tools.results import MAX_CONTENT, MAX_DEPTH, plain_result
from agent_mini.types import ToolResult, ToolStep, Turn


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_a_plain_result_stays_as_it_is() -> None:
    result = ToolResult(True, "上海", {"days": [1, 2.5, None, "好"]}, "mcp")
    assert plain_result("t", result) == result


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (None, "t gave no result that can be used"),
        ("text", "t gave no result that can be used"),
        (ToolResult(True, 5), "t gave no result that can be used"),  # type: ignore[arg-type]
        (ToolResult(True, "x", object()), "t gave data that is not plain JSON"),
        (ToolResult(True, "x", float("nan")), "t gave data that is not plain JSON"),
        (ToolResult(True, "x", {1, 2}), "t gave data that is not plain JSON"),
        (ToolResult(True, "x", nested(MAX_DEPTH + 1)), "t gave data nested deeper than 50 levels"),
        (ToolResult(True, "x", nested(100_000)), "t gave data that is not plain JSON"),
    ],
)
def test_what_cannot_be_kept_is_not_ok_and_says_why(result: Any, words: str) -> None:
    assert plain_result("t", result) == ToolResult(False, words)


def test_a_long_text_is_cut_and_says_so() -> None:
    content = plain_result("t", ToolResult(True, "x" * (MAX_CONTENT + 7))).content
    assert content.endswith("x\n[7 characters left out]")


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(st.characters()) | st.binary(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner) | st.tuples(inner, inner)
    ),
)


@given(st.text(st.characters(categories=["Cs", "Lo", "Cc"])), VALUES)
def test_every_result_survives_a_checkpoint(content: str, data: Any) -> None:
    step = ToolStep(1, "t", "{}", plain_result("t", ToolResult(True, content, data)))
    state = new_discussion("q").with_turn(Turn("proposer", "i", "t", steps=(step,)))
    assert from_plain(json.loads(json.dumps(to_plain(state), ensure_ascii=False).encode())) == state
