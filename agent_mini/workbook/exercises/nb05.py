"""Notebook 05, A team by hand: a verdict read by hand, the rules that end a discussion, a file saved whole."""

import functools
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

from agent_mini import split_thinking
from agent_mini.types import Speaker, StopReason, TeamState, Turn, Usage, Verdict
from agent_mini.workbook.exercise import Wrong, brief, call, exercise, expect


def read_verdict(text):
    visible, _ = split_thinking(text)
    last = (visible.strip().splitlines() or [""])[-1]
    word, _, verdict = last.replace("：", ":").replace("*", "").lower().partition(":")
    approved = word.strip() == "verdict" and verdict.strip(" .。") == "approve"
    return Verdict.APPROVE if approved else Verdict.REVISE


def why_end(state, max_tokens):
    proposed = any(turn.speaker == "proposer" for turn in state.turns)
    if proposed and state.turns[-1].verdict is Verdict.APPROVE:
        return StopReason.CONSENSUS
    if state.rounds >= state.max_rounds:
        return StopReason.ROUND_LIMIT
    if state.usage.total_tokens >= max_tokens:
        return StopReason.TOKEN_LIMIT
    return None


def save_whole(path, pieces):
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
        "split_thinking(text), imported in the first cell, returns the visible text and the thinking.",
        "Bring the last line into one spelling: a plain colon, no asterisks, lower case. Mind a text with no lines.",
        'line.partition(":") gives two sides. Compare each side whole, with ==: `in` also finds "disapprove".',
    ),
)
def check_read_verdict(answer: Callable[[str], Verdict]) -> None:
    for text, verdict in _REVIEWS.items():
        wanted = f"Verdict.{verdict.name}"
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
        wanted = f"StopReason.{reason.name}" if reason else "None"
        used = f"{state.rounds} of {max_rounds} rounds, {tokens} of 1000 tokens"
        try:
            found = call(answer, state, 1000)
        except Wrong as wrong:
            raise Wrong(f"{described}: expected {wanted} ({used}); {wrong}") from None
        if found != reason:
            raise Wrong(f"{described}: returned {brief(found)}, expected {wanted} ({used})")


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
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder).resolve() / "state.json"
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
    if _OPENERS & (words := _words(answer)) and not _ENCODINGS & words:
        raise Wrong("a file is opened for text without an encoding: on Windows, it is often not UTF-8")


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
    """A second save begins and ends just before the first one renames its file."""
    path.write_text("old", encoding="utf-8")
    found: list[Wrong | None] = []

    def second(source: Path) -> None:
        try:
            _ready(source, path)
            _save_meanwhile(answer, path)
        except Wrong as wrong:
            found.append(wrong)
            raise
        found.append(None)

    try:
        with _BeforeRename(path, second):
            answer(path, ["first ", "问题"])
    except Exception as error:
        raise next(filter(None, found), _collided(error)) from None
    if not found:
        raise Wrong("nothing was renamed to the file's name: a rename is the step that cannot stop half way")
    if wrong := found[0]:
        raise wrong
    _holds(path, "first 问题", "two savers at once: after the one that ended later")


def _ready(source: Path, path: Path) -> None:
    """Whether ``source`` may get the name ``path`` now."""
    if source.parent != path.parent:
        raise Wrong(
            "the new text is in another folder, which may be on another disk: moving it from there is a "
            "copy, and a copy can stop half way. Write it in the folder of the file"
        )
    if not path.exists():
        raise Wrong("the old file is removed before the new one has its name: a crash in between leaves none")
    _holds(source, "first 问题", "when it is renamed", "the new file")


def _save_meanwhile(answer: Callable[[Path, Iterable[str]], None], path: Path) -> None:
    """Save on another thread, as a second saver would."""
    raised: list[Exception] = []

    def save() -> None:
        try:
            answer(path, ["second"])
        except Exception as error:
            raised.append(error)

    saver = threading.Thread(target=save, daemon=True)
    saver.start()
    saver.join(2)
    if saver.is_alive():
        raise Wrong(
            "a second save began while the first was under way, and did not finish in 2 seconds: a lock waits "
            "for ever here. Two saves with different temporary names need no lock"
        )
    if raised:
        raise _collided(raised[0])


def _collided(error: Exception) -> Wrong:
    return Wrong(f"two savers at once: {type(error).__name__}; did both write to one temporary name?")


class _BeforeRename:
    """Within the block, calls ``step`` once, with the source, just before a file is renamed to ``path``.

    Python tells its audit hooks of every rename, however it is called. A hook stays for good, so there is one.
    """

    current: "_BeforeRename | None" = None

    def __init__(self, path: Path, step: Callable[[Path], None]) -> None:
        self.path, self.step = path, step

    def __enter__(self) -> None:
        _install_hook()
        _BeforeRename.current = self

    def __exit__(self, *error: object) -> None:
        _BeforeRename.current = None


@functools.cache
def _install_hook() -> None:
    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "os.rename" and (waiting := _BeforeRename.current):
            source, target = (Path(os.path.realpath(os.fsdecode(name))) for name in args[:2])
            if target == waiting.path:
                _BeforeRename.current = None
                waiting.step(source)

    sys.addaudithook(hook)


_OPENERS = {"open", "fdopen", "write_text", "NamedTemporaryFile"}
_ENCODINGS = {"encoding", "encode", "bytes", "utf-8", "utf8", "UTF-8", "UTF8"}


def _words(part: object) -> set[str]:
    """The names and texts in a function's code.

    Where Python runs in UTF-8 mode, a forgotten encoding has no effect that could be seen from outside.
    """
    if isinstance(part, str):
        return {part}
    if isinstance(part, tuple):
        return set().union(*map(_words, part))
    if isinstance(part, CodeType):
        return _words(part.co_names) | _words(part.co_consts)
    return _words(getattr(part, "__code__", ()))


def _holds(path: Path, text: str, when: str, what: str = "the file") -> None:
    if not path.exists():
        raise Wrong(f"{when}, there is no file")
    found = path.read_bytes().decode("utf-8", errors="replace")
    if found != text:
        raise Wrong(f"{when}, {what} holds {brief(found)}; expected {brief(text)}")
