"""The exercises of notebook 04, an agent without a model: an intent as data, an extractor, a rule of repair."""

import re
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Any

from agent_mini.config import load_settings
from agent_mini.errors import InputError
from agent_mini.planner import Intents, load_intents, normalise, plan, read_intent
from agent_mini.tools import Tool, ToolContext, ToolError, calculate, standard_tools, tool
from agent_mini.workbook.exercise import NotAttempted, Wrong, brief, exercise, expect
from agent_mini.workbook.exercise import call as call_answer

DAY = date(2026, 10, 23)
CONTEXT = ToolContext(offline=True)


@cache
def _intents() -> Intents:
    return load_intents(load_settings().agent_data_dir / "intents")


@tool(title="Start a timer")
def set_timer(minutes: int) -> str:
    """Start a timer that rings after some minutes."""
    return f"{minutes} minutes, from now"


# --- 04.a ---------------------------------------------------------------------------------------------------


def timer_intent():
    return """
tool = "set_timer"
triggers = ["计时", "定时", "timer", "countdown"]
negatives = ["定时炸弹", "old-timer"]

[slots.minutes]
kind = "number"
required = true
evidence = 1.0
patterns = ["{n}分钟", "{n} minute", "{n}-minute"]
ask = { zh = "几分钟？", en = "How many minutes?" }
"""


@exercise(
    "04.a",
    solution=timer_intent,
    hints=(
        "get_weather.toml is the model to follow. The triggers are the words that ask for a timer, in both "
        "languages; the negatives are the longer words that hold one of them and mean something else.",
        "A pattern of a number has {n} where the number stands: '{n}分钟'. An English one may have a hyphen; a plural "
        "s is found by itself.",
        "定时25分钟 has no verb that orders anything, so the trigger alone is not enough. evidence = 1.0 in the slot "
        "says that a number of minutes speaks for the tool too.",
    ),
    seconds=10.0,
)
def check_timer_intent(answer):
    text = call_answer(answer)
    if not isinstance(text, str):
        raise Wrong(f"you returned {brief(text)}; expected the text of a TOML file")
    try:
        intent = read_intent(text)
    except InputError as error:
        raise Wrong(f"the text cannot be used: {error.message}") from None
    if not intent.triggers:
        raise NotAttempted
    if intent.tool != "set_timer":
        raise Wrong(f"the text is about the tool {intent.tool!r}; expected 'set_timer'")
    intents = _intents().plus(intent)
    for sentence, minutes in (
        ("定时25分钟", 25),
        ("帮我计时三分钟", 3),
        ("给我定时十五分钟吧", 15),
        ("Start a countdown of twenty minutes", 20),
        ("set a 90-minute timer", 90),
        ("Please start a timer for five minutes", 5),
        ("timer, 1 minute", 1),
    ):
        _expect_steps(sentence, intents, [("set_timer", {"minutes": minutes})])
    for sentence in ("帮我定时", "Start a timer"):
        made = plan(sentence, _offered(), intents, day=DAY)
        if made.ask is None or made.ask.slot != "minutes":
            raise Wrong(f"for {sentence!r} nothing was asked; expected a question for the minutes")
    for sentence in (
        "什么是定时炸弹？",
        "定时炸弹还剩三分钟",
        "Is he an old-timer?",
        "An old-timer slept 90 minutes",
    ):
        _expect_steps(sentence, intents, [])
    for sentence in ("我跑了30分钟", "I ran for 30 minutes today", "He is five minutes late again"):
        _expect_steps(sentence, intents, [])
    _expect_steps(
        "提醒我周四交报告", intents, [("todo", {"action": "add", "title": "交报告", "due": "周四"})]
    )
    _expect_steps(
        "查上海天气，然后定时五分钟",
        intents,
        [("get_weather", {"city": "上海"}), ("set_timer", {"minutes": 5})],
    )


def _offered() -> Sequence[Tool]:
    return (*standard_tools(), set_timer)


def _expect_steps(sentence: str, intents: Intents, wanted: list[tuple[str, dict[str, Any]]]) -> None:
    made = plan(sentence, _offered(), intents, day=DAY)
    got = [(step.tool, dict(step.arguments)) for step in made.steps]
    if got != wanted or made.ask is not None:
        asked = f", and asks for {made.ask.slot}" if made.ask else ""
        raise Wrong(f"{sentence!r} gives {_calls(got)}{asked}; expected {_calls(wanted)}")


def _calls(steps: list[tuple[str, dict[str, Any]]]) -> str:
    return ", ".join(f"{name}({brief(arguments)})" for name, arguments in steps) or "no call"


# --- 04.b ---------------------------------------------------------------------------------------------------


def find_minutes(text):
    minutes = 0
    for number in re.findall(r"(\d+)[\s-]*(?:分钟|minute)", text):
        minutes += int(number)
    for number in re.findall(r"(\d+)[\s-]*个?(?:小时|hour)", text):
        minutes += 60 * int(number)
    for number in re.findall(r"(\d+)个半小时", text):
        minutes += 60 * int(number) + 30
    if re.search(r"(?<!个)半个?小时|half an hour", text):
        minutes += 30
    return minutes or None


