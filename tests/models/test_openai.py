"""A real model's client against a server that misbehaves, byte for byte."""

import asyncio
import gc
import gzip
import json
import logging
import re
from collections.abc import Awaitable
from random import Random
from typing import Any

import pytest
from byte_server import DONE, STREAM, Answer, ByteServer, answer, http, piece

from agent_mini.clock import FixedClock
from agent_mini.errors import ErrorCode, InputError, ModelError
from agent_mini.models import OpenAIModel, ScriptedModel
from agent_mini.models.exchange import ANSWER_LIMIT
from agent_mini.types import Delta, ToolCall, assistant, tool_message, user
from agent_mini.workbook.endpoint import LocalEndpoint

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
KEY = "sk-secret-0123456789abcdef"
QUESTION = [user("What is the capital of Elbonia?")]


class Waits:
    """A sleep that takes no time and remembers how long it was."""

    def __init__(self, clock: FixedClock | None = None) -> None:
        self.seconds: list[float] = []
        self._clock = clock

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        if self._clock:
            self._clock.advance(seconds)


def client(server: ByteServer, **options: Any) -> OpenAIModel:
    options = {"api_key": KEY, "sleep": Waits(), "timeout": 20.0, "base_url": server.url, **options}
    return OpenAIModel("m", **options)


async def failure(call: Awaitable[object]) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await call
    return caught.value


async def forever(writer: asyncio.StreamWriter, dribble: bytes = b"") -> None:
    """Keep the connection open, sending a little now and then, until the client goes away."""
    while not writer.is_closing():
        writer.write(dribble)
        await writer.drain()
        await asyncio.sleep(0.01)


