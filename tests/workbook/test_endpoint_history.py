"""The endpoint refuses a conversation that real servers refuse: every call answered once, every answer to a call."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from agent_mini.models import ScriptedModel
from agent_mini.workbook import LocalEndpoint

USER = {"role": "user", "content": "Which days?"}
CALLS = [
    {"id": name, "type": "function", "function": {"name": "today", "arguments": "{}"}} for name in ("a", "b")
]
ASKING = {"role": "assistant", "content": None, "tool_calls": CALLS}


@pytest.fixture
def endpoint() -> Iterator[LocalEndpoint]:
    with LocalEndpoint(ScriptedModel(["good"])) as endpoint:
        yield endpoint


def tool(call_id: str) -> dict[str, str]:
    return {"role": "tool", "tool_call_id": call_id, "content": "2026-10-23"}


def post(endpoint: LocalEndpoint, *messages: dict[str, Any]) -> httpx.Response:
    body = {"model": "scripted", "messages": messages}
    return httpx.post(f"{endpoint.url}/chat/completions", json=body, trust_env=False)


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([USER, ASKING], "not answered: a, b"),
        ([USER, ASKING, tool("a")], "not answered: b"),
        ([USER, ASKING, tool("a"), USER], "not answered: b"),
        ([USER, ASKING, tool("a"), USER, tool("b")], "not answered: b"),
        ([USER, tool("a")], "messages[1]: there is no unanswered tool call 'a'"),
        (
            [USER, ASKING, tool("a"), tool("a"), tool("b")],
            "messages[3]: there is no unanswered tool call 'a'",
        ),
        (
            [USER, ASKING, tool("a"), tool("c"), tool("b")],
            "messages[3]: there is no unanswered tool call 'c'",
        ),
    ],
)
def test_refuses_calls_and_answers_that_do_not_pair(
    endpoint: LocalEndpoint, messages: list[dict[str, Any]], words: str
) -> None:
    answer = post(endpoint, *messages)
    assert answer.status_code == 400
    assert words in answer.json()["error"]["message"]
    assert json.loads(endpoint.received[0].body)["messages"] == messages


def test_takes_answers_in_any_order(endpoint: LocalEndpoint) -> None:
    answer = post(endpoint, USER, ASKING, tool("b"), tool("a"), USER)
    assert answer.json()["choices"][0]["message"]["content"] == "good"
