"""From our values to the JSON of a request: strict, only what every server takes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent_mini.models.wire.loose import is_json_object
from agent_mini.tools import Tool
from agent_mini.types import Message, ToolCall


def request_body(
    model: str,
    messages: Sequence[Message],
    tools: Iterable[Tool] = (),
    *,
    response_schema: Mapping[str, Any] | None = None,
    stream: bool = False,
    null_content: bool = True,
) -> dict[str, Any]:
    """The body of a request; ``null_content`` as in ``messages_to_wire``."""
    body: dict[str, Any] = {"model": model, "messages": messages_to_wire(messages, null_content=null_content)}
    if shown := tools_to_wire(tools):  # an empty list is refused
        body["tools"] = shown
    if response_schema is not None:
        named = {"name": "answer", "schema": dict(response_schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    if stream:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    return body


def messages_to_wire(messages: Iterable[Message], *, null_content: bool = True) -> list[dict[str, Any]]:
    """A conversation as the server reads it.

    Args:
        messages: The conversation.
        null_content: Whether the content of a message that only calls tools is null; some servers want "".
    """
    return [_message_to_wire(message, null_content) for message in messages]


def tools_to_wire(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """Tools as the server shows them to the model."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)},
        }
        for tool in tools
    ]


def call_to_wire(call: ToolCall) -> dict[str, Any]:
    """A tool call as it is echoed.

    Arguments that are not a JSON object are echoed as ``{}``: many servers refuse anything else, and would go on
    refusing the conversation. The model still learns what was wrong, from the error that answers the call.
    """
    arguments = call.arguments if is_json_object(call.arguments) else "{}"
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _message_to_wire(message: Message, null_content: bool) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        wire["content"] = message.content or (None if null_content else "")
        wire["tool_calls"] = [call_to_wire(call) for call in message.tool_calls]
    if message.role == "tool":
        wire["tool_call_id"] = message.tool_call_id
        if message.name:
            wire["name"] = message.name
    return wire
