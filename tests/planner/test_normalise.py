"""agent_mini.planner.normalise: the many ways to write a thing become one, and nothing is lost."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.config import CHECKOUT
from agent_mini.planner import Intents, load_intents, normalise
from agent_mini.planner.normalise import MAX_LENGTH

INTENTS = load_intents(CHECKOUT / "data" / "intents")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("算一下", "算一下"),
        ("算一下二十五加三十七", "算一下25 + 37"),
        ("一起去吧，一共三个人", "一起去吧，一共3个人"),
        ("周三天气", "周三天气"),
        ("未来三天天气", "未来3天天气"),
        ("百分之二十", "百分之20"),
        ("一百的百分之二十", "100 * 20 / 100"),
        ("（１２＋３）×４÷２", "(12+3)*4/2"),
        ("17% of 260", "17 / 100 * 260"),
        ("260的17%", "260 * 17 / 100"),
        ("twelve times fifteen", "12 * 15"),
        ("48 divided by 6 plus 9", "48 / 6 + 9"),
        ("one plus one", "1 + 1"),
        ("pick one", "pick one"),
        ("3的平方加4的平方", "3 ** 2 + 4 ** 2"),
        ("根号16", "sqrt(16)"),
        ("299元，打八折", "299 * 8 / 10"),
        ("50减18再乘2", "(50 - 18) * 2"),
        ("三分之一加四分之一", "(1 / 3) + (1 / 4)"),
        ("请帮我查上海天气，谢谢", "查上海天气"),
        ("Hi, could you please roll a die? thanks!", "roll a die?"),
        ("谢谢", "谢谢"),
        ("whats the wether", "whats the weather"),
        ("天汽", "天气"),
        ("今天起床晚了", "今天起床晚了"),
        ("把“先写，然后再改”写进 Plan.txt", "把“…”写进 ‹…›"),
        ("存到笔记.txt", "存到‹…›"),
        ("read ../../etc/passwd", "read ‹…›"),
        ("24/7 support", "24/7 support"),
        ("3.14", "3.14"),
        ("2026-03-15", "2026-03-15"),
    ],
)
def test_normalise(typed: str, read: str) -> None:
    assert normalise(typed, INTENTS).text == read


def test_politeness_is_left_out_and_remembered() -> None:
    assert normalise("could you roll a die", INTENTS).polite
    assert not normalise("hi, roll a die", INTENTS).polite


def test_what_was_typed_is_there_for_every_stretch() -> None:
    reading = normalise("请把“Hello，再见”写进 Plan.TXT，谢谢", INTENTS)
    quote, path = reading.text.find("“"), reading.text.find("‹")

    assert reading.typed_at(quote, quote + 3) == "“Hello，再见”"
    assert reading.typed_at(path, path + 3) == "Plan.TXT"


@given(st.text(max_size=300))
def test_any_text_can_be_read(typed: str) -> None:
    reading = normalise(typed, INTENTS)
    assert reading == normalise(typed, INTENTS)
    assert len(reading.origin) == len(reading.text) + 1
    assert reading.typed_at(0, len(reading)) in typed or len(reading) == 0


@pytest.mark.parametrize(
    "typed",
    [
        "x" * 100_000,
        "“" * 50_000,
        '"' * 99_999,
        "'a" * 50_000,
        "九" * 100_000,
        "1 + " * 25_000,
        "one hundred " * 9_000,
        "打" * 60_000 + "折",
        "天气" * 50_000,
        "a.b/" * 25_000,
        "split 1 " * 12_000,
        " " * 100_000,
        "\n" * 100_000,
        "请帮我" * 30_000,
    ],
)
def test_a_long_text_takes_bounded_time(typed: str) -> None:
    started = time.thread_time()
    reading = normalise(typed, INTENTS)

    assert time.thread_time() - started < 2.0
    # A rewritten sum may be a little longer than what it stands for.
    assert len(reading) <= 3 * MAX_LENGTH


def test_a_text_cut_short_keeps_its_end(intents: Intents) -> None:
    typed = "把" + "好" * 5000 + "完"
    reading = normalise(typed, intents)

    assert len(reading) == MAX_LENGTH
    assert reading.typed_at(1, len(reading)).endswith("好完")
