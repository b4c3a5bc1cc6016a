"""A question that was asked, and the bare answer that resumes the request: "Which city?" "Lisbon".

Nothing is remembered between turns: the earlier plan says what it asked, and is made again from the same words.
"""

from collections.abc import Mapping
from typing import Any

from agent_mini.planner.decide import decide
from agent_mini.planner.extract.found import Found
from agent_mini.planner.intents import Slot
from agent_mini.planner.phrases import Phrases
from agent_mini.planner.piece import rank
from agent_mini.planner.reading import Reading
from agent_mini.planner.scene import Scene
from agent_mini.planner.slots import extract_bare, fill
from agent_mini.planner.values import WHICH, Given, Plan, Question

_ORDINALS = (
    Phrases(("^1", "第1", "第一", "^一", "the first", "^first", "number 1", "前者")),
    Phrases(("^2", "第2", "第二", "^二", "the second", "^second", "number 2", "后者")),
    Phrases(("^3", "第3", "第三", "^三", "the third", "^third", "number 3")),
)
_YES = Phrases(
    ["^是", "^对", "^好", "^嗯", "^要", "可以", "^yes", "^yeah", "^yep", "^sure", "^ok", "^right", "^please"]
)


def answered(reading: Reading, last: Plan, scene: Scene) -> Given | None:
    """What the person has given now, with what they gave before; None when this is no answer to the question."""
    question = last.ask
    language = scene.intents.language
    if question is None or any(words.first(reading.text) for words in (language.cancel, language.no_answers)):
        return None
    if question.slot != WHICH and reading.text.strip(" ，。,.!！?？~～") in language.no_answer:
        return None
    new = (
        _tool(reading, question, scene) if question.slot == WHICH else _values(reading, question, last, scene)
    )
    if not new:
        return None
    old = last.given.get(question.segment, {})
    return {**last.given, question.segment: {**old, **new}}


def _tool(reading: Reading, question: Question, scene: Scene) -> Mapping[str, Any]:
    """Which of the tools is meant: by its place, by a word of its own, or by a yes where there is only one."""
    options = [offer for name in question.tools if (offer := scene.offer(name))]
    named = [offer for offer in options if offer.intent.all_triggers.all(reading.text)]
    if len(named) == 1:
        return {WHICH: named[0].name}
    for offer, words in zip(options, _ORDINALS, strict=False):
        if words.first(reading.text):
            return {WHICH: offer.name}
    return {WHICH: options[0].name} if len(options) == 1 and _YES.first(reading.text) else {}


def _is_bare(reading: Reading, found: Found, slot: Slot) -> bool:
    """Whether an answer is little more than its value, where a value found by chance could do harm: "I have 3 kids"."""
    if slot.kind not in ("number", "path"):
        return True
    start, end = found.span
    beside = (reading.text[:start] + reading.text[end:]).strip(" ，。,.!！~～")
    return len(beside) <= (8 if beside.isascii() else 3)


def _values(reading: Reading, question: Question, last: Plan, scene: Scene) -> Mapping[str, Any]:
    """The missing value, and whatever else of the same tool the answer holds."""
    offer = scene.offer(question.tools[0])
    if offer is None or question.slot not in offer.intent.slots:
        return {}
    decision = decide(rank(reading, scene), scene.intents.weights)
    if decision.kind == "act" and decision.tools[0] != offer.name:
        return {}  # another subject
    slots, known = offer.intent.slots, last.segments[question.segment].arguments
    filled = fill(reading, offer.intent, scene, given=known)
    values = {name: filled.arguments[name] for name in filled.said if name not in known}
    if question.slot not in values:
        found = extract_bare(reading, slots[question.slot], scene)
        if found is None or not _is_bare(reading, found, slots[question.slot]):
            return {}
        values[question.slot] = found.value
    return values
