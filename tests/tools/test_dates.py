"""agent_mini.tools.dates: under a fixed clock."""

import pytest

from agent_mini.clock import FixedClock
from agent_mini.tools import ToolContext, days_between, today

CONTEXT = ToolContext(clock=FixedClock("2026-10-23"))


async def test_today_is_the_clocks() -> None:
    result = await today.run({}, CONTEXT)
    assert result.content == "2026-10-23 (Friday)"
    assert result.data == {"date": "2026-10-23"}


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2026-10-23", "2027-01-01", 70),
        ("2027-01-01", "2026-10-23", -70),
        ("2024-02-28", "2024-03-01", 2),
        ("2026-10-23", " 2026-10-23 ", 0),
        ("0001-01-01", "9999-12-31", 3652058),
    ],
)
async def test_days(start: str, end: str, days: int) -> None:
    result = await days_between.run({"start": start, "end": end}, CONTEXT)
    assert (result.ok, result.content) == (True, str(days))
    assert result.data["days"] == days


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"start": "2026-02-30", "end": "2026-03-01"}, "start: '2026-02-30' is not a date (day"),
        ({"start": "2026-03-01", "end": "tomorrow"}, "end: 'tomorrow' is not a date"),
        ({"start": "", "end": "2026-03-01"}, "Write YYYY-MM-DD."),
        ({"start": "2026-03-01"}, "end: missing"),
        ({"start": 20260301, "end": "2026-03-01"}, "start: Input should be a valid string; given 20260301"),
        ({"start": "2026-03-01", "end": "2026-03-01", "unit": "days"}, "unit: no such argument"),
    ],
)
async def test_bad_dates_say_which_and_how(arguments: dict[str, object], words: str) -> None:
    result = await days_between.run(arguments, CONTEXT)
    assert not result.ok
    assert words in result.content