async def reset(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    writer.transport.abort()


# --- answers -------------------------------------------------------------------------------------------------------


async def test_a_whole_answer() -> None:
    async with ByteServer(answer("Mudville", usage={"prompt_tokens": 9, "completion_tokens": 3})) as server:
        reply = await client(server).chat(QUESTION)

    assert (reply.text, reply.model, reply.usage.total_tokens) == ("Mudville", "m-1", 12)
    (request,) = server.requests
    assert request.line == "POST /v1/chat/completions HTTP/1.1"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    assert request.body == {"model": "m", "messages": [{"role": "user", "content": QUESTION[0].content}]}


async def test_no_key_no_header() -> None:
    async with ByteServer(answer()) as server:
        await client(server, api_key="").chat(QUESTION)

    assert "authorization" not in server.requests[0].headers


async def test_pieces_are_passed_on_while_the_rest_is_still_to_come() -> None:
    seen: list[Delta] = []
    first_seen = asyncio.Event()

    def show(delta: Delta) -> None:
        seen.append(delta)
        first_seen.set()

    async def in_two(writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM + b": hello\n\n" + piece("Mud"))
        await first_seen.wait()
        writer.write(piece("ville") + piece("", "stop") + DONE)

    async with ByteServer(in_two) as server:
        reply = await client(server).chat(QUESTION, on_delta=show)

    assert [delta.text for delta in seen] == ["Mud", "ville"]
    assert reply.text == "Mudville"
    assert server.requests[0].body["stream"] is True


@pytest.mark.parametrize(
    "stream",
    [
        piece("a\u2028b") + piece("", "stop") + DONE,
        piece("a\u2028b", "stop"),
        piece("a\u2028b", "stop").rstrip(),
        piece("a\u2028b") + DONE,
        piece("a\u2028b", "stop").replace(b"\n", b"\r\n") + b": bye\r\n\r\n",
        piece("a\u2028b", "stop").replace(b"\n", b"\r").replace(b"data: ", b"data:"),
        piece("a\u2028b").replace(b"\\u2028", "\u2028".encode()) + DONE,
    ],
)
async def test_streams_may_be_sloppy(stream: bytes) -> None:
    seen: list[Delta] = []
    async with ByteServer(STREAM + stream) as server:
        reply = await client(server, max_retries=0).chat(QUESTION, on_delta=seen.append)

    assert reply.text == "a\u2028b" == "".join(delta.text for delta in seen)


async def test_the_end_of_the_answer_counts_not_the_end_of_the_connection() -> None:
    async def stay(writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM + piece("a", "stop") + DONE)
        await forever(writer)

    async with ByteServer(stay) as server:
        reply = await client(server).chat(QUESTION, on_delta=lambda delta: None)

    assert reply.text == "a"


async def test_a_connection_that_breaks_after_the_answer_does_no_harm() -> None:
    data = piece("a", "stop") + b'data: {"usage": {"prom'
    cut = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n%x\r\n%b\r\n" % (len(data), data)
    async with ByteServer(cut) as server:
        reply = await client(server, max_retries=0).chat(QUESTION, on_delta=lambda delta: None)

    assert reply.text == "a"


async def test_a_server_may_answer_a_stream_request_at_once() -> None:
    seen: list[Delta] = []
    async with ByteServer(answer("a")) as server:
        reply = await client(server).chat(QUESTION, on_delta=seen.append)

    assert reply.text == "a"
    assert seen == [Delta(text="a")]


WHOLE = answer("a").partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf", b"\r\n\n ", b"\xef\xbb\xbf\n"])
@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n\r\n", STREAM, HEAD + b"\r\n"])
@pytest.mark.parametrize("streaming", [False, True])
async def test_a_whole_answer_is_known_without_its_header(head: bytes, begin: bytes, streaming: bool) -> None:
    seen: list[Delta] = []
    async with ByteServer(head + begin + WHOLE) as server:
        reply = await client(server, max_retries=0).chat(
            QUESTION, on_delta=seen.append if streaming else None
        )

    assert reply.text == "a"
    assert seen == ([Delta(text="a")] if streaming else [])


async def test_a_refusal_may_begin_with_a_byte_order_mark() -> None:
    async with ByteServer(http(401, b'\xef\xbb\xbf{"error": {"message": "no"}}')) as server:
        error = await failure(client(server).chat(QUESTION))

    assert error.message == "HTTP 401: no"


async def test_a_packed_answer_is_unpacked() -> None:
    body = gzip.compress(answer("a").partition(b"\r\n\r\n")[2])
    async with ByteServer(http(200, body, content_encoding="gzip")) as server:
        assert (await client(server).chat(QUESTION)).text == "a"


async def test_ids_of_earlier_calls_are_not_given_again() -> None:
    earlier = ToolCall("a", "now", "{}")
    message = {"tool_calls": [{"id": "a", "function": {"name": "now", "arguments": ""}}]}
    body = http(200, {"choices": [{"message": message}]})
    async with ByteServer(body) as server:
        conversation = [*QUESTION, assistant(tool_calls=[earlier]), tool_message(earlier, "noon")]
        reply = await client(server, null_content=False).chat(conversation)

    assert reply.tool_calls == (ToolCall("call_1", "now", "{}"),)
    assert server.requests[0].body["messages"][1]["content"] == ""


# --- what goes wrong -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (http(400, {"error": {"message": "no such parameter"}}), "LLM_BAD_REQUEST"),
        (http(404, {"error": {"message": "no such model"}}), "LLM_BAD_REQUEST"),
        (http(413, "too large", content_type="text/plain"), "LLM_BAD_REQUEST"),
        (http(422, {"detail": [{"msg": "field required"}]}), "LLM_BAD_REQUEST"),
        (http(302, location="https://elsewhere.example/v1"), "LLM_BAD_REQUEST"),
        (http(302), "LLM_BAD_REQUEST"),
        (http(304), "LLM_BAD_REQUEST"),
        (http(401, {"error": {"message": "bad key"}}), "LLM_AUTH"),
        (http(403), "LLM_AUTH"),
        (http(402, {"error": {"message": "Insufficient Balance"}}), "LLM_QUOTA_EXCEEDED"),
        (
            http(429, {"error": {"code": "insufficient_quota", "message": "x"}}, retry_after="1"),
            "LLM_QUOTA_EXCEEDED",
        ),
        (http(429, {"error": {"message": "您的账户余额不足"}}), "LLM_QUOTA_EXCEEDED"),
        (http(200, "<html>Welcome</html>", content_type="text/html"), "LLM_BAD_OUTPUT"),
        (http(200), "LLM_BAD_OUTPUT"),
        (http(204), "LLM_BAD_OUTPUT"),
        (http(200, "not json"), "LLM_BAD_OUTPUT"),
        (http(200, {"choices": None}), "LLM_BAD_OUTPUT"),
        (http(200, b"not packed", content_encoding="gzip"), "LLM_BAD_OUTPUT"),
    ],
)
@pytest.mark.parametrize("streaming", [False, True])
async def test_what_no_second_try_would_mend_is_raised_at_once(
    bad: bytes, code: str, streaming: bool
) -> None:
    seen: list[Delta] = []
    async with ByteServer(bad) as server:
        error = await failure(client(server).chat(QUESTION, on_delta=seen.append if streaming else None))

    assert error.code == code
    assert len(server.requests) == 1
    assert not seen


