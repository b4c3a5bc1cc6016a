"""A text as the planner reads it, with the way back to what was typed.

Every stage may rewrite the text to make the next one simpler: 三天 becomes ``3天``, ``wether`` ``weather``, a quoted
sentence ``“…”``. Nothing is lost by it: ``typed_at`` gives the person's own words for any stretch of the reading.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

Span = tuple[int, int]
"""Where something stands in a reading: its start, and the end behind it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, rewritten.

    Args:
        text: The text as it is read, in lower case.
        typed: What was typed.
        origin: For each character of ``text``, and for its end, the place in ``typed`` it comes from.
        polite: Whether a polite beginning such as "could you" was left out, which only a request has.
    """

    text: str
    typed: str
    origin: tuple[int, ...]
    polite: bool = False

    @classmethod
    def of(cls, typed: str) -> "Reading":
        """What was typed, in lower case and otherwise as it is."""
        # A few letters become two when they are lowered; those stay, so that places still match.
        lowered = "".join(low if len(low := letter.lower()) == 1 else letter for letter in typed)
        return cls(lowered, typed, tuple(range(len(typed) + 1)))

    def __len__(self) -> int:
        return len(self.text)

    def sub(self, pattern: re.Pattern[str], replacement: str | Callable[[re.Match[str]], str]) -> "Reading":
        """The reading with each match of ``pattern`` replaced; the new text stands for what it replaced."""
        text: list[str] = []
        origin: list[int] = []
        done = 0
        for match in pattern.finditer(self.text):
            new = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
            if new == match[0]:
                continue
            start, end = match.span()
            text += self.text[done:start], new
            origin += self.origin[done:start]
            origin += [self.origin[start]] * len(new)
            done = end
        if not done:
            return self
        text.append(self.text[done:])
        return replace(self, text="".join(text), origin=(*origin, *self.origin[done:]))

    def translate(self, table: Mapping[int, str]) -> "Reading":
        """The reading with single characters replaced by single characters."""
        return replace(self, text=self.text.translate(table))

    def part(self, start: int, end: int) -> "Reading":
        """A stretch of the reading, without the white space around it."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        end = start + len(text.strip())
        return replace(self, text=self.text[start:end], origin=self.origin[start : end + 1])

    def typed_at(self, start: int, end: int) -> str:
        """What was typed for a stretch of the reading."""
        return self.typed[self.origin[start] : self.origin[end]]
