"""The ways to name a day: one pattern and one small function each, tried in order. ``due`` has the whole."""

import calendar
import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import NoReturn

Rule = Callable[..., date | None]

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
_FULL_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_HOLIDAYS = {
    (1, 1): "元旦节?|new year'?s?(?: day)?",
    (2, 14): "情人节|valentine'?s(?: day)?",
    (5, 1): "五一|五一?劳动节|劳动节|may day",
    (6, 1): "六一|六一儿童节|儿童节",
    (10, 1): "国庆节?|十一国庆节?",
    (10, 31): "万圣夜|halloween",
    (12, 24): "平安夜|christmas eve",
    (12, 25): "圣诞节?|christmas(?: day)?|xmas",
    (12, 31): "跨年夜|new year'?s eve",
}
"""Those of the sun's calendar: the day of the others is another one each year."""
_WEEKS = {"上": -1, "last": -1, "本": 0, "这": 0, "this": 0, "下": 1, "next": 1, "下下": 2}
_MONTHS_AHEAD = {"下": 1, "next": 1, "下下": 2}
_YEARS = {"今年": 0, "明年": 1, "后年": 2, "this": 0, "next": 1}
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


class Unclear(ValueError):
    """It can mean more than one day or moment; the message names them."""


def find_day(text: str, today: date) -> date | None:
    """The day that ``text``, normalised, names; None when no rule knows it.

    Raises:
        ValueError: The calendar has no such day; the message says why.
        Unclear: It can be more than one day.
    """
    day = _find(text, today, _RULES)
    if day is not None:
        return day
    for pattern in _WITH_WEEKDAY:  # 10月29日周四, Thursday, Oct 29
        if (match := pattern.fullmatch(text)) and (day := _find(match["rest"], today, _CALENDAR)):
            if (index := _index(match["name"])) != day.weekday():
                said, real = _FULL_WEEKDAYS[index], _FULL_WEEKDAYS[day.weekday()]
                raise ValueError(f"{day.isoformat()} is a {real}, not a {said}")
            return day
    return None


def _find(text: str, today: date, rules: Sequence[tuple[re.Pattern[str], Rule]]) -> date | None:
    for pattern, rule in rules:
        if match := pattern.fullmatch(text):
            return rule(today, **{name: said for name, said in match.groupdict().items() if said})
    return None


