"""Several models as one."""

import asyncio
from collections.abc import Iterator

import pytest
from byte_server import DONE, STREAM, ByteServer, answer, http, piece

from agent_mini.errors import HINTS, ErrorCode, InputError, ModelError
from agent_mini.models import (
    Capabilities,
    FallbackModel,
    FallbackPolicy,
    OpenAIModel,
    ScriptedModel,
    any_failure,
)
from agent_mini.tools import Tool, tool
from agent_mini.types import Delta, Event, EventKind, Reply, user

QUESTION = [user("?")]
GOES_ON = ["LLM_TIMEOUT", "LLM_RATE_LIMITED", "LLM_UNAVAILABLE", "LLM_QUOTA_EXCEEDED"]


def failing(code: str, name: str = "first") -> ScriptedModel:
    return ScriptedModel([ModelError(ErrorCode(code), f"{name} failed")], name)


@tool(title="Now")
def now() -> str:
    """Tell the time."""
    return "noon"


@pytest.mark.parametrize("code", GOES_ON)
async def test_the_next_model_answers(code: str) -> None:
    events: list[Event] = []
    second = ScriptedModel(["Hello"], "second")
    reply = await FallbackModel([failing(code), second], events.append).chat(QUESTION)

    assert (reply.text, reply.model) == ("Hello", "second")
    said = {"message": "first failed", "hint": HINTS[ErrorCode(code)]}
    assert events == [
        Event(EventKind.MODEL_FELL_BACK, data={"from": "first", "to": "second", "code": code, **said})
    ]


@pytest.mark.parametrize(
    "code", sorted({code for code in ErrorCode if code.startswith("LLM_")} - set(GOES_ON))
)
async def test_what_a_person_must_mend_is_raised(code: str) -> None:
    second = ScriptedModel(["Hello"], "second")
    with pytest.raises(ModelError, match=r"^first failed$") as caught:
        await FallbackModel([failing(code), second]).chat(QUESTION)

    assert caught.value.code == code
    assert not second.requests


async def test_an_error_that_is_not_the_models_is_raised() -> None:
    second = ScriptedModel(["Hello"])
    with pytest.raises(InputError):
        await FallbackModel([ScriptedModel([InputError("no")]), second]).chat(QUESTION)

    assert not second.requests


async def test_the_first_model_that_can_answers_alone() -> None:
    events: list[Event] = []
    second = ScriptedModel(["unused"], "second")
    reply = await FallbackModel([ScriptedModel(["Hello"], "first"), second], events.append).chat(QUESTION)

    assert reply.model == "first"
    assert not events
    assert not second.requests


async def test_when_all_fail_the_last_error_names_every_code() -> None:
    models = [failing("LLM_TIMEOUT", "a"), failing("LLM_QUOTA_EXCEEDED", "b"), failing("LLM_AUTH", "c")]
    with pytest.raises(ModelError) as caught:
        await FallbackModel(models).chat(QUESTION)

    assert caught.value.code is ErrorCode.LLM_AUTH
    assert caught.value.message == "c failed (asked: a: LLM_TIMEOUT, b: LLM_QUOTA_EXCEEDED, c: LLM_AUTH)"


async def test_tools_reach_every_model_even_from_an_iterator() -> None:
    def tools() -> Iterator[Tool]:
        yield now

    first, second = failing("LLM_TIMEOUT"), ScriptedModel(["Hello"])
    await FallbackModel([first, second]).chat(QUESTION, tools())

    assert first.requests[0].tools == second.requests[0].tools == ("now",)


async def test_an_error_inside_a_200_falls_back_too() -> None:
    overloaded = STREAM + b'data: {"error": {"message": "Overloaded", "code": 503}}\n\n'
    async with ByteServer(overloaded) as bad, ByteServer(STREAM + piece("Hello", "stop") + DONE) as good:
        models = [OpenAIModel("m", base_url=server.url, max_retries=0) for server in (bad, good)]
        seen: list[Delta] = []
        reply = await FallbackModel(models).chat(QUESTION, on_delta=seen.append)

    assert reply.text == "Hello"
    assert [delta.text for delta in seen] == ["Hello"]


