"""What the planner must understand, in figures. Of the part that is held out, only figures are ever shown."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from agent_mini.config import CHECKOUT
from agent_mini.planner import Figures, Intents, Plan, Step, measure, plan
from agent_mini.tools import Toolbox

EVALS = CHECKOUT / "data" / "evals"
Measured = Callable[[str], Figures]


@pytest.fixture(scope="module")
def measured(intents: Intents, tools: Toolbox, day: date) -> Measured:
    return lambda name: measure(
        EVALS / name, lambda text, before: plan(text, tools, intents, before, day=day)
    )


def test_the_part_it_was_tuned_on(measured: Measured) -> None:
    figures = measured("intents.jsonl")
    assert figures.tool_choice >= 0.95, f"{figures}: {figures.missed}"
    assert figures.slot_filling >= 0.90, f"{figures}: {figures.missed}"
    assert figures.negatives >= 0.97, f"{figures}: {figures.missed}"


def test_the_part_held_out(measured: Measured) -> None:
    figures = measured("intents_heldout.jsonl")
    reached = (figures.tool_choice >= 0.90, figures.slot_filling >= 0.85, figures.negatives >= 0.97)
    if not all(reached):
        pytest.fail(str(figures), pytrace=False)


def test_figures_count_what_is_right(tmp_path: Path) -> None:
    rows = [
        {
            "id": "1",
            "kind": "everyday",
            "text": "a",
            "steps": [{"tool": "x", "arguments": {"p": 1}}],
            "ask": None,
        },
        {"id": "2", "kind": "everyday", "text": "b", "steps": [{"tool": "x", "arguments": {}}], "ask": "p"},
        {"id": "3", "kind": "negative", "text": "c", "steps": [], "ask": None},
        {"id": "4", "kind": "negative", "text": "d", "steps": [], "ask": None},
        {
            "id": "5",
            "kind": "sum",
            "text": "e",
            "steps": [{"tool": "c", "arguments": {"expression": "2 + 3"}}],
            "ask": None,
        },
        {
            "id": "6",
            "kind": "sum",
            "text": "f",
            "steps": [{"tool": "c", "arguments": {"expression": "$1.a * 2"}}],
            "ask": None,
        },
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    steps = {
        "a": Step("x", "x", {"p": 1, "q": 2}, 1),
        "c": Step("y", "y", {}, 1),
        "e": Step("c", "c", {"expression": "3+2"}, 1),
        "f": Step("c", "c", {"expression": "$2.a * 2"}, 1),
    }
    figures = measure(path, lambda text, before: Plan(text, steps=(steps[text],) if text in steps else ()))

    assert figures.kinds == {"everyday": (1, 2), "negative": (1, 2), "sum": (2, 2)}
    assert figures.tool_choice == 4 / 6
    assert figures.negatives == 0.5
    assert figures.slots == (2, 4)  # one unexpected argument, one reference that leads elsewhere
    assert figures.confusions == {
        ("x", "x"): 1,
        ("x", "nothing"): 1,
        ("nothing", "y"): 1,
        ("nothing", "nothing"): 1,
        ("c", "c"): 2,
    }
    assert figures.missed == ("1", "2", "3", "6")
    assert str(figures) == "6 utterances: tools 0.667, slots 0.500, negatives 0.500"
