"""agent_mini.tools.due: dates as people say them, relative to a fixed day."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.tools import ToolError
from agent_mini.tools.due import parse_due

THURSDAY = date(2026, 11, 26)

DAYS = {
    "2026-11-26": "今天 今日 today 周四 星期四 礼拜四 Thursday thu thurs 今晚 tonight 11月26日",
    "2026-11-27": "明天 明日 tomorrow tmr 周五 Friday 本周五 这周五 周五之前 周五前 明早",
    "2026-11-28": "后天 周六 周末 weekend 後天",
    "2026-11-29": "大后天 三天后 3天后 三天之后 3天以后 三天内 过三天 周日 周天 星期天 礼拜天 sunday",
    "2026-11-30": "下周一 下星期一 下个星期一 下礼拜一 下週一 月底 本月底 30号",
    "2026-12-01": "12月1日 12月1号 十二月一日 2026年12月1日 二〇二六年十二月一日 今年12月1日 下个月1号 下月1日",
    "2026-12-09": "下下周三",
    "2026-12-10": "两周后 2周后 两个星期后 2个礼拜后",
    "2026-12-15": "15号 十五号",
    "2026-12-26": "一个月后",
    "2026-12-31": "下月底 下个月底 年底",
    "2027-01-05": "1月5日 一月五号 明年1月5日",
    "2027-11-26": "一年后 365天后",
}
ENGLISH = {
    "2026-11-27": [
        "by Friday",
        "on Friday",
        "this Friday",
        "coming Friday",
        "before Friday",
        "due Friday",
        "in a day",
    ],
    "2026-11-28": ["the day after tomorrow", "day after tomorrow", "this weekend", "in 2 days"],
    "2026-11-29": [
        "in 3 days",
        "in three days",
        "3 days later",
        "3 days from now",
        "within 3 days",
        "in 3 days' time",
    ],
    "2026-11-30": [
        "next Monday",
        "Monday next week",
        "next week on Monday",
        "end of month",
        "the end of the month",
    ],
    "2026-12-01": [
        *[
            "Dec 1",
            "Dec. 1st",
            "December 1",
            "1 December",
            "1st of December",
            "December 1 2026",
            "December 1, 2026",
        ],
        *[
            "1 Dec 2026",
            "2026-12-01",
            "2026-12-1",
            "2026/12/1",
            "2026.12.01",
            "２０２６－１２－０１",
            " 2026-12-01\n",
        ],
        *["the 1st", "the 1st of next month", "next month on the 1st"],
    ],
    "2026-12-04": ["next Friday", "Friday of next week"],
    "2026-12-10": ["in two weeks", "in 2 weeks", "2 weeks from today"],
    "2026-12-31": ["end of next month", "the end of the year"],
}
TIMES = {
    "2026-11-26 08:00": ["早上8点", "8am", "上午八点"],
    "2026-11-26 12:00": ["中午12点", "noon", "12pm", "before noon"],
    "2026-11-26 20:00": ["今晚8点", "今天晚上八点", "tonight at 8", "8pm", "today 20:00"],
    "2026-11-27 00:00": ["明天0点", "12am tomorrow", "明天凌晨零点", "明天凌晨12点"],
    "2026-11-27 02:00": ["明天凌晨两点", "2am tomorrow"],
    "2026-11-27 08:00": ["明早8点", "明天早上8点", "tomorrow morning at 8", "tomorrow 8 a.m."],
    "2026-11-27 13:00": ["明天中午1点", "明天13:00", "tomorrow at 1pm"],
    "2026-11-27 15:00": [
        *[
            "明天下午3点",
            "明天 下午 3 点",
            "明天下午三点",
            "明天15点",
            "明天下午3点前",
            "下午3点 明天",
            "明天的下午3点",
        ],
        *[
            "tomorrow at 3pm",
            "3pm tomorrow",
            "tomorrow at 15:00",
            "tomorrow afternoon at 3",
            "tomorrow 3:00 pm",
        ],
        *[
            "by 3pm on Friday",
            "2026-11-27 15:00",
            "2026-11-27T15:00",
            "2026-11-27T15:00:00",
            "Nov 27 at 3 pm",
        ],
    ],
    "2026-11-27 15:15": ["明天下午3点一刻", "明天下午3点15分", "明天下午三点十五"],
    "2026-11-30 10:30": ["下周一上午十点半", "next Monday at 10:30", "下周一10:30", "下周一 10：30"],
    "2026-11-27": ["明天下午", "tomorrow evening", "明天晚上"],
}
PHRASES = [
    *[(text, due) for due, texts in DAYS.items() for text in texts.split()],
    *[(text, due) for table in (ENGLISH, TIMES) for due, texts in table.items() for text in texts],
]


@pytest.mark.parametrize(("text", "due"), PHRASES)
def test_what_people_say(text: str, due: str) -> None:
    assert parse_due(text, THURSDAY) == due


@pytest.mark.parametrize(
    "text",
    [
        *[
            "xyz",
            "",
            "  ",
            "soon",
            "尽快",
            "下周",
            "next month",
            "12月",
            "2026年",
            "12/1",
            "1.5天后",
            "周八",
            "每天",
        ],
        *[
            "tomorrow or Friday",
            "明天和后天",
            "in 99999 days",
            "by",
            "前",
            "on",
            "的",
            "T",
            ":",
            "明天" * 40,
            "\x00",
        ],
        *[
            "2026-12-02T15:00:00Z",
            "2026-12-01 15:00:30",
            "明天3点4点",
            "1 2 3",
            "𝟚天后吧",
            "morning",
            "\ud800",
        ],
    ],
)
def test_what_cannot_be_read_is_named_with_what_is_accepted(text: str) -> None:
    with pytest.raises(ToolError) as caught:
        parse_due(text, THURSDAY)
    message = str(caught.value)
    assert message.startswith("due: ")
    assert "is not a date I can read. Write it like 2026-12-01, 12月1日, 周四" in message
    assert len(message) < 300


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2月30日", "is not possible: 2027-02 has days 1 to 28"),
        ("Feb 30", "is not possible: 2027-02 has days 1 to 28"),
        ("2月29日", "is not possible: 2027-02 has days 1 to 28"),
        ("31号", "is not possible: 2026-11 has days 1 to 30"),
        ("2026-13-01", "is not possible: there is no month 13"),
        ("12月0日", "is not possible: 2026-12 has days 1 to 31"),
        ("0000-01-01", "is not possible: there is no year 0"),
        ("in 9999 years", "is not possible: year"),
        ("十十月一日", "is not possible: 十十 is not a number I can read"),
        ("明天25点", "is not possible: a day has no such time"),
        ("tomorrow at 15:75", "is not possible: a day has no such time"),
        ("13pm tomorrow", "is not possible: a day has no such time"),
        ("上午15点", "is not possible: a day has no such time"),
        (
            "晚上12点",
            "is not possible: 12 o'clock at night can belong to either day; write the date and 00:00 to 23:59",
        ),
        ("夜里2点", "is not possible: 2 o'clock at night can belong to either day"),
        ("明天晚上零点", "is not possible: 0 o'clock at night can belong to either day"),
        ("昨天", "is 2026-11-25, which has passed; today is 2026-11-26"),
        ("yesterday", "is 2026-11-25, which has passed"),
        ("三天前", "is 2026-11-23, which has passed"),
        ("2 weeks ago", "is 2026-11-12, which has passed"),
        ("本周三", "is 2026-11-25, which has passed"),
        ("上周五", "is 2026-11-20, which has passed"),
        ("last Friday", "is 2026-11-20, which has passed"),
        ("2025-01-01", "is 2025-01-01, which has passed"),
        ("今年1月1日", "is 2026-01-01, which has passed"),
    ],
)
def test_impossible_and_past_days_are_named(text: str, reason: str) -> None:
    with pytest.raises(ToolError) as caught:
        parse_due(text, THURSDAY)
    assert str(caught.value).startswith(f"due: {text!r} {reason}")


def test_weeks_begin_on_monday_and_a_weekday_is_the_next_one_from_today() -> None:
    sunday, monday = date(2026, 11, 29), date(2026, 11, 30)
    assert parse_due("周一", sunday) == parse_due("下周一", sunday) == "2026-11-30"
    assert parse_due("周一", monday) == parse_due("Monday", monday) == "2026-11-30"
    assert parse_due("下周一", monday) == parse_due("next Monday", monday) == "2026-12-07"
    assert parse_due("周末", sunday) == "2026-11-29"


def test_months_end_where_they_end() -> None:
    assert parse_due("一个月后", date(2027, 1, 31)) == "2027-02-28"
    assert parse_due("月底", date(2028, 2, 1)) == "2028-02-29"
    assert parse_due("下月底", date(2026, 12, 31)) == "2027-01-31"
    assert parse_due("2月29日", date(2028, 1, 1)) == "2028-02-29"


@given(
    st.dates(date(2000, 1, 1), date(2100, 12, 31)),
    st.integers(0, 400),
    st.sampled_from(["", " 00:00", " 23:59"]),
)
def test_what_it_returns_it_can_read(today: date, ahead: int, time: str) -> None:
    due = f"{today + timedelta(days=ahead)}{time}"
    assert parse_due(due, today) == due
    assert parse_due(f"{ahead}天后{time}", today) == parse_due(f"in {ahead} days{time}", today) == due


FRAGMENTS = [
    *"明后天下周一月日号点半前三十",
    *["3", "12", "2026", "-", ":", "/", " ", "next", "day", "in", "at", "pm", "Friday", "dec", "of"],
]


@given(st.text(max_size=80) | st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
def test_any_text_is_a_day_from_today_on_or_one_clear_line(text: str) -> None:
    try:
        due = parse_due(text, THURSDAY)
    except ToolError as error:
        assert str(error).startswith("due: ")
        assert "\n" not in str(error)
    else:
        assert date.fromisoformat(due[:10]) >= THURSDAY
        assert parse_due(due, THURSDAY) == due
