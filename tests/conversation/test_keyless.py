"""A conversation with the model that needs no key: its turns stand in any window, and it takes over from others."""

import json
from pathlib import Path

import pytest

from agent_mini.clock import FixedClock
from agent_mini.conversation import Conversation
from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models import ScriptedModel
from agent_mini.planner import KeylessModel
from agent_mini.tools import ToolContext, standard_tools
from agent_mini.types import Message, StopReason, ToolCall

CLOCK = FixedClock("2026-10-23")


class Watched(KeylessModel):
    """The keyless model, and every conversation it was shown."""

    def __init__(self) -> None:
        super().__init__(clock=CLOCK)
        self.shown: list[tuple[Message, ...]] = []

    async def chat(self, messages, *args, **kwargs):  # type: ignore[no-untyped-def]
        self.shown.append(tuple(messages))
        return await super().chat(messages, *args, **kwargs)


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return ToolContext(clock=CLOCK, workspace=tmp_path, offline=True)


@pytest.mark.parametrize("window", [1, 6, 12])
async def test_call_ids_stay_unique_however_much_is_forgotten(context: ToolContext, window: int) -> None:
    model = Watched()
    conversation = Conversation(model, standard_tools(), context=context, window=window)
    for text in [
        "离2027年元旦还有多少天？",
        "1 + 1",
        "掷骰子",
        "2 + 2",
        "北京三天天气，画成柱状图",
        "3 + 3",
    ] * 2:
        result = await conversation.send(text)
        assert result.stop_reason is StopReason.ANSWERED
        assert result.steps
        assert all(step.result.ok for step in result.steps)
    for messages in model.shown:
        ids = [call.id for message in messages for call in message.tool_calls]
        assert len(ids) == len(set(ids))


async def test_a_question_is_asked_back_and_a_follow_up_understood(context: ToolContext) -> None:
    conversation = Conversation(KeylessModel(clock=CLOCK), standard_tools(), context=context)
    asked = await conversation.send("查一下天气")
    assert not asked.steps
    answered = await conversation.send("北京")
    (weather,) = answered.steps
    assert json.loads(weather.arguments) == {"city": "北京"}
    other = await conversation.send("那上海呢？")
    assert json.loads(other.steps[0].arguments)["city"] == "上海"


@pytest.mark.parametrize("done", [0, 1, 2])
async def test_it_takes_over_wherever_another_model_failed(context: ToolContext, done: int) -> None:
    calls = [
        ToolCall("r1", "get_weather", '{"city": "上海", "days": 3}'),
        ToolCall(
            "r2", "make_chart", '{"kind": "bar", "labels": "$1.series.date", "values": "$1.series.temp_max"}'
        ),
    ]
    real = ScriptedModel([*calls[:done], ModelError(ErrorCode.LLM_QUOTA_EXCEEDED, "empty")], "real")
    fallback = KeylessModel(clock=CLOCK)
    conversation = Conversation(real, standard_tools(), context=context, fallback=fallback)
    result = await conversation.send("帮我查上海未来三天天气，然后画成柱状图")
    assert [step.tool for step in result.steps] == ["get_weather", "make_chart"]
    weather, chart = (step.result.data for step in result.steps)
    assert chart["values"] == [day["temp_max"] for day in weather["series"]]
    assert "画好了" in result.text
