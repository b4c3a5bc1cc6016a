"""Due dates the way people say them, in Chinese and English: 下周一, 明天下午3点, Friday, in two weeks, Dec 1.

A text is normalised, its time of day is taken out (``due_times``), and what is left must name a day in full
(``due_days``): nothing is guessed from a part of a text, and what can mean two moments is asked about. What this
does not do: hours from now, repeating dates, holidays of the moon's calendar.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import NoReturn

from agent_mini.tools.base import ToolError
from agent_mini.tools.due_days import Unclear, find_day
from agent_mini.tools.due_times import take_time

MAX_LENGTH = 60
ACCEPTED = (
    "Write it like 2026-12-01, 12月1日, 周四, 下周一, 三天后, tomorrow, next Monday, in 3 days or Dec 1, "
    "with a time if there is one: 明天下午3点, tomorrow at 3pm."
)
WORK_BEGINS = 8 * 60
"""With nothing else said, "9" is nine in the morning, but nobody can know what "3" is."""

_SIMPLIFIED = str.maketrans(
    "週禮後點號兩個過這時鐘國慶聖誕節遲於內", "周礼后点号两个过这时钟国庆圣诞节迟于内"
)
_SHORT = {
    **{"今早": "今天早上", "今晚": "今天晚上", "明早": "明天早上", "明晚": "明天晚上", "tmr": "tomorrow"},
    **{"周天": "周日", "星期天": "星期日", "礼拜天": "礼拜日", "tonight": "today evening"},
    **{f"this {part}": f"today {part}" for part in ("morning", "afternoon", "evening")},
}
_ONES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_TEENS = [
    "tenth",
    "eleventh",
    "twelfth",
    *(f"{ten}teenth" for ten in ("thir", "four", "fif", "six", "seven")),
]
_WORDS = [
    *[*_ONES, *_TEENS, "eighteenth", "nineteenth", "twentieth"],
    *[*(f"twenty-{one}" for one in _ONES), "thirtieth", "thirty-first"],
]
_ORDINALS = {word: number for number, word in enumerate(_WORDS, start=1)}
_ORDINAL = re.compile(rf"(?<![a-z-])({'|'.join(sorted(_ORDINALS, key=len, reverse=True))})(?![a-z])")
_ZONED = re.compile(r"\d{4}-\d\d-\d\d[tT ]\d\d:\d\d(?::00(?:\.0+)?)?(?:[zZ]|[+-]\d\d:?\d\d)")
_END_OF_DAY = re.compile(r"(?<![a-z])(?:eod|cob|(?:the )?end of (?:the )?(?:business )?day)(?![a-z])")


def parse_due(text: str, now: date) -> str:
    """Read a due date.

    Args:
        text: What the person or the model wrote, at most 60 characters.
        now: The moment it is relative to, a ``datetime``; a bare ``date`` when the time of day does not matter.
            Today itself is still a due date, a time of today that has passed is none.

    Returns:
        ``YYYY-MM-DD``, or ``YYYY-MM-DD HH:MM`` when a time of day was given. A time with a zone is that moment
        in the zone of ``now``.

    Raises:
        ToolError: It names no day, or one that does not exist, has passed or is not clear. The message begins
            with ``due:``.
    """
    if len(text) > MAX_LENGTH:
        _refuse(text, "is not a date I can read")
    try:
        due = _read(text, now)
    except Unclear as error:
        _refuse(text, f"is not clear: {error}")
    except _Passed as error:
        _refuse(text, f"is {error}")
    except (ValueError, OverflowError) as error:
        _refuse(text, f"is not possible: {error}")
    if due is None:
        _refuse(text, "is not a date I can read")
    return _written(due)


class _Passed(Exception):
    """A day or a moment before now."""


def _read(text: str, now: date) -> date | None:
    """The day, or the moment, that a text names; None when it names none."""
    today, moment = now, None
    if isinstance(now, datetime):
        today, moment = now.date(), now.replace(tzinfo=None, second=0, microsecond=0)
        if now.tzinfo and _ZONED.fullmatch(text.strip()):
            there = datetime.fromisoformat(text.strip().upper()).astimezone(now.tzinfo)
            return _ahead([there.replace(tzinfo=None)], moment)[0]
    rest, minutes = take_time(_normalise(text))
    if minutes and not _bare(rest):
        return _next_time(today, minutes, moment)
    day = find_day(rest, today) or find_day(_bare(rest), today)
    if day is None:
        return None
    if day < today:
        raise _Passed(f"{day.isoformat()}, which has passed; today is {today.isoformat()}")
    if not minutes:
        return day
    return _only(_ahead([_at(day, minute) for minute in minutes], moment))


def _next_time(today: date, minutes: Sequence[int], moment: datetime | None) -> datetime:
    """The next time a clock shows this, when no day was named."""
    first, *others = [_at(today, minute) for minute in minutes]
    if first.date() == today and first.hour * 60 < WORK_BEGINS and others:
        raise Unclear(f"{first:%H:%M} or {others[0]:%H:%M}?")
    if moment is None or first >= moment:
        return first
    tomorrow = first + timedelta(days=1)
    if others and others[0] >= moment:
        raise Unclear(f"{_written(others[0])} or {_written(tomorrow)}?")
    return tomorrow


def _ahead(moments: Sequence[datetime], now: datetime | None) -> list[datetime]:
    ahead = [moment for moment in moments if now is None or moment >= now]
    if not ahead:
        raise _Passed(f"{_written(moments[-1])}, which has passed; it is {now:%Y-%m-%d %H:%M} now")
    return ahead


def _only(moments: Sequence[datetime]) -> datetime:
    first, *others = moments
    if others and first.hour * 60 < WORK_BEGINS:
        raise Unclear(f"{_written(first)} or {_written(others[0])}?")
    return first


def _at(day: date, minute: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minute)


def _written(due: date) -> str:
    if isinstance(due, datetime):
        return f"{due.date().isoformat()} {due:%H:%M}"
    return due.isoformat()


def _refuse(text: str, reason: str) -> NoReturn:
    shown = text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 3] + "..."
    raise ToolError(f"due: {shown!r} {reason}. {ACCEPTED}".replace("?.", "?"))


def _normalise(text: str) -> str:
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_SIMPLIFIED).split())
    plain = re.sub("^(?:最晚|最迟|不晚于|不迟于)", "", plain).replace("’", "'")
    for short, full in _SHORT.items():
        pattern = rf"\b{short}\b" if short.isascii() else short
        plain = re.sub(pattern, full, plain)
    plain = _ORDINAL.sub(lambda match: f"{_ORDINALS[match[1]]}th", plain)
    plain = re.sub(r"(?<=[0-9])t(?=[0-9])", " ", plain)  # 2026-12-01T15:00
    if _END_OF_DAY.search(plain):
        plain = " ".join(_END_OF_DAY.sub(" ", plain).split())
        plain = plain if _bare(plain) else "today"
    return re.sub(r"(?<=[^a-z0-9]) | (?=[^a-z0-9])", "", plain) if re.search("[一-鿿]", plain) else plain


def _bare(rest: str) -> str:
    """``rest`` without the words that only say "not later than"."""
    rest = re.sub(r"^(?:(?:due|by|before|until|till|on|not? later than)(?![a-z]) ?)+", "", rest)
    return re.sub(" ?(?:之前|以前|前|之内|以内|内|截止|到期|at the latest)$", "", rest)
