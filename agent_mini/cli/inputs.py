"""What commands read from the person who types them."""

import sys

from agent_mini.errors import InputError

LIMIT = 32 * 1024
"""The most a question may take, in bytes of UTF-8."""


def read_question(text: str) -> str:
    """The question a command was given, without white space around it.

    Args:
        text: The question, or ``-`` to read it from standard input.

    Raises:
        InputError: It is empty, longer than ``LIMIT``, or not UTF-8.
    """
    try:
        question = (_read_stdin() if text == "-" else text).strip()
        size = len(question.encode("utf-8"))
    except UnicodeError:
        raise InputError("the question is not UTF-8 text", "save it as UTF-8") from None
    if not question:
        raise InputError("the question is empty", "write what you want to know")
    if size > LIMIT:
        raise InputError(f"the question has {size:,} bytes; the limit is {LIMIT:,}", "shorten it")
    return question


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
    return data.decode("utf-8-sig")
