"""What an extractor gives back."""

from dataclasses import dataclass
from typing import Any

from agent_mini.planner.reading import Span


@dataclass(frozen=True, slots=True)
class Found:
    """A value in a sentence.

    Args:
        value: The value, plain data.
        span: Where it stands.
        sure: Whether it is one beyond doubt, so that it speaks for the tool that takes it.
        earlier: It stands for an earlier result: a pronoun, or a sum whose first number is ``{}``.
        needs: A tool that has to run first, because the value is its result.
    """

    value: Any
    span: Span = (0, 0)
    sure: bool = True
    earlier: bool = False
    needs: str = ""
