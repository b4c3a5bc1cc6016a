"""agent_mini.planner.numerals: numbers in words, in both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.planner.numerals import chinese_number, english_number

DIGITS = "零一二三四五六七八九"


def in_chinese(number: int) -> str:
    """The reference: how a number below a hundred million is written."""
    if number >= 10_000:
        low = number % 10_000
        gap = "零" if 0 < low < 1000 else ""
        return in_chinese(number // 10_000) + "万" + gap + (in_chinese(low) if low else "")
    text = ""
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // unit % 10
        if digit:
            text += DIGITS[digit] + name
        elif text and not text.endswith("零") and number % unit:
            text += "零"
    return text


@given(st.integers(1, 99_999_999))
def test_chinese_numerals_read_as_they_are_written(number: int) -> None:
    assert chinese_number(in_chinese(number)) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十五", 15),
        ("二十", 20),
        ("两千三", 2300),
        ("两千零三", 2003),
        ("三百五", 350),
        ("一百零三", 103),
        ("二零二六", 2026),
        ("三点一四", 3.14),
        ("两万五", 25_000),
        ("零", 0),
        ("点五", None),
        ("三点十", None),
        ("", None),
        ("天", None),
    ],
)
def test_chinese_numerals(text: str, value: float | None) -> None:
    assert chinese_number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("twelve", 12),
        ("twenty-five", 25),
        ("three hundred and four", 304),
        ("two thousand five hundred", 2500),
        ("one million", 1_000_000),
        ("ninety nine", 99),
        ("five ten", None),
        ("two three", None),
    ],
)
def test_english_numerals(text: str, value: int | None) -> None:
    assert english_number(text) == value
