"""The planner: a sentence and the offered tools in, a plan out. It composes the stages and does nothing else.

    normalise → segment → for each piece: score → fill slots → decide → validate

A plan is a value: made of the same sentence, tools and earlier plans it is the same. It says what is to be called, or
what has to be asked first; ``agent_mini.planner.model`` carries it out, one step a turn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from agent_mini.planner.derive import Offer, match_tools
from agent_mini.planner.intents import Intents
from agent_mini.planner.normalise import normalise
from agent_mini.planner.pending import answered
from agent_mini.planner.piece import asks_for_something, understand
from agent_mini.planner.reading import Reading
from agent_mini.planner.scene import Scene
from agent_mini.planner.segment import segment, split_further
from agent_mini.planner.values import Plan, Question, Step
from agent_mini.tools import Tool

MAX_STEPS = 6
"""Calls of one plan: with one repaired and with the answer, what a tool loop grants by default."""


def plan(
    text: str,
    tools: Iterable[Tool],
    intents: Intents,
    before: Sequence[Plan] = (),
    *,
    day: date,
    results: int | None = None,
) -> Plan:
    """Understand a sentence.

    Args:
        text: What was typed.
        tools: What is offered; nothing else is ever planned.
        intents: What the planner knows.
        before: The plans of the earlier turns, oldest first, with the steps that were carried out.
        day: Today.
        results: How many results the conversation has so far; counted from ``before`` when None.
    """
    offers = match_tools(tools, intents)
    earlier = tuple(step for turn in before if turn.ask is None for step in turn.steps)
    count = max((step.number for step in earlier), default=0) if results is None else results
    scene = Scene(intents, day, earlier)
    reading = normalise(text, intents)
    given = answered(reading, before[-1], offers, scene) if before else None
    if given is not None:  # the answer completes the earlier request
        text = before[-1].text
        reading = normalise(text, intents)
    plan = Plan(text, reading.text, given=given or {})
    for index, piece in enumerate(_pieces(reading, offers, scene)):
        plan = _add(plan, index, piece, offers, scene, count)
    return plan


def _add(plan: Plan, index: int, piece: Reading, offers: Sequence[Offer], scene: Scene, count: int) -> Plan:
    """``plan`` with one more piece understood."""
    if len(plan.steps) >= MAX_STEPS:
        return replace(plan, shortened=True)
    here = replace(scene, done=(*scene.done, *plan.steps), current=plan.steps)
    found = understand(piece, offers, here, count + len(plan.steps) + 1, plan.given.get(index, {}))
    question = Question(found.ask, index, found.tools) if found.ask else None
    return replace(
        plan,
        segments=(*plan.segments, found.segment),
        steps=(*plan.steps, *found.steps),
        ask=plan.ask or question,
    )


def _pieces(reading: Reading, offers: Sequence[Offer], scene: Scene) -> tuple[Reading, ...]:
    """The request in steps."""
    language = scene.intents.language

    def step_for(piece: Reading, before: Step | None) -> Step | None:
        here = replace(scene, done=(*scene.done, before), current=(before,)) if before else scene
        found = understand(piece, offers, here, 1, {})
        if before and (found.ask or not found.segment.candidates or "trigger" not in found.segment.candidates[0].parts):
            return None
        return found.steps[-1] if found.steps else None

    parts = segment(reading, language, lambda piece: asks_for_something(piece, offers, scene))
    return tuple(small for part in parts for small in split_further(part, language, step_for))
