"""What a person may say, and what the demonstration says."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from agent_mini.errors import InputError
from agent_mini.shipped import read_shipped

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
    found = read_shipped(data_dir / "demo_requests.toml", _Requests)
    return tuple(request.text for request in found.request)
