"""agent_mini.planner.decide: by the scores alone."""

import pytest

from agent_mini.planner import Candidate, Weights, decide


def scored(**totals: float) -> list[Candidate]:
    return [Candidate(tool, {"trigger": total}) for tool, total in totals.items()]


@pytest.mark.parametrize(
    ("totals", "kind", "tools"),
    [
        ({}, "talk", ()),
        ({"a": 2.6}, "act", ("a",)),
        ({"a": 2.599}, "which", ("a",)),
        ({"a": 1.2}, "which", ("a",)),
        ({"a": 1.199}, "talk", ()),
        ({"a": 3.0, "b": 4.0}, "act", ("b",)),
        ({"a": 3.0, "b": 3.0}, "act", ("a",)),
        ({"a": 1.3, "b": 2.5, "c": 0.2}, "which", ("b", "a")),
        ({"a": 1.3, "b": 1.4, "c": 1.5, "d": 1.6}, "which", ("d", "c", "b")),
        ({"a": -8.0}, "talk", ()),
    ],
)
def test_decide(totals: dict[str, float], kind: str, tools: tuple[str, ...]) -> None:
    decision = decide(scored(**totals), Weights())
    assert (decision.kind, decision.tools) == (kind, tools)


def test_the_thresholds_are_those_of_the_weights() -> None:
    assert decide(scored(a=2.0), Weights(act=1.5)).kind == "act"
    assert decide(scored(a=2.0), Weights(ask=2.1)).kind == "talk"
