"""Limits beside a loop: how many steps, how long, how often the very same call.

A model is not asked to stop; it is stopped. Each limit has its own ``StopReason``, so that whoever reads the
log knows which one it was.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from agent_mini.clock import Clock
from agent_mini.parsing import parse_arguments
from agent_mini.types import StopReason, ToolCall


@dataclass(frozen=True, slots=True)
class Limits:
    """What one loop may use.

    Args:
        max_steps: Model calls, at least 1.
        max_seconds: Wall clock from the first call to the end.
        max_repeats: How many steps may ask for the very same call (same tool, same arguments).
    """

    max_steps: int = 8
    max_seconds: float = 120.0
    max_repeats: int = 3


class LimitWatch:
    """Watches one loop.

    Args:
        limits: What it may use.
        clock: Whose ``monotonic`` counts.
    """

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self.limits = limits
        self.step = 0
        self._clock = clock
        self._started = clock.monotonic()
        self._seen: Counter[tuple[str, str]] = Counter()

    @property
    def seconds_left(self) -> float:
        """Wall clock left, never below zero."""
        return max(0.0, self._started + self.limits.max_seconds - self._clock.monotonic())

    def start_step(self) -> StopReason | None:
        """Count a step about to begin; the reason when it may not."""
        if self.step >= self.limits.max_steps:
            return StopReason.STEP_LIMIT
        if self.seconds_left <= 0:
            return StopReason.TIME_LIMIT
        self.step += 1
        return None

    def count_calls(self, calls: Iterable[ToolCall]) -> StopReason | None:
        """Count what a step asks for; the reason when it asked for the same once too often.

        The same call twice in one step counts once: a model may well roll two dice.
        """
        self._seen.update({(call.name, _same(call.arguments)) for call in calls})
        too_often = any(count > self.limits.max_repeats for count in self._seen.values())
        return StopReason.REPEAT_LIMIT if too_often else None


def _same(raw: str) -> str:
    """Arguments in one spelling, so that white space and the order of keys do not make a new call."""
    try:
        return json.dumps(parse_arguments(raw), sort_keys=True)
    except ValueError:
        return raw.strip()
