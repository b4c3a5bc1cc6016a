"""The last tier, the example that ships: the same seven days for a city, whatever day it is."""

import datetime as dt
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from agent_mini.shipped import read_shipped
from agent_mini.tools.weather.cities import Cities
from agent_mini.tools.weather.series import Asked, Day, NoForecast, celsius_to
from agent_mini.tools.weather.texts import text_of

NAME = "sample"


class _Sample(BaseModel):
    days: dict[str, Annotated[list[tuple[int, int, int]], Field(min_length=7, max_length=7)]]


def forecast(asked: Asked, path: Path, cities: Cities) -> list[Day]:
    """The days asked for, out of the file ``path``, the first of them today.

    Raises:
        NoForecast: The city is not one of the example's.
        InputError: The file cannot be used.
    """
    days = _load(path).days
    if asked.city is None or asked.city.en not in days:
        known = [f"{city.en} {city.zh}" for city in cities.cities if city.en in days]
        raise NoForecast(
            f"The offline example knows only {len(known)} cities, such as {', '.join(known[:8])}; "
            "other cities need a network"
        )
    return [
        Day(
            asked.today + dt.timedelta(days=number),
            round(celsius_to(asked.unit, low)),
            round(celsius_to(asked.unit, high)),
            text_of(code),
        )
        for number, (low, high, code) in enumerate(days[asked.city.en][: asked.days])
    ]


@cache
def _load(path: Path) -> _Sample:
    return read_shipped(path, _Sample)
