"""The ways to name a day: one pattern and one small function each, tried in order. ``due`` has the whole."""

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_COUNTS = [
    None,
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_WORDS = {word: count for count, word in enumerate(_COUNTS) if word} | {"a": 1, "an": 1}
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_WEEKS = {"上": -1, "last": -1, "本": 0, "这": 0, "this": 0, "下": 1, "next": 1, "下下": 2}
_NEAR = {
    **{
        "前天": -2,
        "昨天": -1,
        "昨日": -1,
        "今天": 0,
        "今日": 0,
        "明天": 1,
        "明日": 1,
        "后天": 2,
        "大后天": 3,
    },
    **{"yesterday": -1, "today": 0, "tomorrow": 1, "day after tomorrow": 2},
}


def find_day(text: str, today: date) -> date | None:
    """The day that ``text``, normalised, names; None when no rule knows it.

    Raises:
        ValueError: The calendar has no such day; the message says why.
    """
    for pattern, rule in _RULES:
        if match := pattern.fullmatch(text):
            return rule(today, **{name: said for name, said in match.groupdict().items() if said})
    return None


def number(text: str) -> int:
    """The value of 12, 十二, 两, 二十五, 二〇二六, two, a.

    Raises:
        ValueError: Not a number a person would write.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text.isdecimal():
        return int(text)
    if tens := re.fullmatch("([一二两三四五六七八九])?十([一二三四五六七八九])?", text):
        return 10 * _DIGITS[tens[1] or "一"] + _DIGITS[tens[2] or "零"]
    if len(text) in (1, 4) and all(character in _DIGITS for character in text):
        return int("".join(str(_DIGITS[character]) for character in text))
    raise ValueError(f"{text} is not a number I can read")


def _near(today: date, word: str) -> date:
    return today + timedelta(days=_NEAR[word])


def _weekday(today: date, name: str, which: str = "") -> date:
    """Friday is the next one, today included; this, last and next Friday are those of the weeks from Monday."""
    weekend = name in ("末", "weekend")
    if weekend and today.weekday() == 6 and which in ("", "本", "这", "this"):
        return today
    index = "一二三四五六日".find("六" if weekend else name)
    if index < 0:
        index = _WEEKDAYS.index(name[:3])
    if which in _WEEKS:
        return today + timedelta(days=index - today.weekday(), weeks=_WEEKS[which])
    return today + timedelta(days=(index - today.weekday()) % 7)


def _later(today: date, count: str, unit: str, sign: int = 1) -> date:
    amount, unit = sign * number(count), unit.removeprefix("个")
    if unit in ("月", "month", "年", "year"):
        return _months_later(today, amount * (12 if unit in ("年", "year") else 1))
    return today + timedelta(days=amount * (1 if unit in ("天", "日", "day") else 7))


def _earlier(today: date, count: str, unit: str) -> date:
    return _later(today, count, unit, -1)


def _months_later(today: date, months: int) -> date:
    """The same day of a later month, or its last: a month after 31 January is 28 February."""
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    return date(year, month + 1, min(today.day, calendar.monthrange(year, month + 1)[1]))


def _month_and_day(today: date, month: str, day: str, year: str = "") -> date:
    """With no year, the next such day."""
    name = month[:3]
    m, d = _MONTHS.index(name) + 1 if name in _MONTHS else number(month), number(day)
    if not year:
        return _date(today.year + ((m, d) < (today.month, today.day)), m, d)
    return _date({"今年": today.year, "明年": today.year + 1}.get(year) or number(year), m, d)


def _day_of_month(today: date, day: str, which: str = "") -> date:
    """The 15th is the next one; or that of this or next month, when that is said."""
    d = number(day)
    ahead = which in ("下", "next") or (not which and d < today.day)
    first = _months_later(today.replace(day=1), int(ahead))
    return _date(first.year, first.month, d)


def _end_of_month(today: date, which: str = "") -> date:
    following = _months_later(today.replace(day=1), 2 if which in ("下", "next") else 1)
    return following - timedelta(days=1)


def _end_of_year(today: date) -> date:
    return date(today.year, 12, 31)


def _date(year: int, month: int, day: int) -> date:
    if not 1 <= year <= 9999:
        raise ValueError(f"there is no year {year}")
    if not 1 <= month <= 12:
        raise ValueError(f"there is no month {month}")
    last = calendar.monthrange(year, month)[1]
    if not 1 <= day <= last:
        raise ValueError(f"{year}-{month:02} has days 1 to {last}")
    return date(year, month, day)


def _named_number(name: str) -> str:
    return f"(?P<{name}>[0-9]{{1,4}}|[零〇一二两三四五六七八九十]{{1,4}})"


_COUNT_CN = f"{_named_number('count')}(?P<unit>天|日|周|个?星期|个?礼拜|个?月|年)"
_COUNT_EN = f"(?P<count>[0-9]{{1,4}}|{'|'.join(_WORDS)}) (?P<unit>day|week|month|year)s?"
_MONTH = (
    "(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = (
    "(?P<name>mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs?)?(?:day)?|fri(?:day)?|sat(?:urday)?"
    "|sun(?:day)?|weekend)"
)
_ORDINAL = "(?P<day>[0-9]{1,2})(?:st|nd|rd|th)"
_DAY = "(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = "(?P<year>[0-9]{4})"

_TABLE: list[tuple[str, Callable[..., date]]] = [
    (f"(?:the )?(?P<word>{'|'.join(_NEAR)})", _near),
    (rf"{_YEAR}([-/.])(?P<month>[0-9]{{1,2}})\2(?P<day>[0-9]{{1,2}})", _month_and_day),
    (
        f"(?:{_named_number('year')}年)?{_named_number('month')}月{_named_number('day')}[日号]?",
        _month_and_day,
    ),
    (f"(?P<year>今年|明年)的?{_named_number('month')}月{_named_number('day')}[日号]?", _month_and_day),
    (f"{_MONTH} (?:the )?{_DAY}(?:,? {_YEAR})?", _month_and_day),
    (f"(?:the )?{_DAY} (?:of )?{_MONTH},?(?: {_YEAR})?", _month_and_day),
    ("(?P<which>上|本|这|下下|下)?个?(?:周|星期|礼拜)(?P<name>[一二三四五六日末])", _weekday),
    (f"(?:(?P<which>this|next|last|coming) )?{_WEEKDAY}", _weekday),
    (f"(?P<which>this|next) week(?: on)? {_WEEKDAY}", _weekday),
    (f"{_WEEKDAY} (?:of )?(?P<which>this|next) week", _weekday),
    (f"{_COUNT_CN}(?:之后|以后|后|之内|以内|内)", _later),
    (f"再?过{_COUNT_CN}(?:之后|以后|后)?", _later),
    (f"(?:in|after|within) {_COUNT_EN}(?:'? time)?", _later),
    (f"{_COUNT_EN} (?:later|from (?:now|today))", _later),
    (f"{_COUNT_CN}(?:之前|以前|前)", _earlier),
    (f"{_COUNT_EN} ago", _earlier),
    (f"(?:(?P<which>本|这|下)个?月的?)?{_named_number('day')}[日号]", _day_of_month),
    (f"(?:the )?{_ORDINAL}(?: of (?P<which>this|next) month)?", _day_of_month),
    (f"(?P<which>this|next) month(?: on)?(?: the)? {_DAY}", _day_of_month),
    ("(?P<which>本|这|下)?个?月[底末]", _end_of_month),
    ("(?:the )?end of (?:the |(?P<which>this|next) )?month", _end_of_month),
    ("(?:今年)?年[底末]|今年[底末]|(?:the )?end of (?:the|this) year", _end_of_year),
]
_RULES = [(re.compile(pattern), rule) for pattern, rule in _TABLE]
