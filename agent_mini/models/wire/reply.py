"""From the JSON of an answer to a ``Reply``: forgiving, for this is what servers really send."""

import itertools
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models.wire.failures import provider_error, shorten
from agent_mini.models.wire.loose import as_int, as_list, as_object, as_text, bad_output, dump_json
from agent_mini.thinking import split_thinking
from agent_mini.types import FinishReason, Reply, ToolCall, Usage, assistant

_FINISH_REASONS: dict[str, FinishReason] = {
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
    "safety": "content_filter",
    "sensitive": "content_filter",
}
"""The names servers give to an answer that did not end by itself. All other names say that it did."""

_MOST_TOKENS = 10**12
"""More than any answer takes; a count above it is as good as none."""

_BROKEN_OFF = {"error", "abort", "network_error", "insufficient_system_resource"}
"""Finish reasons that are failures of the server."""


def reply_from_wire(body: Any, *, model: str = "", used_ids: Collection[str] = ()) -> Reply:
    """Read a whole answer.

    Args:
        body: The answer's parsed JSON.
        model: The model's name where the answer does not tell.
        used_ids: Ids of the calls already in the conversation; the reply's are different ones.

    Returns:
        The reply; ``seconds`` is left to the caller, who knows when it asked.

    Raises:
        ModelError: LLM_BAD_OUTPUT for an answer that cannot be used; another code for an error inside a 200.
    """
    answer = as_object(body, "the answer")
    choice = first_choice(answer)
    if choice is None:
        raise bad_output(f"no choices in the answer: {shorten(dump_json(answer))}")
    message = as_object(choice.get("message"), "the message")
    content, thoughts = read_content(message)
    text, thinking = split_thinking(content)
    calls = with_unique_ids(read_calls(message), used_ids)
    return Reply(
        message=assistant(text, calls),
        model=as_text(answer.get("model")) or model,
        finish_reason=_read_finish_reason(choice.get("finish_reason"), has_calls=bool(calls)),
        usage=_read_usage(answer.get("usage")),
        reasoning=(thoughts + thinking).strip(),
    )


def first_choice(answer: Mapping[str, Any]) -> dict[str, Any] | None:
    """The first of the ``choices``, or None where there is none; an error in its place is raised."""
    choices = answer.get("choices")
    if answer.get("error") or (not choices and answer.get("message")):
        raise provider_error(answer)
    if not isinstance(choices, list) or not choices:
        return None
    choice = as_object(choices[0], "a choice")
    if choice.get("error"):
        raise provider_error(choice)
    return choice


def read_content(message: Mapping[str, Any]) -> tuple[str, str]:
    """Text and thinking of a message, or of a piece of one, wherever the server puts them."""
    content = message.get("content")
    text = as_text(content)
    thoughts = as_text(message.get("reasoning_content")) or as_text(message.get("reasoning"))
    if content is not None and not isinstance(content, str):
        for part in as_list(content, "the content"):
            if isinstance(part, str):
                text += part
            elif as_object(part, "a part of the content").get("type") == "thinking":
                thoughts += _read_thinking(part.get("thinking"))
            else:
                text += as_text(part.get("text"))
    return text or as_text(message.get("refusal")), thoughts


def call_items(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The raw tool calls of a message, or of a piece of one; the older ``function_call`` counts as one."""
    if message.get("function_call"):
        return [{"index": 0, "function": message["function_call"]}]
    return [as_object(item, "a tool call") for item in as_list(message.get("tool_calls") or [], "tool_calls")]


def read_calls(message: Mapping[str, Any]) -> list[ToolCall]:
    """The tool calls of a message, with the ids it gives them: they may be empty, or all the same."""
    calls: list[ToolCall] = []
    for item in call_items(message):
        function = as_object(item.get("function"), "a tool call's function")
        name = as_text(function.get("name"))
        if not name:
            raise bad_output("a tool call without a name")
        calls.append(
            ToolCall(read_id(item.get("id")), name, read_arguments(function.get("arguments")) or "{}")
        )
    return calls


def read_id(value: Any) -> str:
    """A call's id; some servers send a number, or nothing."""
    return as_text(value) or str(as_int(value) or "")


def read_arguments(arguments: Any) -> str:
    """Arguments as the raw text they should have been; "" for null."""
    return as_text(arguments) if arguments is None or isinstance(arguments, str) else dump_json(arguments)


def with_unique_ids(calls: Collection[ToolCall], used: Collection[str]) -> tuple[ToolCall, ...]:
    """The calls, each with an id of its own: the server's where it is new, else one of ours."""
    taken = {*used, *(call.id for call in calls)}
    ours = (new for new in (f"call_{number}" for number in itertools.count(1)) if new not in taken)
    seen = {"", *used}
    unique: list[ToolCall] = []
    for call in calls:
        unique.append(replace(call, id=next(ours)) if call.id in seen else call)
        seen.add(call.id)
    return tuple(unique)


def _read_thinking(thinking: Any) -> str:
    if thinking is None or isinstance(thinking, str):
        return thinking or ""
    parts = (as_object(part, "a thought") for part in as_list(thinking, "the thinking"))
    return "".join(as_text(part.get("text")) for part in parts)


def _read_finish_reason(value: Any, *, has_calls: bool) -> FinishReason:
    name = as_text(value).lower()
    if name in _BROKEN_OFF:
        raise ModelError(ErrorCode.LLM_UNAVAILABLE, f"the server broke off its answer: {name}")
    # Servers label answers with calls "stop", and answers without "tool_calls".
    return _FINISH_REASONS.get(name) or ("tool_calls" if has_calls else "stop")


def _read_usage(value: Any) -> Usage:
    if not isinstance(value, dict):
        return Usage()
    counts = as_object(value, "usage")
    return Usage(_read_count(counts.get("prompt_tokens")), _read_count(counts.get("completion_tokens")))


def _read_count(value: Any) -> int:
    count = as_int(value) or 0
    return count if 0 <= count <= _MOST_TOKENS else 0
