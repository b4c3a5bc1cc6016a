"""agent_mini.engine.rules: every move a discussion can make, without a model."""

import pytest

from agent_mini.engine import (
    conclude,
    fail,
    forced_end,
    new_discussion,
    retry,
    take_answer,
    wait_for_person,
)
from agent_mini.errors import ErrorCode, InputError, ModelError
from agent_mini.types import StopReason, TeamState, TeamStatus, Turn, Verdict

PROPOSAL = Turn("proposer", "propose", "do it")
APPROVAL = Turn("critic", "review", "fine", Verdict.APPROVE)
REVISION = Turn("critic", "review", "not yet", Verdict.REVISE)


def after(*turns: Turn, max_rounds: int = 8) -> TeamState:
    state = new_discussion("Go or Rust?", max_rounds=max_rounds)
    for turn in turns:
        state = state.with_turn(turn)
    return state


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (after(), None),
        (after(PROPOSAL), None),
        (after(PROPOSAL, REVISION), None),
        (after(PROPOSAL, APPROVAL), StopReason.CONSENSUS),
        (after(APPROVAL), None),
        (after(PROPOSAL, APPROVAL, PROPOSAL), None),
        (after(max_rounds=0), StopReason.ROUND_LIMIT),
        (after(PROPOSAL, REVISION, max_rounds=2), StopReason.ROUND_LIMIT),
        (after(PROPOSAL, APPROVAL, max_rounds=2), StopReason.CONSENSUS),
        (after(PROPOSAL, Turn("person", "how much?", "5"), max_rounds=2), StopReason.ROUND_LIMIT),
    ],
)
def test_the_end_is_decided_by_code(state: TeamState, reason: StopReason | None) -> None:
    assert forced_end(state) is reason


def test_a_discussion_begins_with_a_question() -> None:
    assert new_discussion("  该用 Go 吗？ ").question == "该用 Go 吗？"
    assert new_discussion("该用 Go 吗？").language == "zh"
    assert new_discussion("该用 Go 吗？", language="en").language == "en"
    with pytest.raises(InputError, match="the question is empty"):
        new_discussion(" \n")
    with pytest.raises(InputError, match="max_rounds must be 0 or more; given -1"):
        new_discussion("x", max_rounds=-1)


def test_waiting_and_answering() -> None:
    waiting = wait_for_person(after(PROPOSAL), "How much?")
    assert (waiting.status, waiting.stop_reason) == (TeamStatus.WAITING, StopReason.WAITING_FOR_PERSON)
    running = take_answer(waiting, " 50,000 ")
    assert (running.status, running.stop_reason, running.pending_question) == (TeamStatus.RUNNING, None, "")
    assert running.turns[-1] == Turn("person", "How much?", "50,000")
    assert running.rounds == 2


def test_an_answer_to_nothing_and_an_empty_one_are_refused() -> None:
    with pytest.raises(InputError, match="nothing was asked: the discussion is running") as refused:
        take_answer(after(PROPOSAL), "yes")
    assert refused.value.code is ErrorCode.NOTHING_ASKED
    with pytest.raises(InputError, match="the answer is empty") as refused:
        take_answer(wait_for_person(after(), "How much?"), "  ")
    assert refused.value.hint == "answer this: How much?"


def test_half_characters_are_refused() -> None:
    with pytest.raises(InputError, match="the question is not UTF-8 text"):
        new_discussion("caf\udce9")
    with pytest.raises(InputError, match="the answer is not UTF-8 text"):
        take_answer(wait_for_person(after(), "How much?"), "caf\udce9")


def test_failing_keeps_what_was_said_and_can_be_retried() -> None:
    state = after(PROPOSAL)
    failed = fail(state, ModelError(ErrorCode.LLM_TIMEOUT, "too slow"))
    assert (failed.status, failed.stop_reason) == (TeamStatus.FAILED, StopReason.MODEL_ERROR)
    assert (failed.error_code, failed.error, failed.turns) == ("LLM_TIMEOUT", "too slow", state.turns)
    assert retry(failed) == state
    assert retry(state) is state


def test_the_summary_is_the_answer_and_no_round() -> None:
    summary = Turn("summariser", "sum up", "do it")
    done = conclude(after(PROPOSAL, APPROVAL), StopReason.CONSENSUS, summary)
    assert (done.status, done.stop_reason, done.answer) == (TeamStatus.DONE, StopReason.CONSENSUS, "do it")
    assert (done.turns[-1], done.rounds) == (summary, 2)
