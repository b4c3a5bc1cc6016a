"""The local endpoint, asked by hand and by our own client."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from agent_mini.clock import FixedClock
from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models import FallbackModel, OpenAIModel, ScriptedModel
from agent_mini.models.wire import SseDecoder
from agent_mini.types import Delta, ToolCall, Usage, user
from agent_mini.workbook.endpoint import BODY_LIMIT, LocalEndpoint

KEY = "sk-secret-0123456789abcdef"
BODY = {"model": "any", "messages": [{"role": "user", "content": "你好"}]}
CALL = ToolCall("c1", "days_between", '{"start": "2026-10-23"}')


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=20) as client:
        yield client


def events(response: httpx.Response) -> list[str]:
    decoder = SseDecoder()
    return decoder.feed(response.content) + decoder.close()


def test_answers_are_the_same_on_every_run(client: httpx.Client) -> None:
    with LocalEndpoint(ScriptedModel(["Hello", CALL]), clock=FixedClock("2026-10-23")) as endpoint:
        first = client.post(f"{endpoint.url}/chat/completions", json=BODY)
        second = client.post(f"{endpoint.url}/chat/completions?x=1", json=BODY)

    assert first.json() == {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_792_713_600,
        "model": "scripted",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }
    assert first.headers["content-type"] == "application/json"
    assert second.json()["id"] == "chatcmpl-2"
    assert second.json()["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] == CALL.arguments


@pytest.mark.parametrize("include_usage", [False, True])
def test_a_stream_ends_with_done(client: httpx.Client, include_usage: bool) -> None:
    body = {**BODY, "stream": True, "stream_options": {"include_usage": include_usage}}
    with LocalEndpoint(ScriptedModel(["Hello, world: 你好"])) as endpoint:
        response = client.post(f"{endpoint.url}/chat/completions", json=body)

    *chunks, last = events(response)
    assert response.headers["content-type"] == "text/event-stream"
    assert last == "[DONE]"
    assert ("usage" in json.loads(chunks[-1])) is include_usage
    texts = [json.loads(chunk)["choices"] for chunk in chunks]
    assert (
        "".join(choice[0]["delta"].get("content", "") for choice in texts if choice) == "Hello, world: 你好"
    )
    assert response.content.isascii()


def test_the_model_is_asked_what_the_client_asks(client: httpx.Client) -> None:
    model = ScriptedModel(["a"])
    tools = [
        {
            "type": "function",
            "function": {"name": "now", "description": "x", "parameters": {"type": "object"}},
        }
    ]
    with LocalEndpoint(model) as endpoint:
        client.post(f"{endpoint.url}/chat/completions", json={**BODY, "tools": tools})

    assert model.requests[0].messages == (user("你好"),)
    assert model.requests[0].tools == ("now",)


def test_models_are_listed(client: httpx.Client) -> None:
    with LocalEndpoint(ScriptedModel([], name="parrot")) as endpoint:
        listed = client.get(f"{endpoint.url}/models").json()

    assert [model["id"] for model in listed["data"]] == ["parrot"]


def test_what_came_can_be_looked_at_without_the_key(client: httpx.Client) -> None:
    with LocalEndpoint(ScriptedModel(["a"]), api_key=KEY) as endpoint:
        headers = {"Authorization": f"Bearer {KEY}", "X-Mine": "1"}
        client.post(f"{endpoint.url}/chat/completions", json=BODY, headers=headers)
        client.get(f"{endpoint.url}/nowhere")

    first, second = endpoint.received
    assert (first.method, first.path, second.method) == ("POST", "/v1/chat/completions", "GET")
    assert json.loads(first.body) == BODY
    assert first.headers["x-mine"] == "1"
    assert KEY not in repr(endpoint.received)


@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer 错"}])
def test_a_key_can_be_demanded(client: httpx.Client, sent: dict[str, str]) -> None:
    headers = {name: value.encode() for name, value in sent.items()}
    with LocalEndpoint(ScriptedModel([]), api_key=KEY) as endpoint:
        response = client.get(f"{endpoint.url}/models", headers=headers)
        right = client.get(f"{endpoint.url}/models", headers={"Authorization": f"Bearer {KEY}"})

    assert response.status_code == 401
    assert response.json()["error"]["code"] == "LLM_AUTH"
    assert right.status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("GET", "/nowhere", None, 404),
        ("POST", "/completions", b"{}", 404),
        ("GET", "/chat/completions", None, 404),
        ("POST", "/chat/completions", b"not json", 400),
        ("POST", "/chat/completions", b"", 400),
        ("POST", "/chat/completions", b"\xff\xfe", 400),
        ("POST", "/chat/completions", b'{"messages": "hi"}', 400),
    ],
)
def test_what_it_cannot_serve_is_a_clear_error(
    client: httpx.Client, method: str, path: str, content: bytes | None, status: int
) -> None:
    with LocalEndpoint(ScriptedModel([])) as endpoint:
        response = client.request(method, endpoint.url + path, content=content)

    assert response.status_code == status
    assert response.json()["error"]["message"]


@pytest.mark.parametrize("length", ["", "Content-Length: many\r\n", f"Content-Length: {BODY_LIMIT + 1}\r\n"])
def test_a_body_without_a_length_it_can_read_is_refused(length: str) -> None:
    with LocalEndpoint(ScriptedModel([])) as endpoint:
        port = httpx.URL(endpoint.url).port
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall(f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n{length}\r\n".encode())
            assert connection.makefile("rb").readline().split()[1] == b"400"


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("LLM_TIMEOUT", 504),
        ("LLM_RATE_LIMITED", 429),
        ("LLM_UNAVAILABLE", 503),
        ("LLM_QUOTA_EXCEEDED", 402),
        ("LLM_AUTH", 401),
        ("LLM_BAD_REQUEST", 400),
        ("LLM_BAD_OUTPUT", 502),
    ],
)
def test_an_error_of_the_model_has_its_status(client: httpx.Client, code: str, status: int) -> None:
    with LocalEndpoint(ScriptedModel([ModelError(ErrorCode(code), "no luck")])) as endpoint:
        response = client.post(f"{endpoint.url}/chat/completions", json={**BODY, "stream": True})

    assert response.status_code == status
    assert response.json() == {"error": {"message": "no luck", "type": code, "code": code}}


class Broken(ScriptedModel):
    async def chat(self, *arguments: Any, **options: Any) -> Any:
        raise KeyError("oops")


@pytest.mark.parametrize("model", [ScriptedModel([]), Broken([])])
def test_a_mistake_on_the_servers_side_is_a_500_and_it_goes_on(
    client: httpx.Client, model: ScriptedModel, capfd: pytest.CaptureFixture[str]
) -> None:
    with LocalEndpoint(model) as endpoint:
        assert client.post(f"{endpoint.url}/chat/completions", json=BODY).status_code == 500
        assert client.get(f"{endpoint.url}/models").status_code == 200

    assert capfd.readouterr() == ("", "")


async def test_our_own_client_gets_what_the_model_said() -> None:
    script = [CALL, "Sixty-nine days.", "Sixty-nine days."]
    seen: list[Delta] = []
    async with LocalEndpoint(ScriptedModel(script), api_key=KEY) as endpoint:
        model = OpenAIModel("any", base_url=endpoint.url, api_key=KEY)
        called = await model.chat([user("How many days?")])
        whole = await model.chat([user("How many days?")])
        streamed = await model.chat([user("How many days?")], on_delta=seen.append)

    assert called.tool_calls == (CALL,)
    assert whole.text == streamed.text == "".join(delta.text for delta in seen) == "Sixty-nine days."
    assert streamed.usage == Usage()


async def test_a_fall_back_over_two_endpoints() -> None:
    down = ScriptedModel([ModelError(ErrorCode.LLM_UNAVAILABLE, "down")] * 2, "first")
    async with LocalEndpoint(down) as bad, LocalEndpoint(ScriptedModel(["up"], "second")) as good:
        models = [OpenAIModel("any", base_url=endpoint.url, max_retries=0) for endpoint in (bad, good)]
        reply = await FallbackModel(models).chat([user("?")])

    assert (reply.text, reply.model) == ("up", "second")


def test_many_at_once(client: httpx.Client) -> None:
    answers: list[int] = []
    with LocalEndpoint(ScriptedModel(["a"] * 20)) as endpoint:

        def ask() -> None:
            answers.append(client.post(f"{endpoint.url}/chat/completions", json=BODY).status_code)

        threads = [threading.Thread(target=ask) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)

    assert answers == [200] * 20
    assert len(endpoint.received) == 20


def handlers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if "process_request" in thread.name]


def test_a_client_that_goes_away_leaves_no_trace(capfd: pytest.CaptureFixture[str]) -> None:
    body = json.dumps({**BODY, "stream": True}).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with LocalEndpoint(ScriptedModel(["long " * 500] * 20)) as endpoint:
        port = httpx.URL(endpoint.url).port
        for request in [head + body, head + body[:5], head[:20], b""] * 5:
            with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                connection.sendall(request)
        deadline = time.monotonic() + 20
        while (len(endpoint.received) < 10 or handlers()) and time.monotonic() < deadline:
            time.sleep(0.01)

    assert not handlers()
    assert len(endpoint.received) == 10
    assert capfd.readouterr().err == ""


def test_it_can_be_started_once_and_stopped_twice() -> None:
    endpoint = LocalEndpoint(ScriptedModel([]))
    with pytest.raises(RuntimeError, match="not started"):
        _ = endpoint.url
    url = endpoint.start().url
    assert endpoint.start().url == url
    endpoint.stop()
    endpoint.stop()
    with pytest.raises(httpx.ConnectError), httpx.Client(trust_env=False, timeout=20) as client:
        client.get(f"{url}/models")
