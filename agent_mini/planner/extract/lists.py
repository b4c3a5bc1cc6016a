"""Several values at once: things to choose from, the labels and values of a chart."""

import re
from collections.abc import Sequence

from agent_mini.planner.extract.found import Found
from agent_mini.planner.intents import Slot
from agent_mini.planner.phrases import find_all, first
from agent_mini.planner.reading import Reading, Span
from agent_mini.planner.scene import Scene

_BREAK = re.compile(
    r"\s*(?:[、，,;；/\n]\s*(?:and |or |和|或者|或)?|\s(?:and|or)\s|还是|或者|或|和|与|跟)\s*"
)
_PAIR = re.compile(
    r"(.*?[^\s:：=])\s*[:：=是为]?\s*(-?\d+(?:\.\d+)?)\s*(?:%|[\u4e00-\u9fff℃°]{1,2}|[a-z]{1,8})?"
)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?(?:\s*(?:[、，,;；\s]|and|和)+\s*-?\d+(?:\.\d+)?)+")
_RESPECTIVELY = re.compile(r"[，,]?\s*(?:分别是|分别为|分别|对应|依次是)\s*")
_EDGE = " \t，,。.！!？?；;：:、“”\"'"


def find_list(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """At least two things to choose from."""
    for span in _regions(piece.text, slot):
        items = [item.lstrip("的") for item in _items(piece, span) if item.lower() not in slot.placeholders]
        if len(items) >= 2 and all(len(item) <= 40 for item in items):
            return Found(items, span)
    return None


def bare_list(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The things of a bare answer."""
    span = (0, len(piece))
    items = _items(piece, span)
    return Found(items, span) if len(items) >= 2 else None


def find_labels(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The labels of a chart: those of pairs such as "cats 4, dogs 7", or a list behind "labels"."""
    if pairs := _pairs(piece):
        return Found([label for label, _ in pairs])
    if match := _RESPECTIVELY.search(piece.text):
        start = max((piece.text.rfind(mark, 0, match.start()) + 1 for mark in "：:"), default=0)
        if len(items := _items(piece, (start, match.start()))) >= 2:
            return Found(items)
    for span in _regions(piece.text, slot, bounded=True):
        items = _items(piece, span)
        if len(items) >= 2 and not all(map(_NUMBER.fullmatch, items)):
            return Found(items, span)
    return None


def find_values(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The values of a chart: those of pairs, or two numbers and more side by side."""
    if pairs := _pairs(piece):
        return Found([value for _, value in pairs])
    if match := _NUMBERS.search(piece.text):
        return Found([_number(text) for text in _NUMBER.findall(match[0])], match.span())
    return None


def _pairs(piece: Reading) -> list[tuple[str, int | float]]:
    """Each label with the number behind it; a part without a number ends nothing, fewer than two pairs are none."""
    pairs: list[tuple[str, int | float]] = []
    start = 0
    for match in [*_BREAK.finditer(piece.text), None]:
        end = match.start() if match else len(piece)
        if pair := _pair(piece, start, end, first_one=not pairs):
            pairs.append(pair)
        start = match.end() if match else end
    return pairs if len(pairs) >= 2 else []


def _pair(piece: Reading, start: int, end: int, *, first_one: bool) -> tuple[str, int | float] | None:
    text = piece.text[start:end].rstrip(_EDGE)
    lead = 0
    if first_one:  # 画一个饼图：房租3000
        lead = max((text.rfind(mark) + len(mark) for mark in _LEADS if mark in text[:-1]), default=0)
        if lead >= len(text) or not _PAIR.fullmatch(text[lead:].lstrip()):
            lead = 0
    inner = text[lead:]
    lead += len(inner) - len(inner.lstrip())
    match = _PAIR.fullmatch(text[lead:])
    if match is None:
        return None
    label = piece.typed_at(start + lead, start + lead + match.end(1)).strip(_EDGE)
    return (label, _number(match[2])) if label and not _NUMBER.fullmatch(label) else None


_LEADS = (
    "：",
    ":",
    " with ",
    " of ",
    " for ",
    " showing ",
    "画成",
    "图 ",
    "chart ",
    "graph ",
    "图，",
    "数据是",
    "数据",
)


def _number(text: str) -> int | float:
    value = float(text)
    return int(value) if value.is_integer() and len(text) < 16 else value


def _items(piece: Reading, span: Span) -> list[str]:
    start, end = span
    items: list[str] = []
    for match in [*_BREAK.finditer(piece.text, start, end), None]:
        stop = match.start() if match else end
        items.append(piece.typed_at(start, stop).strip(_EDGE))
        start = match.end() if match else end
    return [item for item in items if item]


def _regions(text: str, slot: Slot, *, bounded: bool = False) -> Sequence[Span]:
    """Where the list may stand: behind each of ``after`` up to ``until``, or before ``until``."""
    spans: list[Span] = []
    for _, (_, start) in find_all(slot.after, text):
        stop = first(slot.until, text[start:])
        spans.append((start, start + stop[0] if stop else len(text)))
    if not bounded and (stop := first(slot.until, text)):
        spans.append((0, stop[0]))
    return spans
