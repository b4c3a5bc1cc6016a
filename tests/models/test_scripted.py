"""The model that plays prepared replies."""

import pytest

from agent_mini.errors import ErrorCode, ModelError, ScriptExhausted
from agent_mini.models import ScriptedModel
from agent_mini.tools import tool
from agent_mini.types import Delta, Reply, ToolCall, assistant, user

CALL = ToolCall("c1", "now", "{}")


@tool(title="Now")
def now() -> str:
    """Tell the time."""
    return "noon"


@pytest.mark.parametrize(
    ("item", "text", "calls", "finish_reason"),
    [
        ("Hello", "Hello", (), "stop"),
        (CALL, "", (CALL,), "tool_calls"),
        ([CALL, CALL], "", (CALL, CALL), "tool_calls"),
        (Reply(assistant("Cut"), "other", "length"), "Cut", (), "length"),
    ],
)
async def test_an_item_becomes_a_reply(
    item: object, text: str, calls: tuple[ToolCall, ...], finish_reason: str
) -> None:
    reply = await ScriptedModel([item]).chat([user("?")])  # type: ignore[list-item]

    assert (reply.text, reply.tool_calls, reply.finish_reason) == (text, calls, finish_reason)


async def test_it_plays_in_order_and_remembers_what_it_was_asked() -> None:
    model = ScriptedModel(["one", "two"], name="parrot")
    first = await model.chat([user("a")], [now])
    second = await model.chat([user("a"), first.message, user("b")])

    assert (first.text, second.text, second.model) == ("one", "two", "parrot")
    assert [request.tools for request in model.requests] == [("now",), ()]
    assert [len(request.messages) for request in model.requests] == [1, 3]


async def test_an_error_is_raised_and_the_script_goes_on() -> None:
    error = ModelError(ErrorCode.LLM_TIMEOUT, "too slow")
    model = ScriptedModel([error, "then"])
    with pytest.raises(ModelError) as caught:
        await model.chat([user("a")])

    assert caught.value is error
    assert (await model.chat([user("a")])).text == "then"


async def test_an_empty_script_says_so() -> None:
    model = ScriptedModel(["one"])
    await model.chat([user("a")])
    with pytest.raises(ScriptExhausted, match="asked 2 times, but its script has 1") as caught:
        await model.chat([user("a")])

    assert caught.value.code is ErrorCode.SCRIPT_EXHAUSTED


async def test_it_streams_its_text() -> None:
    seen: list[Delta] = []
    model = ScriptedModel(["Hello", CALL])
    assert model.capabilities.streaming
    await model.chat([user("a")], on_delta=seen.append)
    await model.chat([user("a")], on_delta=seen.append)

    assert seen == [Delta(text="Hello")]
