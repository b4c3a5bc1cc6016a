"""agent_mini.planner.intents: the data that ships, data of one's own, and data that cannot be used."""

from datetime import date
from pathlib import Path

import pytest

from agent_mini.config import CHECKOUT
from agent_mini.errors import InputError
from agent_mini.planner import Intents, load_intents, plan, read_intent
from agent_mini.planner.intents import SHARED
from agent_mini.tools import Toolbox, tool

FOLDER = CHECKOUT / "data" / "intents"
TIMER = """
tool = "set_timer"
triggers = ["定时", "timer"]
[slots.minutes]
kind = "number"
required = true
evidence = 1.0
patterns = ["{n}分钟", "{n} minute"]
ask = { zh = "几分钟？", en = "How many minutes?" }
"""


@tool(title="Start a timer")
def set_timer(minutes: int) -> str:
    """Start a timer."""
    return str(minutes)


def test_every_tool_that_ships_has_an_intent_with_its_very_slots(intents: Intents, tools: Toolbox) -> None:
    assert {intent.tool for intent in intents} == set(tools.names)
    for intent in intents:
        offered = tools.get(intent.tool)
        assert offered is not None
        assert intent.slots.keys() <= offered.schema["properties"].keys(), intent.tool
        assert intent.reply, intent.tool
        assert intent.does, intent.tool


def test_every_example_is_understood(intents: Intents, tools: Toolbox, day: date) -> None:
    for intent in intents:
        assert len(intent.examples) >= 3
        for example in intent.examples:
            made = plan(example, tools, intents, day=day)
            assert made.steps[-1].tool == intent.tool, example
            assert made.ask is None, example


def test_every_required_slot_has_its_question(intents: Intents) -> None:
    for intent in intents:
        for name, slot in intent.slots.items():
            if slot.required and slot.default is None and slot.kind != "choice":
                assert slot.ask, f"{intent.tool}.{name}"


def test_an_intent_of_ones_own(intents: Intents, tools: Toolbox, day: date, tmp_path: Path) -> None:
    path = tmp_path / "timer.toml"
    path.write_text(TIMER, encoding="utf-8")
    offered = [*tools, set_timer]
    for mine in (
        intents.plus(read_intent(TIMER)),
        load_intents(FOLDER, path),
        load_intents(FOLDER, tmp_path),
    ):
        made = plan("定时25分钟", offered, mine, day=day)
        assert [(step.tool, dict(step.arguments)) for step in made.steps] == [("set_timer", {"minutes": 25})]
        assert len(mine) == len(intents) + 1


def test_an_intent_for_the_same_tool_takes_the_place_of_the_old(intents: Intents) -> None:
    mine = intents.plus(read_intent('tool = "todo"\ntriggers = ["jot"]'))
    assert len(mine) == len(intents)
    assert [phrase.words for phrase in mine.get("todo").triggers] == ["jot"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "tool: Field required"),
        ("tool = ''", "tool: String should have at least 1 character"),
        ("tool = 'a'\ntriggers = 'b'", "triggers: a list of phrases is wanted"),
        ("tool = 'a'\ntriggers = ['']", "triggers: a phrase is a text with something in it"),
        ("tool = 'a'\ntriggers = [3]", "triggers: a phrase is a text with something in it"),
        ("tool = 'a'\ntriggers = ['…']", "triggers: '…' is nothing but marks"),
        ("tool = 'a'\ntrigger = ['b']", "trigger: no such key; there are tool, triggers, objects"),
        ("tool = 'a'\n[slots.x]\nkind = 'colour'", "slots.x.kind: Input should be 'choice', 'city'"),
        (
            "tool = 'a'\n[slots.x]\nkind = 'text'\nbefore = ['b']",
            "slots.x.before: no such key; there are kind, required",
        ),
        ("tool = 'a'\n[[reply]]\nzh = '好'", "reply.0.en: Field required"),
        ("tool = [", "Invalid value"),
    ],
)
def test_text_that_is_no_intent_is_refused_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        read_intent(text, Path("mine.toml"))

    assert caught.value.message.startswith("mine.toml: ")
    assert reason in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("missing", sorted(SHARED))
def test_a_shared_file_that_is_missing_is_named(tmp_path: Path, missing: str) -> None:
    for path in FOLDER.glob("*.toml"):
        if path.name != missing:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(InputError, match=missing):
        load_intents(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("weights.toml", "act = 'high'", "act: Input should be a valid number"),
        ("weights.toml", "acts = 1", "acts: no such key; there are trigger, front"),
        ("language.toml", "polite_before = 'please'", "polite_before: Input should be a valid tuple"),
        ("places.toml", "zh = ''", "en: Field required"),
        ("todo.toml", "\xff", "todo.toml"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, name: str, text: str, reason: str) -> None:
    for path in FOLDER.glob("*.toml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError) as caught:
        load_intents(tmp_path)

    assert str(tmp_path / name) in caught.value.message
    assert reason in caught.value.message


def test_a_regular_expression_that_is_none_is_named(tmp_path: Path) -> None:
    for path in FOLDER.glob("*.toml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    path = tmp_path / "language.toml"
    path.write_text(path.read_text("utf-8").replace("then = [\n", "then = [\n  '(',\n", 1), "utf-8")
    with pytest.raises(InputError, match=r"then\.0: not a regular expression"):
        load_intents(tmp_path)


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.toml file in it"):
        load_intents(tmp_path)
