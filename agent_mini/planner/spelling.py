"""Slips of the keyboard: ``wether``, ``cion``, ``remnd``.

A word is corrected when it is one slip from exactly one word that the planner knows: two letters swapped, one left
out, one doubled, or, in a long word, one wrong or too many. It must begin as that word does, and be no ordinary word
itself. What this does not do: guess. A word that could be two is left alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

WORD = re.compile(r"(?<![a-z'./-])[a-z]{4,20}(?![a-z'./-])")
"""A word that may be corrected: no short one, and no part of a path or an address."""

LONG = 5
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
            yield word[:i] + _ANY + word[i:]


def slip_table(words: Iterable[str], ordinary: Iterable[str]) -> Mapping[str, str]:
    """For each slip of one of ``words`` that word; none for what is a word itself, or could be two."""
    words = sorted(set(words))
    meant: dict[str, str] = {}
    known = {*words, *ordinary, *(f"{word}s" for word in words)}
    for word in words:
        for slip in slips_of(word):
            if slip not in known:
                meant[slip] = "" if slip in meant and meant[slip] != word else word
    return {slip: word for slip, word in meant.items() if word} | {word: word for word in known}


def correct(word: str, table: Mapping[str, str]) -> str:
    """``word``, or the word it is a slip of."""
    if word in table:
        return table[word]
    if len(word) < LONG:
        return word
    for place in range(1, len(word)):
        if meant := table.get(word[:place] + _ANY + word[place + 1 :]):
            return meant
    return word
