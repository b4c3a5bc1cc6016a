"""The server's side: reading a client's request, and writing an answer, whole or in pieces.

``agent_mini.workbook.endpoint`` serves any model with it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models.wire.loose import as_list, as_object, as_text, parse_json
from agent_mini.models.wire.reply import read_calls, read_content
from agent_mini.tools import Tool, ToolContext
from agent_mini.types import Message, Reply, Role, ToolResult, Usage

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
}


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a client asks for."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    response_schema: Mapping[str, Any] | None = None
    stream: bool = False
    include_usage: bool = False


def request_from_wire(text: str) -> ChatRequest:
    """Read the body of a request, given its raw text.

    Raises:
        ModelError: LLM_BAD_REQUEST, it cannot be understood.
    """
    try:
        request = as_object(parse_json(text), "the request")
        format_ = as_object(request.get("response_format") or {}, "response_format")
        named = as_object(format_.get("json_schema") or {}, "json_schema")
        options = as_object(request.get("stream_options") or {}, "stream_options")
        return ChatRequest(
            messages=messages_from_wire(request.get("messages")),
            tools=tuple(_tool_from_wire(item) for item in as_list(request.get("tools") or [], "tools")),
            response_schema=as_object(named["schema"], "the schema") if "schema" in named else None,
            stream=bool(request.get("stream")),
            include_usage=bool(options.get("include_usage")),
        )
    except ModelError as error:
        raise ModelError(ErrorCode.LLM_BAD_REQUEST, error.message) from None


def messages_from_wire(items: Any) -> tuple[Message, ...]:
    """Read a conversation."""
    messages: list[Message] = []
    called: dict[str, str] = {}  # names of the tools by call id: an answer need not repeat its tool's name
    for item in as_list(items, "messages"):
        wire = as_object(item, "a message")
        role = _ROLES.get(as_text(wire.get("role")))
        if role is None:
            raise ModelError(ErrorCode.LLM_BAD_REQUEST, f"no role {wire.get('role')!r}")
        content, _ = read_content(wire)
        calls = tuple(read_calls(wire)) if role == "assistant" else ()
        called |= {call.id: call.name for call in calls}
        answered = as_text(wire.get("tool_call_id")) if role == "tool" else None
        name = as_text(wire.get("name")) or called.get(answered) if answered else None
        messages.append(Message(role, content, calls, answered, name))
    return tuple(messages)


def reply_to_wire(reply: Reply, *, answer_id: str, created: int) -> dict[str, Any]:
    """A whole answer; ``created`` in seconds since 1970."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.tool_calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.tool_calls
        ]
    return {
        "id": answer_id,
        "object": "chat.completion",
        "created": created,
        "model": reply.model,
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish_reason}],
        "usage": _usage_to_wire(reply.usage),
    }


def chunks_to_wire(
    reply: Reply, *, answer_id: str, created: int, include_usage: bool = False
) -> Iterator[dict[str, Any]]:
    """The same answer as the pieces of a stream: arguments arrive cut anywhere, as they do from real servers."""
    head = {"id": answer_id, "object": "chat.completion.chunk", "created": created, "model": reply.model}

    def chunk(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}

    yield chunk({"role": "assistant", "content": ""})
    yield from (chunk({"reasoning_content": piece}) for piece in _pieces(reply.reasoning))
    yield from (chunk({"content": piece}) for piece in _pieces(reply.text))
    for index, call in enumerate(reply.tool_calls):
        function = {"name": call.name, "arguments": ""}
        yield chunk(
            {"tool_calls": [{"index": index, "id": call.id, "type": "function", "function": function}]}
        )
        for piece in _pieces(call.arguments):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, reply.finish_reason)
    if include_usage:
        yield {**head, "choices": [], "usage": _usage_to_wire(reply.usage)}


def error_to_wire(error_code: str, message: str) -> dict[str, Any]:
    """An error object."""
    return {"error": {"message": message, "type": error_code, "code": error_code}}


def _tool_from_wire(item: Any) -> Tool:
    """A tool that can be shown to a model; only the client can run it."""
    function = as_object(as_object(item, "a tool").get("function"), "a tool's function")
    name = as_text(function.get("name"))
    if not name:
        raise ModelError(ErrorCode.LLM_BAD_REQUEST, "a tool without a name")

    async def refuse(arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
        return ToolResult(False, f"{name} runs at the client")

    schema = as_object(
        function.get("parameters") or {"type": "object", "properties": {}}, "a tool's parameters"
    )
    return Tool(name, name, as_text(function.get("description")), schema, refuse)


def _pieces(text: str, size: int = 12) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))


def _usage_to_wire(usage: Usage) -> dict[str, int]:
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
    }
