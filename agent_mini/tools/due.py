"""Due dates the way people say them, in Chinese and English: 下周一, 明天下午3点, Friday, in two weeks, Dec 1.

A text is normalised, its time of day is taken out, and what is left must name a day in full: nothing is
guessed from a part of a text. What this does not do: hours from now, time zones, repeating dates.
"""

import re
import unicodedata
from datetime import date
from typing import NoReturn

from agent_mini.tools.base import ToolError
from agent_mini.tools.due_days import find_day, number

MAX_LENGTH = 60
ACCEPTED = (
    "Write it like 2026-12-01, 12月1日, 周四, 下周一, 三天后, tomorrow, next Monday, in 3 days or Dec 1, "
    "with a time if there is one: 明天下午3点, tomorrow at 3pm."
)

_SIMPLIFIED = str.maketrans("週禮後點號兩個過這時鐘", "周礼后点号两个过这时钟")
_SHORT = {
    **{"今早": "今天早上", "今晚": "今天晚上", "明早": "明天早上", "明晚": "明天晚上", "tmr": "tomorrow"},
    **{"周天": "周日", "星期天": "星期日", "礼拜天": "礼拜日", "tonight": "today evening"},
}
_PARTS = {
    "small hours": ("凌晨",),
    "am": ("清晨", "早上", "早晨", "上午", "morning"),
    "noon": ("中午",),
    "pm": ("下午", "afternoon"),
    "night": ("傍晚", "晚上", "夜里", "evening", "night"),
}
_PART = re.compile(rf"(?:\b(?:in )?the )?({'|'.join(word for words in _PARTS.values() for word in words)})")
_HOUR_CN = "(?<![0-9零一二两三四五六七八九十])(?P<hour>[0-9]{1,2}|[零一二两三四五六七八九十]{1,3})"
_MINUTE_CN = "(?P<minute>[0-9]{1,2}|[零一二三四五六七八九十]{1,3})分?"
_AT = "(?:(?<![a-z])at )?(?<![0-9:])(?P<hour>[0-9]{1,2})"
_CLOCKS = [
    re.compile(pattern)
    for pattern in (
        f"{_HOUR_CN}[点时](?:钟|整)?(?:(?P<quarter>半|一刻|三刻)|{_MINUTE_CN})?",
        rf"{_AT}(?::(?P<minute>[0-9]{{2}}))? ?(?P<half>[ap])\.?m\.?(?![a-z])",
        f"{_AT}:(?P<minute>[0-9]{{2}})(?::00)?(?![0-9:])",
        "(?<![a-z])at (?P<hour>[0-9]{1,2})(?: o'clock)?(?![0-9:])",
    )
]
_QUARTERS = {"半": 30, "一刻": 15, "三刻": 45}


def parse_due(text: str, today: date) -> str:
    """Read a due date.

    Args:
        text: What the person or the model wrote, at most 60 characters.
        today: The day it is relative to; today itself is still a due date.

    Returns:
        ``YYYY-MM-DD``, or ``YYYY-MM-DD HH:MM`` when a time of day was given.

    Raises:
        ToolError: It names no day, or one that does not exist or has passed. The message begins with ``due:``.
    """
    if len(text) > MAX_LENGTH:
        _refuse(text, "is not a date I can read")
    try:
        rest, time = _take_time(_normalise(text))
        day = find_day(rest, today) or find_day(_bare(rest), today)
        if time and not _bare(rest):
            day = today
    except (ValueError, OverflowError) as error:
        _refuse(text, f"is not possible: {error}")
    if day is None:
        _refuse(text, "is not a date I can read")
    if day < today:
        _refuse(text, f"is {day.isoformat()}, which has passed; today is {today.isoformat()}")
    return f"{day.isoformat()} {time}".rstrip()


def _refuse(text: str, reason: str) -> NoReturn:
    shown = text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 3] + "..."
    raise ToolError(f"due: {shown!r} {reason}. {ACCEPTED}")


def _normalise(text: str) -> str:
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_SIMPLIFIED).split())
    for short, full in _SHORT.items():
        pattern = rf"\b{short}\b" if short.isascii() else short
        plain = re.sub(pattern, full, plain)
    plain = re.sub(r"(?<=[0-9])t(?=[0-9])", " ", plain)  # 2026-12-01T15:00
    return re.sub(r"(?<=[^a-z0-9]) | (?=[^a-z0-9])", "", plain) if re.search("[一-鿿]", plain) else plain


def _bare(rest: str) -> str:
    """``rest`` without the words that only say "not later than"."""
    rest = re.sub(r"^(?:(?:due|by|before|until|on)\b ?)+", "", rest)
    return re.sub(" ?(?:之前|以前|前|截止|到期)$", "", rest)


def _take_time(text: str) -> tuple[str, str]:
    """Split ``text`` into what names the day and the time of day as ``HH:MM``, empty when there is none.

    Raises:
        ValueError: A clock has no such time.
    """
    part = ""
    if match := _PART.search(text):
        part = next(name for name, words in _PARTS.items() if match[1] in words)
        text = text[: match.start()] + " " + text[match.end() :]
    elif match := re.search(r"(?:(?<![a-z])at )?(?<![a-z])noon\b", text):
        return _tidy(text[: match.start()] + text[match.end() :]), "12:00"
    for pattern in _CLOCKS:
        if match := pattern.search(text):
            said = {name: value for name, value in match.groupdict().items() if value}
            minute = _QUARTERS[said["quarter"]] if "quarter" in said else number(said.get("minute", "0"))
            time = _clock(number(said["hour"]), minute, said.get("half") or part)
            return _tidy(text[: match.start()] + " " + text[match.end() :]), time
    return _tidy(text), ""


def _clock(hour: int, minute: int, part: str) -> str:
    """The time of day, given what part of the day it is in; with no part, hours count from 0 to 23."""
    possible = hour <= 23 and minute <= 59
    if part in ("a", "p"):  # of a clock with twelve hours
        possible = 1 <= hour <= 12 and minute <= 59
        hour = hour % 12 + (12 if part == "p" else 0)
    elif part == "am":
        possible = possible and hour <= 12
    elif part == "small hours":
        possible = possible and hour <= 12
        hour %= 12
    elif part == "night" and (hour < 5 or hour == 12):  # of this night or of the one before?
        raise ValueError(
            f"{hour} o'clock at night can belong to either day; write the date and 00:00 to 23:59"
        )
    elif part in ("pm", "night"):
        possible = possible and hour > 0
        hour += 12 if hour < 12 else 0
    elif part == "noon":
        hour += 12 if hour < 3 else 0
        possible = possible and 11 <= hour <= 14
    if not possible:
        raise ValueError("a day has no such time")
    return f"{hour:02}:{minute:02}"


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(" ,，的")
