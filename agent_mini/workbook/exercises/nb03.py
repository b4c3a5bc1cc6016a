"""The exercises of notebook 03, tools that act: a path in pieces, a request done once, a tool of one's own."""

import inspect
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from agent_mini.handwritten import run_tool_loop
from agent_mini.models import ScriptedModel
from agent_mini.tools import Tool, ToolError, tool
from agent_mini.types import ToolCall, ToolResult, user
from agent_mini.workbook.exercise import Wrong, brief, exercise, expect
from agent_mini.workbook.exercise import call as call_answer

_REFUSED = "a ToolError"
"""Stands for what a wrapped answer raised."""


def _tell_refusal(answer: Callable[..., Any]) -> Callable[..., Any]:
    """``answer``, except that a ``ToolError`` comes back as ``_REFUSED``; any other exception still is one."""
    if not callable(answer):
        call_answer(answer)  # says so

    @wraps(answer)
    def tried(*args: Any, **kwargs: Any) -> Any:
        try:
            return answer(*args, **kwargs)
        except ToolError:
            return _REFUSED

    return tried


# --- 03.a ---------------------------------------------------------------------------------------------------


def safe_pieces(path):
    devices = {"CON", "PRN", "AUX", "NUL"} | {f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10)}
    pieces = path.split("/")
    for piece in pieces:
        if piece.strip(". ") == "":
            raise ToolError(f"path: {piece!r} is no name")
        if any(character in '\\:*?"<>|' or not character.isprintable() for character in piece):
            raise ToolError(f"path: {piece!r} has a character that is not allowed")
        if piece[-1] in ". ":
            raise ToolError(f"path: {piece!r} ends with a dot or a space")
        if piece.split(".")[0].upper() in devices:
            raise ToolError(f"path: {piece!r} is a device on Windows")
    return pieces


@exercise(
    "03.a",
    solution=safe_pieces,
    hints=(
        'Split at "/" and look at each piece on its own. An absolute path and "a//b" then have an empty piece.',
        "Four questions for each piece: is it empty or only dots? does it hold a character that is not allowed "
        "(str.isprintable finds control characters)? does it end with a dot or a space? is it a device?",
        'For devices: piece.split(".")[0].upper() in {"CON", "PRN", "AUX", "NUL", "COM1", ..., "LPT9"}.',
    ),
)
def check_safe_pieces(answer):
    tried = _tell_refusal(answer)
    cases: tuple[tuple[str, str], ...] = (
        ("notes/today.txt", ""),
        ("笔记/今天.txt", ""),
        ("../secret.txt", "'..' leads out of the folder"),
        ("notes/../../secret.txt", "'..' leads out of the folder, wherever it stands"),
        ("/etc/passwd", "the path is absolute"),
        ("./note.txt", "'.' is no name"),
        ("notes//today.txt", "a piece is empty"),
        ("notes/", "the last piece is empty"),
        ("..\\secret.txt", "a backslash separates folders on Windows"),
        ("C:secret.txt", "a drive letter leads to another disk on Windows"),
        ("note.txt:hidden", "after a colon Windows reads another stream of the same file"),
        ("note\0.txt", "it holds a NUL character"),
        ("note\n.txt", "it holds a line break"),
        ("note\x1b.txt", "it holds a control character, escape"),
        ("note\x7f.txt", "it holds a control character, delete"),
        ("my notes.txt", ""),
        ("100%.txt", ""),
        ("note.txt.", "Windows drops a dot at the end: this is note.txt"),
        ("notes /today.txt", "Windows drops a space at the end of a name"),
        ("notes/NUL", "NUL is a device on Windows"),
        ("con.txt", "CON is a device on Windows, with an extension and in any case"),
        ("Aux.tar.gz", "AUX is a device on Windows, whatever follows the first dot"),
        ("LPT9", "LPT9 is a device on Windows"),
        ("console.txt", ""),
        ("2026..2027.txt", ""),
        ("..notes/.hidden", ""),
        ("", "it is empty"),
    )
    for path, fault in cases:
        if fault:
            expect(tried, path, ok=lambda got: got == _REFUSED, wanted=f"{_REFUSED}: {fault}")
            continue
        got = call_answer(tried, path)
        if got == _REFUSED:
            raise Wrong(f"{path!r} was refused; expected its pieces: nothing is wrong with it")
        if not isinstance(got, list | tuple) or list(got) != path.split("/"):
            raise Wrong(f"for {path!r} you returned {brief(got)}; expected its pieces, a list of names")


