"""What the planner knows, read from ``data/intents``: one file a tool, and what all of them share.

Nothing here is about a particular tool or a particular word: teaching the agent a new phrase, or a new tool, is an edit
of a TOML file. A file that cannot be used is refused with its name, the key, and what is accepted there.

``TOOL.toml``      an ``Intent``: what people say when they want that tool, and what to answer
``weights.toml``   ``Weights``: what each kind of evidence counts
``language.toml``  ``Language``: words of no tool in particular
``places.toml``    names of cities
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

from agent_mini.planner.language import Language, Places, words_pattern
from agent_mini.planner.phrases import PHRASE_CONFIG, AsPhrases, Phrase, Phrases
from agent_mini.planner.spelling import slip_table
from agent_mini.shipped import read_text, unusable

Kind = Literal[
    "choice", "city", "date", "days", "expression", "label", "list", "number", "path", "text", "value", "when"
]
"""What a slot holds; ``agent_mini.planner.slots`` has one extractor for each."""


class Said(BaseModel):
    """One thing to say, in both languages."""

    model_config = PHRASE_CONFIG

    zh: str
    en: str


class Source(BaseModel):
    """Where a slot's value may come from when the sentence does not give it: the result of an earlier tool."""

    model_config = PHRASE_CONFIG

    tool: str
    """The earlier tool, or ``*`` for any."""
    path: str
    """Which piece of its data: ``series.temp_max`` becomes ``$1.series.temp_max``."""
    words: AsPhrases = Phrases()
    """Only when the sentence has one of these."""
    implicit: bool = False
    """Used for an earlier turn's result too, without a pronoun, where the sentence itself gives nothing of the kind."""


class Slot(BaseModel):
    """One argument of a tool: how it is found in a sentence, and what to ask when it is not."""

    model_config = PHRASE_CONFIG

    kind: Kind
    required: bool | dict[str, tuple[str, ...]] = False
    """Always, or when another slot has one of these values."""
    only: dict[str, tuple[str, ...]] = {}
    """Used only when another slot has one of these values."""
    unless: str = ""
    """Not required when this other slot is filled."""
    default: Any = None
    """The value when nothing is said and the tool has none of its own."""
    words: dict[str, AsPhrases] = {}
    """For a choice, and for numbers with names: each value's words."""
    not_when: dict[str, tuple[Literal["doubts", "told"], ...]] = {}
    """For a choice: the values that need an order, and which words of the language make a sentence none."""
    weigh: Literal["trigger", "object", ""] = ""
    """Whether those words also speak for the tool, and as what."""
    implied_by: dict[str, str] = {}
    """For a choice without a word: the value that follows from another slot being filled."""
    patterns: AsPhrases = Phrases()
    """For a number: phrases with ``{n}``."""
    after: AsPhrases = Phrases()
    loosely_after: AsPhrases = Phrases()
    until: AsPhrases = Phrases()
    """For a text: what stands before it, or else may do so, and what stands behind it."""
    bare_until: bool = False
    """For a text: whether it may begin at the front of the sentence, with nothing before it."""
    skip: AsPhrases = Phrases()
    """For a text: what may lead up to it once one of ``after`` is found."""
    quoted: bool = True
    """For a text: whether a quoted one is meant."""
    placeholders: tuple[str, ...] = ()
    """For a text: words that stand in its place and are none, such as "something"."""
    without: tuple[str, ...] = ()
    """For a text: other slots whose words are cut out of it."""
    part: Literal["start", "end", ""] = ""
    """For a date: which end of a range it is."""
    evidence: float = 0.0
    """How much finding one speaks for the tool."""
    sources: tuple[Source, ...] = ()
    ask: Said | None = None
    called: Said | None = None
    """What a person calls it."""

    @cached_property
    def frames(self) -> tuple[tuple[Phrases, Phrases], ...]:
        """What stands before a text, the surest first, each with all that may stand around it."""
        return tuple((after, after + self.until) for after in (self.after, self.loosely_after) if after)


class ReplyPart(BaseModel):
    """A line of the answer; ``{name}`` is filled in from the result, ``[...]`` is left out when nothing is there."""

    model_config = PHRASE_CONFIG

    zh: str
    en: str
    each: str = ""
    """A list in the result: the line is written for each of its items."""
    when: dict[str, Any] = {}
    """Only when the result, or else the arguments, have these values."""


