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

MAX_WRITTEN = 200_000
"""Characters that all references of a call may stand for together: a few bytes must not become a flood."""

MAX_DEPTH = 50
"""How deep arguments with references may be nested."""

_REFERENCE = re.compile(r"\$(\$?)(\d{1,4})(\.[^\W\d]\w*(?:\.\w+|\[\d{1,6}\])*)(\[?)", re.ASCII)
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
    return _Resolver(messages).resolve(value, 0)


class _Resolver:
    """Replaces the references of one call."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._results = [message for message in messages if message.role == "tool"]
        self._room = MAX_WRITTEN

    def resolve(self, value: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise BadReference(f"arguments with references may be nested {MAX_DEPTH} levels deep")
        match value:
            case str():
                return self._resolve_text(value)
            case dict():
                items = cast("dict[str, Any]", value).items()
                return {name: self.resolve(item, depth + 1) for name, item in items}
            case list():
                return [self.resolve(item, depth + 1) for item in cast("list[Any]", value)]
            case _:
                return value

    def _resolve_text(self, text: str) -> Any:
        whole = _REFERENCE.fullmatch(text)
        if whole and not whole[1]:
            return self._look_up(whole)[0]

        def write_out(match: re.Match[str]) -> str:
            return match[0][1:] if match[1] else self._look_up(match)[1]

        return _REFERENCE.sub(write_out, text)

    def _look_up(self, reference: re.Match[str]) -> tuple[Any, str]:
        """What a reference stands for, and the same written out."""
        try:
            value = self._value(int(reference[2]), reference[3], reference[4])
        except BadReference as error:
            written = reference[0]
            raise BadReference(f"{written}: {error}. For the text itself write ${written}") from None
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        self._room -= len(text)
        if self._room < 0:
            raise BadReference(f"references may stand for {MAX_WRITTEN:,} characters of results at most")
        return value, text

    def _value(self, number: int, names: str, bracket: str) -> Any:
        if bracket:
            raise BadReference("an item is picked by its number, as in [0]")
        if not 1 <= number <= len(self._results):
            count = "1 result" if len(self._results) == 1 else f"{len(self._results)} results"
            raise BadReference(f"the conversation has {count} so far, and ${number} is none of them")
        result = self._results[number - 1]
        if not result.ok:
            raise BadReference(f"call {number} failed, so it has no data")
        value: Any = _data_of(result)
        for name in _PIECE.findall(names):
            value = _piece(value, name)
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


def _piece(value: Any, name: str) -> Any:
    match value:
        case dict() if name in value:
            return cast("Any", value[name])
        case dict():
            names = ", ".join(map(str, cast("dict[str, Any]", value)))
            raise BadReference(f"there is no {name!r}; there is {names or 'nothing'}")
        case list():
            items = cast("list[Any]", value)
            if not name.isdecimal():
                return [_piece(item, name) for item in items]
            if int(name) < len(items):
                return items[int(name)]
            raise BadReference(f"there is no item {name}; there are {len(items)}, from 0")
        case _:
            raise BadReference(f"{name!r} leads nowhere, what stands before it has no parts")