# --- 03.b ---------------------------------------------------------------------------------------------------


def once(act):
    done = {}

    def run(request_id, **arguments):
        if request_id not in done:
            done[request_id] = arguments, act(**arguments)
        known, result = done[request_id]
        if known != arguments:
            raise ToolError(f"request_id {request_id!r} was used before, with other arguments")
        return result

    return run


class _Act:
    """Something that acts: it notes what it did, and gives what it is told to give."""

    def __init__(self, gives: tuple[Any, ...] = ()) -> None:
        self.done: list[dict[str, Any]] = []
        self._gives = list(gives)

    def __call__(self, **arguments: Any) -> Any:
        result = self._gives.pop(0) if self._gives else f"item {len(self.done) + 1}"
        if isinstance(result, Exception):
            raise result
        self.done.append(arguments)
        return result


@exercise(
    "03.b",
    solution=once,
    hints=(
        "once makes a dict and a function inside it that uses the dict. The key is the request_id; keep the "
        "arguments and the result.",
        "First act, then note the result: when act raises, there is nothing to note. Ask `in`, since a result may "
        "be None.",
        "done[request_id] = arguments, act(**arguments) notes both; after that compare the arguments and return "
        "the noted result, for the first time as for any other.",
    ),
)
def check_once(answer):
    rent, milk = {"title": "交房租"}, {"title": "买牛奶"}
    act = _Act()
    run = _made(answer, act)
    _same_again(run, act, "r1", rent, "item 1")
    other = _Act()
    if call_answer(_made(answer, other), "r1", **rent) != "item 1" or len(other.done) != 1:
        raise Wrong(
            "once was called for a second act, and run('r1', …) did not run it; expected a memory for each"
        )
    got = call_answer(run, "r2", **rent)
    if len(act.done) != 2 or got != "item 2":
        raise Wrong(
            f"after run('r1', …), run('r2', …) returned {brief(got)} and act ran {_times(act)} in all; expected "
            "'item 2' and 2 times: a new request_id is a new request, even for the same thing"
        )
    got = call_answer(run, "r1", **milk)
    if got != _REFUSED or len(act.done) != 2:
        raise Wrong(
            f"run('r1', title='交房租'), then run('r1', title='买牛奶') gave {brief(got)}; expected {_REFUSED}: "
            "the request_id was used for something else"
        )
    both = {"title": "交房租", "due": "明天"}
    ordered = _Act()
    run = _made(answer, ordered)
    call_answer(run, "r1", **both)
    got = call_answer(run, "r1", **dict(reversed(both.items())))
    if got != "item 1" or len(ordered.done) != 1:
        raise Wrong(
            f"the same request with its keyword arguments in another order gave {brief(got)} and act ran "
            f"{_times(ordered)}; expected 'item 1' and once: the order of keyword arguments means nothing"
        )
    nothing = _Act(gives=(None,))
    _same_again(_made(answer, nothing), nothing, "r1", rent, None)
    listed = _Act()
    _same_again(_made(answer, listed), listed, "r1", {"titles": ["交房租", "买牛奶"]}, "item 1")
    broken = _Act(gives=(ToolError("the disk is full"),))
    run = _made(answer, broken)
    if call_answer(run, "r1", **rent) != _REFUSED:
        raise Wrong("act raised ToolError; expected run to let it through")
    got = call_answer(run, "r1", **rent)
    if got != "item 1":
        raise Wrong(
            f"act raised, and the same request came again: run returned {brief(got)}; expected 'item 1': "
            "what failed was not done, so it is tried again"
        )


def _made(answer: Callable[..., Any], act: _Act) -> Callable[..., Any]:
    def act_here(**arguments: Any) -> Any:
        return act(**arguments)

    act_here.__qualname__ = "act"
    made = expect(answer, act_here, ok=callable, wanted="a function run(request_id, **arguments)")
    run = _tell_refusal(made)
    run.__qualname__ = "run"
    return run


