"""What a provider's error means: from a status and an error object to one of our codes.

Providers agree on little. The status says most; where it stands for several things (429 is both "slow down" and
"pay first"), or there is none (an error inside a 200), the error's own code, type and text decide.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from agent_mini.errors import ErrorCode, ModelError

TEXT_LIMIT = 300
"""How much of a provider's text an error keeps, in characters."""

_UNPAID = r"insufficient[ _](quota|balance|credit)|arrearage|overdue|余额|欠费"

# The first that matches decides: an exceeded rate limit often speaks of quota and billing too.
_WORDS = (
    (ErrorCode.LLM_QUOTA_EXCEEDED, _UNPAID),
    (ErrorCode.LLM_RATE_LIMITED, r"rate[ _-]?limit|too many requests|per[ _-]?(min|sec)|\b(tpm|rpm|qps)\b"),
    (ErrorCode.LLM_QUOTA_EXCEEDED, r"quota|billing|payment|credit balance|额度"),
    (ErrorCode.LLM_AUTH, r"authentication|unauthori[sz]ed|permission|(invalid|incorrect)[ _]api[ _-]?key"),
    (ErrorCode.LLM_TIMEOUT, r"time[ds]?[ _-]?out"),
    (ErrorCode.LLM_UNAVAILABLE, r"overloaded|unavailable|server[ _]error|internal[ _]error"),
    (ErrorCode.LLM_BAD_REQUEST, r"invalid[ _]request|not[ _]found|context[ _]length"),
)

_STATUSES = {
    401: ErrorCode.LLM_AUTH,
    402: ErrorCode.LLM_QUOTA_EXCEEDED,
    403: ErrorCode.LLM_AUTH,
    408: ErrorCode.LLM_TIMEOUT,
    429: ErrorCode.LLM_RATE_LIMITED,
}


def provider_error(body: Any, status: int | None = None) -> ModelError:
    """The error a provider's answer stands for.

    Args:
        body: The answer's parsed JSON, or its text where it is not JSON.
        status: Its HTTP status; None for an error inside a 200, which counts as the server's failure unless
            it says otherwise.

    Returns:
        The error, with the provider's own text cut to ``TEXT_LIMIT`` characters.
    """
    details = _details(body)
    text = _text(details)
    words = " ".join((*(str(details.get(name, "")) for name in ("code", "type", "status")), text)).lower()
    known_status = status or _status_inside(details)
    code = _by_status(known_status, words) if known_status else _by_words(words)
    return ModelError(
        code or ErrorCode.LLM_UNAVAILABLE, f"HTTP {status}: {text or 'no text'}" if status else text
    )


def shorten(text: str) -> str:
    """``text`` on one line, cut to ``TEXT_LIMIT`` characters, never inside a word.

    Half a word could be half a key, which nobody would recognise any more as something to hide. A word is all
    ASCII up to white space, for a key may hold any of it, and be escaped.
    """
    line = " ".join(text.split())
    if len(line) <= TEXT_LIMIT:
        return line
    return re.sub(r"[!-~]+$", "", line[: TEXT_LIMIT - 3]) + "..."


def _by_status(status: int, words: str) -> ErrorCode:
    if status >= 500:
        return ErrorCode.LLM_UNAVAILABLE
    # An unpaid account gets 400 or 403 from some providers.
    if re.search(_UNPAID, words) or (status == 429 and _by_words(words) is ErrorCode.LLM_QUOTA_EXCEEDED):
        return ErrorCode.LLM_QUOTA_EXCEEDED
    return _STATUSES.get(status, ErrorCode.LLM_BAD_REQUEST)


def _by_words(words: str) -> ErrorCode | None:
    return next((code for code, pattern in _WORDS if re.search(pattern, words)), None)


def _details(body: Any) -> Mapping[str, Any]:
    """The part of an answer that describes the error, as an object."""
    if isinstance(body, list) and body:  # one provider wraps it in an array
        body = cast("list[Any]", body)[0]
    if isinstance(body, dict):
        fields = cast("dict[str, Any]", body)
        body = fields.get("error") or fields.get("detail") or fields
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {"message": body}


def _text(details: Mapping[str, Any]) -> str:
    named = (details.get(name) for name in ("message", "msg", "error_msg"))
    text = next((value for value in named if isinstance(value, str)), None)
    try:
        return shorten(json.dumps(details, ensure_ascii=False) if text is None else text)
    except RecursionError:
        return "nested too deeply to show"


def _status_inside(details: Mapping[str, Any]) -> int | None:
    """The status some gateways put into the error object, as a number or as text."""
    code = str(details.get("code", ""))
    return int(code) if re.fullmatch(r"[45]\d\d", code, re.ASCII) else None
