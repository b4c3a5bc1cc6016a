"""References: ``$1.series.temp_max`` in a call's arguments stands for a piece of an earlier result.

A model that writes one need not copy numbers, and cannot copy them wrongly. ``$N`` is the N-th tool result of the
conversation the model was shown, the first name after it a key of that result's data, and ``content`` is the text
the model read. A name on a list is taken of each of its items; ``[0]`` or ``.0`` picks one. A whole string becomes
the value itself; inside a longer string, as in ``$2.days * 3``, the value is written out. ``$$1.x`` is no reference
but the text ``$1.x``, and an amount such as ``$1.50`` is none either.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from agent_mini.parsing import parse_arguments
from agent_mini.types import Message, ToolCall

_REFERENCE = re.compile(r"\$(\$?)(\d+)(\.[^\W\d]\w*(?:\.\w+|\[\d+\])*)", re.ASCII)
_PIECE = re.compile(r"\w+", re.ASCII)


class BadReference(ValueError):
    """A reference that leads nowhere; the message is written for the model."""


def resolve_call(call: ToolCall, messages: Sequence[Message]) -> ToolCall:
    """The call with every reference in its arguments replaced; the same call when there is none.

    Arguments that are no JSON object are left to whoever runs the call.

    Raises:
        BadReference: One leads nowhere.
    """
    if "$" not in call.arguments:
        return call
    try:
        arguments = parse_arguments(call.arguments)
    except ValueError:
        return call
    resolved = resolve(arguments, messages)
    return (
        call if resolved == arguments else replace(call, arguments=json.dumps(resolved, ensure_ascii=False))
    )


def resolve(value: Any, messages: Sequence[Message]) -> Any:
    """``value``, plain data, with every reference in it replaced by what it stands for.

    Args:
        value: Strings, and lists and dicts of them; anything else stays as it is.
        messages: The conversation; its ``tool`` messages are the results, counted from 1.

    Raises:
        BadReference: One leads nowhere.
    """
    match value:
        case str():
            return _resolve_text(value, messages)
        case dict():
            items = cast("dict[str, Any]", value).items()
            return {name: resolve(item, messages) for name, item in items}
        case list():
            return [resolve(item, messages) for item in cast("list[Any]", value)]
        case _:
            return value


def _resolve_text(text: str, messages: Sequence[Message]) -> Any:
    whole = _REFERENCE.fullmatch(text)
    if whole and not whole[1]:
        return _look_up(whole, messages)

    def write_out(match: re.Match[str]) -> str:
        if match[1]:
            return match[0][1:]
        found = _look_up(match, messages)
        return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)

    return _REFERENCE.sub(write_out, text)


def _look_up(reference: re.Match[str], messages: Sequence[Message]) -> Any:
    written, number = reference[0], int(reference[2])
    results = [message for message in messages if message.role == "tool"]
    if not 1 <= number <= len(results):
        count = "1 result" if len(results) == 1 else f"{len(results)} results"
        raise BadReference(f"{written}: the conversation has {count} so far, and ${number} is none of them")
    result = results[number - 1]
    if not result.ok:
        raise BadReference(f"{written}: call {number} failed, so it has no data")
    value: Any = _data_of(result)
    for name in _PIECE.findall(reference[3]):
        value = _piece(value, name, written)
    return value


def _data_of(result: Message) -> Mapping[str, Any]:
    """A result's data as names to choose from; where it came without any, its text may be JSON."""
    data = result.data
    if data is None:
        try:
            data = json.loads(result.content)
        except (ValueError, RecursionError):
            data = None
    named = cast("dict[str, Any]", data) if isinstance(data, dict) else {"data": data}
    return {"content": result.content, **named}


def _piece(value: Any, name: str, written: str) -> Any:
    match value:
        case dict() if name in value:
            return cast("Any", value[name])
        case dict():
            names = ", ".join(map(str, cast("dict[str, Any]", value)))
            raise BadReference(f"{written}: there is no {name!r}; there is {names or 'nothing'}")
        case list():
            items = cast("list[Any]", value)
            if not name.isdecimal():
                return [_piece(item, name, written) for item in items]
            if int(name) < len(items):
                return items[int(name)]
            raise BadReference(f"{written}: there is no item {name}; there are {len(items)}, from 0")
        case _:
            raise BadReference(f"{written}: {name!r} leads nowhere, what stands before it has no parts")