class Intent(BaseModel):
    """What people say when they want one tool."""

    model_config = PHRASE_CONFIG

    tool: Annotated[str, Field(min_length=1)]
    triggers: AsPhrases = Phrases()
    """Words that ask for it."""
    objects: AsPhrases = Phrases()
    """Words that go with it, and with other things too."""
    hints: AsPhrases = Phrases()
    """Words that make it possible, among other tools: "a picture" may be a chart or a meme."""
    negatives: AsPhrases = Phrases()
    """Words that look like it and mean something else."""
    does: Said | None = None
    """What it does, as a verb: "show the weather"."""
    slots: dict[str, Slot] = {}
    reply: tuple[ReplyPart, ...] = ()
    examples: tuple[str, ...] = ()

    @cached_property
    def all_triggers(self) -> Phrases:
        """The triggers, with the words of those choices that count as such."""
        return self.triggers + self._choice_words("trigger")

    @cached_property
    def all_objects(self) -> Phrases:
        """The objects, with the words of those choices that count as such."""
        return self.objects + self._choice_words("object")

    @cached_property
    def telling(self) -> Phrases:
        """The triggers, and the words that only look like them."""
        return self.all_triggers + self.negatives

    @property
    def phrases(self) -> Iterator[Phrase]:
        """All words that speak for it."""
        yield from (*self.triggers, *self.objects)
        for slot in self.slots.values():
            for words in slot.words.values():
                yield from words

    @property
    def all_words(self) -> Iterator[Phrase]:
        """All words that it knows at all."""
        yield from (*self.phrases, *self.hints, *self.negatives)
        for slot in self.slots.values():
            yield from (*slot.after, *slot.loosely_after, *slot.skip, *slot.until, *slot.patterns)

    def _choice_words(self, weigh: str) -> Iterator[Phrase]:
        for slot in self.slots.values():
            if slot.weigh == weigh:
                for words in slot.words.values():
                    yield from words


class Weights(BaseModel):
    """What each kind of evidence counts, and from where on a score decides."""

    model_config = PHRASE_CONFIG

    trigger: float = 2.0
    front: float = 1.3
    """A trigger at the very front counts this much more; one at the end counts once."""
    object: float = 1.0
    most: Annotated[int, Field(ge=1)] = 2
    """How many hits of one kind count."""
    negative: float = -8.0
    diversity: float = 0.6
    hint: float = 1.4
    context: float = 2.0
    request: float = 0.6
    statement: float = -1.5
    act: float = 2.6
    ask: float = 1.2


@dataclass(frozen=True)
class Intents:
    """Everything the planner knows.

    Args:
        all: One intent a tool.
        weights: What evidence counts.
        language: Words of no tool in particular.
        places: Names of cities.
    """

    all: tuple[Intent, ...]
    weights: Weights
    language: Language
    places: Places

    def __iter__(self) -> Iterator[Intent]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def get(self, tool: str) -> Intent | None:
        """The intent of that tool, or None."""
        return self._by_tool.get(tool)

    def plus(self, *more: Intent) -> "Intents":
        """These and ``more``; a new intent for the same tool takes the place of the old one."""
        merged = {intent.tool: intent for intent in (*self.all, *more)}
        return replace(self, all=tuple(merged.values()))

    @cached_property
    def slips(self) -> Mapping[str, str]:
        """Each slip of the keyboard, and the word that was meant."""
        meant = {word for intent in self.all for phrase in intent.phrases for word in phrase.latin}
        known = {word for intent in self.all for phrase in intent.all_words for word in phrase.latin}
        return slip_table(meant, known | self.language.ordinary)

    @cached_property
    def around_cities(self) -> re.Pattern[str]:
        """The Chinese words that may stand around the name of a city."""
        takers = [intent for intent in self.all if any(slot.kind == "city" for slot in intent.slots.values())]
        words = {phrase.words for intent in takers for phrase in intent.phrases if not phrase.words.isascii()}
        return re.compile(words_pattern(words.union(self.language.fillers)))

    @cached_property
    def _by_tool(self) -> dict[str, Intent]:
        return {intent.tool: intent for intent in self.all}


SHARED = {"weights.toml", "language.toml", "places.toml"}


def load_intents(folder: Path, *more: Path) -> Intents:
    """Read what the planner knows.

    Args:
        folder: The folder with one file a tool and the three shared ones.
        more: Further files, or folders of them; an intent for the same tool takes the place of an earlier one.

    Raises:
        InputError: A file cannot be read, or does not hold what it should.
    """
    intents = Intents(
        tuple(read_intent(read_text(path), path) for path in _files(folder) if path.name not in SHARED),
        _read(read_text(folder / "weights.toml"), Weights, folder / "weights.toml"),
        _read(read_text(folder / "language.toml"), Language, folder / "language.toml"),
        _read(read_text(folder / "places.toml"), Places, folder / "places.toml"),
    )
    return intents.plus(*(read_intent(read_text(path), path) for other in more for path in _files(other)))


def read_intent(text: str, path: Path = Path("intent.toml")) -> Intent:
    """An intent from the text of a TOML file.

    Args:
        text: The file's text.
        path: What to call it in an error.

    Raises:
        InputError: It is no intent; the message names the file, the key, and what is accepted.
    """
    return _read(text, Intent, path)


Model = TypeVar("Model", bound=BaseModel)


def _read(text: str, model: type[Model], path: Path) -> Model:
    try:
        return model.model_validate(tomllib.loads(text))
    except ValidationError as error:
        raise unusable(path, _explain(error, model)) from None
    except (ValueError, RecursionError) as error:  # a TOMLDecodeError is a ValueError
        raise unusable(path, str(error)) from None


def _explain(error: ValidationError, model: type[BaseModel]) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] != "extra_forbidden":
        return f"{where}: {first['msg'].removeprefix('Value error, ')}"
    names = Slot.model_fields if "slots" in first["loc"] else model.model_fields
    return f"{where}: no such key; there are {', '.join(names)}"


def _files(folder: Path) -> Sequence[Path]:
    if folder.is_file():
        return [folder]
    found = sorted(folder.glob("*.toml"))
    if not found:
        raise unusable(folder, "no .toml file in it")
    return found
