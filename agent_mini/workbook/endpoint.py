"""A real server that answers with any model of ours, to see what passes over the wire.

It speaks OpenAI's ``/chat/completions``, whole and streamed, so any client can be pointed at it. It listens on
this machine only, with a thread for each request: a teaching aid, not a place to serve from.
"""

import asyncio
import hmac
import itertools
import json
import socketserver
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from agent_mini.clock import Clock, FixedClock
from agent_mini.errors import AgentError, ErrorCode, ModelError
from agent_mini.models import ChatModel
from agent_mini.models.wire import chunks_to_wire, error_to_wire, reply_to_wire, request_from_wire
from agent_mini.types import Message

BODY_LIMIT = 10_000_000
"""The longest request it reads, in bytes."""

_STATUSES = {
    ErrorCode.LLM_BAD_REQUEST: 400,
    ErrorCode.LLM_AUTH: 401,
    ErrorCode.LLM_QUOTA_EXCEEDED: 402,
    ErrorCode.LLM_RATE_LIMITED: 429,
    ErrorCode.LLM_BAD_OUTPUT: 502,
    ErrorCode.LLM_UNAVAILABLE: 503,
    ErrorCode.LLM_TIMEOUT: 504,
}


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came.

    Args:
        method: ``GET`` or ``POST``.
        path: The path asked for.
        headers: The headers by lower-case name, the key left out.
        body: The raw text of the body.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: str


class LocalEndpoint:
    """Serves ``model`` on a free port of this machine, from ``start`` to ``stop``, or as a context manager.

    Its answers are as deterministic as the model: ids count up, and ``created`` is read from ``clock``.

    Args:
        model: Who answers.
        api_key: The key clients must send; "" lets everyone in.
        clock: The time that answers carry.
    """

    def __init__(self, model: ChatModel, *, api_key: str = "", clock: Clock | None = None) -> None:
        self.model = model
        self.received: list[Received] = []
        """What clients sent, in order."""
        self._api_key = api_key
        self._clock = clock or FixedClock("2026-01-01")
        self._numbers = itertools.count(1)
        self._server: _Server | None = None

    @property
    def url(self) -> str:
        """The base URL for clients, ending in ``/v1``."""
        if self._server is None:
            raise RuntimeError("the endpoint is not started")
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def start(self) -> Self:
        """Begin to serve."""
        if self._server is None:
            self._server = _Server(self)
            threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def stop(self) -> None:
        """Stop serving and give the port back."""
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *error: object) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        return self.start()

    async def __aexit__(self, *error: object) -> None:
        await asyncio.to_thread(self.stop)

    def answer(self, received: Received, key: str) -> "dict[str, Any] | Iterator[dict[str, Any]] | None":
        """The JSON of an answer, or of its chunks; None for what is not served.

        Raises:
            AgentError: The request is refused, or the model failed.
        """
        if self._api_key and not hmac.compare_digest(key.encode(), self._api_key.encode()):
            raise ModelError(ErrorCode.LLM_AUTH, "wrong or missing API key")
        created = int(self._clock.now().timestamp())
        match received.method, received.path.partition("?")[0]:
            case "GET", "/v1/models":
                shown = {
                    "id": self.model.name,
                    "object": "model",
                    "created": created,
                    "owned_by": "agent-mini",
                }
                return {"object": "list", "data": [shown]}
            case "POST", "/v1/chat/completions":
                request = request_from_wire(received.body)
                _check_answered(request.messages)
                reply = asyncio.run(
                    self.model.chat(request.messages, request.tools, response_schema=request.response_schema)
                )
                answer_id = f"chatcmpl-{next(self._numbers)}"
                if not request.stream:
                    return reply_to_wire(reply, answer_id=answer_id, created=created)
                return chunks_to_wire(
                    reply, answer_id=answer_id, created=created, include_usage=request.include_usage
                )
            case _:
                return None


def _check_answered(messages: Iterable[Message]) -> None:
    """Refuse, as real servers do, a tool call without an answer and an answer without a call."""
    waiting: set[str | None] = set()
    for place, message in enumerate(messages):
        if message.role != "tool":
            if waiting:
                break
            waiting = {call.id for call in message.tool_calls}
        elif message.tool_call_id in waiting:
            waiting.remove(message.tool_call_id)
        else:
            raise ModelError(
                ErrorCode.LLM_BAD_REQUEST,
                f"messages[{place}]: there is no unanswered tool call {message.tool_call_id!r} before it",
            )
    if waiting:
        ids = ", ".join(sorted(map(str, waiting)))
        raise ModelError(
            ErrorCode.LLM_BAD_REQUEST,
            "an assistant message with 'tool_calls' must be followed by tool messages that answer each "
            f"'tool_call_id'; not answered: {ids}",
        )


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # with the usual 5, the sixth client at once waits a second

    def __init__(self, endpoint: LocalEndpoint) -> None:
        self.endpoint = endpoint
        super().__init__(("127.0.0.1", 0), _Handler)

    def server_bind(self) -> None:
        # HTTPServer's own would look up this machine's name, which takes seconds on some.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):  # a client that has gone away is no news
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10
    server: _Server

    def do_GET(self) -> None:
        self._serve("")

    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if not (length.isdecimal() and int(length) <= BODY_LIMIT):
            message = f"send a Content-Length of at most {BODY_LIMIT}"
            self._send_json(400, error_to_wire(str(ErrorCode.LLM_BAD_REQUEST), message))
            return
        self._serve(self.rfile.read(int(length)).decode("utf-8", "replace"))

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet: what came is in ``received``."""

    def _serve(self, body: str) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        key = headers.pop("authorization", "").removeprefix("Bearer ")
        received = Received(self.command, self.path, headers, body)
        self.server.endpoint.received.append(received)
        try:
            answer = self.server.endpoint.answer(received, key)
        except AgentError as error:
            status = _STATUSES.get(error.code, 500)
            self._send_json(status, error_to_wire(str(error.code), error.message))
        except Exception as error:
            self._send_json(500, error_to_wire("internal_error", f"{type(error).__name__}: {error}"))
        else:
            if answer is None:
                message = f"there is no {self.command} {self.path}"
                self._send_json(404, error_to_wire("not_found", message))
            elif isinstance(answer, dict):
                self._send_json(200, answer)
            else:
                self._send_events(answer)

    def _send_json(self, status: int, answer: dict[str, Any]) -> None:
        data = json.dumps(answer).encode("ascii")
        self._send_head(status, "application/json", len(data))
        self.wfile.write(data)

    def _send_events(self, chunks: Iterable[dict[str, Any]]) -> None:
        self._send_head(200, "text/event-stream")
        for chunk in chunks:
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode("ascii"))
        self.wfile.write(b"data: [DONE]\n\n")

    def _send_head(self, status: int, content_type: str, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Cache-Control", "no-cache")
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()
