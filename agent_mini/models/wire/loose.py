"""Reading JSON whose writer cannot be trusted to keep to the format.

What matters must have the right type, or the answer is ``LLM_BAD_OUTPUT``; what does not is read if it can be.
"""

import json
from typing import Any, cast

from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models.wire.failures import shorten
from agent_mini.printable import whole_text


def bad_output(message: str) -> ModelError:
    """The error for an answer that cannot be read."""
    return ModelError(ErrorCode.LLM_BAD_OUTPUT, message)


def parse_json(text: str) -> Any:
    """The value ``text`` stands for, without halves of surrogate pairs: no file and no database takes them.

    Raises:
        ModelError: LLM_BAD_OUTPUT, it is not JSON.
    """
    try:
        value = json.loads(text)
        if "\\u" in text:
            value = json.loads(whole_text(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        raise bad_output(f"not JSON: {shorten(text) or 'an empty answer'}") from None
    return value


def dump_json(value: Any) -> str:
    """``value`` as JSON text, or LLM_BAD_OUTPUT where it is nested too deeply."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        raise bad_output("JSON nested too deeply") from None


def is_json_object(text: str) -> bool:
    """Whether ``text`` is a whole JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def as_object(value: Any, what: str) -> dict[str, Any]:
    """``value`` if it is a JSON object, else LLM_BAD_OUTPUT that says what should have been one."""
    if not isinstance(value, dict):
        raise bad_output(f"{what} is not a JSON object")
    return cast("dict[str, Any]", value)


def as_list(value: Any, what: str) -> list[Any]:
    """``value`` if it is a JSON array, else LLM_BAD_OUTPUT that says what should have been one."""
    if not isinstance(value, list):
        raise bad_output(f"{what} is not a JSON array")
    return cast("list[Any]", value)


def as_text(value: Any) -> str:
    """``value`` if it is a text, else ""."""
    return value if isinstance(value, str) else ""


def as_int(value: Any) -> int | None:
    """``value`` if it is a whole number or the text of one, else None."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 20:
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
