"""Phrases: how the words of ``data/intents`` are written, and found in a text.

A phrase is found as it stands. A Latin one is found as whole words, with a plural s or without, with a hyphen, a space
or nothing where it has a hyphen, with an apostrophe or without. ``…`` stands for a few characters, ``{n}`` for a number, ``^`` for the front of the text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from pydantic import ConfigDict, PlainValidator

from agent_mini.planner.reading import Span

GAP = 16
"""How many characters ``…`` stands for at most."""

NUMBER = r"\d+(?:\.\d+)?"

_SPECIAL = re.compile(r"(…|\{n\}|\^|['’ -])")
_FORMS = {
    "…": f"[^，。！？；!?;]{{0,{GAP}}}?",
    "{n}": rf"(?<![\d.])({NUMBER})",
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
        # Most phrases are not there, and looking for one literal piece is what costs least.
        return self._pattern.search(text) if self.literal in text else None

    def at(self, text: str, place: int) -> re.Match[str] | None:
        """Whether it stands at ``place`` in ``text``."""
        return self._pattern.match(text, place) if text.startswith(self._start, place) else None

    @cached_property
    def _start(self) -> str:
        return _SPECIAL.split(self.words)[0]

    @cached_property
    def literal(self) -> str:
        """Its longest piece without marks."""
        return max(_SPECIAL.split(self.words)[::2], key=len)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        body = "".join(_FORMS.get(piece) or re.escape(piece) for piece in _SPECIAL.split(self.words))
        start = "(?<![a-z])" if self.words[0].isascii() and self.words[0].isalpha() else ""
        end = "s?(?![a-z])" if self.words[-1].isascii() and self.words[-1].isalpha() else ""
        return re.compile(start + body + end)


def _read(value: Any) -> Any:
    if isinstance(value, Phrase):
        return value
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a phrase is a text with something in it")
    phrase = Phrase(value.strip().lower())
    if phrase.find("") or not phrase.literal:
        raise ValueError(f"{value!r} is nothing but marks; a phrase has a letter or a sign to look for")
    return phrase


AsPhrase = Annotated[Phrase, PlainValidator(_read)]
"""A phrase in a data file: a text there."""

PHRASE_CONFIG = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


def find_all(phrases: Iterable[Phrase], text: str) -> list[tuple[Phrase, Span]]:
    """Those of ``phrases`` that are in ``text``, first things first; of two that overlap, the longer one."""
    found = [(phrase, match.span()) for phrase in phrases if (match := phrase.find(text))]
    found.sort(key=lambda hit: (hit[1][0] - hit[1][1], hit[1][0]))
    kept: list[tuple[Phrase, Span]] = []
    for phrase, (start, end) in found:
        if all(end <= other[0] or start >= other[1] for _, other in kept):
            kept.append((phrase, (start, end)))
    return sorted(kept, key=lambda hit: hit[1])


def first(phrases: Iterable[Phrase], text: str) -> Span | None:
    """Where the first of ``phrases`` stands that is in ``text``; of two at one place, the longer one."""
    found = [match.span() for phrase in phrases if (match := phrase.find(text))]
    return min(found, key=lambda span: (span[0], -span[1]), default=None)
