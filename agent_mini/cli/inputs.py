"""What commands read from the person who types them."""

import sys

from agent_mini.conversation import MAX_QUESTION, check_question
from agent_mini.errors import InputError

LIMIT = MAX_QUESTION
"""The most a question may take, in bytes of UTF-8."""


def read_question(text: str) -> str:
    """The question a command was given, without white space around it.

    Args:
        text: The question, or ``-`` to read it from standard input.

    Raises:
        InputError: It is empty, longer than ``LIMIT``, or not UTF-8.
    """
    return check_question(_read_stdin() if text == "-" else text)


def _read_stdin() -> str:
    # White space around the question does not count, but nobody needs more of it than of words.
    most = 2 * LIMIT
    try:
        data = sys.stdin.buffer.read(most + 1) if sys.stdin else None
    except OSError:
        data = None
    if data is None:
        raise InputError("standard input cannot be read", "give the question as an argument")
    if len(data) > most:
        raise InputError(f"the question has more than {most:,} bytes; the limit is {LIMIT:,}", "shorten it")
    return decode(data)


def decode(data: bytes) -> str:
    """Text that came in as bytes.

    Raises:
        InputError: It is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeError:
        raise InputError("the question is not UTF-8 text", "save it as UTF-8") from None
