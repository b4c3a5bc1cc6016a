"""One step of a request: stages 3 to 6 on a single piece of the sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent_mini.planner.decide import decide
from agent_mini.planner.derive import Offer
from agent_mini.planner.reading import Reading
from agent_mini.planner.scene import Scene
from agent_mini.planner.score import score
from agent_mini.planner.slots import Filled, fill
from agent_mini.planner.validate import validate
from agent_mini.planner.values import WHICH, Candidate, Segment, Step

MAX_BACK = 3
"""How many steps back a follow-up may refer."""

_EDGE = " ，。,.!?！？~呀啊呢吗"


@dataclass(frozen=True, slots=True)
class Understood:
    """What a piece comes to.

    Args:
        segment: How it was understood.
        steps: The calls it takes: its own, behind those it needs first.
        ask: What is missing, or ``which``, or empty.
        tools: The tool it is for, or those that could be meant.
    """

    segment: Segment
    steps: tuple[Step, ...] = ()
    ask: str = ""
    tools: tuple[str, ...] = ()


def rank(piece: Reading, offers: Sequence[Offer], scene: Scene) -> tuple[Candidate, ...]:
    """What speaks for each offered tool, the best first; a tool that nothing speaks for is left out."""
    scored = [replace(score(piece, offer.intent, scene), tool=offer.name) for offer in offers]
    return tuple(sorted((item for item in scored if item.parts), key=lambda item: -item.total))


def understand(
    piece: Reading, offers: Sequence[Offer], scene: Scene, number: int, given: Mapping[str, Any]
) -> Understood:
    """Understand one step.

    Args:
        piece: What was said.
        offers: The tools that may be chosen.
        scene: What was done before.
        number: The number of the result that the step's first call will have.
        given: What the person has answered about it.
    """
    candidates = rank(piece, offers, scene)
    decision = decide(candidates, scene.intents.weights)
    by_name = {offer.name: offer for offer in offers}
    chosen = by_name.get(str(given.get(WHICH, "")))
    if chosen is None and decision.kind == "act":
        chosen = by_name[decision.tools[0]]
    segment = Segment(piece.typed_at(0, len(piece)), piece.text, candidates)
    if chosen is None and (followed := _follow_up(piece, offers, scene)):
        chosen, filled = followed
    elif chosen is not None:
        last = scene.done[-1] if scene.done else None
        goes_on = last is not None and last.intent == chosen.intent.tool and _has_cue(piece, scene)
        filled = fill(
            piece, chosen.intent, scene, given=given, inherited=last.arguments if last and goes_on else None
        )
    else:
        ask = WHICH if decision.kind == "which" else ""
        return Understood(replace(segment, ask=ask or None), ask=ask, tools=decision.tools)
    return _call(segment, chosen, filled, offers, scene, number)


def asks_for_something(piece: Reading, offers: Sequence[Offer], scene: Scene) -> bool:
    """Whether a part of a sentence can be a step of its own."""
    language, text = scene.intents.language, piece.text
    if any(phrases.first(text) for phrases in (language.pronouns, language.again)):
        return True
    if any(rule.pattern.fullmatch(text.strip(_EDGE)) for rule in language.arithmetic_on):
        return True
    return decide(rank(piece, offers, scene), scene.intents.weights).kind != "talk"


def _follow_up(piece: Reading, offers: Sequence[Offer], scene: Scene) -> tuple[Offer, Filled] | None:
    """A step once more, with what this piece changes about it: "and Lisbon?", "once more"."""
    for step in reversed(scene.done[-MAX_BACK:]):
        offer = next((offer for offer in offers if offer.intent.tool == step.intent), None)
        if offer is None:
            continue
        if scene.intents.language.again.first(piece.text):
            return offer, Filled(dict(step.arguments))
        filled = fill(piece, offer.intent, scene, inherited=step.arguments)
        changed = [name for name in filled.said if filled.arguments[name] != step.arguments.get(name)]
        whole = piece.text.strip(_EDGE) in (str(filled.arguments[name]).lower() for name in changed)
        if whole or (changed and _has_cue(piece, scene)):
            return offer, filled
    return None


def _has_cue(piece: Reading, scene: Scene) -> bool:
    language = scene.intents.language
    return any(phrases.first(piece.text) for phrases in (language.follow, language.pronouns))


def _call(
    segment: Segment, offer: Offer, filled: Filled, offers: Sequence[Offer], scene: Scene, number: int
) -> Understood:
    """The calls for a chosen tool, or the question for what is missing."""
    arguments, left_out = validate(filled.arguments, offer.tool.schema)
    slots = offer.intent.slots
    missing = [
        name for name in slots if name in filled.missing or (name in left_out and slots[name].required)
    ]
    if missing:
        known = {name: value for name, value in arguments.items() if name not in filled.needs}
        step = Step(offer.name, offer.intent.tool, known, number)
        segment = replace(segment, tool=offer.name, arguments=known, ask=missing[0], left_out=left_out)
        return Understood(segment, (step,), missing[0], (offer.name,))
    steps: list[Step] = []
    for slot, tool in filled.needs.items():
        arguments[slot], new = _needed(slot, tool, offer, offers, scene, number + len(steps), steps)
        steps += new
    steps.append(Step(offer.name, offer.intent.tool, arguments, number + len(steps)))
    segment = replace(segment, tool=offer.name, arguments=arguments, left_out=left_out)
    return Understood(segment, tuple(steps))


def _needed(
    slot: str,
    tool: str,
    offer: Offer,
    offers: Sequence[Offer],
    scene: Scene,
    number: int,
    steps: Sequence[Step],
) -> tuple[str, list[Step]]:
    """The value of a slot that another tool gives, and the call to it where it has not been made in this request."""
    path = next(source.path for source in offer.intent.slots[slot].sources if source.tool == tool)
    for step in (*steps, *scene.current):
        if step.intent == tool:
            return f"${step.number}.{path}", []
    found = next((other for other in offers if other.intent.tool == tool), None)
    if found is None:  # it is not offered; the day is known all the same
        return scene.day.isoformat(), []
    return f"${number}.{path}", [Step(found.name, tool, {}, number)]
