"""The state of a team discussion, as values.

The rules that move one state to the next stand in ``agent_mini.engine``.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from agent_mini.types.events import StopReason
from agent_mini.types.messages import Usage
from agent_mini.types.tools import ToolStep

Language = Literal["en", "zh"]

Expert = Literal["proposer", "critic", "summariser"]

Speaker = Literal["proposer", "critic", "summariser", "person"]


class TeamStatus(StrEnum):
    """Where a discussion stands."""

    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


class Verdict(StrEnum):
    """How a review ends."""

    APPROVE = "approve"
    REVISE = "revise"


@dataclass(frozen=True, slots=True)
class Decision:
    """What the coordinator wants next.

    Args:
        action: ``dispatch`` sends an instruction to an expert, ``ask_human`` asks the person.
        target: The expert, for ``dispatch``.
        instruction: What the expert is to do.
        question: What to ask the person, for ``ask_human``.
        reason: Why, in the coordinator's words.
    """

    action: Literal["dispatch", "ask_human"]
    target: Literal["proposer", "critic"] | None = None
    instruction: str = ""
    question: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One contribution to the discussion.

    Args:
        speaker: Who spoke.
        instruction: What they were asked to do, or the question a person was asked.
        text: What they said.
        verdict: On a critic's turn, how the review ended.
        model: The model that wrote it; empty for a person.
        seconds: Time the model took.
        usage: Tokens it cost.
        steps: The tools used on the way.
    """

    speaker: Speaker
    instruction: str
    text: str
    verdict: Verdict | None = None
    model: str = ""
    seconds: float = 0.0
    usage: Usage = Usage()
    steps: tuple[ToolStep, ...] = ()


@dataclass(frozen=True, slots=True)
class TeamState:
    """Everything a discussion is; what a checkpoint holds and a step moves on.

    Args:
        question: What the person wants to know.
        language: The language the team works in.
        max_rounds: How many rounds at most; a round is one decision and the turn that comes of it.
        run_id: The run's name wherever it is seen.
        turns: What was said, in order; the summariser's is the last.
        status: Where it stands.
        stop_reason: Why it ended or waits; None while it runs.
        pending_question: What the person was asked and has not answered yet.
        answer: The final answer.
        error_code: The ``ErrorCode`` of a failure, by value.
        error: That failure in words.
        usage: Tokens of every step made, the coordinator's included; a step that failed leaves none behind.
    """

    question: str
    language: Language = "en"
    max_rounds: int = 8
    run_id: str = ""
    turns: tuple[Turn, ...] = ()
    status: TeamStatus = TeamStatus.RUNNING
    stop_reason: StopReason | None = None
    pending_question: str = ""
    answer: str = ""
    error_code: str = ""
    error: str = ""
    usage: Usage = Usage()

    @property
    def rounds(self) -> int:
        """Rounds gone by: every turn but the summary."""
        return sum(turn.speaker != "summariser" for turn in self.turns)

    def with_turn(self, turn: Turn) -> "TeamState":
        """The state after ``turn`` was said."""
        return replace(self, turns=(*self.turns, turn))


@dataclass(frozen=True, slots=True)
class StepResult:
    """What one step of an engine made.

    Args:
        state: The next state, to be saved before anything else happens.
        decision: What the coordinator decided, or None when a hard rule decided.
    """

    state: TeamState
    decision: Decision | None = None