async def test_a_started_answer_is_not_continued_by_another_model() -> None:
    async with ByteServer(STREAM + piece("half an ans")) as bad:
        second = ScriptedModel(["another answer"])
        model = FallbackModel([OpenAIModel("m", base_url=bad.url, max_retries=0), second])
        seen: list[Delta] = []
        with pytest.raises(ModelError) as caught:
            await model.chat(QUESTION, on_delta=seen.append)

    assert caught.value.code is ErrorCode.LLM_UNAVAILABLE
    assert [delta.text for delta in seen] == ["half an ans"]
    assert not second.requests


async def test_nothing_is_streamed_that_was_not_asked_for() -> None:
    async with ByteServer(http(503)) as bad, ByteServer(answer("Hello")) as good:
        models = [OpenAIModel("m", base_url=server.url, max_retries=0) for server in (bad, good)]
        await FallbackModel(models).chat(QUESTION)

    assert "stream" not in bad.requests[0].body
    assert "stream" not in good.requests[0].body


# --- other policies -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [code for code in ErrorCode if code.startswith("LLM_")])
async def test_any_failure_can_count(code: str) -> None:
    policy = FallbackPolicy(counts=any_failure)
    reply = await FallbackModel([failing(code), ScriptedModel(["Hello"])], policy=policy).chat(QUESTION)

    assert reply.text == "Hello"


async def test_a_sticky_fall_back_does_not_ask_again_what_failed() -> None:
    events: list[Event] = []
    first = ScriptedModel([ModelError(ErrorCode.LLM_TIMEOUT, "slow"), "never"], "first")
    model = FallbackModel([first, ScriptedModel(["a", "b"])], events.append, FallbackPolicy(sticky=True))

    assert [(await model.chat(QUESTION)).text for _ in range(2)] == ["a", "b"]
    assert len(first.requests) == 1
    assert len(events) == 1


async def test_without_that_the_first_is_asked_each_time() -> None:
    first = ScriptedModel([ModelError(ErrorCode.LLM_TIMEOUT, "slow"), "back again"], "first")
    model = FallbackModel([first, ScriptedModel(["a"])])

    assert [(await model.chat(QUESTION)).text for _ in range(2)] == ["a", "back again"]


async def test_a_broken_answer_can_be_followed_by_a_whole_one() -> None:
    seen: list[str] = []
    async with ByteServer(STREAM + piece("half an ans")) as bad:
        model = FallbackModel(
            [OpenAIModel("m", base_url=bad.url, max_retries=0), ScriptedModel(["another answer"])],
            lambda event: seen.append(f"<{event.data['code']}>"),
            FallbackPolicy(answers_anew=True),
        )
        reply = await model.chat(QUESTION, on_delta=lambda delta: seen.append(delta.text))

    assert seen == ["half an ans", "<LLM_UNAVAILABLE>", "another answer"]
    assert reply.text == "another answer"


async def test_patience_ends_with_a_model_that_hangs() -> None:
    events: list[Event] = []

    async def hang(writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    async with ByteServer(hang) as server:
        model = FallbackModel(
            [OpenAIModel("m", base_url=server.url), ScriptedModel(["a", "b"])],
            events.append,
            FallbackPolicy(patience=0.2),
        )
        # The second call finds no patience left, and does not wait at all.
        assert [(await model.chat(QUESTION)).text for _ in range(2)] == ["a", "b"]

    assert [event.data["code"] for event in events] == ["LLM_TIMEOUT", "LLM_TIMEOUT"]
    assert events[0].data["message"] == "m took longer than there was time for"
    assert len(server.requests) == 1


async def test_the_last_model_has_all_the_time_there_is() -> None:
    class Slow(ScriptedModel):
        async def chat(self, *args: object, **kwargs: object) -> Reply:  # type: ignore[override]
            await asyncio.sleep(0.05)
            return await super().chat(*args, **kwargs)  # type: ignore[arg-type]

    model = FallbackModel([failing("LLM_TIMEOUT"), Slow(["Hello"])], policy=FallbackPolicy(patience=0.01))
    assert (await model.chat(QUESTION)).text == "Hello"


def test_it_can_do_what_all_of_them_can() -> None:
    real, scripted = OpenAIModel("m"), ScriptedModel([])

    assert FallbackModel([real]).capabilities == real.capabilities
    assert FallbackModel([real, scripted]).capabilities == Capabilities(streaming=True)
    assert FallbackModel([real, scripted]).name == "m > scripted"


def test_no_models_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="needs models"):
        FallbackModel([])