@exercise(
    "04.b",
    solution=find_minutes,
    hints=(
        r"re.findall(r'(\d+)分钟', text) gives the numbers before 分钟. Write one such line for each unit, and add up.",
        r"Between the number and the unit may stand a space or a hyphen: [\s-]*. 小时 may have 个 before it: 个?小时.",
        "1个半小时 has a pattern of its own, and its 半小时 must not count a second time: (?<!个)半个?小时 finds a 半 "
        "that has no 个 before it. At the end, `return minutes or None`.",
    ),
)
def check_find_minutes(answer):
    for sentence, minutes in (
        ("定时25分钟", 25),
        ("set a 10-minute timer", 10),
        ("计时2小时", 120),
        ("two hours, please", 120),
        ("计时三个小时", 180),
        ("定时半小时", 30),
        ("定时半个小时", 30),
        ("a timer for half an hour", 30),
        ("定时一个半小时", 90),
        ("两个半小时", 150),
        ("2个半小时", 150),
        ("计时2小时15分钟", 135),
        ("1 hour and 15 minutes", 75),
        ("a 1-hour timer", 60),
        ("一共三个人", None),
        ("定时", None),
        ("买半斤肉", None),
        ("half of 250 people", None),
        ("考了95分", None),
        ("2 apples and 3 pears", None),
    ):
        text = normalise(sentence, _intents()).text
        wanted = (
            "None: no duration is in it"
            if minutes is None
            else f"{minutes} ({sentence!r} before it was normalised)"
        )
        expect(
            answer,
            text,
            ok=lambda got, minutes=minutes: got == minutes and type(got) is type(minutes),
            wanted=wanted,
        )


# --- 04.c ---------------------------------------------------------------------------------------------------


def into_range(arguments, reason):
    found = re.search(r"(\w+): must be (-?\d+) to (-?\d+); given", reason)
    if not found or not isinstance(arguments.get(found[1]), int):
        return None
    value = min(max(arguments[found[1]], int(found[2])), int(found[3]))
    return None if value == arguments[found[1]] else {**arguments, found[1]: value}


@tool(title="Heat the room")
def heat(degrees: int, hours: int = 1) -> str:
    """Heat the room."""
    if not -5 <= degrees <= 35:
        raise ToolError(f"degrees: must be -5 to 35; given {degrees}. Outside it is colder")
    if not 1 <= hours <= 12:
        raise ToolError(f"hours: must be 1 to 12; given {hours}")
    return f"{degrees} degrees for {hours} hours"


@exercise(
    "04.c",
    solution=into_range,
    hints=(
        "A regular expression with three groups finds the name and the two ends. An end can be negative.",
        r"r'(\w+): must be (-?\d+) to (-?\d+); given' finds all three. min(max(value, low), high) moves a value "
        "into the range.",
        "Return None unless there is a match, the argument is there and is an int, and the new value is another "
        "one. The new arguments are {**arguments, name: value}: a new dict.",
    ),
)
def check_into_range(answer):
    for used, arguments, wanted in (
        (calculate, {"expression": "22 / 7", "precision": 20}, {"expression": "22 / 7", "precision": 15}),
        (calculate, {"precision": -3, "expression": "1 / 3"}, {"precision": 0, "expression": "1 / 3"}),
        (heat, {"degrees": 80, "hours": 2}, {"degrees": 35, "hours": 2}),
        (heat, {"degrees": -40}, {"degrees": -5}),
        (heat, {"degrees": 20, "hours": 48}, {"degrees": 20, "hours": 12}),
    ):
        reason = _reason(used, arguments)
        got = expect(
            answer, arguments, reason, ok=lambda got, wanted=wanted: got == wanted, wanted=brief(wanted)
        )
        if not call_answer(used.run, got, CONTEXT).ok:
            raise Wrong(f"{used.name} still refuses {brief(got)}")
    _leaves_its_input_alone(answer)
    cold = "degrees: must be -5 to 35; given -40"
    precise = "precision: must be 0 to 15; given 20"
    for arguments, reason, why in (
        ({"degrees": -5}, cold, "the value is in the range already, so a retry would fail the same way"),
        ({"hours": 3}, cold, "the call has no argument 'degrees'"),
        ({"degrees": "$1.value"}, cold, "the argument is a reference, not a number"),
        ({"precision": "20"}, precise, "the argument is a text, not an int"),
        ({"precision": 20.7}, precise, "the argument is a float, not an int"),
        (
            {"expression": "1 / 0"},
            _reason(calculate, {"expression": "1 / 0"}),
            "the failure is about no range",
        ),
    ):
        expect(answer, arguments, reason, ok=lambda got: got is None, wanted=f"None: {why}")


def _leaves_its_input_alone(answer):
    arguments = {"degrees": 80}
    reason = _reason(heat, arguments)

    def uncopied():
        return answer(arguments, reason)

    call_answer(uncopied)
    if arguments != {"degrees": 80}:
        raise Wrong(
            f"the arguments you were given are now {brief(arguments)}; expected a new dict, and them unchanged"
        )


def _reason(used: Tool, arguments: Any) -> str:
    """What the tool says to arguments that it refuses."""
    return call_answer(used.run, arguments, CONTEXT).content
