"""Exercises that check themselves: ``check``, ``hint`` and ``solution`` for learners, ``exercise`` for authors.

An exercise is a function that is given the learner's answer and raises ``Wrong`` with the first input that
fails:

    @exercise("02.a", solution=answer_unknown, hints=("What could the model do with it?", "…"))
    def check_answer_unknown(answer):
        expect(answer, "wether", ["weather"], ok=lambda text: "weather" in text, wanted="the names that exist")

The answer runs on a thread of its own, with its own event loop and a time limit: a notebook cell already has a
running loop, and an endless loop must not take the notebook with it. So a check makes the models and
connections it hands to the answer itself, and the answer must not wait for tasks of the notebook's loop.
"""

import importlib
import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agent_mini.workbook.attempt import NotAttempted, Wrong, attempt, brief, call, expect
from agent_mini.workbook.record import Entry, update
from agent_mini.workbook.show import code_view, show

__all__ = [
    "REGISTRY",
    "Exercise",
    "NotAttempted",
    "Wrong",
    "brief",
    "call",
    "check",
    "exercise",
    "exercises_of",
    "expect",
    "get",
    "hint",
    "solution",
]


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Args:
        id: Notebook and letter, as ``02.a``.
        check: Given the answer; raises ``Wrong`` or ``NotAttempted``, or returns.
        solution: The reference answer, which the check accepts.
        source: The reference as Python source.
        hints: From a nudge to nearly the answer.
        seconds: The time limit of one check.
    """

    id: str
    check: Callable[[Any], None]
    solution: Any
    source: str
    hints: tuple[str, ...]
    seconds: float


REGISTRY: dict[str, Exercise] = {}
"""The exercises loaded so far, by id; ``get`` and ``exercises_of`` load those of a notebook."""


def exercise(
    exercise_id: str,
    *,
    solution: Any,
    hints: tuple[str, ...],
    solution_source: str = "",
    seconds: float = 5.0,
) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Register the decorated check as an exercise.

    Args:
        exercise_id: Notebook and letter, as ``02.a``.
        solution: The reference answer.
        hints: One to three, each giving a little more away.
        solution_source: What to show as the reference; a function or a class shows its own source.
        seconds: The time limit of one check.

    Raises:
        ValueError: The id is malformed or taken, or there is no source or no hint to show.
    """
    if not re.fullmatch(r"\d\d\.[a-z]", exercise_id):
        raise ValueError(f"{exercise_id!r} is not an exercise's id: write it as 02.a")
    if not hints:
        raise ValueError(f"{exercise_id} has no hint")
    if not solution_source and not (inspect.isroutine(solution) or inspect.isclass(solution)):
        raise ValueError(
            f"{exercise_id}: a solution that is neither function nor class needs solution_source"
        )

    def register(check: Callable[[Any], None]) -> Callable[[Any], None]:
        taken = REGISTRY.get(exercise_id)
        if taken is not None and taken.check.__qualname__ != check.__qualname__:
            raise ValueError(f"{exercise_id} is taken by {taken.check.__qualname__}")
        source = solution_source or textwrap.dedent(inspect.getsource(solution))
        REGISTRY[exercise_id] = Exercise(exercise_id, check, solution, source.strip(), tuple(hints), seconds)
        return check

    return register


def get(exercise_id: str) -> Exercise:
    """The exercise of that id.

    Raises:
        KeyError: There is none.
    """
    if exercise_id not in REGISTRY and re.fullmatch(r"\d\d\.[a-z]", exercise_id):
        exercises_of(exercise_id[:2])
    return REGISTRY[exercise_id]


def exercises_of(number: str) -> list[Exercise]:
    """The exercises of notebook ``number`` (two digits), in order; none when it has none."""
    module = f"{__package__}.exercises.nb{number}"
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
    return [REGISTRY[name] for name in sorted(REGISTRY) if name.startswith(f"{number}.")]


def check(exercise_id: str, answer: Any = ...) -> None:
    """Check an answer and print what came of it: passed, not attempted yet, or the first input that fails."""
    found = _find(exercise_id)
    if found is None:
        return
    outcome = attempt(found.check, answer, found.seconds)
    if outcome.state == "not attempted yet":
        print(f'{found.id}  not attempted yet. Stuck? hint("{found.id}")')
        return
    print(f"{found.id}  {outcome.state}" + (f": {outcome.why}" if outcome.why else ""))
    if outcome.printed.strip() and outcome.why:
        print(textwrap.indent(outcome.printed.rstrip(), "      printed: "))
    update(found.id, lambda entry: entry.after_try(passed=outcome.state == "passed"))


def hint(exercise_id: str, number: int | None = None) -> None:
    """Print the next hint, or hint ``number`` (from 1)."""
    found = _find(exercise_id)
    if found is None:
        return
    count = len(found.hints)
    if number is not None and not 1 <= number <= count:
        print(f'{found.id}  has {count} {"hint" if count == 1 else "hints"}: hint("{found.id}", 1)')
        return

    def give(entry: Entry) -> Entry:
        return entry.model_copy(update={"hints": max(entry.hints, number or min(entry.hints + 1, count))})

    entry = update(found.id, give)
    given = number or min(entry.hints, count)
    last = f' (the last one; solution("{found.id}") shows an answer)' if given == count else ""
    print(f"{found.id}  hint {given} of {count}: {found.hints[given - 1]}{last}")


def solution(exercise_id: str) -> None:
    """Show one answer that passes."""
    found = _find(exercise_id)
    if found is not None:
        update(found.id, lambda entry: entry.model_copy(update={"solution": True}))
        show(code_view(f"{found.id}, one answer", found.source))


def _find(exercise_id: str) -> Exercise | None:
    """The exercise, or None after a line that says which there are."""
    try:
        return get(exercise_id)
    except (KeyError, TypeError):
        pass
    number = exercise_id[:2] if isinstance(exercise_id, str) else ""
    known = [found.id for found in exercises_of(number)] if re.fullmatch(r"\d\d", number) else []
    there = (
        f"Notebook {number} has {', '.join(known)}."
        if known
        else 'Write the id first, as check("02.a", answer).'
    )
    print(f"no exercise {brief(exercise_id)}. {there}")
    return None
