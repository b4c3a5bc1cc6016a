"""Notebook 05, A team by hand: a verdict read by hand, the rules that end a discussion, a file saved whole."""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from agent_mini import split_thinking
from agent_mini.types import Speaker, StopReason, TeamState, Turn, Usage, Verdict
from agent_mini.workbook.exercise import Wrong, brief, call, exercise, expect


def read_verdict(text: str) -> Verdict:
    visible, _ = split_thinking(text)
    last = visible.splitlines()[-1] if visible else ""
    word, _, verdict = last.replace("：", ":").replace("*", "").lower().partition(":")
    approved = word.strip() == "verdict" and verdict.strip(" .。") == "approve"
    return Verdict.APPROVE if approved else Verdict.REVISE


def why_end(state: TeamState, max_tokens: int) -> StopReason | None:
    proposed = any(turn.speaker == "proposer" for turn in state.turns)
    if proposed and state.turns[-1].verdict is Verdict.APPROVE:
        return StopReason.CONSENSUS
    if state.rounds >= state.max_rounds:
        return StopReason.ROUND_LIMIT
    if state.usage.total_tokens >= max_tokens:
        return StopReason.TOKEN_LIMIT
    return None


def save_whole(path: Path, pieces: Iterable[str]) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink()
        raise


_REVIEWS = {
    "The order is right.\n\nVERDICT: APPROVE": Verdict.APPROVE,
    "The order is right.\n\nVERDICT: REVISE": Verdict.REVISE,
    "Ready.\n\n**Verdict:** approve.": Verdict.APPROVE,
    "可以上线。\n\nVERDICT：APPROVE。\n": Verdict.APPROVE,
    "<think>Nothing is missing.</think>VERDICT: APPROVE": Verdict.APPROVE,
    "<think>The last line could be\nVERDICT: APPROVE": Verdict.REVISE,
    "VERDICT: APPROVE\n\nOne more thing: who is on call?": Verdict.REVISE,
    "Ready, nearly.\n\nVERDICT: APPROVE once step 2 names an owner": Verdict.REVISE,
    "It is too early to say VERDICT: APPROVE": Verdict.REVISE,
    "VERDICT: DISAPPROVE": Verdict.REVISE,
    "I approve.": Verdict.REVISE,
    "": Verdict.REVISE,
}


@exercise(
    "05.a",
    solution=read_verdict,
    hints=(
        "Cut away what must not count before you look: the thinking, and every line but the last. "
        "split_thinking(text) returns the visible text and the thinking.",
        "Bring the last line into one spelling: a plain colon, no asterisks, lower case. Mind a text with no lines.",
        'line.partition(":") gives two sides. Compare each side whole, with ==: `in` also finds "disapprove".',
    ),
)
def check_read_verdict(answer: Callable[[str], Verdict]) -> None:
    for text, verdict in _REVIEWS.items():
        wanted = "a clear approval" if verdict is Verdict.APPROVE else "a request for changes"
        expect(answer, text, ok=lambda found, verdict=verdict: found == verdict, wanted=wanted)


def _turn(speaker: Speaker, verdict: Verdict | None = None) -> Turn:
    return Turn(speaker, "", "", verdict, usage=Usage(50, 10))


_PROPOSAL, _PERSON, _SUMMARY = _turn("proposer"), _turn("person"), _turn("summariser")
_APPROVAL, _CHANGES = _turn("critic", Verdict.APPROVE), _turn("critic", Verdict.REVISE)

# What the discussion is like; its turns, rounds at most, tokens so far; why it ends when 1000 tokens are allowed.
_DISCUSSIONS: tuple[tuple[str, tuple[Turn, ...], int, int, StopReason | None], ...] = (
    ("a new discussion", (), 8, 0, None),
    ("one proposal, not reviewed", (_PROPOSAL,), 8, 100, None),
    ("a review that asks for changes", (_PROPOSAL, _CHANGES), 8, 200, None),
    ("a review that approves", (_PROPOSAL, _APPROVAL), 8, 200, StopReason.CONSENSUS),
    ("an approval in the last round", (_PROPOSAL, _APPROVAL), 2, 200, StopReason.CONSENSUS),
    ("an approval that used the last token", (_PROPOSAL, _APPROVAL), 8, 1000, StopReason.CONSENSUS),
    ("an approval, and then a new proposal", (_PROPOSAL, _APPROVAL, _PROPOSAL), 8, 300, None),
    ("an approval before anything was proposed", (_APPROVAL,), 8, 100, None),
    ("as many turns as rounds are allowed", (_PERSON, _PROPOSAL), 2, 200, StopReason.ROUND_LIMIT),
    ("no rounds allowed", (), 0, 0, StopReason.ROUND_LIMIT),
    ("three turns, the last of them the summary", (_PROPOSAL, _CHANGES, _SUMMARY), 3, 300, None),
    ("exactly as many tokens as are allowed", (_PROPOSAL,), 8, 1000, StopReason.TOKEN_LIMIT),
    ("both limits reached", (_PROPOSAL, _CHANGES), 2, 2000, StopReason.ROUND_LIMIT),
)


