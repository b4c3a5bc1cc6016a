"""Where a request stands, read off the messages: what it asks for, what has been done, what comes next.

The planner remembers nothing. Each time it is asked it understands the conversation anew, from the earlier turns to the
newest, and holds the results that have come back against the newest plan. Asked twice, it says the same.
"""

import re
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal, cast

from agent_mini.parsing import parse_arguments
from agent_mini.planner.derive import Offer, find_intent
from agent_mini.planner.intents import Intents
from agent_mini.planner.plan import plan
from agent_mini.planner.repair import Repair, repair
from agent_mini.planner.values import Plan, Step
from agent_mini.tools import Tool
from agent_mini.types import Message, ToolCall

MAX_CALLS = 7
"""Calls for one request: with the answer, what a tool loop grants by default."""

MAX_TURNS = 6
"""How many of the latest turns are understood anew; of earlier ones only the results count."""

_REFERENCE = re.compile(r"(?<!\$)\$(\d+)(?=\.)")


@dataclass(frozen=True, slots=True)
class Result:
    """A tool result of the conversation: which one it is, from 1, the call, and the message that answers it."""

    number: int
    call: ToolCall
    message: Message


@dataclass(frozen=True, slots=True)
class Outcome:
    """What has come of a step.

    Args:
        step: The step, with its references as they must be written now.
        state: ``next`` is to be called now, ``later`` after that; ``skipped`` rests on one that failed, and for
            ``unreached`` there are no calls left.
        result: What came back, the last try's.
        repaired: What was changed about it after a failure.
    """

    step: Step
    state: Literal["done", "failed", "skipped", "unreached", "next", "later"]
    result: Message | None = None
    repaired: Repair | None = None


@dataclass(frozen=True)
class Progress:
    """Where the newest request stands.

    Args:
        plan: What it asks for.
        outcomes: What has come of each step.
        others: Results of the turn that belong to no step: another model called them.
        said: Everything the person has said, oldest first.
    """

    plan: Plan
    outcomes: tuple[Outcome, ...] = ()
    others: tuple[Result, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def next(self) -> Step | None:
        """The step to be called now, or None when it is time to answer."""
        return next((outcome.step for outcome in self.outcomes if outcome.state == "next"), None)


def read_progress(
    messages: Sequence[Message], tools: Sequence[Tool], offers: Sequence[Offer], intents: Intents, day: date
) -> Progress:
    """Where the conversation stands.

    Args:
        messages: The conversation.
        tools: What is offered.
        offers: The same, with their intents.
        intents: What the planner knows.
        day: Today.
    """
    turns = _turns(messages)
    before: list[Plan] = []
    count = 0
    for text, results in turns[:-1]:
        recent = len(turns) - len(before) <= MAX_TURNS
        understood = plan(text, tools, intents, before, day=day, results=count) if recent else Plan(text)
        count += len(results)
        before.append(
            replace(understood, steps=_carried_out(results, intents), ask=None if results else understood.ask)
        )
    text, results = turns[-1] if turns else ("", [])
    newest = plan(text, tools, intents, before, day=day, results=count)
    said = tuple(text for text, _ in turns)
    if newest.ask:
        return Progress(newest, others=tuple(results), said=said)
    outcomes, others = _hold_against(newest, results, offers)
    return Progress(newest, outcomes, others, said)


def _turns(messages: Sequence[Message]) -> list[tuple[str, list[Result]]]:
    """What the person said, each time with the results that came of it."""
    turns: list[tuple[str, list[Result]]] = []
    calls: dict[str | None, ToolCall] = {}
    number = 0
    for message in messages:
        if message.role == "user":
            turns.append((message.content, []))
        elif message.role == "assistant":
            calls = {call.id: call for call in message.tool_calls}
        elif message.role == "tool":
            number += 1
            call = calls.get(message.tool_call_id) or ToolCall("", message.name or "", "")
            if turns:
                turns[-1][1].append(Result(number, call, message))
    return turns


def _carried_out(results: Sequence[Result], intents: Intents) -> tuple[Step, ...]:
    """The steps of an earlier turn that worked, as they were called."""
    return tuple(
        Step(result.call.name, _known_as(result.call.name, intents), _arguments(result.call), result.number)
        for result in results
        if result.message.ok
    )


def _hold_against(
    newest: Plan, results: Sequence[Result], offers: Sequence[Offer]
) -> tuple[tuple[Outcome, ...], tuple[Result, ...]]:
    """The steps of the plan with the results that came back, in order, tool by tool."""
    by_name = {offer.name: offer for offer in offers}
    waiting: defaultdict[str, deque[Result]] = defaultdict(deque)
    for result in results:
        waiting[result.call.name].append(result)
    outcomes: list[Outcome] = []
    numbers: dict[
        int, int | None
    ] = {}  # for each step's planned result: the real one, None where there is none
    for planned in newest.steps:
        step = replace(planned, arguments=_renumbered(planned.arguments, numbers))
        uses = {int(number) for number in _REFERENCE.findall(repr(dict(planned.arguments)))}
        if any(number in numbers and numbers[number] is None for number in uses):
            outcome, number = Outcome(step, "skipped"), None
        elif any(outcome.state in ("next", "later") for outcome in outcomes):
            outcome, number = Outcome(step, "later"), planned.number
        else:
            outcome, number = _outcome(step, waiting[step.tool], by_name[step.tool])
        if outcome.state == "next" and len(results) >= MAX_CALLS:
            outcome, number = replace(outcome, state="unreached"), None
        outcomes.append(outcome)
        numbers[planned.number] = number
    used = [result for queue in waiting.values() for result in queue]
    return tuple(outcomes), tuple(result for result in results if result in used)


def _outcome(step: Step, results: deque[Result], offer: Offer) -> tuple[Outcome, int | None]:
    """What has come of one step, with one repair at most, and the number of its result."""
    if not results:
        return Outcome(step, "next"), step.number
    first = results.popleft()
    if first.message.ok:
        return Outcome(step, "done", first.message), first.number
    fix = repair(step.arguments, first.message.content, offer)
    if fix is None:
        return Outcome(step, "failed", first.message), None
    step = replace(step, arguments=fix.arguments)
    if not results:
        return Outcome(step, "next", first.message, fix), step.number
    second = results.popleft()
    state = "done" if second.message.ok else "failed"
    return Outcome(step, state, second.message, fix), second.number if second.message.ok else None


def _renumbered(value: Any, numbers: Mapping[int, int | None]) -> Any:
    """``value`` with its references to the plan's own results as those are numbered in the conversation."""
    match value:
        case str():
            return _REFERENCE.sub(lambda match: f"${numbers.get(int(match[1])) or match[1]}", value)
        case list():
            return [_renumbered(item, numbers) for item in cast("list[Any]", value)]
        case dict():
            return {name: _renumbered(item, numbers) for name, item in cast("dict[str, Any]", value).items()}
        case _:
            return value


def _arguments(call: ToolCall) -> Mapping[str, Any]:
    try:
        return parse_arguments(call.arguments)
    except ValueError:
        return {}


def _known_as(name: str, intents: Intents) -> str:
    intent = find_intent(name, intents)
    return intent.tool if intent else name
