"""The exercises of notebook 02, the tool loop: repeated calls, a repaired history, calls side by side."""

import asyncio
import json
from collections import Counter

from agent_mini.types import Message, ToolCall, assistant, tool_message, user
from agent_mini.workbook.exercise import Wrong, brief, exercise, expect
from agent_mini.workbook.exercise import call as call_answer

# --- 02.a ---------------------------------------------------------------------------------------------------


def too_often(calls, most):
    seen = Counter()
    for call in calls:
        try:
            same = json.dumps(json.loads(call.arguments), sort_keys=True)
        except ValueError:
            same = call.arguments.strip()
        seen[call.name, same] += 1
    return any(count > most for count in seen.values())


def _calls(*written: str) -> list[ToolCall]:
    """Calls of ``read``, or of the tool named before a ``|``, with these raw arguments."""
    pairs = [text.rpartition("|")[::2] for text in written]
    return [ToolCall(f"c{n}", name or "read", arguments) for n, (name, arguments) in enumerate(pairs, 1)]


@exercise(
    "02.a",
    solution=too_often,
    hints=(
        "Turn each call into a key that is equal when the calls are, and count the keys with a Counter. The "
        "key needs the tool's name, too.",
        "json.loads, then json.dumps(..., sort_keys=True): one spelling for all ways to write the same object.",
        "json.loads raises ValueError on broken JSON; the raw text is then the best key there is. At the end: "
        "any(count > most for count in seen.values())",
    ),
)
def check_too_often(answer):
    cases = (
        (_calls('{"page": 1}', '{"page": 1}', '{"page": 1}'), 2, True, "the same call was made 3 times"),
        (_calls('{"page": 1}', '{"page": 1}', '{"page": 1}'), 3, False, "3 times are not more than 3"),
        (_calls('{"page": 1}', '{"page": 2}', '{"page": 3}'), 2, False, "the arguments differ"),
        (_calls('a|{"page": 1}', 'b|{"page": 1}', 'c|{"page": 1}'), 2, False, "the tools differ"),
        (
            _calls('{"page": 1}', '{"page": 2}', '{"page": 1}', '{"page": 2}', '{"page": 1}'),
            2,
            True,
            "page 1 was read 3 times, with others in between",
        ),
        (_calls('{"page":1}', '{ "page": 1 }', '{"page": 1}\n'), 2, True, "white space makes no new call"),
        (
            _calls('{"text": "a b"}', '{"text": "ab"}', '{"text": " ab"}'),
            1,
            False,
            "white space inside a text is part of the argument",
        ),
        (
            _calls('{"at": {"x": 1, "y": 2}, "n": 3}', '{"n": 3, "at": {"y": 2, "x": 1}}'),
            1,
            True,
            "the order of keys makes no new call, at any depth",
        ),
        (_calls('{"city": "上海"}', r'{"city": "\u4e0a\u6d77"}'), 1, True, "an escape is the same character"),
        (_calls('{"page": ', '{"page": '), 1, True, "arguments that are not JSON count too"),
        (_calls('{"page": ', '{"side": '), 1, False, "these broken arguments differ"),
        (_calls(), 1, False, "nothing was called"),
    )
    for calls, most, right, why in cases:
        expect(answer, calls, most, ok=lambda got, right=right: bool(got) is right, wanted=f"{right}: {why}")


# --- 02.b ---------------------------------------------------------------------------------------------------


def repair(messages):
    repaired, waiting = [], {}
    for message in messages:
        if message.role == "tool":
            if waiting.pop(message.tool_call_id, None):
                repaired.append(message)
            continue
        repaired += [tool_message(call, "no result: interrupted") for call in waiting.values()]
        waiting = {call.id: call for call in message.tool_calls}
        repaired.append(message)
    return repaired + [tool_message(call, "no result: interrupted") for call in waiting.values()]


_QUESTION, _GO_ON, _DONE = user("How cold is it?"), user("Go on."), assistant("Minus 3.")
_FILLED = ""
"""Stands for whatever text the learner fills in."""


def _weather(number: int) -> ToolCall:
    return ToolCall(f"c{number}", "weather", "{}")


