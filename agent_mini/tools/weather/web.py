"""One JSON document from a public server, within bounds, and all that can go wrong on the way."""

import ssl
from codecs import BOM_UTF8
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from agent_mini.threads import in_thread
from agent_mini.tools.weather.series import NoForecast

if TYPE_CHECKING:
    import httpx

ANSWER_LIMIT = 512 * 1024
"""The most an answer may take, in bytes; wttr.in's take 50,000. Packed, two kilobytes could become gigabytes."""

SILENCE_LIMIT = 5.0
"""Seconds that a server may be silent before the thread that waits for it ends, whether or not anybody still waits."""

Shape = TypeVar("Shape", bound=BaseModel)


async def get_json(url: str, parameters: Mapping[str, str | int | float], shape: type[Shape]) -> Shape:
    """Fetch ``url`` and read its JSON as ``shape``. How long that may take is up to the caller.

    It runs on a thread of its own: looking up a name cannot be interrupted, and where there is no network it can
    take half a minute, for which neither the caller nor the end of the program should have to wait.

    Raises:
        NoForecast: Whatever went wrong.
    """
    client = await in_thread(_open, url)
    try:
        body = await in_thread(_read, client, url, parameters)
    finally:
        client.close()  # and with it the connection that a thread nobody waits for may still be reading
    try:
        return shape.model_validate_json(body.removeprefix(BOM_UTF8))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise NoForecast("the answer is not JSON") from None
        where = ".".join(str(part) for part in first["loc"])
        raise NoForecast(f"the answer is of another shape, beginning with {where or 'the whole'}") from None


def _open(url: str) -> "httpx.Client":
    try:
        import httpx
    except ImportError:
        raise NoForecast("needs httpx: pip install httpx==0.28.1") from None
    try:
        return httpx.Client(
            timeout=SILENCE_LIMIT,
            verify=_tls_context(),
            follow_redirects=False,
            # A proxy does not reach this machine's own servers.
            trust_env=urlsplit(url).hostname not in ("127.0.0.1", "::1", "localhost"),
        )
    except (ValueError, ImportError, OSError, httpx.InvalidURL):
        raise NoForecast("the environment's settings for proxies or certificates cannot be used") from None


def _read(client: "httpx.Client", url: str, parameters: Mapping[str, str | int | float]) -> bytes:
    import httpx

    try:
        with client.stream(
            "GET", url, params=parameters, headers={"Accept-Encoding": "identity"}
        ) as response:
            if response.has_redirect_location:
                raise NoForecast("redirects to another address, which is not followed")
            if not response.is_success:
                raise NoForecast(f"HTTP {response.status_code}")
            if response.headers.get("Content-Encoding", "identity") != "identity":
                raise NoForecast("the answer is packed, which was not asked for")
            body = bytearray()
            for chunk in response.iter_raw():
                body += chunk
                if len(body) > ANSWER_LIMIT:
                    raise NoForecast(f"the answer has more than {ANSWER_LIMIT:,} bytes")
            return bytes(body)
    except (httpx.ConnectError, httpx.ConnectTimeout):
        raise NoForecast("cannot be reached") from None
    except httpx.ProxyError:
        raise NoForecast("the proxy refuses to connect") from None
    except httpx.TimeoutException:
        raise NoForecast("stopped answering") from None
    except httpx.TransportError:
        raise NoForecast("the connection broke off") from None


@cache
def _tls_context() -> ssl.SSLContext:
    """Reading the certificates takes 30 ms, too long to do it for each call."""
    import httpx

    return httpx.create_ssl_context()
