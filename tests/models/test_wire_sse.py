"""Server-sent events out of bytes."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_mini.models.wire import SseDecoder


def decode(*chunks: bytes) -> list[str]:
    decoder = SseDecoder()
    return [data for chunk in chunks for data in decoder.feed(chunk)] + decoder.close()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_line_end_of_the_format_counts(end: bytes) -> None:
    stream = end.join([b"data: one", b"", b"data: two", b"data: lines", b"", b""])

    assert decode(stream) == ["one", "two\nlines"]


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_no_other_line_end_does(character: str) -> None:
    assert decode(f"data: a{character}b\n\n".encode()) == [f"a{character}b"]


def test_comments_and_other_fields_are_skipped() -> None:
    assert decode(b": keep-alive\n\nevent: message\nid: 7\nretry: 10\ndata: x\n\n: bye\n\n") == ["x"]


def test_a_space_after_the_colon_is_not_needed_and_only_one_is_dropped() -> None:
    assert decode(b"data:a\n\ndata:  b\n\ndata:\n\n") == ["a", " b", ""]


def test_a_last_event_without_its_empty_line_counts() -> None:
    assert decode(b"data: a\n\ndata: b") == ["a", "b"]
    assert decode(b"data: a\r\n\r\ndata: b\r") == ["a", "b"]


def test_an_event_is_given_as_soon_as_it_is_whole() -> None:
    decoder = SseDecoder()

    assert decoder.feed(b"data: a\n") == []
    assert decoder.feed(b"\nda") == ["a"]
    assert decoder.feed(b"ta: b\r\n\r") == ["b"]
    assert decoder.feed(b"\ndata: c\r") == []
    assert decoder.feed(b"") == []
    assert decoder.feed(b"\n") == []
    assert decoder.feed(b"\n") == ["c"]


def test_a_long_line_in_small_chunks_takes_time_in_proportion() -> None:
    chunks, decoder = 200_000, SseDecoder()
    started = time.process_time()
    for _ in range(chunks):
        decoder.feed(b"data:xxx")

    assert decoder.feed(b"\n\n") == [("data:xxx" * chunks).removeprefix("data:")]
    assert time.process_time() - started < 10  # 0.2 s; over a minute if each chunk split it all again


def test_a_byte_order_mark_is_no_part_of_the_first_event() -> None:
    assert decode(b"\xef", b"\xbb\xbfda", b"ta: a\n\n") == ["a"]


def test_broken_utf_8_is_replaced() -> None:
    assert decode(b"data: \xff\xfe!\n\n") == ["\ufffd\ufffd!"]


@settings(deadline=None, derandomize=True)
@given(
    st.lists(
        st.sampled_from([b"data: ", b"data:", b"\r", b"\n", b"\r\n", b": c", b"x", "好\u2028".encode()]),
        max_size=15,
    ),
    st.data(),
)
def test_cutting_the_bytes_anywhere_changes_nothing(parts: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(parts)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)))))
    pieces = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]

    assert decode(*pieces) == decode(stream)
