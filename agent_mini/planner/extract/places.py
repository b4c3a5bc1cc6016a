"""A city: one that is known, or else what stands where a city would."""

import re
from functools import lru_cache

from agent_mini.planner.extract.found import Found
from agent_mini.planner.intents import Intents, Slot
from agent_mini.planner.reading import Reading, Span
from agent_mini.planner.scene import Scene
from agent_mini.planner.spelling import LONG, correct, slip_table

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_WORD = re.compile(r"[^\W\d_]+(?:[.'’-][^\W\d_]+)*", re.UNICODE)
_LATIN = re.compile(r"[a-zÀ-ɏ]")
_BEFORE = re.compile(r"(?<![a-z])(?:in|for|at|of|to|around|near)\s+$")
_LONGEST_ZH = 7
_MOST_WORDS = 3


def find_city(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The city a sentence is about."""
    return (
        _known_chinese(piece, scene)
        or _known_latin(piece, scene)
        or _placed_latin(piece, scene)
        or _left_over(piece, scene)
    )


def bare_city(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The city in a bare answer, which may be any name."""
    if found := find_city(piece, slot, scene):
        return found
    words = [match for match in _WORD.finditer(piece.text) if _LATIN.match(match[0])]
    words = [match for match in words if match[0] not in scene.intents.language.stops]
    if words and len(words) <= _MOST_WORDS:
        span = (words[0].start(), words[-1].end())
        return Found(piece.typed_at(*span), span, sure=False)
    return None


def _known_chinese(piece: Reading, scene: Scene) -> Found | None:
    names, text = scene.intents.places.zh, piece.text
    for run in _HAN.finditer(text):
        for start in range(run.start(), run.end() - 1):
            for end in range(min(run.end(), start + _LONGEST_ZH), start + 1, -1):
                if text[start:end] in names:
                    return Found(text[start:end], (start, end))
    return None


def _known_latin(piece: Reading, scene: Scene) -> Found | None:
    names = scene.intents.places.en
    words = list(_WORD.finditer(piece.text))
    for first in range(len(words)):
        for last in range(min(len(words), first + _MOST_WORDS), first, -1):
            span = (words[first].start(), words[last - 1].end())
            name = piece.text[slice(*span)].removesuffix("'s").removesuffix("’s")
            if name in names:
                return Found(piece.typed_at(span[0], span[0] + len(name)), span)
    table, stops = _city_slips(scene.intents), scene.intents.language.stops
    for word in words:
        if len(word[0]) >= LONG and word[0] not in stops and (meant := correct(word[0], table)) != word[0]:
            return Found(meant.title(), word.span())
    return None


@lru_cache(maxsize=8)
def _slips_of(names: frozenset[str], ordinary: frozenset[str]) -> dict[str, str]:
    return dict(slip_table((name for name in names if name.isalpha() and len(name) >= LONG), ordinary))


def _city_slips(intents: Intents) -> dict[str, str]:
    return _slips_of(intents.places.en, intents.language.stops | intents.language.ordinary)


def _placed_latin(piece: Reading, scene: Scene) -> Found | None:
    """Latin words behind "in", or next to "weather"."""
    stops = scene.intents.language.stops
    words = [match for match in _WORD.finditer(piece.text) if _LATIN.match(match[0])]
    for index, word in enumerate(words):
        if _BEFORE.search(piece.text[: word.start()]) and (span := _name_from(words, index, stops)):
            return _latin(piece, span)
    for index, word in enumerate(words):
        if word[0].startswith(("weather", "forecast", "temperature")):
            if span := _name_from(words, index + 1, stops):
                return _latin(piece, span)
            if index and words[index - 1][0].removesuffix("'s") not in stops:
                return _latin(piece, words[index - 1].span())
    return None


def _name_from(words: list[re.Match[str]], index: int, stops: frozenset[str]) -> Span | None:
    """The words from ``index`` on that can be parts of a name and stand side by side."""
    end = index
    while end < len(words) and end - index < _MOST_WORDS and words[end][0].removesuffix("'s") not in stops:
        if end > index and words[end].start() - words[end - 1].end() != 1:
            break
        end += 1
    return (words[index].start(), words[end - 1].end()) if end > index else None


def _latin(piece: Reading, span: Span) -> Found:
    name = piece.typed_at(*span).removesuffix("'s").removesuffix("’s")
    return Found(name, span, sure=False)


def _left_over(piece: Reading, scene: Scene) -> Found | None:
    """The first Chinese characters that are left when all other words are taken away."""
    for match in _HAN.finditer(scene.intents.around_cities.sub(" ", piece.text)):
        start = piece.text.find(match[0])
        if len(match[0]) >= 2 and start >= 0:
            return Found(match[0].removesuffix("市"), (start, start + len(match[0])), sure=False)
    return None
