"""agent_mini.engine.codec: what goes out as JSON comes back the same."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.engine import from_plain, new_discussion, to_plain
from agent_mini.types import (
    StopReason,
    TeamState,
    TeamStatus,
    ToolResult,
    ToolStep,
    Turn,
    Usage,
    Verdict,
)

STEPS = st.builds(
    ToolStep,
    st.integers(1, 9),
    st.text(),
    st.text(),
    st.builds(ToolResult, st.booleans(), st.text(), st.none() | st.dictionaries(st.text(), st.integers())),
    st.floats(0, 1e6),
)
TURNS = st.builds(
    Turn,
    st.sampled_from(["proposer", "critic", "person", "summariser"]),
    st.text(),
    st.text(),
    st.none() | st.sampled_from(Verdict),
    st.text(),
    st.floats(0, 1e3),
    st.builds(Usage, st.integers(0), st.integers(0)),
    st.lists(STEPS, max_size=2).map(tuple),
)
STATES = st.builds(
    TeamState,
    st.text(),
    st.sampled_from(["en", "zh"]),
    st.integers(0, 9),
    st.text(),
    st.lists(TURNS, max_size=3).map(tuple),
    st.sampled_from(TeamStatus),
    st.none() | st.sampled_from(StopReason),
    st.text(),
    st.text(),
    st.text(),
    st.text(),
    st.builds(Usage, st.integers(0), st.integers(0)),
)


@given(STATES)
def test_round_trip(state: TeamState) -> None:
    assert from_plain(json.loads(json.dumps(to_plain(state)))) == state


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"question": 3},
        {"question": "q", "status": "asleep"},
        {"question": "q", "turns": [{"speaker": "dog"}]},
    ],
)
def test_what_is_no_discussion_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="validation error"):
        from_plain(data)


def test_an_older_state_without_newer_fields_is_read() -> None:
    assert from_plain({"question": "q"}) == new_discussion("q")