BOMB = gzip.compress(b" " * (ANSWER_LIMIT + 1), compresslevel=1)


@pytest.mark.parametrize(
    ("head", "dribble"),
    [
        (http(200, BOMB, content_encoding="gzip"), b""),
        (http(200, BOMB, content_encoding="gzip", content_type="text/event-stream"), b""),
        (b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n", b" " * 100_000),
        (STREAM, b": still here\n" * 10_000),
        (STREAM, b"x" * 100_000),
    ],
)
async def test_an_answer_without_end_is_given_up(head: bytes, dribble: bytes) -> None:
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while not writer.is_closing():
            writer.write(dribble)
            await writer.drain()
            await asyncio.sleep(0)

    async with ByteServer(send) as server:
        error = await failure(client(server).chat(QUESTION, on_delta=lambda delta: None))

    assert error.code is ErrorCode.LLM_BAD_OUTPUT
    assert "16,777,216 bytes" in error.message
    assert len(server.requests) == 1


async def test_a_refusal_without_end_is_still_told_by_its_status() -> None:
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 401 X\r\ncontent-type: text/html\r\n\r\n")
        await forever(writer, b"<p>" * 10_000)

    async with ByteServer(send) as server:
        error = await failure(client(server).chat(QUESTION))

    assert error.code is ErrorCode.LLM_AUTH
    assert error.message == "HTTP 401: the answer has more than 65,536 bytes"


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (http(429), "LLM_RATE_LIMITED"),
        (http(500, "<html>oops</html>", content_type="text/html"), "LLM_UNAVAILABLE"),
        (http(503), "LLM_UNAVAILABLE"),
        (b"", "LLM_UNAVAILABLE"),
        (reset, "LLM_UNAVAILABLE"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "LLM_UNAVAILABLE"),
        (b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 1000\r\n\r\nshort", "LLM_UNAVAILABLE"),
        (http(200, {"error": {"message": "Overloaded", "code": 529}}), "LLM_UNAVAILABLE"),
        (http(200, {"error": {"message": "slow down", "code": 429}}), "LLM_RATE_LIMITED"),
    ],
)
async def test_what_may_be_over_soon_is_tried_again(bad: Answer, code: str) -> None:
    async with ByteServer(bad, bad, answer("a")) as server:
        assert (await client(server, max_retries=2).chat(QUESTION)).text == "a"
        assert len(server.requests) == 3

    async with ByteServer(bad) as server:
        error = await failure(client(server, max_retries=1).chat(QUESTION))
        assert error.code == code
        assert len(server.requests) == 2


async def test_nobody_listens() -> None:
    async with ByteServer(b"") as server:
        model = client(server, max_retries=1)
    error = await failure(model.chat(QUESTION))

    assert error.code is ErrorCode.LLM_UNAVAILABLE
    assert "LLM_BASE_URL" in error.hint


@pytest.mark.usefixtures("no_proxies")
@pytest.mark.parametrize(
    "host", ["\u2603.example", "\xfc..example", "256.1.1.1", "a\x7f", "a/" + "b" * 70_000]
)
async def test_an_address_that_no_request_can_go_to(host: str) -> None:
    error = await failure(OpenAIModel("m", base_url=f"http://{host}", timeout=20.0).chat(QUESTION))

    assert error.code is ErrorCode.LLM_BAD_REQUEST
    assert "LLM_BASE_URL" in error.hint


