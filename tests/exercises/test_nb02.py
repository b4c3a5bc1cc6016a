"""The exercises of notebook 02: what passes, and what typical wrong answers are told."""

import asyncio
import json
from collections import Counter
from dataclasses import replace

from agent_mini.engine import repair as engine_repair
from agent_mini.engine.history import UNANSWERED
from agent_mini.types import tool_message
from agent_mini.workbook.attempt import attempt
from agent_mini.workbook.exercise import get

# --- 02.a ---------------------------------------------------------------------------------------------------


def counts(key):
    """``too_often`` with calls told apart by ``key``."""

    def too_often(calls, most):
        return any(count > most for count in Counter(map(key, calls)).values())

    return too_often


def as_in_the_notebook(key):
    """``too_often`` with the words of ``limited_loop``, which is never called without a call."""

    def too_often(calls, most):
        return max(Counter(map(key, calls)).values()) > most

    return too_often


def key_of_any_text(call):
    try:
        return call.name, one_spelling(call)
    except ValueError:
        return call.name, call.arguments


def one_spelling(call):
    return json.dumps(json.loads(call.arguments), sort_keys=True)


def only_in_a_row(calls, most):
    run, before = 0, None
    for call in calls:
        key = (call.name, call.arguments)
        run = run + 1 if key == before else 1
        before = key
        if run > most:
            return True
    return False


def one_too_early(calls, most):
    return any(count >= most for count in Counter((call.name, call.arguments) for call in calls).values())


def test_too_often(exercise_holds):
    exercise_holds(
        "02.a",
        (counts(lambda call: (call.name, call.arguments)), "white space makes no new call"),
        (counts(lambda call: (call.name, "".join(call.arguments.split()))), "inside a text"),
        (counts(lambda call: (call.name, str(json.loads(call.arguments)))), "the order of keys"),
        (counts(one_spelling), "the tools differ"),
        (counts(lambda call: (call.name, one_spelling(call))), "raised JSONDecodeError"),
        (only_in_a_row, "with others in between"),
        (one_too_early, "3 times are not more than 3"),
        (lambda calls, most: calls[:0], "returned []; expected True: the same call was made 3 times"),
        (lambda calls, most: bool(calls), "expected False: 3 times are not more than 3"),
        (as_in_the_notebook(lambda call: (call.name, call.arguments)), "white space makes no new call"),
        (as_in_the_notebook(key_of_any_text), "expected False: nothing was called"),
    )


def test_a_false_value_is_as_good_as_false():
    def says_which(calls, most):
        return [key for key, count in Counter(map(key_of_any_text, calls)).items() if count > most] or None

    assert attempt(get("02.a").check, says_which).state == "passed"


# --- 02.b ---------------------------------------------------------------------------------------------------


def fill_at_the_end(messages):
    answered = {message.tool_call_id for message in messages}
    calls = [call for message in messages for call in message.tool_calls]
    return [*messages, *(tool_message(call, "interrupted") for call in calls if call.id not in answered)]


def fill_in_place(messages):
    answered = {message.tool_call_id for message in messages}
    repaired = []
    for message in messages:
        missing = [call for call in message.tool_calls if call.id not in answered]
        repaired += [message, *(tool_message(call, "interrupted") for call in missing)]
    return repaired


def drop_unanswered_calls(messages):
    answered = {message.tool_call_id for message in messages}
    return [message for message in messages if all(call.id in answered for call in message.tool_calls)]


def answer_everything_anew(messages):
    repaired = []
    for message in messages:
        if message.role != "tool":
            repaired += [message, *(tool_message(call, "interrupted") for call in message.tool_calls)]
    return repaired


def changes_in_place_only(messages):
    messages[:] = fill_in_place(messages)


def empty_answers(messages):
    missing = engine_repair(messages)
    return [replace(m, content="") if m.content == UNANSWERED else m for m in missing]


