"""The little language of the reply templates in ``data/intents``.

``{item.title}`` is a piece of the result, ``{date|weekday}`` the same in another form. What stands in ``[...]`` is left
out when a piece in it is empty. A template that needs a piece the result has not is not used at all.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, cast

from agent_mini.types import Language

_PIECE = re.compile(r"\{([\w.]+)(?:\|(\w+))?\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_BOTH = re.compile(r"([A-Za-z][A-Za-z '’-]*?)\s+([\u4e00-\u9fff]+)")
_WEEKDAYS: dict[Language, tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
}


class _Absent(Exception):
    """A template needs a piece that is not there."""


def fill_in(template: str, values: Mapping[str, Any], language: Language) -> str | None:
    """``template`` with its pieces filled in; None when one that it needs is not there."""

    def piece(match: re.Match[str]) -> str:
        value = _look_up(match[1], values)
        return FORMS[match[2]](value, language) if match[2] else _written(value, language)

    def optional(match: re.Match[str]) -> str:
        try:
            texts = [piece(inner) for inner in _PIECE.finditer(match[1])]
        except _Absent:
            return ""
        return match[1] if all(texts) else ""

    try:
        # What is filled in may hold braces and brackets of its own, so each is replaced once and not looked at again.
        return _PIECE.sub(piece, _OPTIONAL.sub(optional, template))
    except _Absent:
        return None


def _look_up(path: str, values: Mapping[str, Any]) -> Any:
    value: Any = values
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            raise _Absent(path)
        value = cast("Mapping[str, Any]", value)[name]
    return value


def _written(value: Any, language: Language) -> str:
    match value:
        case None:
            return ""
        case list():
            return ("、" if language == "zh" else ", ").join(
                _written(item, language) for item in cast("list[Any]", value)
            )
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return str(value)


def one_language(value: Any, language: Language) -> str:
    """Of a text that says everything twice, "Cloudy 多云", the half in the right language."""
    return _BOTH.sub(lambda match: match[2 if language == "zh" else 1], _written(value, language))


def weekday(value: Any, language: Language) -> str:
    """The weekday of a date."""
    try:
        return _WEEKDAYS[language][date.fromisoformat(str(value)).weekday()]
    except ValueError:
        return ""


def tick(value: Any, language: Language) -> str:
    """A mark for what is done."""
    return "✓" if value else ""


FORMS: Mapping[str, Callable[[Any, Language], str]] = {"own": one_language, "weekday": weekday, "tick": tick}
"""What may stand behind the bar."""