async def test_a_mistake_of_the_one_who_is_shown_the_answer_is_no_failure_of_the_model() -> None:
    def show(delta: Delta) -> None:
        raise ValueError("mine")

    async with ByteServer(STREAM + piece("a", "stop") + DONE) as server:
        with pytest.raises(ValueError, match="mine"):
            await client(server).chat(QUESTION, on_delta=show)


@pytest.mark.parametrize(
    "bad",
    [
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n: hi\n\r\n",
        STREAM + b'data: {"error": {"message": "Overloaded", "code": 503}}\n\n',
        STREAM + piece("") + b'data: {"error": {"message": "Overloaded", "code": 503}}\n\n',
        STREAM + piece(""),
    ],
)
async def test_a_stream_that_fails_before_it_shows_anything_is_tried_again(bad: bytes) -> None:
    seen: list[Delta] = []
    async with ByteServer(bad, STREAM + piece("a", "stop") + DONE) as server:
        assert (await client(server).chat(QUESTION, on_delta=seen.append)).text == "a"

    assert [delta.text for delta in seen] == ["a"]


@pytest.mark.parametrize("empty", [b"", b": hello\n\n", DONE])
async def test_a_stream_without_an_answer_is_bad_output(empty: bytes) -> None:
    async with ByteServer(STREAM + empty) as server:
        error = await failure(client(server).chat(QUESTION, on_delta=lambda delta: None))

    assert error.code is ErrorCode.LLM_BAD_OUTPUT
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (b"", "LLM_UNAVAILABLE"),
        (b'data: {"error": {"message": "Overloaded", "code": 503}}\n\n', "LLM_UNAVAILABLE"),
        (b'data: {"error": {"message": "slow down", "code": "429"}}\n\n', "LLM_RATE_LIMITED"),
        (b"data: {{{\n\n", "LLM_BAD_OUTPUT"),
    ],
)
async def test_two_answers_are_never_glued_together(end: bytes, code: str) -> None:
    seen: list[Delta] = []
    async with ByteServer(
        STREAM + piece("half an ans") + end, STREAM + piece("another", "stop") + DONE
    ) as server:
        error = await failure(client(server).chat(QUESTION, on_delta=seen.append))

    assert error.code == code
    assert [delta.text for delta in seen] == ["half an ans"]
    assert len(server.requests) == 1


async def test_a_wish_that_the_server_cannot_grant_is_dropped() -> None:
    refusal = http(400, {"error": {"message": "This response_format type is unavailable now"}})
    async with ByteServer(refusal, answer("a")) as server:
        model = client(server, max_retries=0)
        assert model.capabilities.response_schema
        assert (await model.chat(QUESTION, response_schema={"type": "object"})).text == "a"
        assert not model.capabilities.response_schema
        await model.chat(QUESTION, response_schema={"type": "object"})

    assert ["response_format" in request.body for request in server.requests] == [True, False, False]


# --- time ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("begin", "dribble"),
    [(b"", b""), (HEAD + b"x-padding: ", b"x"), (HEAD + b"\r\n", b" "), (STREAM, b": still here\n\n")],
)
@pytest.mark.parametrize("streaming", [False, True])
async def test_a_server_that_never_ends_meets_the_total_time_out(
    begin: bytes, dribble: bytes, streaming: bool
) -> None:
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(begin)
        await forever(writer, dribble)

    async with ByteServer(send) as server:
        model = client(server, timeout=0.3, max_retries=0)
        on_delta = (lambda delta: None) if streaming else None
        error = await asyncio.wait_for(failure(model.chat(QUESTION, on_delta=on_delta)), 10)

    assert error.code is ErrorCode.LLM_TIMEOUT
    assert "0.3 s" in error.message


async def test_a_call_that_took_too_long_is_tried_again() -> None:
    async with ByteServer(forever, answer("a")) as server:
        assert (await client(server, timeout=0.5).chat(QUESTION)).text == "a"


async def test_an_answer_that_dribbles_is_cut_off_and_not_begun_again() -> None:
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM)
        await forever(writer, piece("word "))

    seen: list[Delta] = []
    async with ByteServer(send) as server:
        error = await failure(client(server, timeout=0.4).chat(QUESTION, on_delta=seen.append))

    assert error.code is ErrorCode.LLM_TIMEOUT
    assert seen
    assert len(server.requests) == 1


