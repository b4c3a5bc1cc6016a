"""agent_mini.guardrails.limits: each limit alone, on a fixed clock."""

from agent_mini.clock import FixedClock
from agent_mini.guardrails import Limits, LimitWatch
from agent_mini.types import StopReason, ToolCall


def call(name: str, arguments: str) -> ToolCall:
    return ToolCall("id", name, arguments)


def test_steps() -> None:
    watch = LimitWatch(Limits(max_steps=2), FixedClock("2026-10-23"))
    assert [watch.start_step() for _ in range(3)] == [None, None, StopReason.STEP_LIMIT]
    assert watch.step == 2


def test_seconds() -> None:
    clock = FixedClock("2026-10-23")
    watch = LimitWatch(Limits(max_seconds=5), clock)
    assert watch.start_step() is None
    clock.advance(4)
    assert (watch.start_step(), watch.seconds_left) == (None, 1)
    clock.advance(2)
    assert (watch.start_step(), watch.seconds_left) == (StopReason.TIME_LIMIT, 0)


def test_the_same_call_in_step_after_step() -> None:
    watch = LimitWatch(Limits(max_repeats=2), FixedClock("2026-10-23"))
    assert watch.count_calls([call("f", '{"a": 1, "b": 2}')]) is None
    assert watch.count_calls([call("f", '{"b":2,  "a":1}')]) is None
    assert watch.count_calls([call("g", '{"a": 1, "b": 2}'), call("f", '{"a": 1}')]) is None
    assert watch.count_calls([call("f", '{"a": 1, "b": 2}')]) is StopReason.REPEAT_LIMIT


def test_twice_in_one_step_counts_once() -> None:
    watch = LimitWatch(Limits(max_repeats=1), FixedClock("2026-10-23"))
    assert watch.count_calls([call("dice", ""), call("dice", "{}")]) is None


def test_broken_arguments_count_as_they_are_written() -> None:
    watch = LimitWatch(Limits(max_repeats=1), FixedClock("2026-10-23"))
    assert watch.count_calls([call("f", "{broken")]) is None
    assert watch.count_calls([call("f", " {broken ")]) is StopReason.REPEAT_LIMIT
