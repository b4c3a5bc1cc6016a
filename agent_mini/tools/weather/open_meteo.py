"""The second tier, open-meteo: a search for the place, then its forecast. https://open-meteo.com/en/docs."""

import datetime as dt
from typing import Annotated

from pydantic import BaseModel, Field

from agent_mini.prompts import language_of
from agent_mini.tools.weather.series import Asked, Day, NoForecast, Sources, checked
from agent_mini.tools.weather.web import get_json

NAME = "open-meteo"


class _Place(BaseModel):
    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]
    population: int | None = None


class _Places(BaseModel):
    results: list[_Place] = []  # left out where nothing was found


class _Daily(BaseModel):
    time: list[dt.date]
    temperature_2m_min: list[float]
    temperature_2m_max: list[float]
    weather_code: list[int | None]


class _Forecast(BaseModel):
    daily: _Daily


async def forecast(asked: Asked, sources: Sources) -> list[Day]:
    """The days asked for.

    Raises:
        NoForecast: It cannot answer.
    """
    latitude, longitude = await _locate(asked, sources)
    answer = await get_json(
        f"{sources.forecast}/v1/forecast",
        {
            "latitude": latitude,
            "longitude": longitude,
            "daily": "weather_code,temperature_2m_max,temperature_2m_min",
            "temperature_unit": "celsius" if asked.unit == "c" else "fahrenheit",
            "timezone": "auto",
            "forecast_days": asked.days,
        },
        _Forecast,
    )
    daily = answer.daily
    return checked(
        asked,
        # A list that is too short makes a forecast that is too short.
        list(
            zip(
                daily.time,
                daily.temperature_2m_min,
                daily.temperature_2m_max,
                daily.weather_code,
                strict=False,
            )
        ),
    )


async def _locate(asked: Asked, sources: Sources) -> tuple[float, float]:
    if asked.city:  # the search takes 北京 for a village in Sichuan
        return asked.city.latitude, asked.city.longitude
    places = await get_json(
        f"{sources.geocoding}/v1/search",
        {"name": asked.name, "count": 10, "language": language_of(asked.name), "format": "json"},
        _Places,
    )
    if not places.results:
        raise NoForecast("knows no city of that name")
    # The first of equals, so where no population is given, the best match.
    place = max(places.results, key=lambda place: place.population or 0)
    return place.latitude, place.longitude
