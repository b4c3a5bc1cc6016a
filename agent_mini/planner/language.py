"""Words of no tool in particular, as ``data/intents`` keeps them, and the names of cities."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, field_validator

from agent_mini.planner.numerals import CHINESE
from agent_mini.planner.phrases import NUMBER, PHRASE_CONFIG, AsPhrases, Phrases

_COMMAS = r"[，,。.！!~～\s]*"

Word = Annotated[str, Field(min_length=1)]


def _regex(value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
    return value


Regex = Annotated[str, Field(min_length=1), AfterValidator(_regex)]


class Rewrite(BaseModel):
    """A way to say a sum, and the sum: ``{n}`` stands for a number in both, the first for the first."""

    model_config = PHRASE_CONFIG

    say: Word
    mean: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What to look for; an amount's currency goes with its number."""
        return re.compile(
            self.say.replace("{n}", rf"[$¥￥€£]?({NUMBER})(?:\s*(?:元|块钱|块|dollars?|yuan|euros?|bucks))?")
        )

    @field_validator("say")
    @classmethod
    def _compiles(cls, value: str) -> str:
        return _regex(value.replace("{n}", NUMBER)) and value


class Language(BaseModel):
    """Words of no tool in particular."""

    model_config = PHRASE_CONFIG

    polite_before: tuple[Word, ...]
    """Left out at the front; only a request begins so."""
    empty_before: tuple[Word, ...]
    """Left out at the front too; anything can begin so."""
    polite_after: tuple[Word, ...]
    """Left out at the end."""
    spellings: dict[str, str]
    """Chinese slips, and what was meant."""
    ordinary: frozenset[str]
    """English words that are no slip of another one."""
    path_leads: tuple[Word, ...]
    """Chinese words that stand before a file's name and are no part of it."""
    file_endings: tuple[Word, ...]
    """What the name of a file ends with, behind the dot."""
    measures: tuple[Word, ...]
    """Chinese words behind a number that make it one."""
    arithmetic: tuple[Rewrite, ...]
    """Sums in words, in the order in which they are rewritten."""
    sum_requests: tuple[Regex, ...]
    """What may stand beside a sum and only asks for it."""
    arithmetic_on: tuple[Rewrite, ...]
    """Sums whose first number is an earlier result, ``{}`` in what they mean."""

    then: tuple[Regex, ...]
    """What parts two steps, wherever it stands."""
    perhaps_then: tuple[Regex, ...]
    """What parts two steps where each could stand alone."""

    requests: AsPhrases
    """What makes a sentence an order or a question."""
    about: AsPhrases
    """What makes it talk about a thing rather than ask for it: "what is a", 什么是."""
    negations: AsPhrases
    no_negations: AsPhrases
    """Longer words with a negation in them that negate nothing."""
    doubts: AsPhrases
    """What makes a sentence ask about a thing, report it, or take it back: no order."""
    told: AsPhrases
    """What makes it tell of something that is done already."""
    no_answers: AsPhrases
    """What begins something else than the answer to a question."""
    no_answer: frozenset[str]
    """What is none, all by itself."""
    pronouns: AsPhrases
    """What stands for an earlier result."""
    follow: AsPhrases
    """What says that a sentence goes on from the last one: "what about", 呢."""
    again: AsPhrases
    cancel: AsPhrases
    stops: frozenset[str]
    """English words that are no part of a name."""
    fillers: tuple[Word, ...]
    """Chinese words that are no part of a name."""
    holidays: dict[str, tuple[Word, ...]]
    """Days of the year by name: ``12-25``, or whole dates where the day moves."""

    @cached_property
    def polite_front(self) -> re.Pattern[str]:
        """A polite beginning."""
        return re.compile(rf"^{_COMMAS}(?:{words_pattern(self.polite_before)}){_COMMAS}")

    @cached_property
    def empty_front(self) -> re.Pattern[str]:
        """A beginning that says nothing."""
        return re.compile(rf"^{_COMMAS}(?:{words_pattern(self.empty_before)}){_COMMAS}")

    @cached_property
    def polite_end(self) -> re.Pattern[str]:
        """A polite end."""
        return re.compile(rf"[，,。.！!~～\s]*(?:{words_pattern(self.polite_after)})[，,。.！!?？~～\s]*$")

    @cached_property
    def sum_request(self) -> re.Pattern[str]:
        """What only asks for a sum."""
        return re.compile("|".join(self.sum_requests))

    @cached_property
    def path(self) -> re.Pattern[str]:
        """The path of a file: with slashes, with an ending, or a Chinese name with one."""
        ending = f"\\.(?:{'|'.join(self.file_endings)})(?![a-z0-9_])"
        leads = words_pattern(self.path_leads)
        return re.compile(
            rf"(?<![a-z0-9])(?:[a-z]:[\\/]|~?/|\.{{1,2}}[\\/])[\w.\\/-]+"
            rf"|(?<![a-z0-9_.\\/-])[a-z0-9_.\\/-]{{1,120}}{ending}"
            rf"|(?:(?!{leads})[\u4e00-\u9fff]){{1,12}}{ending}"
        )

    @cached_property
    def denials(self) -> Phrases:
        """The negations, with the longer words that are none."""
        return self.negations + self.no_negations

    @cached_property
    def no_orders(self) -> Mapping[str, tuple[Phrases, Phrases]]:
        """For each of ``doubts`` and ``told`` its words, and the same with the longer words that are none."""
        lists = {"doubts": self.doubts + self.negations, "told": self.told}
        return {name: (words, words + self.no_negations) for name, words in lists.items()}

    @cached_property
    def step_break(self) -> re.Pattern[str]:
        """What parts two steps."""
        return re.compile("|".join(self.then))

    @cached_property
    def perhaps_break(self) -> re.Pattern[str]:
        """What may part two steps."""
        return re.compile("|".join(self.perhaps_then))

    @cached_property
    def measured(self) -> re.Pattern[str]:
        """A Chinese numeral that stands before a measure word or in a sum."""
        numeral = f"{CHINESE}{{1,16}}(?:点{CHINESE}{{1,8}})?"
        sums = "加|减|乘|除|的平方|的立方|的一半|的百分之|的.{1,3}(?:倍|次方)|[-+*/]"
        before = r"(?<=第)|(?<=待办)|(?<=任务)|(?<=分之)|(?<=根号)|(?<=[加减乘除以上去])|(?<=[-+*/])"
        # 周三天气 is no three days.
        behind = f"(?=\\s*(?:{words_pattern(self.measures)}|{sums}))"
        return re.compile(f"(?<![周期拜])(?!百分之)(?:(?:{before}){numeral}|{numeral}{behind})")


def words_pattern(words: Iterable[str]) -> str:
    """A regular expression for any of ``words``, the longest first, Latin ones as whole words."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(
        rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word[0].isascii() else re.escape(word) for word in ordered
    )


class Places(BaseModel):
    """Names of cities, for recognising them; any other city is found by where it stands in the sentence."""

    model_config = PHRASE_CONFIG

    zh: frozenset[str]
    en: frozenset[str]

    @field_validator("zh", "en", mode="before")
    @classmethod
    def _names(cls, value: object) -> object:
        """The names may be written as one text, parted by spaces (Chinese) or commas (English)."""
        if not isinstance(value, str):
            return value
        return frozenset(name.strip().lower() for name in re.split(r"[,\n]", value) if name.strip())
