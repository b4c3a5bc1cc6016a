"""agent_mini.planner.phrases: how words are written in the data, and found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.planner.phrases import Phrase, Phrases


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("天气", "北京天气", "天气"),
        ("chart", "two charts please", "charts"),
        ("chart", "charter", None),
        ("chart", "画chart吧", "chart"),
        ("to-do", "my todo", "todo"),
        ("to-do", "my to do", "to do"),
        ("what's", "whats up", "whats"),
        ("turn … into", "turn it quickly into", "turn it quickly into"),
        ("turn … into", "turn it! go into", None),
        ("turn … into", f"turn {'x' * 40} into", None),
        ("^roll", "roll it", "roll"),
        ("^roll", "a roll", None),
        ("第{n}条", "删掉第3条", "第3条"),
        ("第{n}条", "删掉第 3 条", "第 3 条"),
        ("{n} day", "for 12 days", "12 days"),
        ("^d{n}", "d 4", None),
    ],
)
def test_a_phrase_is_found(phrase: str, text: str, found: str | None) -> None:
    match = Phrase(phrase).find(text)
    assert (match[0] if match else None) == found


def test_of_two_that_overlap_the_longer_one_is_found() -> None:
    phrases = Phrases(["天气", "天气之子", "weather", "under the weather"])
    assert [phrase.words for phrase, _ in phrases.all("天气之子 under the weather")] == [
        "天气之子",
        "under the weather",
    ]
    assert phrases.first("看天气之子") == (1, 5)
    assert phrases.end_at("看天气之子", 1) == 5
    assert phrases.end_at("看天气之子", 0) is None


@given(
    st.text(alphabet="ab天气 的-'", max_size=12),
    st.lists(st.sampled_from(["a", "ab", "天气", "气的", "a b", "b-a"])),
)
def test_many_are_found_as_each_is_alone(text: str, words: list[str]) -> None:
    phrases = Phrases(words)
    alone = {phrase.words for phrase in map(Phrase, words) if phrase.find(text)}
    assert {phrase.words for phrase, _ in phrases.matches(text)} == alone
