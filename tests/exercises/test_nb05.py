"""The exercises of notebook 05."""

import os
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from agent_mini.types import StopReason, TeamState, Turn, Verdict

Holds = Callable[..., None]


def test_05a(exercise_holds: Holds) -> None:
    def anywhere(text: str) -> str:
        return "approve" if "VERDICT: APPROVE" in text else "revise"

    def last_line_as_it_is(text: str) -> str:
        return "approve" if text.strip().endswith("VERDICT: APPROVE") else "revise"

    def half_width_only(text: str) -> Verdict:
        last = (text.strip().splitlines() or [""])[-1].replace("*", "").rstrip(".").lower()
        return Verdict.APPROVE if last == "verdict: approve" else Verdict.REVISE

    def thinking_counts(text: str) -> Verdict:
        last = (text.strip().splitlines() or [""])[-1].replace("*", "").replace("：", ":").lower()
        return Verdict.APPROVE if re.search(r"verdict:\s*approve[.。]?$", last) else Verdict.REVISE

    def last_of_nothing(text: str) -> str:
        return "approve" if "verdict: approve" in text.splitlines()[-1].lower() else "revise"

    exercise_holds(
        "05.a",
        (anywhere, "**Verdict:** approve.') returned 'revise'; expected a clear approval"),
        (last_line_as_it_is, "**Verdict:** approve.') returned 'revise'; expected a clear approval"),
        (
            half_width_only,
            "VERDICT：APPROVE。\\n') returned <Verdict.REVISE: 'revise'>; expected a clear approval",
        ),
        (thinking_counts, "<think>The last line could be\\nVERDICT: APPROVE') returned <Verdict.APPROVE"),
        (last_of_nothing, "expected a clear approval"),
        (lambda text: text.lower(), "expected a clear approval"),
    )


def test_05b(exercise_holds: Holds) -> None:
    def limits_first(state: TeamState, max_tokens: int) -> StopReason | None:
        if state.rounds >= state.max_rounds:
            return StopReason.ROUND_LIMIT
        if state.usage.total_tokens >= max_tokens:
            return StopReason.TOKEN_LIMIT
        proposed = any(turn.speaker == "proposer" for turn in state.turns)
        return StopReason.CONSENSUS if proposed and _approves(state.turns[-1]) else None

    def ever_approved(state: TeamState, max_tokens: int) -> StopReason | None:
        return StopReason.CONSENSUS if any(map(_approves, state.turns)) else _limit(state, max_tokens)

    def approval_of_nothing(state: TeamState, max_tokens: int) -> StopReason | None:
        approved = state.turns and _approves(state.turns[-1])
        return StopReason.CONSENSUS if approved else _limit(state, max_tokens)

    def counts_the_summary(state: TeamState, max_tokens: int) -> StopReason | None:
        if _approved(state):
            return StopReason.CONSENSUS
        return StopReason.ROUND_LIMIT if len(state.turns) >= state.max_rounds else None

    def only_over_the_limit(state: TeamState, max_tokens: int) -> StopReason | None:
        if _approved(state):
            return StopReason.CONSENSUS
        return StopReason.ROUND_LIMIT if state.rounds > state.max_rounds else None

    def tokens_of_turns(state: TeamState, max_tokens: int) -> StopReason | None:
        if _approved(state):
            return StopReason.CONSENSUS
        if state.rounds >= state.max_rounds:
            return StopReason.ROUND_LIMIT
        spent = sum(turn.usage.total_tokens for turn in state.turns)
        return StopReason.TOKEN_LIMIT if spent >= max_tokens else None

    exercise_holds(
        "05.b",
        (limits_first, "an approval in the last round: returned <StopReason.ROUND_LIMIT"),
        (ever_approved, "an approval, and then a new proposal: returned <StopReason.CONSENSUS"),
        (approval_of_nothing, "an approval before anything was proposed: returned <StopReason.CONSENSUS"),
        (counts_the_summary, "three turns, the last of them the summary: returned <StopReason.ROUND_LIMIT"),
        (only_over_the_limit, "as many turns as rounds are allowed: returned None, expected a reason to end"),
        (tokens_of_turns, "exactly as many tokens as are allowed: returned None"),
        (lambda state, max_tokens: state.turns[-1].verdict, "raised IndexError"),
    )


def test_05c(exercise_holds: Holds) -> None:
    def in_place(path: Path, pieces: Iterable[str]) -> None:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(pieces)

    def joined_in_place(path: Path, pieces: Iterable[str]) -> None:
        path.write_text("".join(pieces), encoding="utf-8")

    def leaves_it_behind(path: Path, pieces: Iterable[str]) -> None:
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(pieces)
        Path(name).replace(path)

    def swallows_the_error(path: Path, pieces: Iterable[str]) -> None:
        handle, name = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.writelines(pieces)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink()

    def one_name_for_all(path: Path, pieces: Iterable[str]) -> None:
        beside = path.with_suffix(".tmp")
        try:
            with beside.open("w", encoding="utf-8") as file:
                file.writelines(pieces)
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise

    exercise_holds(
        "05.c",
        (in_place, "failed half way, the file holds 'new, first half'; expected 'old'"),
        (joined_in_place, "the old file was opened and written over"),
        (leaves_it_behind, "1 other file is left in the folder"),
        (swallows_the_error, "the caller was not told"),
        (one_name_for_all, "two savers at once"),
        (lambda path, pieces: "".join(pieces), "after the first save, there is no file"),
    )


def _approves(turn: Turn) -> bool:
    return turn.verdict is Verdict.APPROVE


def _approved(state: TeamState) -> bool:
    return any(turn.speaker == "proposer" for turn in state.turns) and _approves(state.turns[-1])


def _limit(state: TeamState, max_tokens: int) -> StopReason | None:
    if state.rounds >= state.max_rounds:
        return StopReason.ROUND_LIMIT
    return StopReason.TOKEN_LIMIT if state.usage.total_tokens >= max_tokens else None
