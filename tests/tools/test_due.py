"""agent_mini.tools.due: dates as people say them, relative to a fixed day."""

from datetime import UTC, date, datetime, timedelta, timezone

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
MORE = {
    "2026-11-26": ["eod", "by end of day", "Thu.", "周四之内"],
    "2026-11-27": ["no later than Friday", "最晚周五", "Friday EOD", "Friday tomorrow", "周五，明天"],
    "2026-11-28": ["后天周六"],
    "2026-11-29": ["3 days", "3天", "the 29th", "sunday the 29th", "11-29", "11/29", "11.29", "29/11"],
    "2026-11-30": ["11月30日周一", "周一11月30日", "11月30日（星期一）", "Monday, Nov 30", "Nov 30 (Mon)"],
    "2026-12-01": ["20261201", "first of December", "Dec first", "the first", "2026-12-01 Tuesday"],
    "2026-12-07": ["a week from Monday"],
    "2026-12-10": ["in a fortnight", "a fortnight from now", "两周"],
    "2026-12-11": ["半个月后", "two weeks from tomorrow"],
    "2026-12-25": ["圣诞节", "圣诞", "聖誕節", "Christmas", "12.25", "December twenty-fifth"],
    "2026-12-31": ["31号", "the 31st", "今年年底", "new year's eve"],
    "2027-01-01": ["元旦", "明年元旦", "New Year’s Day"],
    "2027-01-03": ["下下个月3号"],
    "2027-03-06": ["一百天后"],
    "2027-03-11": ["一百零五天后"],
    "2027-05-26": ["半年后", "in half a year"],
    "2027-10-01": ["国庆节", "國慶"],
    "2027-12-31": ["明年年底", "明年底", "end of next year"],
    "2026-11-26 12:00": ["12 noon", "今天中午", "正午"],
    "2026-11-26 15:00": ["this afternoon at 3"],
    "2026-11-26 17:00": ["five pm", "5 o'clock in the afternoon", "5 o'clock pm"],
    "2026-11-27 00:00": ["midnight", "midnight tonight", "午夜", "24点", "今晚24点"],
    "2026-11-27 07:00": ["tomorrow, 7 in the morning", "seven in the morning tomorrow"],
    "2026-11-27 09:00": ["明天9点", "tomorrow at nine"],
    "2026-11-27 12:00": ["明天中午", "tomorrow at noon", "明天12点"],
    "2026-11-27 03:00": ["明天03:00", "tomorrow 03:00", "明天03点"],
    "2026-11-27 15:30": ["half past three tomorrow pm", "tomorrow at half past 3 p.m."],
    "2026-11-27 16:45": ["quarter to five pm tomorrow"],
    "2026-11-28 00:00": ["明天24点", "tomorrow at midnight", "明天24:00"],
    "2026-11-30 12:00": ["周一中午", "下礼拜一十二点"],
    "2026-11-30 15:00": ["11月30号星期一下午3点"],
    "2026-12-01 10:00": ["周二十点", "星期二十点", "礼拜二 十点"],
    "2026-12-01 20:00": ["周二二十点", "周二晚八点", "最晚周二晚8点"],
    "2026-12-02 19:00": ["周三晚七点"],
}
PHRASES = [
    *[(text, due) for due, texts in DAYS.items() for text in texts.split()],
    *[(text, due) for table in (ENGLISH, TIMES, MORE) for due, texts in table.items() for text in texts],
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
            "12月",
            "2026年",
            "12月25日圣诞节",
            "半夜",
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
        ("本月31号", "is not possible: 2026-11 has days 1 to 30"),
        ("32号", "is not possible: 2026-11 has days 1 to 30"),
        ("一百五天后", "is not possible: 一百五 is not a number I can read"),
        ("13/13", "is not possible: there is no month 13"),
        ("morning at 3pm", "is not possible: a day has no such time"),
        ("tomorrow morning at midnight", "is not possible: a day has no such time"),
        ("tomorrow evening at noon", "is not possible: a day has no such time"),
        ("tonight at 8am", "is not possible: a day has no such time"),
        ("明天24点30分", "is not possible: a day has no such time"),
        ("11月30日周二", "is not possible: 2026-11-30 is a Monday, not a Tuesday"),
        ("Friday, Nov 30", "is not possible: 2026-11-30 is a Monday, not a Friday"),
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
            "is not clear: 12 o'clock at night can belong to either day; write the date and 00:00 to 23:59",
        ),
        ("夜里2点", "is not clear: 2 o'clock at night can belong to either day"),
        ("明天晚上零点", "is not clear: 0 o'clock at night can belong to either day"),
        ("今晚1点", "is not clear: 1 o'clock at night can belong to either day"),
        ("tonight at 1am", "is not clear: 1 o'clock at night can belong to either day"),
        ("tonight at 12:30am", "is not clear: 12 o'clock at night can belong to either day"),
        ("明天早上12点", "is not clear: 00:00 or 12:00?"),
        ("tomorrow at 3", "is not clear: 2026-11-27 03:00 or 2026-11-27 15:00?"),
        ("明天3点", "is not clear: 2026-11-27 03:00 or 2026-11-27 15:00?"),
        ("周一三点", "is not clear: 2026-11-30 03:00 or 2026-11-30 15:00?"),
        ("周一 三点", "is not clear: 2026-11-30 03:00 or 2026-11-30 15:00?"),
        ("at 5 on Friday", "is not clear: 2026-11-27 05:00 or 2026-11-27 17:00?"),
        ("half past three tomorrow", "is not clear: 2026-11-27 03:30 or 2026-11-27 15:30?"),
        ("tomorrow 3:30", "is not clear: 2026-11-27 03:30 or 2026-11-27 15:30?"),
        ("5 o'clock", "is not clear: 05:00 or 17:00?"),
        ("12/1", "is not clear: 2026-12-01 or 2027-01-12?"),
        ("next month", "is not clear: which day of 2026-12?"),
        ("下下个月", "is not clear: which day of 2027-01?"),
        ("下周", "is not clear: which day of the week from 2026-11-30?"),
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


