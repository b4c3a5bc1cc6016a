"""agent_mini.thinking: ``<think>`` blocks, whole and in pieces."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agent_mini.thinking import _LONE_CLOSE, ThinkSplitter, split_thinking


@pytest.mark.parametrize(
    ("text", "answer", "thinking"),
    [
        ("", "", ""),
        ("hello", "hello", ""),
        ("  hello ", "  hello ", ""),
        ("<think>why</think>because", "because", "why"),
        ("<think>\nwhy\n</think>\n\nbecause", "because", "\nwhy\n"),
        ("\n <think>why</think>because", "because", "why"),
        ("<think>a</think>\n<think>b</think> c", "c", "ab"),
        ("<think></think>yes", "yes", ""),
        ("<think>cut off", "", "cut off"),
        ("<think>cut off</thi", "", "cut off</thi"),
        ("<think>a</think>  ", "", "a"),
        ("<thi", "<thi", ""),
        ("<thinking>aloud", "<thinking>aloud", ""),
        ("the <think> tag </think>", "the <think> tag </think>", ""),
        ("opened by the template\n</think>\n\nso", "so", "opened by the template\n"),
        ("</think>\nso", "so", ""),
        ("the tag </think> ends it", "the tag </think> ends it", ""),
        ("a <think>b\n</think>\nc", "a <think>b\n</think>\nc", ""),
        ("1 < 2 and <b>", "1 < 2 and <b>", ""),
    ],
)
def test_blocks_before_the_answer_are_thinking(text: str, answer: str, thinking: str) -> None:
    assert split_thinking(text) == (answer, thinking)


@settings(deadline=None, derandomize=True)
@given(
    st.lists(
        st.sampled_from(["<think>", "</think>", "<th", "ink>", "</", " ", "\n", "a", "<", "好"]), max_size=12
    ),
    st.data(),
)
def test_cutting_a_text_anywhere_changes_nothing(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    assume(not _LONE_CLOSE.search(text))
    splitter = ThinkSplitter()
    answer = thinking = ""
    start = 0
    while start < len(text):
        end = data.draw(st.integers(start + 1, len(text)))
        more_answer, more_thinking = splitter.feed(text[start:end])
        answer += more_answer
        thinking += more_thinking
        start = end
    rest, last = splitter.close()

    assert (answer + rest, thinking + last) == split_thinking(text)


def test_an_answer_is_passed_on_at_once() -> None:
    splitter = ThinkSplitter()

    assert splitter.feed("<think>hm</th") == ("", "hm")
    assert splitter.feed("ink>") == ("", "")
    assert splitter.feed("yes") == ("yes", "")
    assert splitter.feed("<") == ("<", "")