async def test_connecting_has_a_time_out_of_its_own() -> None:
    # Nobody answers the TLS greeting: the connection is there, but never ready.
    async with ByteServer(b"") as server:
        model = client(
            server, base_url=f"https://127.0.0.1:{server.port}/v1", connect_timeout=0.1, max_retries=0
        )
        error = await asyncio.wait_for(failure(model.chat(QUESTION)), 10)

    assert error.code is ErrorCode.LLM_TIMEOUT
    assert "LLM_CONNECT_TIMEOUT" in error.hint


async def test_waits_grow_and_are_spread_by_chance() -> None:
    async with ByteServer(http(503)) as server:
        spread: list[list[float]] = []
        for seed in range(20):
            waits = Waits()
            await failure(client(server, max_retries=6, sleep=waits, random=Random(seed)).chat(QUESTION))
            spread.append(waits.seconds)

    bounds = [0.5, 1, 2, 4, 8, 8]
    for bound, seconds in zip(bounds, zip(*spread, strict=True), strict=True):
        assert 0 <= min(seconds) < bound / 2 < max(seconds) <= bound


@pytest.mark.parametrize(
    ("asked", "waited"),
    [("3", 3.0), ("0.5", 0.5), ("Fri, 23 Oct 2026 00:00:07 GMT", 7.0), ("86400", 60.0)],
)
async def test_a_server_that_says_when_is_obeyed(asked: str, waited: float) -> None:
    clock = FixedClock("2026-10-23")
    waits = Waits(clock)
    async with ByteServer(http(429, retry_after=asked), answer()) as server:
        reply = await client(server, sleep=waits, clock=clock).chat(QUESTION)

    assert waits.seconds == [waited]
    assert reply.seconds == waited


async def test_a_cancelled_call_ends_and_closes_its_connection() -> None:
    gone = asyncio.Event()

    async def watch(writer: asyncio.StreamWriter) -> None:
        writer.write(STREAM + piece("word"))
        try:
            await forever(writer, b": x\n")
        finally:
            gone.set()

    begun = asyncio.Event()
    async with ByteServer(watch) as server:
        call = asyncio.create_task(client(server).chat(QUESTION, on_delta=lambda delta: begun.set()))
        await asyncio.wait_for(begun.wait(), 10)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.wait_for(gone.wait(), 10)


# --- the key, and what is said -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "echo",
    [
        http(401, {"error": {"message": f"Incorrect API key provided: {KEY}."}}),
        http(401, f"bad key {KEY}", content_type="text/plain"),
        http(400, {"error": {"message": "x " * 140 + KEY}}),
        http(400, '{"message": "no key ' + KEY.replace("-", r"\u002d") + '"}'),
        http(302, location=f"https://elsewhere.example/?key={KEY}"),
        http(200, f"<p>{KEY}</p>", content_type="text/html"),
        STREAM + f'data: {{"error": {{"message": "no {KEY}"}}}}\n\n'.encode(),
        STREAM + f"data: {KEY}\n\n".encode(),
    ],
)
async def test_a_key_that_the_server_echoes_is_in_no_error(echo: bytes) -> None:
    async with ByteServer(echo) as server:
        error = await failure(client(server, max_retries=0).chat(QUESTION, on_delta=lambda delta: None))

    assert KEY[:10] not in f"{error!r} {error.hint} {error.__cause__!r} {error.__context__!r}"


ODD_KEY = 'sk:0/1"2\\3$4|5'


@pytest.mark.parametrize(
    "written",
    [
        ODD_KEY,
        json.dumps(ODD_KEY),
        json.dumps(json.dumps(ODD_KEY)),
        json.dumps(ODD_KEY).replace("/", r"\/"),
        "".join(f"\\u{ord(character):04X}" for character in ODD_KEY),
    ],
)
@pytest.mark.parametrize("before", ["", "x", "密钥", "a " * 140, "a" * 280, "a " * 148])
async def test_no_part_of_a_key_of_any_characters_is_left(written: str, before: str) -> None:
    text = f"{before}{written} and more" + " and more" * 20
    for echo in [
        http(401, text, content_type="text/plain"),
        http(401, {"error": {"message": text}}),
        http(401, {"error": {"reason": text}}),
        http(200, text),
        http(200, {"reason": text}),
    ]:
        async with ByteServer(echo) as server:
            error = await failure(client(server, api_key=ODD_KEY, max_retries=0).chat(QUESTION))

        assert not re.search(r"sk|[0-5].{0,9}[0-5]|u00", error.message.removeprefix("HTTP 401"))


