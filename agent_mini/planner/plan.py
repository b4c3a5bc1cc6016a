"""The planner: a sentence and the offered tools in, a plan out. It composes the stages and does nothing else.

    normalise → segment → for each piece: score → fill slots → decide → validate

A plan is a value: made of the same sentence, tools and earlier plans it is the same. It says what is to be called, or
what has to be asked first; ``agent_mini.planner.model`` carries it out, one step a turn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from agent_mini.planner.derive import match_tools
from agent_mini.planner.intents import Intents
from agent_mini.planner.normalise import normalise
from agent_mini.planner.pending import answered
from agent_mini.planner.piece import Understood, asks_for_something, understand
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
    earlier = tuple(step for turn in before if turn.ask is None for step in turn.steps)
    count = max((step.number for step in earlier), default=0) if results is None else results
    scene = Scene(intents, day, earlier, offers=match_tools(tools, intents), results=count)
    reading = normalise(text, intents)
    given = answered(reading, before[-1], scene) if before else None
    if given is not None:  # the answer completes the earlier request
        text = before[-1].text
        reading = normalise(text, intents)
    plan = Plan(text, reading.text, given=given or {})
    for index, piece in enumerate(_pieces(reading, scene)):
        if len(plan.steps) >= MAX_STEPS:
            return replace(plan, shortened=True)
        found = understand(piece, scene.after(*plan.steps), plan.given.get(index))
        question = Question(found.ask, index, found.tools) if found.ask else None
        plan = replace(
            plan,
            segments=(*plan.segments, found.segment),
            steps=(*plan.steps, *(replace(step, segment=index) for step in found.steps)),
            ask=plan.ask or question,
        )
    return plan


def _pieces(reading: Reading, scene: Scene) -> tuple[Reading, ...]:
    """The request in steps."""

    def step_for(piece: Reading, before: Step | None) -> Step | None:
        found = understand(piece, scene.after(before) if before else scene)
        if before and (found.ask or not _speaks_for_itself(found, scene)):
            return None
        return found.steps[-1] if found.steps else None

    def stands_alone(piece: Reading, before: Reading) -> bool:
        step = step_for(before, None)
        return asks_for_something(piece, scene.after(step) if step else scene)

    language = scene.intents.language
    parts = segment(reading, language, stands_alone)
    return tuple(small for part in parts for small in split_further(part, language, step_for))


def _speaks_for_itself(found: Understood, scene: Scene) -> bool:
    """Whether a piece asks for its tool by its own words, not by what was done before it."""
    best = next(iter(found.segment.candidates), None)
    return best is not None and best.total - best.parts.get("context", 0) >= scene.intents.weights.act
