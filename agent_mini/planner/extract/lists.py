"""Several values at once: things to choose from, the labels and values of a chart."""

import re
from collections.abc import Iterator, Sequence

from agent_mini.planner.extract.found import Found
from agent_mini.planner.intents import Slot
from agent_mini.planner.reading import Reading, Span
from agent_mini.planner.scene import Scene

_BREAK = re.compile(
    r"\s*(?:[、，,;；/\n]\s*(?:and |or |和|或者|或)?|\s(?:and|or)\s|还是|或者|或|和|与|跟)\s*"
)
_PAIR = re.compile(
    r"(.*?[^\s:：=])\s*[:：=是为]?\s*(-?\d+(?:\.\d+)?)\s*(?:%|[\u4e00-\u9fff℃°]{1,2}|[a-z]{1,8})?"
)
_LOOSE_PAIR = re.compile(
    r"[^\d\s，,、:：=](?:[^\d，,、:：=]{0,30}?[^\s\d，,、:：=])?\s*[:：=]?\s*-?\d+(?:\.\d+)?%?(?=\s|$)"
)
_HAS_NUMBER = re.compile(r"\s*(?:[^\d\s]|\d{4}\s*[:：]).*\d")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?(?:(?:[、，,;；\s]|and|和)+-?\d+(?:\.\d+)?)+")
_EITHER = re.compile(
    r"(?:[吃去选喝买穿看是该要用做玩]|^)([^\s，,。：:吃去选喝买穿看是该要用做玩]{1,8})还是(?:[吃去选喝买穿看])?([^\s，,。？?！!呢]{1,8})"
)
_RESPECTIVELY = re.compile(r"[，,]?\s*(?:分别是|分别为|分别|对应|依次是)\s*")
_EDGE = " \t，,。.！!？?；;：:、“”\"'"


def find_list(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """At least two things to choose from."""
    for span in _regions(piece.text, slot):
        items = [item.lstrip("的") for item in _items(piece, span) if item.lower() not in slot.placeholders]
        if len(items) >= 2 and all(len(item) <= 40 for item in items):
            return Found(items, span)
    if match := _EITHER.search(piece.text):  # 吃米饭还是面条
        return Found([piece.typed_at(*match.span(side)).strip() for side in (1, 2)], match.span())
    return None


def bare_list(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The things of a bare answer."""
    span = (0, len(piece))
    items = _items(piece, span)
    return Found(items, span) if len(items) >= 2 else None


def find_labels(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The labels of a chart: those of pairs such as "cats 4, dogs 7", or a list behind "labels"."""
    if pairs := _pairs(piece, slot):
        return Found([label for label, _ in pairs])
    if match := _RESPECTIVELY.search(piece.text):
        start = max((piece.text.rfind(mark, 0, match.start()) + 1 for mark in "：:"), default=0)
        if len(items := _items(piece, (start, match.start()))) >= 2:
            return Found(items)
    for span in _regions(piece.text, slot, bounded=True):
        items = _items(piece, span)
        items = items[0].split() if len(items) == 1 else items
        if len(items) >= 2 and not all(map(_NUMBER.fullmatch, items)):
            return Found(items, span)
    return None


def find_values(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The values of a chart: those of pairs, or two numbers and more side by side."""
    if pairs := _pairs(piece, slot):
        return Found([value for _, value in pairs])
    if match := _NUMBERS.search(piece.text):
        return Found([_number(text) for text in _NUMBER.findall(match[0])], match.span())
    return None


def _pairs(piece: Reading, slot: Slot) -> list[tuple[str, int | float]]:
    """Each label with the number behind it; fewer than two pairs are none."""
    number = _NUMBER.search(piece.text)
    if number is None:
        return []
    stop = slot.until.first(piece.text[number.end() :])
    spans = list(_spans(piece, (0, number.end() + stop[0] if stop else len(piece))))
    pairs = [pair for span in spans if (pair := _pair(piece, _behind_lead(piece, span, slot)))]
    if len(pairs) >= 2:
        return pairs
    for span in spans:  # cats 4 dogs 7
        start, end = _behind_lead(piece, span, slot)
        found = [_pair(piece, match.span()) for match in _LOOSE_PAIR.finditer(piece.text, start, end)]
        if len(loose := [pair for pair in found if pair]) >= 2:
            return loose
    return []


def _behind_lead(piece: Reading, span: Span, slot: Slot) -> Span:
    """The span without what leads up to the first label: 画一个饼图：房租3000."""
    start, end = span
    text = piece.text[start:end]
    leads = [place for _, (_, place) in slot.skip.all(text) if _HAS_NUMBER.match(text, place)]
    return (start + max(leads, default=0), end)


def _pair(piece: Reading, span: Span) -> tuple[str, int | float] | None:
    start, end = span
    match = _PAIR.fullmatch(piece.text[start:end].strip(_EDGE))
    if match is None:
        return None
    start += len(piece.text[start:end]) - len(piece.text[start:end].lstrip(_EDGE))
    label = piece.typed_at(start, start + match.end(1)).strip(_EDGE)
    # 2021: 5 is a year and its value, 4 7 are two values.
    named = not _NUMBER.fullmatch(label) or set(":：=") & set(match[0])
    return (label, _number(match[2])) if label and named else None


def _number(text: str) -> int | float:
    value = float(text)
    return int(value) if value.is_integer() and len(text) < 16 else value


def _items(piece: Reading, span: Span) -> list[str]:
    texts = (piece.typed_at(*part).strip(_EDGE) for part in _spans(piece, span))
    return [text for text in texts if text]


def _spans(piece: Reading, span: Span) -> Iterator[Span]:
    """The stretches between commas, "and", 和."""
    start, end = span
    for match in _BREAK.finditer(piece.text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def _regions(text: str, slot: Slot, *, bounded: bool = False) -> Sequence[Span]:
    """Where the list may stand: behind each of ``after`` up to ``until``, or before ``until``."""
    spans: list[Span] = []
    for _, (_, start) in slot.after.all(text):
        stop = slot.until.first(text[start:])
        spans.append((start, start + stop[0] if stop else len(text)))
    if not bounded and (stop := slot.until.first(text)):
        spans.append((0, stop[0]))
    return spans
