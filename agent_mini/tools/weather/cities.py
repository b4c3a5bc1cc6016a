"""Cities by every name they are known by, and what can be a city's name at all. Also of use to whoever plans."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import cos, hypot, radians
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from agent_mini.prompts import language_of
from agent_mini.shipped import read_shipped, unusable
from agent_mini.tools.base import ToolError

NEAR = 1.5
"""Degrees of latitude, some 170 km: a server may answer for a neighbouring town, but not for another city."""

MAX_NAME = 60
"""Characters that a name may have."""


@dataclass(frozen=True)
class City:
    """A city.

    Args:
        en: Its English name.
        zh: Its Chinese name.
        aliases: Further names.
        latitude: Degrees north.
        longitude: Degrees east.
    """

    en: str
    zh: str
    aliases: tuple[str, ...]
    latitude: float
    longitude: float

    @property
    def names(self) -> tuple[str, ...]:
        """All its names."""
        return (self.en, self.zh, *self.aliases)

    def name_like(self, text: str) -> str:
        """Its name in the language of ``text``."""
        return self.zh if language_of(text) == "zh" else self.en

    def is_near(self, latitude: float, longitude: float) -> bool:
        """Whether a place, in degrees, is in or about this city."""
        east = (longitude - self.longitude + 180) % 360 - 180
        return hypot(latitude - self.latitude, east * cos(radians(self.latitude))) <= NEAR


@dataclass(frozen=True)
class Cities:
    """The cities we know."""

    cities: tuple[City, ...]

    @cached_property
    def by_name(self) -> Mapping[str, City]:
        """Each name as it is written in the table, with its city."""
        return {name: city for city in self.cities for name in city.names}

    def find(self, name: str) -> City | None:
        """The city of that name, however it is written, or None."""
        return self._by_key.get(_key(name))

    @cached_property
    def _by_key(self) -> Mapping[str, City]:
        return {_key(name): city for name, city in self.by_name.items()}


def check_name(text: str) -> str:
    """``text`` as a city's name: letters of any script, with what stands between and around them in names.

    The name becomes part of an address and of a text for the model; this is what keeps it from being more.

    Raises:
        ToolError: It holds anything else, or no letter.
    """
    name = unicodedata.normalize("NFKC", text)
    for character in name:
        if unicodedata.category(character)[0] not in "LMN" and character not in " '’.,-·()":
            raise ToolError(
                f"city: {character!a} cannot be in a city's name; give the name alone, such as 上海"
            )
    if not any(character.isalpha() for character in name):
        raise ToolError("city: a city's name has letters; give a name such as 上海 or New York")
    if len(name) > MAX_NAME:  # one character can stand for eighteen
        raise ToolError(f"city: the name is longer than {MAX_NAME} characters")
    return " ".join(name.split())


class _City(BaseModel):
    en: Annotated[str, Field(min_length=1)]
    zh: Annotated[str, Field(min_length=1)]
    aliases: tuple[str, ...] = ()
    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]


class _Cities(BaseModel):
    city: Annotated[list[_City], Field(min_length=1)]


@cache
def load_cities(path: Path) -> Cities:
    """The cities in a file.

    Raises:
        InputError: The file cannot be read, does not hold cities, or gives two of them one name.
    """
    cities = Cities(tuple(City(**dict(row)) for row in read_shipped(path, _Cities).city))
    owners: dict[str, City] = {}
    for city in cities.cities:
        for name in city.names:
            if owners.setdefault(_key(name), city) is not city:
                raise unusable(path, f"{name} is the name of two cities")
    return cities


def _key(name: str) -> str:
    """What all ways to write a name have in common: no case, accents, spaces, punctuation or final 市."""
    letters = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if c.isalnum())
    return letters.removesuffix("市") or letters
