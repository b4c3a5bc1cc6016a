"""Days: how many ahead, and the two ends of a range, as a tool takes them. A due date's words are found in ``when``."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from agent_mini.planner.extract.found import Found
from agent_mini.planner.extract.numbers import find_number
from agent_mini.planner.extract.when import MONTH, WEEKDAY, WEEKDAYS_ZH, any_of
from agent_mini.planner.intents import Slot
from agent_mini.planner.reading import Reading, Span
from agent_mini.planner.scene import Scene

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_OFFSETS = {"大后天": 3, "后天": 2, "明天": 1, "昨天": -1, "前天": -2, "tomorrow": 1, "yesterday": -1}

_ISO = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})(?!\d)[日号]?")
_NO_YEAR = re.compile(r"(?<![\d年])(\d{1,2})月(\d{1,2})(?!\d)[日号]?")
_MONTH_FIRST = re.compile(rf"(?<![a-z])({MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (\d{{4}}))?")
_DAY_FIRST = re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({MONTH})(?![a-z])(?:,? (\d{{4}}))?")
_TODAY = re.compile(r"今天|今日|现在|此刻|今儿|(?<![a-z])(?:today|now)(?![a-z])")
_NEAR = re.compile(
    rf"(?P<day>大后天|后天|明天|昨天|前天|(?<![a-z])(?:tomorrow|yesterday)(?![a-z]))"
    rf"|(?P<next>(?<![一1])下个?|(?<![a-z])next )?(?:这个?|本|(?<![a-z])this )?"
    rf"(?:(?:周|星期|礼拜)(?P<zh>[{WEEKDAYS_ZH}天])|(?<![a-z])(?P<en>{WEEKDAY})(?![a-z]))"
)

_SINCE = re.compile(
    any_of("since 过去多少 过去了多少 过去几 过去了几 过了 多久了 多少天了 几天了 已经 距今 至今 以来")
    + "|how long ago|have passed|has passed|have gone"
)
_FROM = re.compile(r"从|自|(?<![a-z])(?:from|between)(?![a-z])")
_TO = re.compile(
    r"(?:到|至|~|和|与|跟)|(?<![a-z])(?:to|till|until|and|through)(?![a-z])|(?<=\d)\s*-\s*(?=\d{4})"
)
_UNTIL = re.compile(
    r"离|距|还有|还剩|还差|倒计时|倒数|(?<![a-z])(?:until|till|til|before|left|to go|countdown|away)(?![a-z])"
)


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
        if match["day"]:
            yield today + timedelta(_OFFSETS[match["day"]]), match.span()
        elif match["zh"]:  # a Chinese week begins on Monday, and 下周三 is in the one after this
            weekday = WEEKDAYS_ZH.index(match["zh"].replace("天", "日"))
            day = today + timedelta(weekday - today.weekday() + (7 if match["next"] else 0))
            yield day if day >= today else day + timedelta(7), match.span()
        else:
            ahead = (_WEEKDAYS.index(match["en"][:3]) - today.weekday()) % 7
            yield today + timedelta(7 if match["next"] and ahead == 0 else ahead), match.span()


def _iso(year: int, month: int, day: int) -> str:
    return f"{year:04d}-{month:02d}-{day:02d}"


def _nearest(month: int, day: int, today: date, past: bool) -> str:
    """The next such day, today included, or with ``past`` the last one."""
    this = _iso(today.year, month, day)
    if past:
        return this if this <= today.isoformat() else _iso(today.year - 1, month, day)
    return this if this >= today.isoformat() else _iso(today.year + 1, month, day)