def _asks(*numbers: int) -> Message:
    return assistant(tool_calls=[_weather(number) for number in numbers])


def _answers(number: int, text: str = "-3") -> Message:
    return tool_message(_weather(number), text)


@exercise(
    "02.b",
    solution=repair,
    hints=(
        "Go through the messages once and keep a dict of the calls still waiting for an answer, by id.",
        "A tool message whose id is waiting is kept, and no longer waited for. Any other tool message is dropped.",
        "Any other message ends the wait: first answer what is still waiting, then append the message, then "
        "wait for its calls. After the last message, answer what is left.",
    ),
)
def check_repair(answer):
    cases = (
        ([_QUESTION, _asks(1), _answers(1), _DONE], None, "no change: nothing is missing"),
        (
            [_QUESTION, _asks(1)],
            [_QUESTION, _asks(1), _answers(1, _FILLED)],
            "the call c1 answered",
        ),
        (
            [_QUESTION, _asks(1, 2), _answers(2)],
            [_QUESTION, _asks(1, 2), _answers(1, _FILLED), _answers(2)],
            "c1 answered, and the answer to c2 kept",
        ),
        (
            [_QUESTION, _asks(1), _GO_ON, _DONE],
            [_QUESTION, _asks(1), _answers(1, _FILLED), _GO_ON, _DONE],
            "c1 answered before the next message",
        ),
        (
            [_answers(7), _GO_ON, _asks(1), _answers(1), _DONE],
            [_GO_ON, _asks(1), _answers(1), _DONE],
            "the answer to c7 dropped: nobody asked for it",
        ),
        (
            [_QUESTION, _asks(1), _answers(1), _answers(1, "5"), _DONE],
            [_QUESTION, _asks(1), _answers(1), _DONE],
            "the second answer to c1 dropped",
        ),
        (
            [_QUESTION, _asks(1), _GO_ON, _answers(1), _DONE],
            [_QUESTION, _asks(1), _answers(1, _FILLED), _GO_ON, _DONE],
            "an answer that comes after another message dropped, and c1 answered in its place",
        ),
        (
            [_QUESTION, _asks(1), _answers(1), _DONE, _GO_ON, _asks(1)],
            [_QUESTION, _asks(1), _answers(1), _DONE, _GO_ON, _asks(1), _answers(1, _FILLED)],
            "the second c1 answered: it is another call",
        ),
        ([], None, "an empty history"),
    )
    for messages, right, wanted in cases:
        got = call_answer(answer, messages)
        problem = _difference(got, messages if right is None else right)
        if problem:
            raise Wrong(f"for {_in_short(messages)} you returned {problem}; expected {wanted}")


def _difference(got, right: list[Message]) -> str:
    """What was returned, when that is not ``right``; the order of the answers to one message does not count."""
    if not isinstance(got, list | tuple) or not all(isinstance(message, Message) for message in got):
        return brief(got)
    if [_plain(m) for m in _sorted(got)] != [_plain(m) for m in _sorted(right)]:
        return _in_short(got)
    for message, wanted in zip(_sorted(got), _sorted(right), strict=True):
        if wanted.role == "tool" and wanted.content == _FILLED:
            if not message.content.strip():
                return f"an empty answer to {message.tool_call_id}"
        elif message.content != wanted.content:
            return f"{message.content!r} as the answer to {message.tool_call_id}"
    return ""


def _sorted(messages) -> list[Message]:
    """The messages, with the answers that stand beside each other in the order of their ids."""
    ordered: list[Message] = []
    block: list[Message] = []
    for message in messages:
        if message.role == "tool":
            block.append(message)
        else:
            ordered += [*sorted(block, key=lambda answer: str(answer.tool_call_id)), message]
            block = []
    return ordered + sorted(block, key=lambda answer: str(answer.tool_call_id))


def _plain(message: Message) -> tuple[object, ...]:
    return message.role, message.tool_calls, message.tool_call_id


def _in_short(messages) -> str:
    """A history in a few characters: ``user, asks c1+c2, answer c1``."""
    words = []
    for message in messages:
        if message.tool_calls:
            words.append("asks " + "+".join(call.id for call in message.tool_calls))
        else:
            words.append(f"answer {message.tool_call_id}" if message.role == "tool" else message.role)
    return f"[{', '.join(words)}]"