TEN = datetime(2026, 10, 23, 10, tzinfo=UTC)  # a Friday
LATE = TEN.replace(hour=22)


@pytest.mark.parametrize(
    ("text", "now", "due"),
    [
        ("today", LATE, "2026-10-23"),
        ("今晚11点", LATE, "2026-10-23 23:00"),
        ("今天22点", LATE, "2026-10-23 22:00"),  # this very minute
        ("凌晨3点", LATE, "2026-10-24 03:00"),
        ("下午3点", LATE, "2026-10-24 15:00"),
        ("下午3点", TEN, "2026-10-23 15:00"),
        ("noon", LATE, "2026-10-24 12:00"),
        ("at 9", LATE, "2026-10-24 09:00"),
        ("今天3点", TEN, "2026-10-23 15:00"),  # three in the morning has passed
        ("today at 11", LATE, "2026-10-23 23:00"),
        ("2026-12-01T15:00:00Z", TEN, "2026-12-01 15:00"),
        ("2026-12-01T15:00:00+08:00", TEN, "2026-12-01 07:00"),
        ("2026-12-01 20:00Z", TEN.astimezone(timezone(timedelta(hours=8))), "2026-12-02 04:00"),
    ],
)
def test_a_time_is_relative_to_the_moment(text: str, now: datetime, due: str) -> None:
    assert parse_due(text, now) == due


@pytest.mark.parametrize(
    ("text", "now", "reason"),
    [
        ("today at 9am", LATE, "is 2026-10-23 09:00, which has passed; it is 2026-10-23 22:00 now"),
        ("今天9点", LATE, "is 2026-10-23 21:00, which has passed"),
        ("周五上午9点", TEN, "is 2026-10-23 09:00, which has passed"),
        ("今晚8点", LATE, "is 2026-10-23 20:00, which has passed"),
        ("2026-10-23T11:00:00+08:00", TEN, "is 2026-10-23 03:00, which has passed"),
        ("at 7", TEN, "is not clear: 07:00 or 19:00?"),
        ("at 9", TEN, "is not clear: 2026-10-23 21:00 or 2026-10-24 09:00?"),
        ("2026-12-01T25:00:00Z", TEN, "is not possible: hour must be in 0..23"),
        ("9999-12-31T23:00:00-08:00", TEN, "is not possible: date value out of range"),
    ],
)
def test_what_has_passed_by_now_or_is_not_clear_is_named(text: str, now: datetime, reason: str) -> None:
    with pytest.raises(ToolError) as caught:
        parse_due(text, now)
    assert str(caught.value).startswith(f"due: {text!r} {reason}")


def test_the_next_month_that_has_the_day() -> None:
    assert parse_due("31号", date(2026, 11, 2)) == parse_due("the 31st", date(2026, 11, 2)) == "2026-12-31"
    assert parse_due("三十号", date(2027, 1, 31)) == parse_due("the 30th", date(2027, 1, 31)) == "2027-03-30"


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
