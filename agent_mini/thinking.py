"""Telling a model's thinking from its answer, where a server leaves ``<think>`` blocks in the text.

Only blocks before the answer count: later, ``<think>`` is something the answer talks about.
"""

import re
from typing import Literal

_OPEN = "<think>"
_CLOSE = "</think>"
_LONE_CLOSE = re.compile(r"^</think>[ \t]*$", re.MULTILINE)


class ThinkSplitter:
    """Splits a text that comes in pieces, a tag possibly spread over several of them.

    What may still turn out to be a tag is held back until it is clear.
    """

    def __init__(self) -> None:
        self._held: str = ""
        self._state: Literal["before", "thinking", "answer"] = "before"
        self._had_block = False

    def feed(self, piece: str) -> tuple[str, str]:
        """Take a piece; return what is certain by now: more of the answer, and more of the thinking."""
        self._held += piece
        thinking = ""
        while self._state != "answer":
            if self._state == "before":
                begun = self._held.lstrip()
                if begun.startswith(_OPEN):
                    self._state, self._held, self._had_block = "thinking", begun.removeprefix(_OPEN), True
                elif _OPEN.startswith(begun):  # nothing yet, or the beginning of a tag
                    return "", thinking
                else:
                    # The blank lines after a block belong to it.
                    self._state, self._held = "answer", begun if self._had_block else self._held
            else:
                thought, tag, rest = self._held.partition(_CLOSE)
                if tag:
                    thinking += thought
                    self._state, self._held = "before", rest
                else:
                    certain = len(thought) - _partial_tag(thought)
                    self._held = thought[certain:]
                    return "", thinking + thought[:certain]
        answer, self._held = self._held, ""
        return answer, thinking

    def close(self) -> tuple[str, str]:
        """The text has ended: return what was held back, as answer and thinking."""
        held, self._held = self._held, ""
        if self._state == "thinking":
            return "", held
        return held.lstrip() if self._had_block else held, ""


def split_thinking(text: str) -> tuple[str, str]:
    """Split a whole text into answer and thinking.

    A closing tag on a line of its own, with no opening one before it, ends thinking too: the templates of some
    models write the opening tag for them. In a stream nobody can know that until it comes.
    """
    lone = _LONE_CLOSE.search(text)
    if lone and _OPEN not in text[: lone.start()]:
        return text[lone.end() :].lstrip(), text[: lone.start()]
    splitter = ThinkSplitter()
    answer, thinking = splitter.feed(text)
    rest, more = splitter.close()
    return answer + rest, thinking + more


def _partial_tag(text: str) -> int:
    """How many characters at the end of ``text`` may be the beginning of a closing tag."""
    return next((size for size in range(len(_CLOSE) - 1, 0, -1) if text.endswith(_CLOSE[:size])), 0)
