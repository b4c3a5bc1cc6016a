"""What a chat model is: one async method, and what it can do."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agent_mini.tools import Tool
from agent_mini.types import Delta, Message, Reply

OnDelta = Callable[[Delta], None]


class Shown:
    """Passes the pieces of an answer on, and remembers that it did: after that its failure is final.

    Args:
        on_delta: Where to; None for a caller who does not listen.
    """

    def __init__(self, on_delta: OnDelta | None) -> None:
        self.anything = False
        self.on_delta = None if on_delta is None else self._pass_on
        """What to give to whoever writes the answer; None where nobody listens."""
        self._listener = on_delta

    def _pass_on(self, delta: Delta) -> None:
        self.anything = True
        if self._listener is not None:
            self._listener(delta)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model can do; a loop asks before it relies on it."""

    tools: bool = True
    streaming: bool = False
    response_schema: bool = False
    grammar: bool = False


class ChatModel(Protocol):
    """Anything that answers a conversation: real, local, scripted, or made of other models.

    Retries happen in here and nowhere else.
    """

    @property
    def name(self) -> str:
        """The model's name, for logs and reports."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        ...

    async def chat(
        self,
        messages: Sequence[Message],
        tools: Iterable[Tool] = (),
        *,
        response_schema: Mapping[str, Any] | None = None,
        grammar: str | None = None,
        on_delta: OnDelta | None = None,
    ) -> Reply:
        """Answer the conversation.

        Args:
            messages: The conversation so far, every tool call in it answered.
            tools: What the model may ask for.
            response_schema: A JSON Schema the answer should follow; a hint where the model cannot enforce it.
            grammar: A GBNF grammar for models that can enforce one.
            on_delta: Called with each piece as it is written, where the model streams.

        Raises:
            ModelError: The model or its server failed, after any retries.
        """
        ...
