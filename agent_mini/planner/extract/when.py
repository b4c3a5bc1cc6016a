"""A due date, in the person's own words: 下周三下午3点, "next Monday at 9am".

It is found, not reckoned with: the to-do list reads it itself, and says so when it is no date.
"""

import re

from agent_mini.planner.extract.found import Found
from agent_mini.planner.intents import Slot
from agent_mini.planner.reading import Reading
from agent_mini.planner.scene import Scene

WEEKDAYS_ZH = "一二三四五六日"


def any_of(words: str) -> str:
    """A regular expression for any of some words, written with spaces between them."""
    return "|".join(words.split())


MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    "|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
WEEKDAY = (
    "(?:mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
)

_ISO = r"\d{4}[-/]\d{1,2}[-/]\d{1,2}"
_PART_ZH = f"(?:{any_of('凌晨 清晨 早上 早晨 上午 中午 下午 傍晚 晚上 夜里')})"
_CLOCK_ZH = r"\d{1,2}(?:点(?:钟|整|半|1刻|一刻|三刻|\d{1,2}分?)?|[:：]\d{2})"
_TIME_ZH = rf"(?:的?{_PART_ZH}?\s?{_CLOCK_ZH}|的?{_PART_ZH})"
_NEXT_ZH = "(?<![一1])下个?"  # 记一下周四 is about this week
_DAYS_ZH = (
    any_of("今天 今日 今晚 今早 今夜 明天 明日 明早 明晚 大后天 后天 月底 年底 年末 周末"),
    f"(?:下下个?|{_NEXT_ZH}|这个?|本)?(?:周|星期|礼拜)[{WEEKDAYS_ZH}天末]",
    f"(?:{_NEXT_ZH}|这个?|本)(?:周|星期|礼拜)",
    rf"(?:{_NEXT_ZH}|这个?|本)月(?:\d{{1,2}}[日号]|初|底|末)?",
    r"(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]?",
    _ISO,
    r"(?<![第\d])\d{1,2}号(?!线|楼|桌|待办|任务)",
    r"\d+\s?个?\s?(?:天|周|星期|礼拜|月|小时|分钟|年)(?:之后|以后|后|之内|以内|内)",
)

_CLOCK_EN = r"\d{1,2}(?::\d{2})? ?(?:am|pm|a\.m\.|p\.m\.)|at \d{1,2}(?::\d{2})?(?: o'clock)?"
_TIME_EN = rf"(?:(?:in the |this )?(?:morning|afternoon|evening|night)|(?:at )?(?:{_CLOCK_EN}|noon|midnight))"
_UNIT = "(?:minute|hour|day|week|month|year)"
_DAYS_EN = (
    "the day after tomorrow|today|tonight|tomorrow|tmrw?",
    rf"(?:(?:this|next|coming|the coming) )?{WEEKDAY}(?!'s|[a-z])",
    "(?:this|next) (?:week|weekend|month|year)",
    rf"in \d+ {_UNIT}s?|in an? {_UNIT}",
    rf"{MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?",
    rf"\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}(?: \d{{4}})?",
    _ISO,
    r"\d{1,2}/\d{1,2}(?:/\d{2,4})?|the \d{1,2}(?:st|nd|rd|th)",
    "(?:the )?end of (?:the |this )?(?:day|week|month|year)",
)

_ZH = rf"(?:{'|'.join(_DAYS_ZH)})(?:{_TIME_ZH})?|{_PART_ZH}\s?{_CLOCK_ZH}"
_EN = rf"(?:{'|'.join(_DAYS_EN)})(?: {_TIME_EN})?|{_TIME_EN}(?: (?:{'|'.join(_DAYS_EN)}))?"
_WHEN = re.compile(
    rf"(?P<zh>{_ZH})(?:之前|以前|前)?"
    rf"|(?<![a-z])(?:(?:due )?(?:on|by|before|until|for|at|due) )?(?P<en>{_EN})(?![a-z])"
)


def find_when(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """A due date, as it was typed; its span takes in the "on" or 前 that goes with it."""
    match = _WHEN.search(piece.text)
    if match is None:
        return None
    span = match.span("zh" if match["zh"] else "en")
    return Found(piece.typed_at(*span).strip(), match.span())