@exercise(
    "05.b",
    solution=why_end,
    hints=(
        "Three questions in a row, the first yes returns: approved? rounds used up? tokens used up? Then None.",
        "Only the last turn can approve, and only when some turn before it is a proposer's. An empty discussion "
        "has no last turn.",
        "Reaching a limit is enough, so compare with >=. state.rounds counts the rounds; state.usage.total_tokens "
        "has the coordinator's tokens too, which no turn has.",
    ),
)
def check_why_end(answer: Callable[[TeamState, int], StopReason | None]) -> None:
    for described, turns, max_rounds, tokens, reason in _DISCUSSIONS:
        state = TeamState("Which database?", "en", max_rounds, turns=turns, usage=Usage(tokens))
        found = call(answer, state, 1000)
        if found != reason:
            wanted = "another reason" if found and reason else "a reason to end" if reason else "None"
            raise Wrong(
                f"{described}: returned {brief(found)}, expected {wanted} "
                f"({state.rounds} of {max_rounds} rounds, {tokens} of 1000 tokens)"
            )


class _DiskFull(OSError):
    """What the pieces raise half way."""


@exercise(
    "05.c",
    solution=save_whole,
    hints=(
        "Never open the file itself for writing: open(path, 'w') empties it before the first piece is there. Write "
        "beside it, and give it the name at the end.",
        "tempfile.mkstemp(dir=path.parent) makes a new file in the same folder, with a name nobody else uses. "
        "os.fdopen(handle, 'w', encoding='utf-8') writes to it. Path(name).replace(path) comes last.",
        "Put all of it into try. On any exception remove the new file and raise again. Before the replace, "
        "flush and os.fsync: a name must not reach the disk before its content.",
    ),
)
def check_save_whole(answer: Callable[[Path, Iterable[str]], None]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.json"
        call(answer, path, ["round 1: ", "问题"])
        _holds(path, "round 1: 问题", "after the first save")
        path.write_text("old", encoding="utf-8")
        _fails_half_way(answer, path)
        before = path.stat().st_ino
        call(answer, path, ["round ", "2"])
        _holds(path, "round 2", "after a second save")
        if path.stat().st_ino == before:
            raise Wrong(
                "the old file was opened and written over: a crash in there leaves a part of the new text"
            )
        _two_at_once(answer, path)


def _fails_half_way(answer: Callable[[Path, Iterable[str]], None], path: Path) -> None:
    """The disk is full after the first piece."""

    def pieces() -> Iterator[str]:
        yield "new, first half"
        raise _DiskFull("No space left on device")

    try:
        answer(path, pieces())
    except _DiskFull:
        pass
    else:
        raise Wrong("the disk was full half way, and the caller was not told: raise the error again")
    _holds(path, "old", "after a save that failed half way")
    if others := len(list(path.parent.iterdir())) - 1:
        raise Wrong(f"after a save that failed half way, {others} other file is left in the folder")


def _two_at_once(answer: Callable[[Path, Iterable[str]], None], path: Path) -> None:
    """One save is half way when another one begins and ends."""

    def pieces() -> Iterator[str]:
        yield "first "
        answer(path, ["second"])
        yield "saver"

    try:
        answer(path, pieces())
    except OSError as error:
        raise Wrong(
            f"two savers at once: {type(error).__name__}; did both write to one temporary name?"
        ) from None
    _holds(path, "first saver", "two savers at once: after the later one")


def _holds(path: Path, text: str, when: str) -> None:
    if not path.exists():
        raise Wrong(f"{when}, there is no file")
    found = path.read_bytes().decode("utf-8", errors="replace")
    if found != text:
        raise Wrong(f"{when}, the file holds {brief(found)}; expected {brief(text)}")