async def test_a_long_text_of_the_provider_is_cut() -> None:
    async with ByteServer(http(500, {"error": {"message": "Why? " * 1000}})) as server:
        error = await failure(client(server, max_retries=0).chat(QUESTION))

    assert error.message.startswith("HTTP 500: Why? Why?")
    assert len(error.message) < 320


def test_the_key_does_not_show_in_the_model() -> None:
    model = OpenAIModel("m", api_key=KEY)

    assert KEY not in repr(model)
    assert KEY not in repr(vars(model))


async def test_logs_tell_model_time_and_tries_but_neither_key_nor_prompt(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    async with ByteServer(http(503, QUESTION[0].content + KEY), answer("Mudville")) as server:
        await client(server).chat(QUESTION)

    ours = [record.getMessage() for record in caplog.records if record.name == "agent_mini.models.openai"]
    assert ours[0] == "m failed: LLM_UNAVAILABLE, HTTP 503, try 1"
    assert re.fullmatch(r"m answered in \d+\.\d\d s, try 2", ours[1])
    everything = "\n".join(record.getMessage() for record in caplog.records)
    assert any(record.name.startswith("httpcore") for record in caplog.records)
    assert KEY not in everything
    assert QUESTION[0].content not in everything
    assert "Mudville" not in everything


async def test_white_space_around_a_key_is_not_part_of_it() -> None:
    async with ByteServer(answer()) as server:
        await client(server, api_key=f" {KEY}\n").chat(QUESTION)

    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("key", [f"{KEY}\nX-Evil: 1", f"密钥{KEY}", f"{KEY}\x00", f"the key: {KEY}"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(InputError, match="LLM_API_KEY") as caught:
        OpenAIModel("m", api_key=key)

    assert KEY not in f"{caught.value!r} {caught.value.hint}"
    assert caught.value.code is ErrorCode.SETTINGS_INVALID


# --- connections ---------------------------------------------------------------------------------------------------


async def test_each_call_has_a_connection_of_its_own_unless_it_is_kept_open() -> None:
    async with ByteServer(answer()) as server:
        model = client(server)
        await model.chat(QUESTION)
        await model.chat(QUESTION)
        assert server.connections == 2

    async with ByteServer(answer()) as server:
        async with client(server) as model:
            await model.chat(QUESTION)
            await model.chat(QUESTION)
        assert server.connections == 1
        await model.chat(QUESTION)
        assert server.connections == 2


def test_a_model_works_in_one_event_loop_after_another_and_can_be_dropped() -> None:
    with LocalEndpoint(ScriptedModel(["one", "two"])) as endpoint:
        model = OpenAIModel("m", base_url=endpoint.url)
        assert asyncio.run(model.chat(QUESTION)).text == "one"
        assert asyncio.run(model.chat(QUESTION, on_delta=lambda delta: None)).text == "two"
    del model
    gc.collect()  # a connection left open would warn here, and a warning is an error


@pytest.fixture
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.usefixtures("no_proxies")
async def test_a_proxy_is_used_but_not_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ByteServer(answer("from the proxy")) as proxy, ByteServer(answer("straight")) as server:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        far = await client(server, base_url="http://models.example/v1").chat(QUESTION)
        near = await client(server).chat(QUESTION)

    assert (far.text, near.text) == ("from the proxy", "straight")
    assert proxy.requests[0].line == "POST http://models.example/v1/chat/completions HTTP/1.1"


@pytest.mark.usefixtures("no_proxies")
@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:7890", "ftp://127.0.0.1"])
async def test_a_proxy_of_another_kind_is_named_as_the_reason(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    model = OpenAIModel("m", base_url="http://models.example/v1")
    with pytest.raises(InputError, match="proxy") as caught:
        await model.chat(QUESTION)

    assert "ALL_PROXY" in caught.value.hint
