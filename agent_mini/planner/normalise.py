"""Stage 1, normalise: the many ways to write a thing become one.

    quotes      a quoted text is opaque: no word in it is an order
    width       （１２×３） is (12*3), and many spaces are one
    paths       notes.txt is opaque too
    spelling    "wether" is weather, 天汽 is 天气
    numerals    三天 is 3天, but 算一下 stays; "twenty" is 20
    arithmetic  "17% of 260" is 17 / 100 * 260
    politeness  请帮我 … 谢谢 is left out

Nothing is lost: what was typed for any stretch can be had back from the ``Reading``.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from agent_mini.planner.intents import Intents
from agent_mini.planner.numerals import ENGLISH, GROUPED, chinese_number, english_number, grouped_number
from agent_mini.planner.reading import Reading
from agent_mini.planner.spelling import WORD, correct

MAX_LENGTH = 2000
"""Characters of a reading; a quoted text counts as one, however long it is."""

MAX_TYPED = 40_000

QUOTED = "“…”"
"""What stands in a reading for a quoted text, quotes and all."""

PATH = "‹…›"
"""What stands in a reading for the path of a file."""

_QUOTES = re.compile(
    r"“[^“”]{1,20000}”|「[^「」]{1,20000}」|『[^『』]{1,20000}』"
    r"|\"[^\"\n]{1,20000}\"|(?<![a-z0-9])'[^'\n]{1,300}'(?![a-z])"
)
_WIDE = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in "，！？；："} | {
    ord("　"): " ",
    ord("×"): "*",
    ord("✕"): "*",
    ord("✖"): "*",
    ord("÷"): "/",
    ord("−"): "-",
    ord("—"): "-",
    ord("–"): "-",
}
_SPACES = re.compile(r"[^\S\n]{2,}|\t")
_LINES = re.compile(r"\n[\s]+")
_SUM_BEFORE = re.compile(r"(?<![a-z])(?:plus|minus|times|by)\s+$")
_SUM = re.compile(r"\s+(?:plus|minus|times|multiplied|divided)(?![a-z])")


def quotes(reading: Reading, intents: Intents) -> Reading:
    return reading.sub(_QUOTES, QUOTED)


def width(reading: Reading, intents: Intents) -> Reading:
    return reading.translate(_WIDE).sub(_SPACES, " ").sub(_LINES, "\n")


def paths(reading: Reading, intents: Intents) -> Reading:
    return reading.sub(intents.language.path, PATH)


def spelling(reading: Reading, intents: Intents) -> Reading:
    language = intents.language
    for slip, meant in language.spellings.items():
        if slip in reading.text:
            reading = reading.sub(re.compile(re.escape(slip)), meant)
    return reading.sub(WORD, lambda match: correct(match[0], intents.slips))


def numerals(reading: Reading, intents: Intents) -> Reading:
    def chinese(match: re.Match[str]) -> str:
        value = chinese_number(match[0])
        return match[0] if value is None else f"{value:.10g}"

    def english(match: re.Match[str]) -> str:
        value = english_number(match[0])
        beside = _SUM.match(match.string, match.end()) or _SUM_BEFORE.search(match.string, 0, match.start())
        alone = match[0] in ("one", "zero") and not beside
        return match[0] if value is None or alone else str(value)

    def grouped(match: re.Match[str]) -> str:
        return f"{grouped_number(match[1], match[2]):.15g}"

    return reading.sub(GROUPED, grouped).sub(intents.language.measured, chinese).sub(ENGLISH, english)


def arithmetic(reading: Reading, intents: Intents) -> Reading:
    if any(letter.isdecimal() for letter in reading.text):
        for rule in intents.language.arithmetic:
            reading = reading.sub(rule.pattern, rule.mean)
    return reading


def politeness(reading: Reading, intents: Intents) -> Reading:
    language = intents.language
    for _ in range(6):  # "hi, could you please just …"
        polite = language.polite_front.match(reading.text)
        opening = polite or language.empty_front.match(reading.text)
        start = opening.end() if opening else 0
        closing = language.polite_end.search(reading.text, start)
        left = reading.part(start, closing.start() if closing else len(reading))
        if not left.text or left.text == reading.text:
            break
        reading = replace(left, polite=left.polite or polite is not None)
    return reading


STEPS: tuple[Callable[[Reading, Intents], Reading], ...] = (
    quotes,
    width,
    paths,
    spelling,
    numerals,
    arithmetic,
    politeness,
)
"""What is done, in this order."""


def normalise(text: str, intents: Intents) -> Reading:
    """Read ``text``.

    Args:
        text: What was typed; beyond ``MAX_LENGTH`` characters only what runs to its end is kept, unread.
        intents: The words to know.
    """
    reading = Reading.of(text[:MAX_TYPED]).sub(_QUOTES, QUOTED)
    if len(reading) > MAX_LENGTH:
        # The last character kept stands for all that was cut off.
        reading = Reading(reading.text[:MAX_LENGTH], text, (*reading.origin[:MAX_LENGTH], len(text)))
    for step in STEPS:
        reading = step(reading, intents)
    return reading.part(0, len(reading))