def _same_again(run: Callable[..., Any], act: _Act, key: str, arguments: dict[str, Any], right: Any) -> None:
    written = f"run({key!r}, {', '.join(f'{name}={value!r}' for name, value in arguments.items())})"
    results = [call_answer(run, key, **arguments) for _ in range(2)]
    if results[0] != right:
        raise Wrong(f"{written} returned {brief(results[0])}; expected what act returned, {right!r}")
    if len(act.done) != 1:
        raise Wrong(f"{written} twice, where act returns {right!r}: act ran {_times(act)}; expected once")
    if results[1] != right:
        raise Wrong(f"{written} a second time returned {brief(results[1])}; expected {right!r} again")


def _times(act: _Act) -> str:
    return "once" if len(act.done) == 1 else f"{len(act.done)} times"


# --- 03.c ---------------------------------------------------------------------------------------------------


@tool(title="Split a bill", read_only=True)
def split_bill(total: float, people: int) -> list[float]:
    """Split a bill evenly, to the cent. Use it when several people share a cost.

    Args:
        total: The sum to pay, in yuan.
        people: How many share it, at least 1.
    """
    if people < 1:
        raise ToolError(f"people: must be at least 1; given {people}")
    share, left = divmod(round(total * 100), people)
    return [(share + (number < left)) / 100 for number in range(people)]


@exercise(
    "03.c",
    solution=split_bill,
    solution_source=inspect.getsource(inspect.unwrap(split_bill.handler)),
    hints=(
        '@tool(title="…", read_only=True) stands above a function with a docstring and a type for each parameter: '
        "total: float, people: int.",
        "Count in cents, so that nothing is lost: divmod(round(total * 100), people) gives everybody's share and "
        "the cents left over. The first ones pay one cent more.",
        "Before that: if people < 1: raise ToolError(f'people: must be at least 1; given {people}')",
    ),
)
def check_split_bill(answer):
    if not isinstance(answer, Tool):
        raise Wrong(f"expected a Tool, got {brief(answer)}: @tool above the function makes one of it")
    if answer.name != "split_bill":
        raise Wrong(f"the tool is called {answer.name!r}; expected 'split_bill'")
    if not answer.description:
        raise Wrong("the tool has no description, so no model knows when to use it; expected a docstring")
    types = {name: part.get("type") for name, part in answer.schema["properties"].items()}
    if types != {"total": "number", "people": "integer"}:
        raise Wrong(f"the schema has {types}; expected total, a number, and people, an integer")
    if not answer.read_only or answer.side_effects:
        raise Wrong("the marks say that it changes something; expected read_only: it only computes")
    for total, people in ((100, 4), (100, 3), (0.05, 3), (19.99, 7), (0.3, 3), (1234.56, 1)):
        result = _in_a_loop(answer, total=total, people=people)
        asked = f"the model called split_bill with total {total} and people {people}"
        if not result.ok:
            raise Wrong(f"{asked} and was told {result.content!r}; expected the shares")
        if problem := _unfair(result.data, total, people):
            raise Wrong(f"{asked} and got {brief(result.data)}; expected {problem}")
    for people in (0, -2):
        result = _in_a_loop(answer, total=100, people=people)
        asked = f"the model called split_bill with people {people} and was told {result.content!r}"
        if result.ok or result.content.startswith("split_bill failed"):
            raise Wrong(f"{asked}; expected a ToolError that says what is accepted")
        if "people" not in result.content:
            raise Wrong(f"{asked}; expected the name of the argument that is wrong, people")


def _in_a_loop(answer: Tool, **arguments: Any) -> ToolResult:
    """What a model gets that calls the tool in the real loop."""

    async def loop(split_bill: Tool) -> ToolResult:
        model = ScriptedModel([ToolCall("c1", "split_bill", json.dumps(arguments)), "Done."])
        result = await run_tool_loop(model, [user("Split the bill.")], [split_bill])
        return result.steps[0].result

    return call_answer(loop, answer)


def _unfair(shares: Any, total: float, people: int) -> str:
    """What is expected of the shares and does not hold; empty when all holds."""
    if not isinstance(shares, list) or not all(isinstance(share, int | float) for share in shares):
        return "a list of numbers"
    if len(shares) != people:
        return f"{people} shares"
    cents = [round(share * 100) for share in shares]
    if any(abs(share * 100 - cent) > 1e-6 for share, cent in zip(shares, cents, strict=True)):
        return "whole cents"
    if sum(cents) != round(total * 100):
        return f"shares that add up to {total}"
    return "" if max(cents) - min(cents) <= 1 else "shares that differ by one cent at most"
