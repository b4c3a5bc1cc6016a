"""A real server on this machine that plays prepared answers, byte for byte."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Self

Answer = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]
"""The bytes to send, or a function that sends them in its own time."""


@dataclass(frozen=True)
class Request:
    """What a client sent: the request line, the headers by lower-case name, and the parsed body."""

    line: str
    headers: dict[str, str]
    body: Any


class ByteServer:
    """Plays the answers in order, the last one for ever.

    A connection stays open after an answer that tells its length and does not say ``close``.
    """

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self._tasks: set[asyncio.Task[None]] = set()
        self.requests: list[Request] = []
        self.connections = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

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

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._tasks.add(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._read(reader):
                answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
                if callable(answer):
                    await answer(writer)
                    break
                writer.write(answer)
                await writer.drain()
                if b"content-length" not in answer or b"connection: close" in answer:
                    break
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> bool:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
        except asyncio.IncompleteReadError:
            return False
        line, *fields = head.strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (field.partition(": ") for field in fields)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.requests.append(Request(line, headers, json.loads(body) if body else None))
        return True


def http(status: int, body: str | bytes | dict[str, Any] = "", **headers: str) -> bytes:
    """A whole answer; ``retry_after="3"`` gives a ``Retry-After`` header."""
    data = (
        json.dumps(body).encode()
        if isinstance(body, dict)
        else body.encode()
        if isinstance(body, str)
        else body
    )
    headers = {"content_type": "application/json", **headers, "content_length": str(len(data))}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([f"HTTP/1.1 {status} X", *lines, "", ""]).encode() + data


def answer(text: str = "Hello", **more: Any) -> bytes:
    """A whole answer of a model."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return http(200, {"model": "m-1", "choices": [choice], **more})


STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
"""The head of a stream that ends when the connection does."""


def piece(text: str = "", finish_reason: str | None = None) -> bytes:
    """One event of a stream."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish_reason}
    return f"data: {json.dumps({'model': 'm-1', 'choices': [choice]})}\n\n".encode()


DONE = b"data: [DONE]\n\n"
