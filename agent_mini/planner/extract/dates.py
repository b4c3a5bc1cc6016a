"""Days: how many ahead, a due date in the person's own words, the two ends of a range.

The planner reckons with dates only where a tool takes a date or a number of days; a due date is passed on as it was
said, since the to-do list reads it itself.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from agent_mini.planner.extract.found import Found
from agent_mini.planner.extract.numbers import find_number
from agent_mini.planner.intents import Slot
from agent_mini.planner.reading import Reading, Span
from agent_mini.planner.scene import Scene

_WEEKDAYS_ZH = "一二三四五六日"
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_WEEKDAY = (
    r"(?:mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
)

_DAY_ZH = (
    r"(?:今天|今日|今晚|今早|今夜|明天|明日|明早|明晚|大后天|后天|(?:下下个?|下个?|这个?|本)?(?:周|星期|礼拜)(?:[一二三四五六日天]|末)"
    r"|(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]?|(?:下个?|这个?|本)月(?:\d{1,2}[日号]|初|底|末)?|(?:下个?|这个?|本)(?:周|星期|礼拜)"
    r"|月底|年底|年末|周末|\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|(?<![第\d])\d{1,2}号(?!线|楼|桌|待办|任务)"
    r"|\d+\s?个?\s?(?:天|周|星期|礼拜|月|小时|分钟|年)(?:之后|以后|后|之内|以内|内))"
)
_TIME_ZH = r"(?:的?(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?\s?\d{1,2}(?:点(?:钟|整|半|\d{1,2}分?|1刻|一刻|三刻)?|[:：]\d{2})|的?(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里))"
_DAY_EN = (
    rf"(?:the day after tomorrow|today|tonight|tomorrow|tmrw?|(?:(?:this|next|coming|the coming) )?{_WEEKDAY}(?!'s|[a-z])"
    rf"|(?:this|next) (?:week|weekend|month|year)|in \d+ (?:minute|hour|day|week|month|year)s?|in an? (?:minute|hour|day|week|month|year)"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}(?: \d{{4}})?"
    r"|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}(?:/\d{2,4})?|the \d{1,2}(?:st|nd|rd|th)|(?:the )?end of (?:the |this )?(?:day|week|month|year))"
)
_TIME_EN = r"(?:(?:in the |this )?(?:morning|afternoon|evening|night)|(?:at )?\d{1,2}(?::\d{2})? ?(?:am|pm|a\.m\.|p\.m\.)|at \d{1,2}(?::\d{2})?(?: o'clock)?|at noon|at midnight|noon)"

_WHEN = re.compile(
    rf"(?P<zh>{_DAY_ZH}(?:{_TIME_ZH})?|(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上)\s?\d{{1,2}}(?:点(?:钟|整|半|\d{{1,2}}分?)?|[:：]\d{{2}}))(?:之前|以前|前)?"
    rf"|(?<![a-z])(?:(?:due )?(?:on|by|before|until|for|at|due) )?(?P<en>{_DAY_EN}(?: {_TIME_EN})?|{_TIME_EN}(?: {_DAY_EN})?)(?![a-z])"
)

_ISO = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})(?!\d)[日号]?")
_NO_YEAR = re.compile(r"(?<![\d年])(\d{1,2})月(\d{1,2})(?!\d)[日号]?")
_MONTH_FIRST = re.compile(rf"(?<![a-z])({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (\d{{4}}))?")
_DAY_FIRST = re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({_MONTH})(?![a-z])(?:,? (\d{{4}}))?")
_TODAY = re.compile(r"今天|今日|现在|此刻|今儿|(?<![a-z])(?:today|now)(?![a-z])")
_NEAR = re.compile(
    rf"(大后天|后天|明天|昨天|前天)|(?<![a-z])(tomorrow|yesterday)(?![a-z])|(?:(下)个?|这个?|本)?(?:周|星期|礼拜)([一二三四五六日天])|(?<![a-z])(?:(next) |this )?({_WEEKDAY})(?![a-z])"
)
_OFFSETS = {"大后天": 3, "后天": 2, "明天": 1, "昨天": -1, "前天": -2, "tomorrow": 1, "yesterday": -1}

_SINCE = re.compile(
    r"since|过去了?(?:多少|几)|过了|多久了|多少天了|几天了|how long ago|have passed|has passed|have gone|已经|距今|至今|以来"
)
_FROM = re.compile(r"从|自|(?<![a-z])(?:from|between)(?![a-z])")
_TO = re.compile(
    r"(?:到|至|~|和|与|跟)|(?<![a-z])(?:to|till|until|and|through)(?![a-z])|(?<=\d)\s*-\s*(?=\d{4})"
)
_UNTIL = re.compile(
    r"离|距|还有|还剩|还差|倒计时|倒数|(?<![a-z])(?:until|till|til|before|left|to go|countdown|away)(?![a-z])"
)


def find_when(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """A due date, in the person's own words; its span takes in the "on" or 前 that goes with it."""
    match = _WHEN.search(piece.text)
    if match is None:
        return None
    group = "zh" if match["zh"] else "en"
    return Found(piece.typed_at(*match.span(group)).strip(), match.span())


