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


def rank(piece: Reading, scene: Scene) -> tuple[Candidate, ...]:
    """What speaks for each offered tool, the best first; a tool that nothing speaks for is left out."""
    scored = [replace(score(piece, offer.intent, scene), tool=offer.name) for offer in scene.offers]
    return tuple(sorted((item for item in scored if item.parts), key=lambda item: -item.total))


def understand(piece: Reading, scene: Scene, given: Mapping[str, Any] | None = None) -> Understood:
    """Understand one step.

    Args:
        piece: What was said.
        scene: What it stands in.
        given: What the person has answered about it.
    """
    given = given or {}
    candidates = rank(piece, scene)
    decision = decide(candidates, scene.intents.weights)
    segment = Segment(piece.typed_at(0, len(piece)), piece.text, candidates)
    chosen = scene.offer(given.get(WHICH, "") or (decision.tools[0] if decision.kind == "act" else ""))
    if chosen is not None:
        filled = _fill(piece, chosen, scene, given)
        if not given and _no_order(piece, chosen, filled, scene):
            return Understood(segment)
        return _call(segment, chosen, filled, scene)
    misread = any("negative" in candidate.parts for candidate in candidates)
    if not misread and (followed := _follow_up(piece, scene)):
        return Understood(segment) if _no_order(piece, *followed, scene) else _call(segment, *followed, scene)
    ask = WHICH if decision.kind == "which" else ""
    return Understood(replace(segment, ask=ask or None), ask=ask, tools=decision.tools)


def _no_order(piece: Reading, offer: Offer, filled: Filled, scene: Scene) -> bool:
    """Whether the sentence is about an action that needs an order, and is none: 谁删了 notes.txt, "not done yet"."""
    for name, slot in offer.intent.slots.items():
        for kind in slot.not_when.get(str(filled.arguments.get(name)), ()):
            words, with_longer = scene.intents.language.no_orders[kind]
            if any(phrase in words for phrase, _ in with_longer.all(piece.text)):
                return True
    return False


def asks_for_something(piece: Reading, scene: Scene) -> bool:
    """Whether a part of a sentence can be a step of its own."""
    language, text = scene.intents.language, piece.text
    if any(phrases.first(text) for phrases in (language.pronouns, language.again)):
        return True
    if any(rule.pattern.fullmatch(text.strip(_EDGE)) for rule in language.arithmetic_on):
        return True
    return decide(rank(piece, scene), scene.intents.weights).kind != "talk"


def _fill(piece: Reading, offer: Offer, scene: Scene, given: Mapping[str, Any]) -> Filled:
    """The arguments of a chosen tool; where it goes on from a step of the same tool, what is left out is as there."""
    last = scene.last
    same = last.arguments if last and last.intent == offer.intent.tool else None
    if same is not None and _has_cue(piece, scene):
        return fill(piece, offer.intent, scene, given=given, inherited=same)
    filled = fill(piece, offer.intent, scene, given=given)
    if same is None or not scene.current or not filled.missing:
        return filled
    rest = {name: same[name] for name in filled.missing if name in same}
    return fill(piece, offer.intent, scene, given=given, inherited=rest)


def _follow_up(piece: Reading, scene: Scene) -> tuple[Offer, Filled] | None:
    """A step once more, with what this piece changes about it: "and Lisbon?", "once more"."""
    for step in reversed(scene.done[-MAX_BACK:]):
        offer = scene.offer_for(step.intent)
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
    """Whether a piece says that it goes on from what was done."""
    language = scene.intents.language
    return any(phrases.first(piece.text) for phrases in (language.follow, language.pronouns))


def _call(segment: Segment, offer: Offer, filled: Filled, scene: Scene) -> Understood:
    """The calls for a chosen tool, or the question for what is missing."""
    arguments, left_out = validate(filled.arguments, offer.tool.schema)
    slots = offer.intent.slots
    missing = [
        name for name in slots if name in filled.missing or (name in left_out and slots[name].required)
    ]
    if missing:
        known = {name: value for name, value in arguments.items() if name not in filled.needs}
        step = Step(offer.name, offer.intent.tool, known, scene.results + 1)
        segment = replace(segment, tool=offer.name, arguments=known, ask=missing[0], left_out=left_out)
        return Understood(segment, (step,), missing[0], (offer.name,))
    steps: list[Step] = []
    for slot, tool in filled.needs.items():
        arguments[slot], new = _needed(tool, _path(offer, slot, tool), scene.after(*steps))
        steps += new
    steps.append(Step(offer.name, offer.intent.tool, arguments, scene.results + len(steps) + 1))
    return Understood(replace(segment, tool=offer.name, arguments=arguments, left_out=left_out), tuple(steps))


def _needed(tool: str, path: str, scene: Scene) -> tuple[str, Sequence[Step]]:
    """A value that another tool gives, and the call to it where that has not been made yet."""
    for step in reversed(scene.done):
        if step.intent == tool:
            return f"${step.number}.{path}", ()
    found = scene.offer_for(tool)
    if found is None:  # it is not offered; what it would say is known all the same
        return scene.day.isoformat(), ()
    step = Step(found.name, tool, {}, scene.results + 1)
    return f"${step.number}.{path}", (step,)


def _path(offer: Offer, slot: str, tool: str) -> str:
    """Which piece of that tool's result a slot takes."""
    return next(source.path for source in offer.intent.slots[slot].sources if source.tool == tool)
