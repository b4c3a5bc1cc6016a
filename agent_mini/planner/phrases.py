"""Phrases: how the words of ``data/intents`` are written, and found in a text.

A phrase is found as it stands. A Latin one is found as whole words, with a plural s or without; its hyphen may be a
space or nothing, its apostrophe may be missing. ``…`` stands for a few characters, ``{n}`` for a number, ``^`` for the
front of the text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Annotated, Any

from pydantic import ConfigDict, PlainValidator

from agent_mini.planner.reading import Span

GAP = 16
"""How many characters ``…`` stands for at most."""

NUMBER = r"(?<![\d.])\d{1,15}(?:\.\d{1,15})?(?!\d)"
"""A number, whole: tried at each digit of a long run of them, a sentence would take minutes."""

_MARKS = re.compile(r"(…|\{n\}|\^|['’ -])")
_FORMS = {
    "…": f"[^，。！？；!?;]{{0,{GAP}}}?",
    "{n}": rf"(?:(?<=[\u4e00-\u9fff])\s)?({NUMBER})(?:\s(?=[\u4e00-\u9fff]))?",
    "'": "['’]?",
    "’": "['’]?",
    "^": r"^\s*",
    " ": r"\s+",
    "-": r"[\s-]?",
}


@dataclass(frozen=True)
class Phrase:
    """Words to look for, in lower case; see above for what they may hold."""

    words: str

    def find(self, text: str) -> re.Match[str] | None:
        """Its first place in ``text``; the numbers it asks for are the groups of the match."""
        return self._pattern.search(text) if self.literal in text else None

    def at(self, text: str, place: int) -> re.Match[str] | None:
        """The match at ``place`` in ``text``, if there is one."""
        return self._pattern.match(text, place)

    @property
    def latin(self) -> list[str]:
        """The Latin words in it that are long enough to be misspelt."""
        return re.findall(r"[a-z]{4,}", self.words)

    @cached_property
    def literal(self) -> str:
        """Its longest piece without marks."""
        return max(_MARKS.split(self.words)[::2], key=len)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        body = "".join(_FORMS.get(piece) or re.escape(piece) for piece in _MARKS.split(self.words))
        start = "(?<![a-z])" if self.words[0].isascii() and self.words[0].isalpha() else ""
        end = "s?(?![a-z])" if self.words[-1].isascii() and self.words[-1].isalpha() else ""
        return re.compile(start + body + end)


class Phrases:
    """Many phrases, of which those in a text are found quickly.

    Args:
        phrases: The phrases, or their words.
    """

    def __init__(self, phrases: Iterable[Phrase | str] = ()) -> None:
        read = (phrase if isinstance(phrase, Phrase) else Phrase(phrase.lower()) for phrase in phrases)
        self._phrases = tuple(dict.fromkeys(read))
        self._known = frozenset(self._phrases)
        # Most phrases are not in most texts: those whose first two letters are not there need not be looked for.
        self._by_literal: dict[str, list[Phrase]] = {}
        self._by_start: dict[str, list[Phrase]] = {}
        for phrase in self._phrases:
            self._by_literal.setdefault(phrase.literal[:2], []).append(phrase)
            self._by_start.setdefault(_MARKS.split(phrase.words)[0][:2], []).append(phrase)

    def __iter__(self) -> Iterator[Phrase]:
        return iter(self._phrases)

    def __len__(self) -> int:
        return len(self._phrases)

    def __contains__(self, phrase: object) -> bool:
        return phrase in self._known

    def __add__(self, other: Iterable[Phrase]) -> "Phrases":
        return Phrases((*self, *other))

    def matches(self, text: str) -> Iterator[tuple[Phrase, re.Match[str]]]:
        """Each phrase that is in ``text``, with its first place."""
        for start in self._by_literal.keys() & _starts(text):
            for phrase in self._by_literal[start]:
                if match := phrase.find(text):
                    yield phrase, match

    def all(self, text: str) -> list[tuple[Phrase, Span]]:
        """Those that are in ``text``, first things first; of two that overlap, the longer one."""
        found = [(phrase, match.span()) for phrase, match in self.matches(text)]
        found.sort(key=lambda hit: (hit[1][0] - hit[1][1], hit[1][0], hit[0].words))
        kept: list[tuple[Phrase, Span]] = []
        for phrase, (start, end) in found:
            if all(end <= other[0] or start >= other[1] for _, other in kept):
                kept.append((phrase, (start, end)))
        return sorted(kept, key=lambda hit: hit[1])

    def first(self, text: str) -> Span | None:
        """Where the first of them stands that is in ``text``; of two at one place, the longer one."""
        spans = (match.span() for _, match in self.matches(text))
        return min(spans, key=lambda span: (span[0], -span[1]), default=None)

    def end_at(self, text: str, place: int) -> int | None:
        """The end of the longest that stands at ``place``, or None when none does."""
        starts = (text[place : place + 2], text[place : place + 1], "")
        candidates = (phrase for start in starts for phrase in self._by_start.get(start, ()))
        ends = [match.end() for phrase in candidates if (match := phrase.at(text, place))]
        return max(ends, default=None)


@lru_cache(maxsize=1024)
def _starts(text: str) -> frozenset[str]:
    """Every one and every two characters that stand side by side in ``text``."""
    return frozenset((*text, *map("".join, pairwise(text))))


def _read(value: Any) -> Phrases:
    if isinstance(value, Phrases):
        return value
    if not isinstance(value, list | tuple):
        raise ValueError("a list of phrases is wanted")
    for item in value:  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(item, str) or not item.strip():
            raise ValueError("a phrase is a text with something in it")
        phrase = Phrase(item.lower())
        if not phrase.literal.strip():
            raise ValueError(f"{item!r} is nothing but marks; a phrase has a letter or a sign to look for")
    return Phrases(value)  # pyright: ignore[reportUnknownArgumentType]


AsPhrases = Annotated[Phrases, PlainValidator(_read)]
"""A list of phrases in a data file: texts there."""

PHRASE_CONFIG = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
