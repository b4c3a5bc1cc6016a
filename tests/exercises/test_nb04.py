"""Typical wrong answers to the exercises of notebook 04."""

import re

from agent_mini.workbook.attempt import attempt
from agent_mini.workbook.exercise import get
from agent_mini.workbook.exercises.nb04 import timer_intent

# --- 04.a ---------------------------------------------------------------------------------------------------


def with_changes(*changes):
    """The reference with pieces of it replaced; each piece must be there."""
    text = timer_intent()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return lambda: text


NEGATIVES = 'negatives = ["定时炸弹", "old-timer"]\n'
no_english = with_changes((', "timer", "countdown"', ""))
no_chinese = with_changes(('"计时", "定时", ', ""))
no_negatives = with_changes((NEGATIVES, ""))
no_evidence = with_changes(("evidence = 1.0\n", ""))
not_required = with_changes(("required = true\n", ""))
too_much_evidence = with_changes(("evidence = 1.0", "evidence = 3.0"))
minutes_as_triggers = with_changes(('"countdown"]', '"countdown", "{n}分钟", "{n} minute"]'))
plural_only = with_changes(("{n} minute", "{n} minutes"))
no_hyphen = with_changes((', "{n}-minute"', ""))
another_tool = with_changes(('"set_timer"', '"timer"'))
unknown_key = with_changes(("triggers =", "words ="))
no_toml = with_changes(("]", ""))


def gives_a_dict():
    return {"tool": "set_timer"}


def starter():
    return 'tool = "set_timer"\ntriggers = []\nnegatives = []\n\n[slots.minutes]\nkind = "number"\npatterns = []\n'


def test_timer_intent(exercise_holds):
    exercise_holds(
        "04.a",
        (
            no_english,
            "expected set_timer({'minutes': 20})",
        ),
        (no_chinese, "expected set_timer({'minutes': 25})"),
        (no_negatives, "gives set_timer({'minutes': 3}); expected no call"),
        (no_evidence, "expected set_timer({'minutes': 25})"),
        (not_required, "for '帮我定时' nothing was asked; expected a question for the minutes"),
        (too_much_evidence, "'我跑了30分钟' gives set_timer({'minutes': 30}); expected no call"),
        (minutes_as_triggers, "expected no call"),
        (no_hyphen, "'set a 90-minute timer' gives set_timer({}), and asks for minutes; expected set_timer"),
        (another_tool, "the text is about the tool 'timer'; expected 'set_timer'"),
        (unknown_key, "words: no such key; there are tool, triggers"),
        (no_toml, "the text cannot be used: intent.toml: Unclosed array"),
        (gives_a_dict, "expected the text of a TOML file"),
    )


def test_the_starter_of_timer_intent_is_not_attempted():
    assert attempt(get("04.a").check, starter).state == "not attempted yet"


def test_a_pattern_in_the_plural_is_as_good():
    assert attempt(get("04.a").check, plural_only).state == "passed"


# --- 04.b ---------------------------------------------------------------------------------------------------


def first_number(text):
    return int(re.search(r"\d+", text)[0])


def only_minutes(text):
    found = re.search(r"(\d+)[\s-]*(?:分钟|minute)", text)
    return int(found[1]) if found else None


def hours_or_minutes(text):
    if found := re.search(r"(\d+)[\s-]*个?(?:小时|hour)", text):
        return int(found[1]) * 60
    return only_minutes(text) or (30 if re.search("半个?小时|half an hour", text) else None)


def half_counts_twice(text):
    minutes = sum(int(n) for n in re.findall(r"(\d+)[\s-]*(?:分钟|minute)", text))
    minutes += sum(int(n) * 60 for n in re.findall(r"(\d+)[\s-]*个?(?:小时|hour)", text))
    minutes += sum(int(n) * 60 + 30 for n in re.findall(r"(\d+)个半小时", text))
    return minutes + 30 * bool(re.search("半个?小时|half an hour", text)) or None


def any_half_is_half_an_hour(text):
    return get("04.b").solution(text) or (30 if re.search("半(?!小时|个小时)", text) else None)


def takes_points_for_minutes(text):
    found = re.search(r"(\d+)分", text)
    return get("04.b").solution(text) or (int(found[1]) if found else None)


def knows_only_one_and_a_half(text):
    return 30 if "2个半小时" in text else get("04.b").solution(text)


def zero_for_none(text):
    return get("04.b").solution(text) or 0


