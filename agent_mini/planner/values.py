"""What the planner makes: candidates, steps, segments, questions, plans. Values without behaviour."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

WHICH = "which"
"""What is asked when it is not clear which tool was meant."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What speaks for one tool.

    Args:
        tool: The tool, by the name it is offered under.
        parts: Each kind of evidence, and what it counts.
        found: The words and things behind them.
    """

    tool: str
    parts: Mapping[str, float]
    found: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        """The score: the sum of its parts."""
        return round(sum(self.parts.values()), 3)

    def to_plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "tool": self.tool,
            "total": self.total,
            "parts": dict(self.parts),
            "found": list(self.found),
        }


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call of a plan.

    Args:
        tool: The tool, by the name it is offered under.
        intent: The name our intents know it by.
        arguments: Its arguments; ``$N.path`` stands for a piece of an earlier result.
        number: Which of the conversation's results its own will be, from 1: what a later ``$N`` refers to.
        segment: Which segment of the plan it belongs to, from 0.
    """

    tool: str
    intent: str
    arguments: Mapping[str, Any]
    number: int
    segment: int = 0

    def to_plain(self) -> dict[str, Any]:
        """As plain data."""
        return {"tool": self.tool, "arguments": dict(self.arguments)}


@dataclass(frozen=True, slots=True)
class Segment:
    """One step of a request, as it was understood.

    Args:
        text: What was typed.
        reading: How it was read.
        candidates: What speaks for each tool, the best first.
        tool: The tool chosen, or None.
        arguments: Its arguments, as far as they are known.
        ask: What is missing, or ``which``.
        left_out: Arguments that the tool does not accept, each with the reason.
    """

    text: str
    reading: str
    candidates: tuple[Candidate, ...]
    tool: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    ask: str | None = None
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])

    def to_plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "text": self.text,
            "reading": self.reading,
            "tool": self.tool,
            "arguments": dict(self.arguments),
            "scores": [candidate.to_plain() for candidate in self.candidates],
            "ask": self.ask,
        }


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be asked before anything is done.

    Args:
        slot: The missing argument, or ``which``.
        segment: Which segment it is about, from 0.
        tools: The tool it is for, or those that could be meant, by the names they are offered under.
    """

    slot: str
    segment: int
    tools: tuple[str, ...]


Given = Mapping[int, Mapping[str, Any]]
"""What a person has answered: for each segment, values by slot; under ``which``, the tool."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a sentence asks for.

    Args:
        text: What was typed; where an answer completes an earlier request, that request.
        reading: How it was read.
        segments: Its steps, as they were understood.
        steps: The calls, in order; with a question, those that would follow its answer.
        ask: What has to be asked first, or None.
        given: What the person has answered so far.
        shortened: Whether it asks for more steps than a plan may have.
    """

    text: str
    reading: str = ""
    segments: tuple[Segment, ...] = ()
    steps: tuple[Step, ...] = ()
    ask: Question | None = None
    given: Given = field(default_factory=dict[int, Mapping[str, Any]])
    shortened: bool = False

    def to_plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "text": self.text,
            "reading": self.reading,
            "segments": [part.to_plain() for part in self.segments],
            "steps": [step.to_plain() for step in self.steps],
            "ask": self.ask.slot if self.ask else None,
        }
