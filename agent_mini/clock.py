"""The one source of time, passed in wherever time matters, so that tests and notebooks can fix it."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The date and time, with a time zone."""
        ...

    def monotonic(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        ...


class SystemClock:
    """The machine's clock, in its own time zone."""

    def now(self) -> datetime:
        return datetime.now(UTC).astimezone()

    def monotonic(self) -> float:
        return time.monotonic()


class FixedClock:
    """A clock that stands still until it is told to move.

    Args:
        moment: An ISO date or date and time, for example ``"2026-10-23"``; UTC unless it says otherwise.
    """

    def __init__(self, moment: str) -> None:
        start = datetime.fromisoformat(moment)
        self._start = start if start.tzinfo else start.replace(tzinfo=UTC)
        self._elapsed = 0.0

    def advance(self, seconds: float) -> None:
        """Move both readings forward by ``seconds``."""
        self._elapsed += seconds

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        return self._elapsed
