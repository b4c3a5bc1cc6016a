"""What passes between a program and a model: messages, tool calls and replies.

Pure values: no I/O, no clock, no storage id. Turning them into a server's JSON and back is the work of
``agent_mini.models.wire``; running the tools they ask for is the work of a tool loop.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]

FinishReason = Literal["stop", "tool_calls", "length", "content_filter"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's request that the program run a tool.

    Args:
        id: Unique within a conversation; the answer carries it back.
        name: The tool's name as the model wrote it; it may be one that does not exist.
        arguments: The raw text the model wrote, meant to be a JSON object; whoever runs the tool parses it.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of a conversation.

    Args:
        role: Who speaks.
        content: The text; empty when an assistant only calls tools.
        tool_calls: What an assistant asks to have run, in order.
        tool_call_id: On a ``tool`` message, the id of the call it answers.
        name: On a ``tool`` message, the name of the tool that ran.
        ok: On a ``tool`` message, whether the tool could do what was asked. A server is not told: the text says it.
        data: On a ``tool`` message, the result as plain data, for programs. A server is not sent it.
    """

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    ok: bool = True
    data: Any = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more model calls, as the server counted them."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Prompt and completion together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a reply while it is being written.

    Args:
        text: More of the visible answer.
        reasoning: More of the model's thinking, where it shows any.
        call: The position (from 0) of the tool call this piece belongs to, or None for text.
        tool_name: The called tool's name, on the first piece of a call.
        arguments: More of that call's raw arguments.
    """

    text: str = ""
    reasoning: str = ""
    call: int | None = None
    tool_name: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's whole answer to one call.

    Args:
        message: The assistant message, ready to be appended to the conversation.
        model: The model that wrote it, as the server names it.
        finish_reason: Why it stopped; after ``length`` nothing it wrote is complete.
        usage: Tokens, zeros where the server does not count.
        seconds: How long it took; a deterministic model reports its configured delay.
        reasoning: The model's thinking, kept out of ``message`` so that it is not sent back.
    """

    message: Message
    model: str
    finish_reason: FinishReason = "stop"
    usage: Usage = Usage()
    seconds: float = 0.0
    reasoning: str = ""

    @property
    def text(self) -> str:
        """The visible answer."""
        return self.message.content

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """What the model asks to have run."""
        return self.message.tool_calls

    @property
    def cut_off(self) -> bool:
        """Whether the output limit ended it, so that arguments in it may be half written."""
        return self.finish_reason == "length"


def system(text: str) -> Message:
    """A system message: who the model is and what rules it follows."""
    return Message("system", text)


def user(text: str) -> Message:
    """A user message: what a person, or another agent, says to the model."""
    return Message("user", text)


def assistant(text: str = "", tool_calls: Sequence[ToolCall] = ()) -> Message:
    """An assistant message: what the model said, and the tools it asked for."""
    return Message("assistant", text, tuple(tool_calls))


def tool_message(call: ToolCall, content: str, *, ok: bool = True, data: Any = None) -> Message:
    """A tool message: the answer to ``call``, carrying its id back."""
    return Message("tool", content, tool_call_id=call.id, name=call.name, ok=ok, data=data)
