"""What comes of running a tool, and of a whole tool loop."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agent_mini.types.events import StopReason
from agent_mini.types.messages import Message, Reply, Usage, assistant


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The outcome of one tool call, good or bad.

    Args:
        ok: False when the tool could not do what was asked; ``content`` then says why.
        content: What the model reads.
        data: The same as plain data (JSON types) for programs, or None.
        via: Where it ran: ``builtin`` for this process, ``mcp`` for a server.
    """

    ok: bool
    content: str
    data: Any = None
    via: str = "builtin"


@dataclass(frozen=True, slots=True)
class ToolStep:
    """One line of a tool loop's step log.

    Args:
        step: The number of the model call (from 1) that asked for it.
        tool: The tool's name as the model wrote it.
        arguments: The raw arguments as the model wrote them, with references replaced, or as a person edited them.
        result: What came of it.
        ms: How long it ran, in milliseconds of the loop's clock.
    """

    step: int
    tool: str
    arguments: str
    result: ToolResult
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class LoopResult:
    """What a tool loop returns, however it ended.

    Args:
        text: The final answer; when a limit stopped the loop, the last text the model wrote (it may be empty).
        stop_reason: Why the loop ended.
        messages: The whole conversation, every call answered, ready to be continued.
        steps: The step log, in order.
        usage: Tokens of all model calls together.
        seconds: Time the model took, all calls together.
        model: The model that wrote the last reply.
        reasoning: The thinking behind the last reply, where the model shows any.
    """

    text: str
    stop_reason: StopReason
    messages: tuple[Message, ...]
    steps: tuple[ToolStep, ...] = ()
    usage: Usage = Usage()
    seconds: float = 0.0
    model: str = ""
    reasoning: str = ""

    @classmethod
    def collect(
        cls,
        stop_reason: StopReason,
        messages: Iterable[Message],
        steps: Iterable[ToolStep],
        replies: Sequence[Reply],
    ) -> "LoopResult":
        """Add up what a loop has when it ends; with no reply at all, text and model are empty."""
        last = replies[-1] if replies else Reply(assistant(), "")
        return cls(
            text=last.text,
            stop_reason=stop_reason,
            messages=tuple(messages),
            steps=tuple(steps),
            usage=sum((reply.usage for reply in replies), Usage()),
            seconds=sum(reply.seconds for reply in replies),
            model=last.model,
            reasoning=last.reasoning,
        )
