"""The tool itself: which tier is asked, why it fell, and what the model reads."""

import asyncio
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from agent_mini.config import load_settings
from agent_mini.errors import InputError
from agent_mini.tools.base import ToolContext, ToolError, tool
from agent_mini.tools.weather.series import Asked, Day, NoForecast, Sources
from agent_mini.types import ToolResult

SOURCES = Sources()
"""The servers asked; tests put their own here."""


@tool(title="Weather 天气", read_only=True)
async def get_weather(
    city: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)],
    context: ToolContext,
    days: Annotated[int, Field(ge=1, le=7)] = 1,
    unit: Literal["c", "f"] = "c",
) -> ToolResult:
    """Tell a city's weather, today and up to six days on. Use it for every question about weather or temperature.

    查询一个城市今天和之后几天的天气。凡是问天气、气温，都用它。

    Args:
        city: The city's name in Chinese or English, for example "上海" or "New York".
        days: How many days, today included, 1 to 7.
        unit: "c" for Celsius, "f" for Fahrenheit.
    """
    # Only a run needs what follows, so only a run loads it.
    from agent_mini.tools.weather import open_meteo, sample, wttr
    from agent_mini.tools.weather.cities import check_name, load_cities

    name = check_name(city)
    try:
        offline = context.offline or load_settings().agent_offline
        cities = load_cities(context.data_dir / "cities.toml")
        asked = Asked(name, cities.find(name), days, unit, context.clock.now().date())
        fell: list[dict[str, str]] = []
        for tier in (wttr, open_meteo):
            try:
                if offline:
                    raise NoForecast("offline")
                async with asyncio.timeout(SOURCES.timeout):
                    series = await tier.forecast(asked, SOURCES)
                return _result(asked, series, tier.NAME, fell)
            except NoForecast as failure:
                reason = str(failure)
            except TimeoutError:
                reason = f"no answer within {SOURCES.timeout:g} s"
            fell.append({"tier": tier.NAME, "reason": reason})
        try:
            series = sample.forecast(asked, context.data_dir / "weather.toml", cities)
        except NoForecast as failure:
            raise ToolError(f"no weather for {name} ({_reasons(fell)}). {failure}") from None
        return _result(asked, series, sample.NAME, fell)
    except InputError as error:  # settings or data that cannot be used
        raise ToolError(f"{error.message}; {error.hint}") from None


def _result(asked: Asked, series: list[Day], source: str, fell: list[dict[str, str]]) -> ToolResult:
    live = source != "sample"
    degree = f"°{asked.unit.upper()}"
    head = f"{asked.title}, {degree}, " + (
        f"live from {source}" if live else "an offline example, not live weather"
    )
    if fell:
        head += f" ({_reasons(fell)})"
    lines = [f"{day.date.isoformat()}: {day.low} to {day.high}, {day.text}" for day in series]
    data = {
        "city": asked.title,
        "unit": asked.unit,
        "source": source,
        "live": live,
        "fell": fell,
        "series": [
            {"date": day.date.isoformat(), "temp_min": day.low, "temp_max": day.high, "text": day.text}
            for day in series
        ],
    }
    return ToolResult(True, "\n".join([f"{head}:", *lines]), data)


def _reasons(fell: list[dict[str, str]]) -> str:
    if len({fall["reason"] for fall in fell}) == 1:
        return f"{', '.join(fall['tier'] for fall in fell)}: {fell[0]['reason']}"
    return "; ".join(f"{fall['tier']}: {fall['reason']}" for fall in fell)
