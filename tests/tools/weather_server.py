"""A real server on this machine in the place of wttr.in and open-meteo, and answers shaped like theirs."""

import asyncio
import datetime as dt
import json
from collections.abc import Awaitable, Callable
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

from agent_mini.tools.weather.series import Sources

Answer = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]
"""The bytes to send, or a function that sends them in its own time."""

TODAY = dt.date(2026, 10, 23)


class WeatherServer:
    """Plays the part of all three services: what is asked under ``/v1/`` is open-meteo, all else is wttr.in."""

    def __init__(self, wttr: Answer = b"", search: Answer = b"", forecast: Answer = b"") -> None:
        self._answers = {"wttr": wttr, "search": search, "forecast": forecast}
        self._tasks: set[asyncio.Task[None]] = set()
        self.targets: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def sources(self, timeout: float = 20.0) -> Sources:
        return Sources(self.url, self.url, self.url, timeout)

    @property
    def asked(self) -> list[str]:
        """Which services were asked, in order."""
        return [_service(target) for target in self.targets]

    def query(self, service: str) -> dict[str, str]:
        """The parameters of the last request to a service, and its path under ``path``."""
        target = next(target for target in reversed(self.targets) if _service(target) == service)
        parts = urlsplit(target)
        return {"path": parts.path, **{name: values[0] for name, values in parse_qs(parts.query).items()}}

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def left(self) -> None:
        """Wait until every client that came has gone again."""
        await asyncio.gather(*self._tasks)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            self.targets.append(head.split(b" ", 2)[1].decode())
            answer = self._answers[_service(self.targets[-1])]
            if callable(answer):
                await answer(writer)
            else:
                writer.write(answer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def _service(target: str) -> str:
    path = unquote(urlsplit(target).path)
    return {"/v1/search": "search", "/v1/forecast": "forecast"}.get(path, "wttr")


def http(body: Any, status: int = 200, **headers: str) -> bytes:
    """A whole answer: bytes and text as they are, anything else as JSON."""
    if not isinstance(body, bytes | str):
        body = json.dumps(body)
    data = body.encode() if isinstance(body, str) else body
    headers = {"content_type": "application/json", **headers, "content_length": str(len(data))}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([f"HTTP/1.1 {status} X", *lines, "connection: close", "", ""]).encode() + data


def wttr(
    days: int = 3, *, begin: dt.date = TODAY, area: tuple[str, str] = ("31.100", "121.367"), **day: Any
) -> dict[str, Any]:
    """wttr.in's JSON, as far as it matters here; ``day`` replaces parts of the first day. Its numbers are texts."""
    weather = [
        {
            "date": (begin + dt.timedelta(days=number)).isoformat(),
            "avgtempC": "15",
            "mintempC": str(10 + number),
            "maxtempC": str(20 + number),
            "mintempF": str(50 + number),
            "maxtempF": str(68 + number),
            "hourly": [
                {"time": "0", "weatherCode": "113", "weatherDesc": [{"value": "Clear"}]},
                {"time": "1200", "weatherCode": "296", "weatherDesc": [{"value": "Light rain"}]},
                {"time": "2100", "weatherCode": "116", "weatherDesc": [{"value": "Partly cloudy"}]},
            ],
        }
        for number in range(days)
    ]
    weather[0].update(day)
    return {
        "current_condition": [{"temp_C": "18"}],
        "nearest_area": [{"areaName": [{"value": "Minhang"}], "latitude": area[0], "longitude": area[1]}],
        "request": [{"type": "City", "query": "Shanghai, China"}],
        "weather": weather,
    }


def forecast(days: int = 7, *, begin: dt.date = TODAY, **daily: Any) -> dict[str, Any]:
    """open-meteo's forecast; ``daily`` replaces whole rows."""
    return {
        "latitude": 31.25,
        "longitude": 121.5,
        "timezone": "Asia/Shanghai",
        "daily_units": {"time": "iso8601", "temperature_2m_max": "°C"},
        "daily": {
            "time": [(begin + dt.timedelta(days=number)).isoformat() for number in range(days)],
            "weather_code": [3, 61, 0, 95, 45, 71, 2][:days],
            "temperature_2m_max": [20.4, 21.6, 22.0, 19.5, 18.2, 17.9, 16.1][:days],
            "temperature_2m_min": [11.2, 12.8, 10.0, 9.6, -0.4, 7.7, 6.3][:days],
            **daily,
        },
    }


def places(*found: tuple[float, float, int | None]) -> dict[str, Any]:
    """open-meteo's answer to a search: latitude, longitude and population of each place."""
    if not found:
        return {"generationtime_ms": 0.6}  # as it comes, with no results at all
    return {
        "results": [
            {
                "id": 1,
                "name": "Elbonia",
                "latitude": latitude,
                "longitude": longitude,
                "population": population,
            }
            for latitude, longitude, population in found
        ],
        "generationtime_ms": 0.6,
    }
