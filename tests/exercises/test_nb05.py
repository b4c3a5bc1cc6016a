"""The exercises of notebook 05."""

import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable
from os import replace as rename_to
from pathlib import Path

from agent_mini.types import StopReason, TeamState, Turn, Verdict
from agent_mini.workbook.attempt import attempt
from agent_mini.workbook.exercise import get

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
        (anywhere, "**Verdict:** approve.') returned 'revise'; expected Verdict.APPROVE"),
        (last_line_as_it_is, "**Verdict:** approve.') returned 'revise'; expected Verdict.APPROVE"),
        (
            half_width_only,
            "VERDICT：APPROVE。\\n') returned <Verdict.REVISE: 'revise'>; expected Verdict.APPROVE",
        ),
        (
            thinking_counts,
            "<think>The last line could be\\nVERDICT: APPROVE') returned <Verdict.APPROVE: 'approve'>; "
            "expected Verdict.REVISE",
        ),
        (last_of_nothing, "expected Verdict.APPROVE"),
        (lambda text: text.lower(), "expected Verdict.APPROVE"),
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
        (
            limits_first,
            "returned <StopReason.ROUND_LIMIT: 'round_limit'>, expected StopReason.CONSENSUS (2 of 2",
        ),
        (ever_approved, "an approval, and then a new proposal: returned <StopReason.CONSENSUS"),
        (approval_of_nothing, "an approval before anything was proposed: returned <StopReason.CONSENSUS"),
        (counts_the_summary, "three turns, the last of them the summary: returned <StopReason.ROUND_LIMIT"),
        (
            only_over_the_limit,
            "as many turns as rounds are allowed: returned None, expected StopReason.ROUND_LIMIT",
        ),
        (
            tokens_of_turns,
            "exactly as many tokens as are allowed: returned None, expected StopReason.TOKEN_LIMIT",
        ),
        (lambda state, max_tokens: state.turns[-1].verdict, "a new discussion: expected None"),
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

    def one_name_joined_first(path: Path, pieces: Iterable[str]) -> None:
        text = "".join(pieces)
        beside = Path(f"{path}.tmp")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)

    def in_the_systems_folder(path: Path, pieces: Iterable[str]) -> None:
        text = "".join(pieces)
        handle, name = tempfile.mkstemp()
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        shutil.move(name, path)

    def no_encoding(path: Path, pieces: Iterable[str]) -> None:
        text = "".join(pieces)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w") as file:
            file.write(text)
        Path(name).replace(path)

    lock = threading.Lock()

    def waits_for_a_lock(path: Path, pieces: Iterable[str]) -> None:
        with lock:
            in_its_folder(path, pieces)

    def removes_the_old_one(path: Path, pieces: Iterable[str]) -> None:
        def replace(source: Path, target: Path) -> None:
            target.unlink(missing_ok=True)
            source.rename(target)

        in_its_folder(path, pieces, replace)

    def before_it_is_written(path: Path, pieces: Iterable[str]) -> None:
        text = "".join(pieces)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            Path(name).replace(path)

    def links_it(path: Path, pieces: Iterable[str]) -> None:
        def replace(source: Path, target: Path) -> None:
            target.unlink(missing_ok=True)
            target.hardlink_to(source)
            source.unlink()

        in_its_folder(path, pieces, replace)

    exercise_holds(
        "05.c",
        (in_place, "failed half way, the file holds 'new, first half'; expected 'old'"),
        (joined_in_place, "the old file was opened and written over"),
        (leaves_it_behind, "1 other file is left in the folder"),
        (swallows_the_error, "the caller was not told"),
        (one_name_for_all, "two savers at once"),
        (
            one_name_joined_first,
            "two savers at once: FileNotFoundError; did both write to one temporary name?",
        ),
        (in_the_systems_folder, "the new text is in another folder"),
        (no_encoding, "opened for text without an encoding"),
        (waits_for_a_lock, "a lock waits for ever here"),
        (removes_the_old_one, "the old file is removed before the new one has its name"),
        (before_it_is_written, "when it is renamed, the new file holds ''; expected 'first 问题'"),
        (links_it, "nothing was renamed to the file's name"),
        (lambda path, pieces: "".join(pieces), "after the first save, there is no file"),
    )


def test_05c_takes_other_ways() -> None:
    """A rename called by another name, names that are tried one after the other, bytes, a helper that opens."""

    def numbered(path: Path, pieces: Iterable[str]) -> None:
        number, content = 0, "".join(pieces).encode()
        while True:
            try:
                with Path(f"{path}.{number}").open("xb") as file:
                    file.write(content)
                break
            except FileExistsError:
                number += 1
        rename_to(f"{path}.{number}", path)  # noqa: PTH105 - a rename by any name is seen

    def named(path: Path, pieces: Iterable[str]) -> None:
        with tempfile.NamedTemporaryFile("w", encoding="utf8", dir=path.parent, delete=False) as file:
            try:
                file.writelines(pieces)
            except Exception:
                Path(file.name).unlink()
                raise
        shutil.move(file.name, path)

    for answer in (numbered, named, in_its_folder):
        outcome = attempt(get("05.c").check, answer)
        assert outcome.state == "passed", outcome


def in_its_folder(
    path: Path, pieces: Iterable[str], replace: Callable[[Path, Path], object] = Path.replace
) -> None:
    text = "".join(pieces)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    replace(Path(name), path)


def _approves(turn: Turn) -> bool:
    return turn.verdict is Verdict.APPROVE


def _approved(state: TeamState) -> bool:
    return any(turn.speaker == "proposer" for turn in state.turns) and _approves(state.turns[-1])


def _limit(state: TeamState, max_tokens: int) -> StopReason | None:
    if state.rounds >= state.max_rounds:
        return StopReason.ROUND_LIMIT
    return StopReason.TOKEN_LIMIT if state.usage.total_tokens >= max_tokens else None
