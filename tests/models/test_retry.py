"""How long to wait before the next try."""

from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_mini.models.retry import LONGEST_ASKED_WAIT, back_off, read_retry_after

NOW = datetime(2026, 10, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("0", 0.0),
        ("3", 3.0),
        (" 2.5 ", 2.5),
        ("-4", 0.0),
        ("1e9", LONGEST_ASKED_WAIT),
        ("inf", LONGEST_ASKED_WAIT),
        ("nan", None),
        ("soon", None),
        ("Fri, 23 Oct 2026 00:00:20 GMT", 20.0),
        ("Fri, 23 Oct 2026 02:00:20 +0200", 20.0),
        ("Fri, 23 Oct 2026 00:00:20 -0000", 20.0),
        ("Thu, 22 Oct 2026 00:00:00 GMT", 0.0),
        ("Sat, 24 Oct 2026 00:00:00 GMT", LONGEST_ASKED_WAIT),
        ("Fri, 99 Oct 2026 00:00:20 GMT", None),
    ],
)
def test_the_header_is_a_number_or_a_date(value: str | None, seconds: float | None) -> None:
    assert read_retry_after(value, NOW) == seconds


@settings(deadline=None, derandomize=True)
@given(
    st.text(max_size=30)
    | st.from_regex(
        r"(Mon|Fri), \d{1,12} (Oct|Foo) \d{1,12} \d\d:\d\d:\d\d (GMT|[+-]\d{1,9})", fullmatch=True
    )
)
def test_no_header_is_too_odd(value: str) -> None:
    seconds = read_retry_after(value, NOW)

    assert seconds is None or 0 <= seconds <= LONGEST_ASKED_WAIT


def test_the_bound_doubles_up_to_a_limit() -> None:
    longest = [max(back_off(tries, Random(seed)) for seed in range(200)) for tries in range(1, 9)]

    assert [round(seconds * 2) / 2 for seconds in longest] == [0.5, 1, 2, 4, 8, 8, 8, 8]
