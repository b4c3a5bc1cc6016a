"""The time of day in a due date: 下午3点, at 3pm, half past three, noon, 15:00. ``due`` has the whole.

A time is given in minutes since the day began. There are two of them when it can be of the morning or of the
afternoon, the earlier one first; midnight, at the end of the day it is said with, is minute 1440.
"""

import re

from agent_mini.tools.due_days import Unclear, number

NOON, MIDNIGHT = 12 * 60, 24 * 60

_PARTS = {
    "small hours": ("凌晨",),
    "am": ("清晨", "早上", "早晨", "上午", "早", "morning", "am", "a.m.", "a.m"),
    "noon": ("中午",),
    "pm": ("下午", "afternoon", "pm", "p.m.", "p.m"),
    "night": ("傍晚", "晚上", "夜里", "半夜", "深夜", "晚", "evening", "night"),
}
_PART = re.compile(
    "(?:(?<![a-z])(?:in the |the |at ))?(?P<word>"
    + "|".join(
        rf"(?<![a-z0-9]){re.escape(word)}(?![a-z])" if word.isascii() else word
        for words in _PARTS.values()
        for word in words
    )
    + ")"
)
_NOON = re.compile(r"(?:(?<![a-z])at )?(?:12 )?(?:(?<![a-z])(?:noon|midday)(?![a-z])|正午)")
_MIDNIGHT = re.compile(r"(?:(?<![a-z])at )?(?:12 )?(?:(?<![a-z])midnight(?![a-z])|午夜)")

_DIGITS_CN = "零一二两三四五六七八九十"
# In 周二十点 the 二 belongs to the day; anywhere else, two numbers in a row are one.
_NOT_OF_A_WEEKDAY = f"(?<![周期拜])(?:(?<=[周期拜][一二三四五六日])|(?<![0-9{_DIGITS_CN}]))"
_HOUR_CN = f"{_NOT_OF_A_WEEKDAY}(?P<hour>[0-9]{{1,2}}|[{_DIGITS_CN}]{{1,3}})"
_MINUTE_CN = "(?P<minute>[0-9]{1,2}|[零一二三四五六七八九十]{1,3})分?"
_HOUR_EN = "(?<![a-z0-9:])(?P<hour>[0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_AT = f"(?:(?<![a-z])at )?{_HOUR_EN}"
_HALF = r"(?P<half>[ap])\.?m\.?(?![a-z])"
_CLOCKS = [
    re.compile(pattern)
    for pattern in (
        f"{_HOUR_CN}[点时](?:钟|整)?(?:(?P<quarter>半|一刻|三刻)|{_MINUTE_CN})?",
        r"(?:(?<![a-z])at )?(?:a )?(?P<quarter>half past|quarter past|quarter to) "
        rf"{_HOUR_EN}(?: ?{_HALF})?(?![a-z0-9])",
        rf"{_AT}(?::(?P<minute>[0-9]{{2}}))?(?: o'clock)? ?{_HALF}",
        f"{_AT}:(?P<minute>[0-9]{{2}})(?::00)?(?![0-9:])",
        f"{_AT} o'clock(?![a-z0-9])",
        f"{_AT}(?= (?:in the (?:morning|afternoon|evening)|at night))",
        f"(?<![a-z])at {_HOUR_EN}(?![a-z0-9:])",
    )
]
_QUARTERS = {"半": 30, "一刻": 15, "三刻": 45, "half past": 30, "quarter past": 15, "quarter to": -15}


def take_time(text: str) -> tuple[str, tuple[int, ...]]:
    """Split a normalised text into what names the day and the time of day.

    Returns:
        The rest of the text, and the minutes: none when there is no time, two when it can be either.

    Raises:
        ValueError: A clock has no such time.
        Unclear: It can belong to either of two days.
    """
    for pattern, minute, parts in ((_NOON, NOON, ("", "pm", "noon")), (_MIDNIGHT, MIDNIGHT, ("", "night"))):
        if match := pattern.search(text):
            rest, part = _take_part(_without(text, match))
            if part not in parts:
                raise ValueError("a day has no such time")
            return rest, (minute,)
    for pattern in _CLOCKS:
        if match := pattern.search(text):
            said = {name: value for name, value in match.groupdict().items() if value}
            rest, part = _take_part(_without(text, match))
            quarter = _QUARTERS.get(said.get("quarter", ""), 0)
            minute = number(said["minute"]) if "minute" in said else 0
            if minute > 59:
                raise ValueError("a day has no such time")
            exact = said["hour"].startswith("0")  # 03:00 is of a clock with 24 hours
            hours = _hours(number(said["hour"]), said.get("half", ""), part, exact)
            minutes = tuple(hour * 60 + minute + quarter for hour in hours)
            if not 0 <= minutes[-1] <= MIDNIGHT:
                raise ValueError("a day has no such time")
            return rest, tuple(value for value in minutes if value >= 0)
    rest, part = _take_part(text)
    return rest, (NOON,) if part == "noon" else ()


def _take_part(text: str) -> tuple[str, str]:
    if match := _PART.search(text):
        return _without(text, match), next(name for name, words in _PARTS.items() if match["word"] in words)
    return _tidy(text), ""


def _hours(hour: int, half: str, part: str, exact: bool) -> tuple[int, ...]:
    """What hours of the day can be meant.

    Args:
        hour: As it was said.
        half: ``a`` or ``p``, of am and pm.
        part: The part of the day that was named.
        exact: Whether it counts from 0 to 23 for sure.
    """
    impossible = ValueError("a day has no such time")
    if half:
        if not 1 <= hour <= 12:
            raise impossible
        hour = hour % 12 + (12 if half == "p" else 0)
        if part == "night" and (hour < 5 or hour == 12):
            raise _either_night(hour % 12 or 12)
        if part in (("am", "small hours") if half == "p" else ("pm", "noon", "night")):
            raise impossible
        return (hour,)
    if hour == 24 and part in ("", "night"):
        return (24,)
    if hour > 23:
        raise impossible
    match part:
        case "am" | "small hours" if hour > 12:
            raise impossible
        case "am" if hour == 12:
            raise Unclear("00:00 or 12:00?")
        case "am":
            return (hour,)
        case "small hours":
            return (hour % 12,)
        case "night" if hour < 5 or hour == 12:
            raise _either_night(hour)
        case "pm" if hour == 0:
            raise impossible
        case "pm" | "night":
            return (hour + 12 if hour < 12 else hour,)
        case "noon" if hour in (1, 2, 11, 12, 13, 14):
            return (hour + 12 if hour < 3 else hour,)
        case "noon":
            raise impossible
        case _:
            return (hour,) if exact or hour == 0 or hour >= 12 else (hour, hour + 12)


def _either_night(hour: int) -> Unclear:
    return Unclear(f"{hour} o'clock at night can belong to either day; write the date and 00:00 to 23:59")


def _without(text: str, match: re.Match[str]) -> str:
    return _tidy(text[: match.start()] + " " + text[match.end() :])


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(" ,，的")