def number(text: str) -> int:
    """The value of 12, 十二, 两, 二十五, 一百零五, 二〇二六, two, a.

    Raises:
        ValueError: Not a number a person would write.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text.isdecimal():
        return int(text)
    digit = "[一二三四五六七八九]"
    # 一百五 is 150 to some and 105 to others
    if hundreds := re.fullmatch(f"([两一二三四五六七八九])百(?:零({digit})|({digit}十{digit}?))?", text):
        rest = hundreds[2] or hundreds[3]
        return 100 * _DIGITS[hundreds[1]] + (number(rest) if rest else 0)
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
    index = 5 if weekend else _index(name)
    if which in _WEEKS:
        return today + timedelta(days=index - today.weekday(), weeks=_WEEKS[which])
    return today + timedelta(days=(index - today.weekday()) % 7)


def _index(name: str) -> int:
    index = "一二三四五六日".find(name)
    return index if index >= 0 else _WEEKDAYS.index(name[:3])


def _later(today: date, count: str, unit: str, sign: int = 1) -> date:
    amount, unit = sign * number(count), unit.removeprefix("个")
    if unit in ("月", "month", "年", "year"):
        return _months_later(today, amount * (12 if unit in ("年", "year") else 1))
    return today + timedelta(days=amount * {"天": 1, "日": 1, "day": 1, "fortnight": 14}.get(unit, 7))


def _half_later(today: date, unit: str) -> date:
    return _months_later(today, 6) if unit in ("年", "year") else today + timedelta(days=15)


def _from(today: date, count: str, unit: str, start: str) -> date | None:
    """A week from Monday."""
    day = find_day(start, today)
    return day and _later(day, count, unit)


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
    return _date(today.year + _YEARS[year] if year in _YEARS else number(year), m, d)


def _short_date(today: date, first: str, second: str) -> date:
    """10/31 and 31/10 are the same day to everybody; 12/1 is not."""
    a, b = int(first), int(second)
    if a <= 12 and b <= 12 and a != b:
        days = [
            _month_and_day(today, month, day).isoformat() for month, day in ((first, second), (second, first))
        ]
        raise Unclear(f"{days[0]} or {days[1]}?")
    return _month_and_day(today, second, first) if a > 12 else _month_and_day(today, first, second)


def _holiday(today: date, name: str, year: str = "") -> date:
    month, day = next(day for day, names in _HOLIDAYS.items() if re.fullmatch(names, name))
    return _month_and_day(today, str(month), str(day), year)


def _day_of_month(today: date, day: str, which: str = "") -> date:
    """The 15th is the next one, and the 31st that of the next month that has one; or of the month that is said."""
    d = number(day)
    months = _MONTHS_AHEAD.get(which, 0) if which else int(d < today.day)
    first = _months_later(today.replace(day=1), months)
    if not which and 1 <= d <= 31 and d > calendar.monthrange(first.year, first.month)[1]:
        first = _months_later(first, 1)  # of two months in a row, one has 31 days
    return _date(first.year, first.month, d)


def _some_day(today: date, which: str, unit: str) -> NoReturn:
    """Next week, next month: a time, and no day."""
    if unit in ("月", "month"):
        first = _months_later(today.replace(day=1), _MONTHS_AHEAD.get(which, 0))
        raise Unclear(f"which day of {first:%Y-%m}?")
    monday = today + timedelta(days=-today.weekday(), weeks=_WEEKS[which])
    raise Unclear(f"which day of the week from {monday.isoformat()}?")


def _end_of_month(today: date, which: str = "") -> date:
    following = _months_later(today.replace(day=1), 1 + _MONTHS_AHEAD.get(which, 0))
    return following - timedelta(days=1)


def _end_of_year(today: date, which: str = "") -> date:
    return date(today.year + _YEARS.get(which, 0), 12, 31)


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
    return f"(?P<{name}>[0-9]{{1,4}}|[零〇一二两三四五六七八九十百]{{1,5}})"


_COUNT_CN = f"{_named_number('count')}(?P<unit>天|日|周|个?星期|个?礼拜|个?月|年)"
_COUNT_EN = f"(?P<count>[0-9]{{1,4}}|{'|'.join(_WORDS)}) (?P<unit>day|week|fortnight|month|year)s?"
_MONTH = (
    "(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = (
    r"(?P<name>mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs?)?(?:day)?|fri(?:day)?|sat(?:urday)?"
    r"|sun(?:day)?|weekend)\.?"
)
_HOLIDAY = f"(?P<name>{'|'.join(_HOLIDAYS.values())})"
_ORDINAL = "(?P<day>[0-9]{1,2})(?:st|nd|rd|th)"
_DAY = "(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = "(?P<year>[0-9]{4})"

_TABLE: list[tuple[str, Rule]] = [
    (f"(?:the )?(?P<word>{'|'.join(_NEAR)})", _near),
    (rf"{_YEAR}([-/.])(?P<month>[0-9]{{1,2}})\2(?P<day>[0-9]{{1,2}})", _month_and_day),
    (f"{_YEAR}(?P<month>[0-9]{{2}})(?P<day>[0-9]{{2}})", _month_and_day),
    (r"(?P<first>[0-9]{1,2})[-/.](?P<second>[0-9]{1,2})", _short_date),
    (f"(?:(?P<year>今年|明年|后年)的?)?{_HOLIDAY}", _holiday),
    (f"(?P<year>this|next) {_HOLIDAY}", _holiday),
    (
        f"(?:{_named_number('year')}年)?{_named_number('month')}月{_named_number('day')}[日号]?",
        _month_and_day,
    ),
    (f"(?P<year>今年|明年|后年)的?{_named_number('month')}月{_named_number('day')}[日号]?", _month_and_day),
    (f"{_MONTH} (?:the )?{_DAY}(?:,? {_YEAR})?", _month_and_day),
    (f"(?:the )?{_DAY} (?:of )?{_MONTH},?(?: {_YEAR})?", _month_and_day),
    (
        "(?P<which>上|本|这|下下|下)?个?(?:(?:周|星期|礼拜)的?)?(?:周|星期|礼拜)(?P<name>[一二三四五六日末])",
        _weekday,
    ),
    (f"(?:(?P<which>this|next|last|coming) )?{_WEEKDAY}", _weekday),
    (f"(?P<which>this|next) week(?: on)? {_WEEKDAY}", _weekday),
    (f"{_WEEKDAY} (?:of )?(?P<which>this|next) week", _weekday),
    (f"{_COUNT_CN}(?:之后|以后|后|之内|以内|内)", _later),
    (f"再?过{_COUNT_CN}(?:之后|以后|后)?", _later),
    (f"(?:in|after|within) {_COUNT_EN}(?:'? time)?", _later),
    (f"{_COUNT_EN} (?:later|from (?:now|today))", _later),
    (_COUNT_EN, _later),
    (f"{_named_number('count')}(?P<unit>天|周|个?星期|个?礼拜|个月)", _later),
    ("(?:再?过)?半(?P<unit>个?月|年)(?:之后|以后|后|之内|以内|内)?", _half_later),
    ("(?:in |after |within )?half an? (?P<unit>month|year)", _half_later),
    (f"{_COUNT_EN} (?:from|after) (?P<start>.+)", _from),
    (f"{_COUNT_CN}(?:之前|以前|前)", _earlier),
    (f"{_COUNT_EN} ago", _earlier),
    (f"(?:(?P<which>本|这|下下|下)个?月的?)?{_named_number('day')}[日号]", _day_of_month),
    (f"(?:the )?{_ORDINAL}(?: of (?P<which>this|next) month)?", _day_of_month),
    (f"(?P<which>this|next) month(?: on)?(?: the)? {_DAY}", _day_of_month),
    ("(?P<which>本|这|下下|下)?个?月[底末]", _end_of_month),
    ("(?:the )?end of (?:the |(?P<which>this|next) )?month", _end_of_month),
    ("(?P<which>今年|明年|后年)?年?[底末]", _end_of_year),
    ("(?:the )?end of (?:the|(?P<which>this|next)) year", _end_of_year),
    ("(?P<which>本|这|下下|下)个?(?P<unit>周|星期|礼拜|月)", _some_day),
    ("(?P<which>this|next) (?P<unit>week|month)", _some_day),
]
_RULES = [(re.compile(pattern), rule) for pattern, rule in _TABLE]
_CALENDAR = [
    (pattern, rule)
    for pattern, rule in _RULES
    if rule in (_near, _month_and_day, _short_date, _holiday, _day_of_month)
]
_WEEKDAY_CN = "(?:周|星期|礼拜)(?P<name>[一二三四五六日])"
_WITH_WEEKDAY = [
    re.compile(pattern)
    for pattern in (
        rf"(?P<rest>.+?)[ ,(]*{_WEEKDAY_CN}\)?",
        f"{_WEEKDAY_CN}[ ,]*(?P<rest>.+)",
        f"{_WEEKDAY.replace('|weekend', '')},? (?P<rest>.+)",
        rf"(?P<rest>.+?)[ ,(]+{_WEEKDAY.replace('|weekend', '')}\)?",
    )
]
