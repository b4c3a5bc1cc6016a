"""Stage 3, score: how much a sentence speaks for a tool, as a sum a person can check by hand.

trigger    words that ask for the tool, more at the front of the sentence than at its end
object     words that go with it
evidence   things found that it works on: a city, a sum, the path of a file
context    the step before gives what this tool takes
diversity  two kinds of the above agree
negative   it looks like the tool and means something else (《天气之子》), or the sentence says not to
"""

import re
from collections.abc import Sequence

from agent_mini.planner.intents import Intent, Intents
from agent_mini.planner.phrases import Phrase, find_all
from agent_mini.planner.reading import Reading, Span
from agent_mini.planner.scene import Scene
from agent_mini.planner.slots import evidence
from agent_mini.planner.values import Candidate

_TITLE = re.compile(r"《[^》]{1,60}》")
_CLAUSE = re.compile(r"[，。！？；,.!?;]\s*")


def score(piece: Reading, intent: Intent, scene: Scene) -> Candidate:
    """Score one intent.

    Args:
        piece: One step of a request.
        intent: What might be meant.
        scene: What the sentence stands in.
    """
    weights, text = scene.intents.weights, piece.text
    misleading = [*(span for _, span in find_all(intent.negatives, text)), *_titles(text)]
    triggers = _outside(find_all(intent.all_triggers, text), misleading)
    objects = _outside(find_all(intent.all_objects, text), misleading)
    objects = [hit for hit in objects if not any(_within(hit[1], span) for _, span in triggers)]
    things = evidence(piece, intent, scene)

    parts: dict[str, float] = {}
    if triggers:
        parts["trigger"] = sum(
            weights.trigger * (weights.front - (weights.front - 1) * start / len(text))
            for _, (start, _) in triggers[: weights.most]
        )
    if objects:
        parts["object"] = weights.object * min(len(objects), weights.most)
    if things:
        parts["evidence"] = sum(intent.slots[name].evidence for name in things)
    kinds = len(parts)
    if parts and scene.gives_to(intent, text):
        parts["context"] = weights.context
    if kinds >= 2:
        parts["diversity"] = weights.diversity
    places = [start for _, (start, _) in (*triggers, *objects)]
    denied = bool(places) and _denied(min(places), text, scene.intents)
    if denied or (misleading and not triggers and _mentions(intent, misleading, text)):
        parts["negative"] = weights.negative
    found = [*(phrase.words for phrase, _ in (*triggers, *objects)), *things]
    return Candidate(intent.tool, {name: round(value, 3) for name, value in parts.items()}, tuple(found))


def _titles(text: str) -> list[Span]:
    """What stands in 《》 is a name, whatever it says."""
    return [match.span() for match in _TITLE.finditer(text)] if "《" in text else []


def _outside(hits: list[tuple[Phrase, Span]], spans: Sequence[Span]) -> list[tuple[Phrase, Span]]:
    return [hit for hit in hits if all(hit[1][1] <= start or hit[1][0] >= end for start, end in spans)]


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _mentions(intent: Intent, misleading: Sequence[Span], text: str) -> bool:
    """Whether the misleading words are those of ``intent``: a film's title speaks against no other tool."""
    return any(
        phrase.find(text[start:end]) for start, end in misleading for phrase in intent.all_triggers
    ) or any(phrase.find(text) for phrase in intent.negatives)


def _denied(place: int, text: str, intents: Intents) -> bool:
    """Whether a "don't" stands before ``place``, in the same clause."""
    clause = max((match.end() for match in _CLAUSE.finditer(text, 0, place)), default=0)
    before = text[clause:place]
    language = intents.language
    hits = find_all((*language.negations, *language.no_negations), before)
    return any(phrase in language.negations for phrase, _ in hits)
