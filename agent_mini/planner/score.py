"""Stage 3, score: how much a sentence speaks for a tool, as a sum a person can check by hand.

trigger    words that ask for the tool, more at the front of the sentence than at its end
object     words that go with it
evidence   things found that it works on: a city, a sum, the path of a file
diversity  two kinds of these agree
hint       words that make it possible, among others, when nothing stronger is there
context    the step before gives what this tool takes
request    the sentence orders or asks; or else
statement  it tells something, and the word for the tool merely occurs in it
negative   it looks like the tool and means something else (《天气之子》), or says not to
"""

import re
from collections.abc import Iterable, Sequence

from agent_mini.planner.intents import Intent, Intents
from agent_mini.planner.normalise import QUOTED
from agent_mini.planner.phrases import Phrase
from agent_mini.planner.reading import Reading, Span
from agent_mini.planner.scene import Scene
from agent_mini.planner.slots import evidence
from agent_mini.planner.values import Candidate

PARTS = (
    "trigger",
    "object",
    "evidence",
    "diversity",
    "hint",
    "context",
    "request",
    "statement",
    "negative",
)
"""The kinds of evidence, in the order in which they are shown."""

Hits = list[tuple[Phrase, Span]]

_TITLE = re.compile(r"《[^》]{1,60}》")
_LABEL = re.compile(r".[:：]|[\u4e00-\u9fff]\s+\S")  # 待办：买牛奶, or 待办 买牛奶
_CLAUSE = re.compile(r"[，。！？；,.!?;]\s*")


def score(piece: Reading, intent: Intent, scene: Scene) -> Candidate:
    """Score one intent.

    Args:
        piece: One step of a request.
        intent: What might be meant.
        scene: What the sentence stands in.
    """
    weights, text = scene.intents.weights, piece.text
    triggers, misleading = _triggers(intent, text)
    objects = _outside(intent.all_objects.all(text), misleading)
    objects = [hit for hit in objects if not any(_within(hit[1], span) for _, span in triggers)]
    asks = _asks(piece, triggers, scene.intents)
    weak = ("text", "when") if asks or QUOTED in text else ("when",)
    things = evidence(piece, intent, scene, weak if triggers else ())

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
    if kinds >= 2:
        parts["diversity"] = weights.diversity
    hints = _outside(intent.hints.all(text), misleading) if asks and not (triggers or things) else []
    if hints:
        parts["hint"] = weights.hint
    goes_on = (triggers or things or "hint" in parts) and scene.gives_to(intent, text)
    if goes_on or (parts and not triggers and scene.repeats(intent)):
        parts["context"] = weights.context
    if asks and (triggers or parts.get("evidence", 0) >= weights.trigger):
        parts["request"] = weights.request
    elif not asks and kinds == 1 and "evidence" not in parts:
        parts["statement"] = weights.statement
    if _means_otherwise([*triggers, *objects], misleading, text, scene.intents):
        parts["negative"] = weights.negative
    found = [*(phrase.words for phrase, _ in (*triggers, *objects, *hints)), *things]
    found += [f"not {text[start:end]}" for start, end in misleading]
    return Candidate(intent.tool, {name: round(value, 3) for name, value in parts.items()}, tuple(found))


def _triggers(intent: Intent, text: str) -> tuple[Hits, list[Span]]:
    """The words that ask for the tool, and the places of those that only look so; of two that overlap, the longer."""
    hits = intent.telling.all(text)
    misleading = [span for phrase, span in hits if phrase in intent.negatives]
    titles = [match.span() for match in _TITLE.finditer(text)] if "《" in text else []
    triggers = [hit for hit in hits if hit[0] not in intent.negatives]
    named = [span for span in titles if any(_within(hit[1], span) for hit in triggers)]
    return _outside(triggers, titles), [*misleading, *named]


def _asks(piece: Reading, triggers: Hits, intents: Intents) -> bool:
    """Whether the sentence orders or asks: by a word for it, or because it is little more than the tool's own word."""
    covered = sum(end - start for _, (start, end) in triggers)
    labelled = any(_LABEL.match(piece.text, end - 1) for _, (_, end) in triggers)
    asked = intents.language.requests.first(piece.text) is not None
    return piece.polite or asked or labelled or 2 * covered > len(piece)


def _means_otherwise(hits: Hits, misleading: Sequence[Span], text: str, intents: Intents) -> bool:
    """Whether the words mean something else, are only talked about, or come behind a "don't"."""
    if not hits:
        return bool(misleading)
    language = intents.language
    if language.about.first(text):
        return True
    place = min(start for _, (start, _) in hits)
    clause = max((match.end() for match in _CLAUSE.finditer(text, 0, place)), default=0)
    before = language.denials.all(text[clause:place])
    return any(phrase in language.negations for phrase, _ in before)


def _outside(hits: Hits, spans: Iterable[Span]) -> Hits:
    return [hit for hit in hits if all(hit[1][1] <= start or hit[1][0] >= end for start, end in spans)]


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
