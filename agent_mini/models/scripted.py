"""A model that plays prepared replies: the base of tests and notebooks, instead of mocks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_mini.errors import AgentError, ScriptExhausted
from agent_mini.models.base import Capabilities, OnDelta
from agent_mini.tools import Tool
from agent_mini.types import Delta, Message, Reply, ToolCall, assistant


@dataclass(frozen=True, slots=True)
class Request:
    """What a scripted model was asked: the messages, and the names of the tools it was shown."""

    messages: tuple[Message, ...]
    tools: tuple[str, ...]


ScriptItem = str | ToolCall | Sequence[ToolCall] | Reply | AgentError
"""A text, one or several tool calls, a whole reply, or an error to raise."""


class ScriptedModel:
    """Replies in order and records what it was asked.

    Args:
        script: The replies; see ``ScriptItem``.
        name: The name it answers under.

    Raises:
        ScriptExhausted: From ``chat``, when the script has no reply left.
    """

    def __init__(self, script: Iterable[ScriptItem], name: str = "scripted") -> None:
        self._script = list(script)
        self._name = name
        self.requests: list[Request] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(streaming=True)

    async def chat(
        self,
        messages: Sequence[Message],
        tools: Iterable[Tool] = (),
        *,
        response_schema: Mapping[str, Any] | None = None,
        grammar: str | None = None,
        on_delta: OnDelta | None = None,
    ) -> Reply:
        self.requests.append(Request(tuple(messages), tuple(tool.name for tool in tools)))
        if len(self.requests) > len(self._script):
            raise ScriptExhausted(
                f"{self._name} was asked {len(self.requests)} times, but its script has {len(self._script)} replies"
            )
        item = self._script[len(self.requests) - 1]
        if isinstance(item, AgentError):
            raise item
        reply = self._as_reply(item)
        if on_delta is not None and reply.text:
            on_delta(Delta(text=reply.text))
        return reply

    def _as_reply(self, item: str | ToolCall | Sequence[ToolCall] | Reply) -> Reply:
        if isinstance(item, Reply):
            return item
        if isinstance(item, str):
            return Reply(assistant(item), self._name)
        calls = (item,) if isinstance(item, ToolCall) else tuple(item)
        return Reply(assistant(tool_calls=calls), self._name, "tool_calls")