def find_days(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """How many days, today included: a number of days, a word that means one, or the days until a weekday."""
    numbers = slot.model_copy(update={"words": {}})
    if (found := find_number(piece, numbers, scene)) and isinstance(found.value, int):
        return found
    best: tuple[int, str, Span] | None = None
    for value, phrases in slot.words.items():
        for phrase in phrases:
            if match := phrase.find(piece.text):
                hit = (match.start() - match.end(), value, match.span())
                best = hit if best is None or hit[0] < best[0] else best
    if best is not None and best[1] != "weekend":
        return Found(int(best[1]), best[2], sure=best[1] != "1")
    if best is not None:
        return Found((6 - scene.day.weekday()) % 7 + 1, best[2])
    for day, span in _near_days(piece.text, scene.day):
        ahead = (day - scene.day).days
        return Found(ahead % 7 + 1 if ahead >= 7 else ahead + 1, span) if ahead >= 0 else None
    return None


def find_date(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The start or the end of a range of days, as ``YYYY-MM-DD``; today's date is the tool ``today``'s to tell."""
    start, end = _range(piece.text, scene)
    return start if slot.part == "start" else end


def _range(text: str, scene: Scene) -> tuple[Found | None, Found | None]:
    days = list(_mentions(text, scene))
    since = bool(_SINCE.search(text))
    if len(days) >= 2:
        first, second = days[0], days[1]
        between = text[first.span[1] : second.span[0]]
        backwards = _FROM.search(between) and not _FROM.search(text[: first.span[0]])
        start, end = (second, first) if backwards else (first, second)
        return _in_order(start, end, text), end
    today = Found("", sure=False, needs="today")
    if not days:  # no date that we know: "days until my exam"
        return (None, today) if since else (today if _UNTIL.search(text) else None, None)
    only = days[0]
    before, behind = text[: only.span[0]], text[only.span[1] :]
    if only.needs:
        return (None, only) if since else (only, None)
    if _FROM.search(before):
        opened = _FROM.search(before)
        gap = before[opened.end() :] if opened else ""
        if _TO.search(gap):  # from my birthday to 2026-08-01
            return None, only
        if re.match(r"\s*(?:到|至|to|till|until|and|through)(?![a-z])", behind) and not _TODAY.search(behind):
            return only, None  # from 2026-02-01 to my exam
        return only, today
    if since and not _UNTIL.search(before):
        return only, today
    return today, only


def _in_order(start: Found, end: Found, text: str) -> Found:
    """``start``, a year earlier where it was given without one and would come after the end: 从国庆到元旦."""
    dated = start.value and end.value and not re.search(r"\d{4}", text[slice(*start.span)])
    if not dated or start.value <= end.value:
        return start
    return replace(start, value=f"{int(start.value[:4]) - 1:04d}{start.value[4:]}")


def _mentions(text: str, scene: Scene) -> Iterator[Found]:
    """Each day that the text names, in order; a day that does not exist is passed on as it is written."""
    found: list[Found] = []
    today = scene.day
    for match in _ISO.finditer(text):
        found.append(Found(_iso(int(match[1]), int(match[2]), int(match[3])), match.span()))
    since = bool(_SINCE.search(text))
    for match in _NO_YEAR.finditer(text):
        found.append(Found(_nearest(int(match[1]), int(match[2]), today, since), match.span()))
    for pattern, month, day in ((_MONTH_FIRST, 1, 2), (_DAY_FIRST, 2, 1)):
        for match in pattern.finditer(text):
            number = _MONTHS.index(match[month][:3]) + 1
            value = (
                _iso(int(match[3]), number, int(match[day]))
                if match[3]
                else _nearest(number, int(match[day]), today, since)
            )
            found.append(Found(value, match.span()))
    found += _holidays(text, scene, since)
    found += [Found("", match.span(), sure=False, needs="today") for match in _TODAY.finditer(text)]
    found += [Found(day.isoformat(), span, sure=False) for day, span in _near_days(text, today)]
    found.sort(key=lambda item: (item.span[0], -item.span[1]))
    end = 0
    for item in found:
        if item.span[0] >= end:
            end = item.span[1]
            yield item


def _holidays(text: str, scene: Scene, since: bool) -> Iterator[Found]:
    for dates, names in scene.intents.language.holidays.items():
        for name in names:
            at = text.find(name)
            if at < 0 or (name.isascii() and text[at - 1 : at].isalpha()):
                continue
            year = re.search(r"(\d{4})年?的?\s*$", text[:at]) or re.match(
                r"\s*,?\s*(\d{4})(?!\d)", text[at + len(name) :]
            )
            start = year.start() if year and year.string == text[:at] else at
            end = at + len(name) + (year.end() if year and year.string != text[:at] else 0)
            value = _holiday(dates.split(), int(year[1]) if year else 0, scene.day, since)
            yield Found(value, (start, end))
            break


def _holiday(dates: list[str], year: int, today: date, since: bool) -> str:
    """A holiday's date: that of ``year``, or else the next one, or the last one."""
    if len(dates[0]) == 5:
        month, day = map(int, dates[0].split("-"))
        return _iso(year, month, day) if year else _nearest(month, day, today, since)
    if year:
        return next((day for day in dates if day.startswith(str(year))), dates[-1])
    if since:
        return next((day for day in reversed(dates) if day <= today.isoformat()), dates[0])
    return next((day for day in dates if day >= today.isoformat()), dates[-1])


def _near_days(text: str, today: date) -> Iterator[tuple[date, Span]]:
    """Days named by their place near today: tomorrow, 下周三, "next Friday"."""
    for match in _NEAR.finditer(text):
        if word := match[1] or match[2]:
            yield today + timedelta(_OFFSETS[word]), match.span()
            continue
        if match[4]:
            weekday = _WEEKDAYS_ZH.index(match[4].replace("天", "日"))
            monday = today - timedelta(today.weekday())
            day = monday + timedelta(weekday + (7 if match[3] else 0))
            yield (day if match[3] or day >= today else day + timedelta(7)), match.span()
            continue
        weekday = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].index(match[6][:3])
        ahead = (weekday - today.weekday()) % 7
        yield today + timedelta(ahead + (7 if match[5] and ahead == 0 else 0)), match.span()


def _iso(year: int, month: int, day: int) -> str:
    return f"{year:04d}-{month:02d}-{day:02d}"


def _nearest(month: int, day: int, today: date, past: bool) -> str:
    """The next such day, today included, or with ``past`` the last one."""
    this = _iso(today.year, month, day)
    if past:
        return this if this <= today.isoformat() else _iso(today.year - 1, month, day)
    return this if this >= today.isoformat() else _iso(today.year + 1, month, day)
