"""A model behind an OpenAI-compatible server: OpenAI, DeepSeek, Qwen, vLLM, Ollama and many more.

``wire`` knows what the JSON means and ``exchange`` what can go wrong on the way; here it is decided what is tried
again, and what may be said about it: the key shows up nowhere.
"""

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pydantic import SecretStr

from agent_mini.clock import Clock, SystemClock
from agent_mini.errors import ErrorCode, InputError, ModelError
from agent_mini.models.base import Capabilities, OnDelta, Shown
from agent_mini.models.exchange import TryFailed, exchange, open_client
from agent_mini.models.retry import back_off, read_retry_after
from agent_mini.models.wire import request_body
from agent_mini.tools import Tool
from agent_mini.types import Message, Reply

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)


class OpenAIModel:
    """A chat model over HTTP.

    Each call opens a connection of its own, so that a model can be made anywhere, used in one event loop after
    another, and dropped. ``async with model:`` keeps the connection open from call to call.

    Args:
        name: The model's name, as the server knows it.
        base_url: What ``/chat/completions`` is appended to.
        api_key: The key; "" for a server that wants none.
        timeout: Seconds that one try may take, all in all.
        connect_timeout: Seconds that connecting may take.
        max_retries: How often a failed call is tried again, where that may help.
        null_content: Whether the content of a message that only calls tools is null; some servers want "".
        clock: Measures how long a call takes.
        random: Spreads the waits between tries.
        sleep: Waits, in seconds.

    Raises:
        InputError: The key has characters that no key has.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str = "https://api.openai.com/v1",
        api_key: str = "",
        timeout: float = 60.0,
        connect_timeout: float = 10.0,
        max_retries: int = 2,
        null_content: bool = True,
        clock: Clock | None = None,
        random: Random | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._name = name
        self._base_url = base_url.rstrip("/")
        self._api_key = SecretStr(_checked_key(api_key))
        self._timeout = timeout
        self._connect_timeout = connect_timeout
        self._max_retries = max_retries
        self._null_content = null_content
        self._clock = clock or SystemClock()
        self._random = random or Random()
        self._sleep = sleep
        self._takes_schema = True
        self._client: httpx.AsyncClient | None = None

    def __repr__(self) -> str:
        return f"OpenAIModel({self._name!r}, base_url={self._base_url!r})"

    @property
    def name(self) -> str:
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(streaming=True, response_schema=self._takes_schema)

    async def __aenter__(self) -> Self:
        self._client = self._new_client()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connection that ``async with`` keeps open."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def chat(
        self,
        messages: Sequence[Message],
        tools: Iterable[Tool] = (),
        *,
        response_schema: Mapping[str, Any] | None = None,
        grammar: str | None = None,
        on_delta: OnDelta | None = None,
    ) -> Reply:
        """See ``ChatModel.chat``; a grammar is ignored.

        A call is tried again only as long as nothing of an answer was passed to ``on_delta``: the beginning of
        one answer and the end of another make none.
        """
        started = self._clock.monotonic()
        tools = tuple(tools)
        shown = Shown(on_delta)
        tries = 0
        async with self._connection() as client:
            while True:
                tries += 1
                schema = response_schema if self._takes_schema else None
                try:
                    reply = await self._try(client, messages, tools, schema, shown.on_delta)
                except TryFailed as failed:
                    failure = failed
                else:
                    seconds = self._clock.monotonic() - started
                    log.info("%s answered in %.2f s, try %d", self._name, seconds, tries)
                    return replace(reply, seconds=seconds)
                error = self._without_key(failure.error)
                log.info("%s failed: %s, HTTP %s, try %d", self._name, error.code, failure.status, tries)
                if schema is not None and _refuses_schema(error):
                    self._takes_schema = False
                elif error.retryable and not shown.anything and tries <= self._max_retries:
                    asked = read_retry_after(failure.retry_after, self._clock.now())
                    await self._sleep(back_off(tries, self._random) if asked is None else asked)
                else:
                    raise error

    async def _try(
        self,
        client: "httpx.AsyncClient",
        messages: Sequence[Message],
        tools: Iterable[Tool],
        response_schema: Mapping[str, Any] | None,
        on_delta: OnDelta | None,
    ) -> Reply:
        body = request_body(
            self._name,
            messages,
            tools,
            response_schema=response_schema,
            stream=on_delta is not None,
            null_content=self._null_content,
        )
        return await exchange(
            client,
            f"{self._base_url}/chat/completions",
            json.dumps(body).encode("ascii"),
            total_timeout=self._timeout,
            model=self._name,
            used_ids={call.id for message in messages for call in message.tool_calls},
            on_delta=on_delta,
        )

    @asynccontextmanager
    async def _connection(self) -> AsyncGenerator["httpx.AsyncClient"]:
        if self._client is not None:
            yield self._client
        else:
            async with self._new_client() as client:
                yield client

    def _new_client(self) -> "httpx.AsyncClient":
        return open_client(self._base_url, self._api_key.get_secret_value(), self._connect_timeout)

    def _without_key(self, error: ModelError) -> ModelError:
        key = self._api_key.get_secret_value()
        message = re.sub(_written(key), "***", error.message) if key else error.message
        return ModelError(error.code, message, error.hint)


def _checked_key(api_key: str) -> str:
    """The key without the white space a copy brings along; a header that cannot be sent would show it."""
    key = api_key.strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InputError(
            "LLM_API_KEY: holds characters that no key has",
            "copy the key again, without the text around it",
            ErrorCode.SETTINGS_INVALID,
        )
    return key


def _written(key: str) -> str:
    """A pattern for the key as it is and in all the ways a JSON string can write it, even twice escaped."""
    return "".join(rf"(?:\\*{re.escape(character)}|\\+u00(?i:{ord(character):02x}))" for character in key)


def _refuses_schema(error: ModelError) -> bool:
    """Whether the server refused the request only for its ``response_format``, which is no more than a wish."""
    return error.code is ErrorCode.LLM_BAD_REQUEST and "response_format" in error.message
