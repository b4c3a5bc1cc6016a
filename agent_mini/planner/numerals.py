"""Numbers in words: 二十五, 两千三, "twenty-five", "three hundred"."""

import re

from agent_mini.planner.phrases import NUMBER

_DIGITS = {letter: value for value, letter in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_GROUPS = {"万": 10_000, "亿": 100_000_000}

CHINESE = "[零〇一二两三四五六七八九十百千万亿]"
"""A character of a Chinese numeral."""

_SMALL = [
    "zero",
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
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = dict(
    zip(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        range(20, 100, 10),
        strict=True,
    )
)
_ENGLISH = {word: value for value, word in enumerate(_SMALL)} | _TENS
_WORD = "|".join(sorted(_ENGLISH, key=len, reverse=True))

ENGLISH = re.compile(
    rf"(?<![a-z-])(?:{_WORD})(?:(?:[\s-]|\sand\s)(?:{_WORD}|hundred|thousand|million)){{0,8}}(?![a-z])"
)
"""An English numeral, "one" and "zero" too."""


GROUPED = re.compile(rf"({NUMBER})\s*([百千万亿])(?![圣一米克瓦度科分])")
"""Digits with a Chinese unit: 3万 is 30000, but 万圣节 and 3千米 are none."""


def grouped_number(digits: str, unit: str) -> float:
    """The value of digits with a unit, such as 1.5 and 万."""
    return float(digits) * (_UNITS | _GROUPS)[unit]


def chinese_number(text: str) -> float | int | None:
    """The value of a Chinese numeral such as 二十五, 一百零三, 三点五 or 二零二六; None when it is none."""
    whole, _, fraction = text.partition("点")
    if fraction:
        value, digits = chinese_number(whole), [_DIGITS.get(letter) for letter in fraction]
        if value is None or None in digits:
            return None
        return float(f"{value}.{''.join(map(str, digits))}")
    if not whole:
        return None
    if all(letter in _DIGITS for letter in whole):
        return int("".join(str(_DIGITS[letter]) for letter in whole))
    total = section = 0
    digit: int | None = None
    last_unit = 1
    for letter in whole:
        if letter in _DIGITS:
            digit = _DIGITS[letter]
            last_unit = 1 if digit == 0 else last_unit
        elif letter in _UNITS:
            # A bare ten is one ten: 十五.
            section += (1 if digit is None else digit) * _UNITS[letter]
            digit, last_unit = None, _UNITS[letter]
        elif letter in _GROUPS:
            total = (total + section + (digit or 0)) * _GROUPS[letter]
            section, digit, last_unit = 0, None, _GROUPS[letter]
        else:
            return None
    if digit:  # 两千三 is 2300, but 两千零三 is 2003
        section += digit * (last_unit // 10 if last_unit > 10 else 1)
    return total + section


def english_number(text: str) -> int | None:
    """The value of an English numeral such as "twenty-five" or "three hundred and four"; None when it is none."""
    total = section = 0
    for word in re.split(r"[\s-]+", text):
        if word in _ENGLISH:
            below = section % 100
            if below and (below < 20 or below % 10 or _ENGLISH[word] >= 10):
                return None  # "five ten" is two numbers
            section += _ENGLISH[word]
        elif word == "hundred":
            section = max(section, 1) * 100
        elif word in ("thousand", "million"):
            total += max(section, 1) * (1000 if word == "thousand" else 1_000_000)
            section = 0
        elif word != "and":
            return None
    return total + section
