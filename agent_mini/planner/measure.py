"""How well the planner understands: its plans against what people meant, in figures.

A file of utterances has one JSON object a line: ``text``, the turns ``before``, the ``steps`` that are right, and what
to ``ask``.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agent_mini.planner.values import Plan
from agent_mini.tools import ToolError
from agent_mini.tools.calculate import evaluate

Planner = Callable[[str, Sequence[Plan]], Plan]
"""Plans a text, given the plans of the turns before it."""

NOTHING = "nothing"
"""The tool of a request that calls none, in the table of confusions."""

_REFERENCE = re.compile(r"\$\d+\.[\w.]+")


@dataclass(frozen=True)
class Figures:
    """What a file of utterances comes to.

    Args:
        kinds: For each kind of utterance, how many chose the right tools, and how many there are.
        slots: How many arguments are right, and how many there are: those expected, and those given besides.
        confusions: How often a tool was expected (first) and another chosen (second).
        missed: The ids of utterances with a wrong tool or a wrong argument.
    """

    kinds: Mapping[str, tuple[int, int]]
    slots: tuple[int, int]
    confusions: Mapping[tuple[str, str], int]
    missed: tuple[str, ...] = field(default=(), repr=False)

    @property
    def tool_choice(self) -> float:
        """The share of utterances for which just the right tools are called, or the right thing is asked."""
        return _share([sum(column) for column in zip(*self.kinds.values(), strict=True)])

    @property
    def slot_filling(self) -> float:
        """The share of right arguments."""
        return _share(self.slots)

    @property
    def negatives(self) -> float:
        """The share of utterances that ask for nothing and for which nothing is called or asked."""
        return _share(self.kinds.get("negative", (0, 0)))

    def __str__(self) -> str:
        count = sum(total for _, total in self.kinds.values())
        return (
            f"{count} utterances: tools {self.tool_choice:.3f}, slots {self.slot_filling:.3f}, "
            f"negatives {self.negatives:.3f}"
        )


def measure(path: Path, planner: Planner) -> Figures:
    """Plan every utterance of a file and compare.

    Args:
        path: The file of utterances.
        planner: Plans one of them; the turns before it are planned too, and taken as carried out.
    """
    kinds: dict[str, list[int]] = {}
    confusions: Counter[tuple[str, str]] = Counter()
    right = total = 0
    missed: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = cast("dict[str, Any]", json.loads(line))
        plans: list[Plan] = []
        for text in (*row.get("before", ()), row["text"]):
            plans.append(planner(text, tuple(plans)))
        expected, plan = cast("list[dict[str, Any]]", row["steps"]), plans[-1]
        chosen = [step.tool for step in plan.steps]
        asked = plan.ask.slot if plan.ask else None
        correct = chosen == [step["tool"] for step in expected] and asked == row["ask"]
        kind = kinds.setdefault(row["kind"], [0, 0])
        kind[0] += correct
        kind[1] += 1
        confusions.update(_pairs([step["tool"] for step in expected], chosen))
        good, count = _compare(expected, plan)
        right += good
        total += count
        if not correct or good < count:
            missed.append(row["id"])
    return Figures(
        {name: (hit, count) for name, (hit, count) in kinds.items()},
        (right, total),
        confusions,
        tuple(missed),
    )


def _compare(expected: Sequence[Mapping[str, Any]], plan: Plan) -> tuple[int, int]:
    """How many arguments are right, of how many: all expected ones, and all that were not expected."""
    right = total = 0
    for position, step in enumerate(expected):
        wanted = cast("dict[str, Any]", step["arguments"])
        same = position < len(plan.steps) and plan.steps[position].tool == step["tool"]
        given = dict(plan.steps[position].arguments) if same else dict[str, Any]()
        right += sum(name in given and _equal(name, given[name], value) for name, value in wanted.items())
        total += len(wanted.keys() | given.keys())
    return right, total


def _equal(name: str, given: Any, wanted: Any) -> bool:
    if name != "expression" or not isinstance(given, str):
        return bool(given == wanted)
    if _REFERENCE.findall(given) != _REFERENCE.findall(wanted):
        return False
    try:  # any number will do for an earlier result
        return abs(_value(given) - _value(wanted)) < 1e-9
    except ToolError:
        return False


def _value(expression: str) -> float:
    return float(evaluate(_REFERENCE.sub("7", expression)))


def _pairs(expected: Sequence[str], chosen: Sequence[str]) -> Sequence[tuple[str, str]]:
    length = max(len(expected), len(chosen), 1)
    return [
        (
            expected[place] if place < len(expected) else NOTHING,
            chosen[place] if place < len(chosen) else NOTHING,
        )
        for place in range(length)
    ]


def _share(counts: Sequence[int]) -> float:
    return counts[0] / counts[1] if counts[1] else 1.0
