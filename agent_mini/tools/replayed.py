"""Calls that are run again: a step that a crash cut off is repeated, and must not change anything twice."""

from hashlib import sha256

from agent_mini.tools.base import ToolContext


def request_of(context: ToolContext, *words: str | int | None) -> str:
    """What makes a call known again when it is repeated; empty when it belongs to no run.

    What is asked for is part of it, as a digest: should two calls ever share a key, the second one is not taken
    for the first.
    """
    if not context.call_key:
        return ""
    said = sha256(repr(words).encode("utf-8", "replace")).hexdigest()
    return f"call {context.call_key} {said[:16]}"
