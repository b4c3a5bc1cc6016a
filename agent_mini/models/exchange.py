"""One request to a server and its answer, and all that can go wrong between them.

Nothing is tried again here: that is up to ``openai``, which knows what has been shown already.
"""

import asyncio
import ipaddress
import ssl
from codecs import BOM_UTF8
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from agent_mini.errors import ErrorCode, InputError, ModelError
from agent_mini.models.base import OnDelta
from agent_mini.models.wire import SseDecoder, StreamReader, parse_json, provider_error, reply_from_wire
from agent_mini.types import Delta, Reply

if TYPE_CHECKING:
    import httpx


ANSWER_LIMIT = 16 * 1024 * 1024
"""The most an answer or a stream may take, in bytes after unpacking."""

REFUSAL_LIMIT = 64 * 1024
"""The most that is read of an answer that refuses the request, in bytes after unpacking."""


class TryFailed(Exception):
    """One try failed.

    Args:
        error: What went wrong.
        status: The answer's HTTP status, if there was an answer.
        retry_after: Its ``Retry-After`` header, if it had one.
    """

    def __init__(self, error: ModelError, status: int | None = None, retry_after: str | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.status = status
        self.retry_after = retry_after


def is_loopback(url: str) -> bool:
    """Whether the address is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def open_client(base_url: str, api_key: str, connect_timeout: float) -> "httpx.AsyncClient":
    """A client for one server; ``connect_timeout`` in seconds.

    Raises:
        InputError: The environment's proxy settings cannot be used.
    """
    import httpx

    headers = {"content-type": "application/json"}
    if api_key:
        headers["authorization"] = f"Bearer {api_key}"
    try:
        return httpx.AsyncClient(
            headers=headers,
            # Only connecting is bounded here: ``exchange`` bounds the whole.
            timeout=httpx.Timeout(None, connect=connect_timeout),
            verify=_tls_context(),
            # A proxy does not reach this machine's own servers.
            trust_env=not is_loopback(base_url),
        )
    except (ValueError, ImportError, httpx.InvalidURL) as error:
        raise InputError(
            f"the proxy settings of the environment cannot be used: {error}",
            "give HTTPS_PROXY an http:// address and unset ALL_PROXY, or mend NO_PROXY",
            ErrorCode.SETTINGS_INVALID,
        ) from None


async def exchange(
    client: "httpx.AsyncClient",
    url: str,
    body: bytes,
    *,
    total_timeout: float,
    model: str,
    used_ids: Collection[str],
    on_delta: OnDelta | None,
) -> Reply:
    """Send ``body`` and read the answer; as a stream if there is an ``on_delta``.

    ``total_timeout``, in seconds, bounds the whole of it: a time-out for each read alone would never end a
    server that sends one byte now and then.

    Raises:
        TryFailed: Whatever went wrong.
    """
    import httpx

    status: int | None = None
    try:
        async with asyncio.timeout(total_timeout), aclosing(await _send(client, url, body)) as response:
            status = response.status_code
            if not response.is_success:
                error = await _read_refusal(response)
                raise TryFailed(error, status, response.headers.get("retry-after"))
            chunks = _chunks(response, ANSWER_LIMIT)
            begin = await _read_beginning(chunks)
            if on_delta is None or not _is_stream(response, begin):
                return _whole_reply(begin + await _read_rest(chunks), model, used_ids, on_delta)
            return await _read_stream(begin, chunks, StreamReader(model=model, used_ids=used_ids), on_delta)
    except TimeoutError:
        error = ModelError(ErrorCode.LLM_TIMEOUT, f"no whole answer within {total_timeout:g} s")
    except httpx.ConnectTimeout:
        hint = "check LLM_BASE_URL and the network, or raise LLM_CONNECT_TIMEOUT"
        error = ModelError(ErrorCode.LLM_TIMEOUT, "no connection in time", hint)
    except httpx.DecodingError as failure:
        error = ModelError(ErrorCode.LLM_BAD_OUTPUT, f"the answer cannot be unpacked: {failure}")
    except httpx.TransportError as failure:
        error = ModelError(ErrorCode.LLM_UNAVAILABLE, str(failure) or type(failure).__name__)
    except ModelError as failure:
        error = failure
    raise TryFailed(error, status)


@cache
def _tls_context() -> ssl.SSLContext:
    """Reading the certificates takes 30 ms, too long to do it for each call."""
    import httpx

    return httpx.create_ssl_context()


async def _send(client: "httpx.AsyncClient", url: str, body: bytes) -> "httpx.Response":
    """The answer, of which only the head has been read."""
    import httpx

    try:
        return await client.send(client.build_request("POST", url, content=body), stream=True)
    except (httpx.InvalidURL, ValueError) as failure:  # idna raises a UnicodeError
        raise ModelError(
            ErrorCode.LLM_BAD_REQUEST, f"the request cannot be sent: {failure}", "check LLM_BASE_URL"
        ) from None


def _is_stream(response: "httpx.Response", begin: bytes) -> bool:
    """Whether the answer is the stream that was asked for; some servers give the whole at once, or a web page.

    Its header may be missing or wrong, but no stream begins as JSON does.
    """
    kind = response.headers.get("content-type", "")
    is_json = begin.removeprefix(BOM_UTF8).lstrip().startswith((b"{", b"["))
    return "json" not in kind and "html" not in kind and not is_json


async def _read_refusal(response: "httpx.Response") -> ModelError:
    try:
        text = _decode(await _read_rest(_chunks(response, REFUSAL_LIMIT)))
    except ModelError as too_long:
        text = too_long.message  # the status still says what kind of refusal it is
    if response.has_redirect_location:
        text = f"redirected to {response.headers['location']}, which is not followed"
    try:
        return provider_error(parse_json(text), response.status_code)
    except ModelError:
        return provider_error(text, response.status_code)


def _whole_reply(body: bytes, model: str, used_ids: Collection[str], on_delta: OnDelta | None) -> Reply:
    reply = reply_from_wire(parse_json(_decode(body)), model=model, used_ids=used_ids)
    if on_delta is not None and (reply.text or reply.reasoning):
        on_delta(Delta(text=reply.text, reasoning=reply.reasoning))
    return reply


async def _read_stream(
    begin: bytes, chunks: AsyncGenerator[bytes], reader: StreamReader, on_delta: OnDelta
) -> Reply:
    import httpx

    try:
        async for data in _events(begin, chunks):
            for delta in reader.feed(data):
                on_delta(delta)
            if reader.done:  # the connection may stay open
                break
    except httpx.TransportError:
        if not reader.complete:
            raise
    for delta in reader.close():
        on_delta(delta)
    return reader.reply()


async def _events(begin: bytes, chunks: AsyncGenerator[bytes]) -> AsyncGenerator[str]:
    decoder = SseDecoder()
    for data in decoder.feed(begin):
        yield data
    async for chunk in chunks:
        for data in decoder.feed(chunk):
            yield data
    for data in decoder.close():
        yield data


def _decode(body: bytes) -> str:
    return body.decode("utf-8-sig", "replace")


async def _read_beginning(chunks: AsyncGenerator[bytes]) -> bytes:
    """Up to the first chunk that has more than white space; what comes after it is still to be read."""
    read: list[bytes] = []
    async for chunk in chunks:
        read.append(chunk)
        if chunk.removeprefix(BOM_UTF8).strip():
            break
    return b"".join(read)


async def _read_rest(chunks: AsyncGenerator[bytes]) -> bytes:
    return b"".join([chunk async for chunk in chunks])


async def _chunks(response: "httpx.Response", limit: int) -> AsyncGenerator[bytes]:
    """The unpacked bytes of an answer; LLM_BAD_OUTPUT as soon as there are more than ``limit``."""
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > limit:
            raise ModelError(ErrorCode.LLM_BAD_OUTPUT, f"the answer has more than {limit:,} bytes")
        yield chunk
