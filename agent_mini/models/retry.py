"""How long to wait before a model is asked again."""

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random

FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
LONGEST_ASKED_WAIT = 60.0
"""Seconds; a server that asks for more than the last is asked again after it."""


def back_off(tries: int, random: Random) -> float:
    """Seconds to wait after ``tries`` failed tries: at random within a bound that doubles each time.

    Chance over the whole bound ("full jitter") keeps clients that failed together from coming back together.
    """
    return random.uniform(0, min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT))


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds a ``Retry-After`` header asks for, as a number or as a date; None where it does not tell."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now.timestamp()
    return None if math.isnan(seconds) else min(max(seconds, 0.0), LONGEST_ASKED_WAIT)
