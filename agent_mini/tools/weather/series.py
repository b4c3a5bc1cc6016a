"""What is asked of a tier, what it gives, and the check that every forecast from outside passes."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agent_mini.tools.weather.texts import text_of

if TYPE_CHECKING:
    from agent_mini.tools.weather.cities import City

Unit = Literal["c", "f"]

# The coldest and the hottest ever measured are -89 and 57 °C.
COLDEST, HOTTEST = -95.0, 65.0


@dataclass(frozen=True)
class Sources:
    """Where live weather comes from.

    Args:
        wttr: The address of wttr.in.
        geocoding: The address of open-meteo's search for places.
        forecast: The address of open-meteo's forecasts.
        timeout: Seconds that one tier may take, all in all.
    """

    wttr: str = "https://wttr.in"
    geocoding: str = "https://geocoding-api.open-meteo.com"
    forecast: str = "https://api.open-meteo.com"
    timeout: float = 2.5


class NoForecast(Exception):
    """A tier cannot answer; the message says why, in our words: what a server wrote is not passed to the model."""


@dataclass(frozen=True)
class Asked:
    """What is asked of each tier.

    Args:
        name: The city, as it was asked for.
        city: The same as a city we know, if we do.
        days: How many days, beginning today.
        unit: Of the temperatures.
        today: The day by our own clock.
    """

    name: str
    city: "City | None"
    days: int
    unit: Unit
    today: dt.date

    @property
    def title(self) -> str:
        """The city's name as we write it, in the language it was asked for in."""
        return self.city.name_like(self.name) if self.city else self.name


@dataclass(frozen=True)
class Day:
    """One day: its lowest and highest temperature in the unit asked for, and its weather, in English and Chinese."""

    date: dt.date
    low: int
    high: int
    text: str


def celsius_to(unit: Unit, value: float) -> float:
    return value if unit == "c" else value * 9 / 5 + 32


def checked(asked: Asked, days: Sequence[tuple[dt.date, float, float, int | None]]) -> list[Day]:
    """The days asked for, out of days as a server gave them: date, lowest, highest, WMO code.

    Raises:
        NoForecast: Too few days, days that do not follow each other from today on, impossible temperatures.
    """
    if len(days) < asked.days:
        raise NoForecast(f"has {len(days)} of {asked.days} days")
    series: list[Day] = []
    for number, (date, low, high, code) in enumerate(days[: asked.days]):
        if number == 0 and abs((date - asked.today).days) > 1:  # at the place it may be tomorrow already
            raise NoForecast("the forecast does not begin today")
        if number and (date - series[-1].date).days != 1:
            raise NoForecast("the forecast leaves out a day")
        coldest, hottest = celsius_to(asked.unit, COLDEST), celsius_to(asked.unit, HOTTEST)
        if not coldest <= low <= high <= hottest:  # nor is it true of what is not a number
            raise NoForecast("the forecast has impossible temperatures")
        series.append(Day(date, round(low), round(high), text_of(code)))
    return series
