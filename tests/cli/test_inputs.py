"""What commands read from the person who types them."""

import io
import sys
from typing import Any

import pytest

from agent_mini.cli.inputs import LIMIT, read_question
from agent_mini.errors import InputError


class Stdin:
    """A standard input with these bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


class Endless(io.RawIOBase):
    """A file that never ends, such as ``/dev/zero``; ``given`` counts the bytes taken from it."""

    given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.given += len(buffer)
        assert self.given < 1_000_000
        return len(buffer)


@pytest.mark.parametrize("text", ["Why?", "  Why?\n", "为什么？", "a\nb", "--"])
def test_a_question_loses_only_the_white_space_around_it(text: str) -> None:
    assert read_question(text) == text.strip()


@pytest.mark.parametrize(
    ("data", "question"),
    [(b"Why?\n", "Why?"), ("为什么？".encode(), "为什么？"), (b"\xef\xbb\xbfWhy?\r\n", "Why?")],
)
def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes, question: str) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(data))

    assert read_question("-") == question


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_an_empty_question_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="empty"):
        read_question(text)


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf"])
def test_an_empty_standard_input_is_too(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(data))
    with pytest.raises(InputError, match="empty"):
        read_question("-")


@pytest.mark.parametrize(("letter", "size"), [("a", 1), ("好", 3)])
def test_the_limit_is_counted_in_bytes_and_named(letter: str, size: int) -> None:
    assert read_question(letter * (LIMIT // size))
    with pytest.raises(InputError, match=r"the limit is 32,768"):
        read_question(letter * (LIMIT // size + 1))


def test_what_is_not_utf_8_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="not UTF-8"):
        read_question("caf\udce9")  # how Python passes on an argument that is not UTF-8
    monkeypatch.setattr(sys, "stdin", Stdin("café".encode("latin-1")))
    with pytest.raises(InputError, match="not UTF-8"):
        read_question("-")


def test_no_more_is_read_than_a_question_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Endless())))
    with pytest.raises(InputError, match=r"the limit is 32,768"):
        read_question("-")


def test_a_closed_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input"):
        read_question("-")