def test_repair(exercise_holds):
    exercise_holds(
        "02.b",
        (lambda messages: messages, "expected the call c1 answered"),
        (fill_at_the_end, "c1 answered before the next message"),
        (fill_in_place, "the answer to c7 dropped"),
        (drop_unanswered_calls, "you returned [user]"),
        (answer_everything_anew, "no change: nothing is missing"),
        (changes_in_place_only, "you returned None"),
        (empty_answers, "an empty answer to c1"),
    )


def test_the_packages_repair_passes_too():
    assert attempt(get("02.b").check, engine_repair).state == "passed"


# --- 02.c ---------------------------------------------------------------------------------------------------


def words(error):
    return f"{type(error).__name__}: {error}"


async def one_after_the_other(calls, run, seconds):
    answers = []
    for call in calls:
        try:
            answers.append(tool_message(call, await asyncio.wait_for(run(call), seconds)))
        except Exception as error:
            answers.append(tool_message(call, words(error)))
    return answers


async def as_they_come(calls, run, seconds):
    async def answer(call):
        try:
            return tool_message(call, await asyncio.wait_for(run(call), seconds))
        except Exception as error:
            return tool_message(call, words(error))

    return [await done for done in asyncio.as_completed(map(answer, calls))]


async def errors_end_all(calls, run, seconds):
    texts = await asyncio.gather(*(asyncio.wait_for(run(call), seconds) for call in calls))
    return list(map(tool_message, calls, texts))


async def errors_cancel_the_others(calls, run, seconds):
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(asyncio.wait_for(run(call), seconds)) for call in calls]
    return [tool_message(call, task.result()) for call, task in zip(calls, tasks, strict=True)]


async def waits_for_ever(calls, run, seconds):
    results = await asyncio.gather(*map(run, calls), return_exceptions=True)
    return [tool_message(call, str(result)) for call, result in zip(calls, results, strict=True)]


async def says_nothing_of_the_time(calls, run, seconds):
    limited = (asyncio.wait_for(run(call), seconds) for call in calls)
    results = await asyncio.gather(*limited, return_exceptions=True)
    return [tool_message(call, str(result)) for call, result in zip(calls, results, strict=True)]


async def in_turn_and_unguarded(calls, run, seconds):
    return [tool_message(call, await run(call)) for call in calls]


async def leaves_the_slow_one_running(calls, run, seconds):
    tasks = [asyncio.create_task(run(call)) for call in calls]
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)

    def text(task):
        if not task.done():
            return "took too long"
        return words(task.exception()) if task.exception() else task.result()

    return [tool_message(call, text(task)) for call, task in zip(calls, tasks, strict=True)]


async def cancels_without_waiting(calls, run, seconds):
    tasks = [asyncio.create_task(run(call)) for call in calls]
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)
    answers = []
    for call, task in zip(calls, tasks, strict=True):
        if not task.done():
            task.cancel()
            answers.append(tool_message(call, "took too long"))
        else:
            answers.append(tool_message(call, str(task.exception() or task.result())))
    return answers


async def only_texts(calls, run, seconds):
    return await asyncio.gather(*map(run, calls))


def test_side_by_side(exercise_holds):
    exercise_holds(
        "02.c",
        (one_after_the_other, "expected both to run at the same time"),
        (
            in_turn_and_unguarded,
            "run(call) returns only after both calls have started: in_turn_and_unguarded(",
        ),
        (in_turn_and_unguarded, "expected both to run at the same time"),
        (leaves_the_slow_one_running, "it was still running when you returned; expected it cancelled"),
        (as_they_come, "in the order of the calls"),
        (errors_end_all, "raised LookupError: no city Atlantis"),
        (errors_cancel_the_others, "raised LookupError: no city Atlantis"),
        (waits_for_ever, "c1: 'result c1', c2: 'result c2']; expected c1 stopped in time"),
        (says_nothing_of_the_time, "c1: '', c2: 'result c2']; expected c1 stopped in time, and told so"),
        (only_texts, "you returned ['result c1', 'result c2']; expected tool messages"),
    )


def test_cancelling_is_enough():
    assert attempt(get("02.c").check, cancels_without_waiting).state == "passed"