# --- 02.c ---------------------------------------------------------------------------------------------------


async def side_by_side(calls, run, seconds):
    async def answer(call):
        try:
            return tool_message(call, await asyncio.wait_for(run(call), seconds))
        except TimeoutError:
            return tool_message(call, f"stopped after {seconds} seconds")
        except Exception as error:
            return tool_message(call, f"{type(error).__name__}: {error}")

    return await asyncio.gather(*map(answer, calls))


@exercise(
    "02.c",
    solution=side_by_side,
    hints=(
        "Write an inner async function that answers one call and never raises; then run it for all calls.",
        "asyncio.gather runs several at once and returns their results in the order given, whoever is first.",
        "In the inner function: try tool_message(call, await asyncio.wait_for(run(call), seconds)); then except "
        "TimeoutError, then except Exception.",
    ),
)
def check_side_by_side(answer):
    first, second, third = calls = [ToolCall(f"c{n}", "look_up", "{}") for n in (1, 2, 3)]
    both_here, last_is_done = asyncio.Barrier(2), asyncio.Event()
    cancelled: list[ToolCall] = []

    async def wait_for_each_other(call: ToolCall) -> str:
        """run(call) returns only after both calls have started"""
        await asyncio.wait_for(both_here.wait(), 0.5)
        await asyncio.sleep(0 if call is first else 0.01)
        return f"result {call.id}"

    async def finish_backwards(call: ToolCall) -> str:
        """run(call) returns for c3 first and for c1 last"""
        if call is third:
            last_is_done.set()
        else:
            await asyncio.wait_for(last_is_done.wait(), 0.5)
            await asyncio.sleep(0.02 if call is first else 0.01)
        return f"result {call.id}"

    async def second_raises(call: ToolCall) -> str:
        """run(call) raises an error for c2"""
        if call is second:
            raise LookupError("no city Atlantis")
        return f"result {call.id}"

    async def first_is_slow(call: ToolCall) -> str:
        """run(call) takes 0.5 seconds for c1"""
        try:
            await asyncio.sleep(0.5 if call is first else 0)
        except asyncio.CancelledError:
            cancelled.append(call)
            raise
        return f"result {call.id}"

    results = [f"result {call.id}" for call in calls]
    with_error = [results[0], "no city Atlantis", results[2]]
    with_error_words = "the error's words as the answer to c2, and the results of the others"
    cases = (
        (calls[:2], wait_for_each_other, 2.0, results[:2], "both to run at the same time"),
        (calls, finish_backwards, 2.0, results, "the answers in the order of the calls"),
        (calls, second_raises, 2.0, with_error, with_error_words),
        (calls[:2], first_is_slow, 0.05, [None, results[1]], "c1 stopped in time, and told so in words"),
        ([], second_raises, 2.0, [], "no answers: there are no calls"),
    )
    for given, run, seconds, texts, wanted in cases:
        situation = f"here {run.__doc__}"  # in words: the learner does not see its code
        try:
            got = call_answer(answer, given, run, seconds)
        except Wrong as wrong:
            raise Wrong(f"{situation}: {wrong}; expected {wanted}") from None
        if not isinstance(got, list | tuple) or not all(isinstance(message, Message) for message in got):
            raise Wrong(f"{situation}: you returned {brief(got)}; expected tool messages")
        right = [(message.role, message.tool_call_id) for message in got] == [("tool", c.id) for c in given]
        if not right or not all(map(_says, got, texts)):
            shown = ", ".join(f"{message.tool_call_id}: {message.content!r}" for message in got)
            raise Wrong(f"{situation}: you returned [{shown}]; expected {wanted}")
    call_answer(asyncio.sleep, 0.02)  # a task that was cancelled learns of it when the loop goes on
    if first not in cancelled:
        raise Wrong(
            f"here {first_is_slow.__doc__}: it was still running when you returned; expected it cancelled"
        )


def _says(message: Message, text: str | None) -> bool:
    """Whether it holds ``text``; or, for None, any words but the result."""
    if text is None:
        return bool(message.content.strip()) and message.content != f"result {message.tool_call_id}"
    return text in message.content
