"""agent_mini.clock: the machine's, and one that stands still."""

from datetime import UTC, datetime, timedelta

from agent_mini.clock import FixedClock, SystemClock


def test_a_fixed_clock_moves_only_when_told() -> None:
    clock = FixedClock("2026-10-23")
    assert clock.now() == datetime(2026, 10, 23, tzinfo=UTC)
    assert clock.monotonic() == 0
    clock.advance(90)
    assert clock.now() == datetime(2026, 10, 23, 0, 1, 30, tzinfo=UTC)
    assert clock.monotonic() == 90


def test_a_given_zone_is_kept() -> None:
    assert FixedClock("2026-10-23T08:00+08:00").now().utcoffset() == timedelta(hours=8)


def test_the_system_clock_is_the_machines() -> None:
    clock = SystemClock()
    before = datetime.now(UTC)
    now, first, second = clock.now(), clock.monotonic(), clock.monotonic()
    assert before <= now <= datetime.now(UTC)
    assert now.tzinfo is not None
    assert first <= second
