"""The closed lists of what can happen, and why something ends.

Every loop, team and durable run reports through one callback, ``on_event``, with values of these kinds. The
JSONL log, spans, the SSE stream, progress bars and widgets are views of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    """Everything a loop, a team or a run may report."""

    RUN_STARTED = "run_started"
    RUN_RESUMED = "run_resumed"
    RUN_WAITING = "run_waiting"
    RUN_ENDED = "run_ended"

    STEP_STARTED = "step_started"
    STEP_ENDED = "step_ended"
    DECISION_MADE = "decision_made"
    DECISION_REJECTED = "decision_rejected"
    TURN_STARTED = "turn_started"
    TURN_ENDED = "turn_ended"

    MODEL_CALLED = "model_called"
    MODEL_DELTA = "model_delta"
    MODEL_REPLIED = "model_replied"
    MODEL_FAILED = "model_failed"
    MODEL_FELL_BACK = "model_fell_back"

    TOOL_CALLED = "tool_called"
    TOOL_RETURNED = "tool_returned"
    LIMIT_REACHED = "limit_reached"
    HISTORY_REPAIRED = "history_repaired"

    PERSON_ASKED = "person_asked"
    PERSON_ANSWERED = "person_answered"
    APPROVAL_ASKED = "approval_asked"
    APPROVAL_GIVEN = "approval_given"

    CHECKPOINT_SAVED = "checkpoint_saved"
    LEASE_TAKEN = "lease_taken"
    LEASE_LOST = "lease_lost"
    CHANNEL_CHANGED = "channel_changed"
    MEMORY_RECALLED = "memory_recalled"
    MEMORY_STORED = "memory_stored"
    EVIDENCE_CHECKED = "evidence_checked"


class StopReason(StrEnum):
    """Why a tool loop, a team or a run ended, or paused."""

    # a tool loop
    ANSWERED = "answered"
    STEP_LIMIT = "step_limit"
    TIME_LIMIT = "time_limit"
    REPEAT_LIMIT = "repeat_limit"
    TOKEN_LIMIT = "token_limit"
    COST_LIMIT = "cost_limit"
    CUT_OFF = "cut_off"
    # a team
    CONSENSUS = "consensus"
    ROUND_LIMIT = "round_limit"
    WAITING_FOR_PERSON = "waiting_for_person"
    # either
    MODEL_ERROR = "model_error"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    Args:
        kind: What happened.
        run_id: The run it belongs to, the same everywhere the run is seen.
        data: Plain data (JSON types) whose keys depend on the kind.
    """

    kind: EventKind
    run_id: str = ""
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])


OnEvent = Callable[[Event], None]
"""Called at once, in order, from the loop's own task; it must return quickly and must not raise."""


def ignore(event: Event) -> None:
    """The ``on_event`` of a caller that does not listen."""