def as_text(text):
    found = get("04.b").solution(text)
    return None if found is None else str(found)


def test_find_minutes(exercise_holds):
    exercise_holds(
        "04.b",
        (first_number, "first_number('计时2小时') returned 2; expected 120"),
        (only_minutes, "only_minutes('计时2小时') returned None; expected 120"),
        (hours_or_minutes, "expected 90 ('定时一个半小时' before it was normalised)"),
        (half_counts_twice, "half_counts_twice('定时1个半小时') returned 120; expected 90"),
        (any_half_is_half_an_hour, "any_half_is_half_an_hour('买半斤肉') returned 30; expected None"),
        (takes_points_for_minutes, "takes_points_for_minutes('考了95分') returned 95; expected None"),
        (knows_only_one_and_a_half, "knows_only_one_and_a_half('2个半小时') returned 30; expected 150"),
        (zero_for_none, "returned 0; expected None: no duration is in it"),
        (as_text, "returned '25'; expected 25"),
    )


# --- 04.c ---------------------------------------------------------------------------------------------------

RANGE = r"(\w+): must be (-?\d+) to (-?\d+); given"


def tries_one_less(arguments, reason):
    return {**arguments, "precision": arguments["precision"] - 1} if "precision" in arguments else None


def only_the_upper_end(arguments, reason):
    found = re.search(RANGE, reason)
    return {**arguments, found[1]: int(found[3])} if found else None


def leaves_it_out(arguments, reason):
    found = re.search(RANGE, reason)
    return {name: value for name, value in arguments.items() if found and name != found[1]} or None


def no_minus(arguments, reason):
    found = re.search(r"(\w+): must be \D*(\d+) to (\d+); given", reason)
    if not found or found[1] not in arguments:
        return None
    return {**arguments, found[1]: min(max(arguments[found[1]], int(found[2])), int(found[3]))}


def keeps_it_a_text(arguments, reason):
    found = re.search(RANGE, reason)
    return {**arguments, found[1]: found[3] if arguments[found[1]] > 0 else found[2]} if found else None


def changes_its_input(arguments, reason):
    found = re.search(RANGE, reason)
    arguments[found[1]] = min(max(arguments[found[1]], int(found[2])), int(found[3]))
    return arguments


def never_gives_up(arguments, reason):
    found = re.search(RANGE, reason)
    return (
        {**arguments, found[1]: min(max(arguments[found[1]], int(found[2])), int(found[3]))}
        if found
        else None
    )


def adds_arguments(arguments, reason):
    found = re.search(RANGE, reason)
    if not found:
        return None
    value = min(max(arguments.get(found[1], int(found[2]) - 1), int(found[2])), int(found[3]))
    return None if value == arguments.get(found[1]) else {**arguments, found[1]: value}


def moves_references(arguments, reason):
    found = re.search(RANGE, reason)
    if not found or found[1] not in arguments:
        return None
    value = min(max(arguments[found[1]], int(found[2])), int(found[3]))
    return None if value == arguments[found[1]] else {**arguments, found[1]: value}


def turns_texts_into_numbers(arguments, reason):
    try:
        return get("04.c").solution(
            {k: int(v) if k == "precision" else v for k, v in arguments.items()}, reason
        )
    except ValueError:
        return None


def takes_floats(arguments, reason):
    found = re.search(RANGE, reason)
    if not found or not isinstance(arguments.get(found[1]), int | float):
        return None
    return moves_references(arguments, reason)


def test_into_range(exercise_holds):
    exercise_holds(
        "04.c",
        (tries_one_less, "'precision': 19}; expected {'expression': '22 / 7', 'precision': 15}"),
        (only_the_upper_end, "'precision': 15}; expected {'expression': '1 / 3', 'precision': 0}"),
        (leaves_it_out, "returned {'expression': '22 / 7'}; expected"),
        (no_minus, "returned {'degrees': 5}; expected {'degrees': -5}"),
        (keeps_it_a_text, "'precision': '15'}; expected"),
        (changes_its_input, "expected a new dict, and them unchanged"),
        (never_gives_up, "expected None: the value is in the range already"),
        (adds_arguments, "expected None: the call has no argument 'degrees'"),
        (turns_texts_into_numbers, "expected None: the argument is a text, not an int"),
        (takes_floats, "expected None: the argument is a float, not an int"),
        (moves_references, "expected None: the argument is a reference, not a number"),
    )
