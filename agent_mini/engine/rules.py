"""The hard rules: how a discussion starts, ends, waits, fails and goes on.

They are code, and they come before the model: a team that may decide for itself when it is done sometimes
never is.
"""

from dataclasses import replace

from agent_mini.errors import AgentError, ErrorCode, InputError
from agent_mini.prompts import language_of
from agent_mini.types import Language, StopReason, TeamState, TeamStatus, Turn, Verdict


def new_discussion(
    question: str, *, max_rounds: int = 8, run_id: str = "", language: Language | None = None
) -> TeamState:
    """A discussion before its first step.

    Args:
        question: What the person wants to know.
        max_rounds: Rounds at most, from 0.
        run_id: The run's name.
        language: The team's language; the question's own when None.

    Raises:
        InputError: An empty question or a negative limit.
    """
    if not question.strip():
        raise InputError("the question is empty", "ask something")
    _check_text("question", question)
    if max_rounds < 0:
        raise InputError(f"max_rounds must be 0 or more; given {max_rounds}")
    return TeamState(question.strip(), language or language_of(question), max_rounds, run_id)


def forced_end(state: TeamState) -> StopReason | None:
    """Whether the discussion ends here, and why: an approved proposal first, then the round limit."""
    if _approved(state):
        return StopReason.CONSENSUS
    if state.rounds >= state.max_rounds:
        return StopReason.ROUND_LIMIT
    return None


def wait_for_person(state: TeamState, question: str) -> TeamState:
    """The state that asks the person ``question``."""
    return replace(
        state,
        status=TeamStatus.WAITING,
        stop_reason=StopReason.WAITING_FOR_PERSON,
        pending_question=question,
    )


def take_answer(state: TeamState, answer: str) -> TeamState:
    """The state after the person answered.

    Raises:
        InputError: Nothing was asked, or the answer is empty.
    """
    if state.status is not TeamStatus.WAITING:
        raise InputError(f"nothing was asked: the discussion is {state.status}", code=ErrorCode.NOTHING_ASKED)
    if not answer.strip():
        raise InputError("the answer is empty", f"answer this: {state.pending_question}")
    _check_text("answer", answer)
    turn = Turn("person", state.pending_question, answer.strip())
    running = replace(state, status=TeamStatus.RUNNING, stop_reason=None, pending_question="")
    return running.with_turn(turn)


def conclude(state: TeamState, reason: StopReason, summary: Turn) -> TeamState:
    """The finished state, with the summary as its last turn and answer."""
    done = replace(state, status=TeamStatus.DONE, stop_reason=reason, answer=summary.text)
    return done.with_turn(summary)


def fail(state: TeamState, error: AgentError) -> TeamState:
    """The state after ``error``: everything said so far is kept, and it can be tried again."""
    return replace(
        state,
        status=TeamStatus.FAILED,
        stop_reason=StopReason.MODEL_ERROR,
        error_code=error.code.value,
        error=error.message,
    )


def retry(state: TeamState) -> TeamState:
    """A failed state, running again from its last good step; any other state as it is."""
    if state.status is not TeamStatus.FAILED:
        return state
    return replace(state, status=TeamStatus.RUNNING, stop_reason=None, error_code="", error="")


def _check_text(what: str, text: str) -> None:
    """Refuse half characters, as a terminal with another encoding sends them: no file and no server takes them."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"the {what} is not UTF-8 text", "write it again in a UTF-8 terminal") from None


def _approved(state: TeamState) -> bool:
    """Whether the last turn approves a proposal; an approval of nothing does not count."""
    return (
        bool(state.turns)
        and state.turns[-1].verdict is Verdict.APPROVE
        and any(turn.speaker == "proposer" for turn in state.turns)
    )
