"""The first tier, wttr.in: one request, three days. https://github.com/chubin/wttr.in, "JSON output"."""

import datetime as dt
from typing import Annotated, Any, cast
from urllib.parse import quote

from pydantic import BaseModel, Field, model_validator

from agent_mini.tools.weather.series import Asked, Day, NoForecast, Sources, checked
from agent_mini.tools.weather.texts import WWO_TO_WMO
from agent_mini.tools.weather.web import get_json

NAME = "wttr.in"
MAX_DAYS = 3


class _Hour(BaseModel):
    code: Annotated[int, Field(alias="weatherCode")]


class _Day(BaseModel):
    date: dt.date
    low_c: Annotated[float, Field(alias="mintempC")]
    high_c: Annotated[float, Field(alias="maxtempC")]
    low_f: Annotated[float, Field(alias="mintempF")]
    high_f: Annotated[float, Field(alias="maxtempF")]
    hourly: list[_Hour] = []


class _Area(BaseModel):
    latitude: float
    longitude: float


class _Answer(BaseModel):
    weather: list[_Day]
    nearest_area: list[_Area] = []

    @model_validator(mode="before")
    @classmethod
    def _unwrap(cls, value: Any) -> Any:
        """In early 2026 the whole answer stood one level deeper, under ``data``."""
        if isinstance(value, dict):
            return cast("dict[str, Any]", value).get("data", value)
        return value


async def forecast(asked: Asked, sources: Sources) -> list[Day]:
    """The days asked for.

    Raises:
        NoForecast: It cannot answer.
    """
    if asked.days > MAX_DAYS:
        raise NoForecast(f"has {MAX_DAYS} of {asked.days} days")
    # The English name: it is the one that is least often mistaken for another place's.
    name = asked.city.en if asked.city else asked.name
    answer = await get_json(f"{sources.wttr}/{quote(name, safe='')}", {"format": "j1"}, _Answer)
    if asked.city and not all(
        asked.city.is_near(area.latitude, area.longitude) for area in answer.nearest_area
    ):
        raise NoForecast("the answer is for another place")
    celsius = asked.unit == "c"
    return checked(
        asked,
        [
            (
                day.date,
                day.low_c if celsius else day.low_f,
                day.high_c if celsius else day.high_f,
                max((WWO_TO_WMO.get(hour.code, -1) for hour in day.hourly), default=None),
            )
            for day in answer.weather
        ],
    )
