"""From what a model wrote to values: arguments, JSON in prose, and verdicts.

Models decorate. Each function takes the text as it comes and says in its docstring what it forgives.
"""

import json
import re
import unicodedata
from typing import Any, NoReturn

from agent_mini.thinking import split_thinking
from agent_mini.types import Verdict

MAX_TEXT = 100_000
MAX_STARTS = 100
"""How much of an answer is searched for an object: each start costs a look at what follows it."""

_VERDICT = re.compile(r"[\s*_`#~-]*verdict[\s*_`]*:[\s*_`]*(approve|revise)[\s*_`.。!]*", re.IGNORECASE)


def parse_arguments(raw: str) -> dict[str, Any]:
    """Read a tool call's raw arguments.

    Forgives nothing but emptiness: blank text and ``null`` mean no arguments.

    Raises:
        ValueError: Not JSON, or JSON that is no object; the message is written for the model.
    """
    if not raw.strip():
        return {}
    try:
        value = json.loads(raw, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("the arguments are nested too deep") from None
    except ValueError as error:
        raise ValueError(f"the arguments are not valid JSON: {error}") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"the arguments must be a JSON object, not {type(value).__name__}")
    return value  # pyright: ignore[reportUnknownVariableType]


def find_json_object(text: str) -> dict[str, Any]:
    """Find the first JSON object in ``text``.

    Forgives prose around it, a code fence, and a thinking block before it.

    Raises:
        ValueError: There is none; the message is written for the model.
    """
    visible, _ = split_thinking(text)
    visible = visible[:MAX_TEXT]
    decoder = json.JSONDecoder(parse_constant=_refuse_constant)
    start = visible.find("{")
    for _ in range(MAX_STARTS):
        if start < 0:
            break
        try:
            value, _ = decoder.raw_decode(visible, start)
        except (ValueError, RecursionError):
            start = visible.find("{", start + 1)
        else:
            return value
    raise ValueError("there is no JSON object in the answer")


def parse_verdict(text: str) -> Verdict:
    """Read a review's verdict from its last line, ``VERDICT: APPROVE`` or ``VERDICT: REVISE``.

    Forgives bold, a full-width colon, letter case and a full stop. A verdict quoted higher up, or in a
    thinking block, does not count, and anything that is not plainly an approval is a request for changes.
    """
    visible, _ = split_thinking(text)
    lines = visible.strip().splitlines()
    match = _VERDICT.fullmatch(unicodedata.normalize("NFKC", lines[-1])) if lines else None
    return Verdict(match[1].lower()) if match else Verdict.REVISE


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
