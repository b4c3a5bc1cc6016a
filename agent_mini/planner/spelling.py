"""Slips of the keyboard: ``wether``, ``cion``, ``remnd``.

A word is corrected when it is one slip from exactly one word that the planner knows: two letters swapped, one left
out, one doubled, or, in a long word, one wrong. It must begin as that word does, and be no ordinary word itself.
What this does not do: guess. A word that could be two is left alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from agent_mini.planner.phrases import Phrase

WORD = re.compile(r"(?<![a-z'./-])[a-z]{4,20}(?![a-z'./-])")
"""A word that may be corrected: no short one, and no part of a path or an address."""

LONG = 6
"""From how many letters on a missing or a wrong one is still told from another word."""

_ANY = "\0"


def slips_of(word: str) -> Iterator[str]:
    """Every slip of ``word``; ``\\0`` stands for any letter."""
    for i in range(1, len(word) - 1):
        yield word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    for i in range(1, len(word)):
        yield word[:i] + word[i - 1 :]
        if len(word) >= LONG:
            yield word[:i] + word[i + 1 :]
            yield word[:i] + _ANY + word[i + 1 :]


def slip_table(phrases: Iterable[Phrase], ordinary: frozenset[str]) -> Mapping[str, str]:
    """For each slip the word that was meant, for the words of ``phrases`` with at least four letters."""
    words = {word for phrase in phrases for word in re.findall(r"[a-z]{4,}", phrase.words)}
    meant: dict[str, str] = {}
    ambiguous: set[str] = set()
    for word in sorted(words):
        for slip in slips_of(word):
            if meant.setdefault(slip, word) != word:
                ambiguous.add(slip)
    known = words | ordinary | {f"{word}s" for word in words}
    return {slip: word for slip, word in meant.items() if slip not in known and slip not in ambiguous}


def correct(word: str, table: Mapping[str, str], ordinary: frozenset[str]) -> str:
    """``word``, or the word it is a slip of."""
    if word in table:
        return table[word]
    if word in ordinary or len(word) < LONG:
        return word
    for i in range(1, len(word)):
        if meant := table.get(word[:i] + _ANY + word[i + 1 :]):
            return word if meant == word else meant
    return word
