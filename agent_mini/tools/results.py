"""What a tool gave, made into something that can be sent, stored and read again."""

import json
from dataclasses import replace
from typing import Any, cast

from agent_mini.printable import whole_text
from agent_mini.types import ToolResult

MAX_CONTENT = 50_000
"""Characters of a result that a model is given."""

MAX_DEPTH = 50
"""How deep a result's data may be nested: readers of JSON give up somewhere below."""


def plain_result(name: str, result: Any) -> ToolResult:
    """The result of tool ``name`` with real text and plain data, both within bounds.

    Anything that cannot become that is a result that is not ok, and says so.
    """
    if not isinstance(result, ToolResult) or not isinstance(cast("Any", result.content), str):
        return ToolResult(False, f"{name} gave no result that can be used")
    content = whole_text(result.content)
    if len(content) > MAX_CONTENT:
        content = f"{content[:MAX_CONTENT]}\n[{len(content) - MAX_CONTENT} characters left out]"
    try:
        data = json.loads(whole_text(json.dumps(result.data, allow_nan=False, ensure_ascii=False)))
    except (TypeError, ValueError, RecursionError):
        return ToolResult(False, f"{name} gave data that is not plain JSON")
    if _depth(data) > MAX_DEPTH:
        return ToolResult(False, f"{name} gave data nested deeper than {MAX_DEPTH} levels")
    return replace(result, content=content, data=data)


def _depth(value: Any) -> int:
    """How deep lists and dicts are nested, counted level by level: depth itself is no danger here."""
    depth, level = 0, [value]
    while containers := [_inside(cast("list[Any]", part)) for part in level if isinstance(part, list | dict)]:
        depth += 1
        level = [inner for container in containers for inner in container]
    return depth


def _inside(container: "list[Any] | dict[Any, Any]") -> list[Any]:
    return list(container.values()) if isinstance(container, dict) else container
