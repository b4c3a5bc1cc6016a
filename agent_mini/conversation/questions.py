"""What a person may say, and what the demonstration says."""

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from agent_mini.errors import ErrorCode, InputError

MAX_QUESTION = 32 * 1024
"""The most a question may take, in bytes of UTF-8."""


def check_question(text: str) -> str:
    """What a person says, without white space around it.

    Raises:
        InputError: It is empty, longer than ``MAX_QUESTION``, or not UTF-8.
    """
    question = text.strip()
    try:
        size = len(question.encode("utf-8"))
    except UnicodeError:
        raise InputError("the question is not UTF-8 text", "save it as UTF-8") from None
    if not question:
        raise InputError("the question is empty", "write what you want to know")
    if size > MAX_QUESTION:
        raise InputError(f"the question has {size:,} bytes; the limit is {MAX_QUESTION:,}", "shorten it")
    return question


class _Request(BaseModel):
    text: str
    tools: list[str]


class _Requests(BaseModel):
    request: Annotated[list[_Request], Field(min_length=1)]


def demo_requests(data_dir: Path) -> tuple[str, ...]:
    """The prepared requests in ``demo_requests.toml``, which together touch every tool.

    Raises:
        InputError: The file cannot be read, or does not hold requests.
    """
    path = data_dir / "demo_requests.toml"
    try:
        found = _Requests.model_validate(tomllib.loads(path.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError) as error:  # pydantic's and tomllib's errors are ValueErrors
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error).splitlines()[0]
        hint = "restore the file, or unset AGENT_DATA_DIR"
        raise InputError(f"{path}: {reason}", hint, ErrorCode.SETTINGS_INVALID) from None
    return tuple(request.text for request in found.request)
