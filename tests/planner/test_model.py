"""agent_mini.planner.model: in the real tool loop, with the real tools; stateless, bounded, in both languages."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_mini.clock import FixedClock
from agent_mini.errors import InputError
from agent_mini.guardrails import Limits
from agent_mini.handwritten import run_tool_loop
from agent_mini.planner import KeylessModel
from agent_mini.planner.progress import MAX_CALLS
from agent_mini.tools import Tool, ToolContext, ToolError, calculate, standard_tools, tool
from agent_mini.types import (
    Delta,
    LoopResult,
    Message,
    StopReason,
    ToolCall,
    assistant,
    system,
    tool_message,
    user,
)

CLOCK = FixedClock("2026-10-23")
MODEL = KeylessModel(clock=CLOCK)
TOOLS = standard_tools()
Talk = Callable[..., Awaitable[LoopResult]]


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    """``await talk(*texts)``: a conversation through the tool loop; the result of its last turn."""
    context = ToolContext(clock=CLOCK, offline=True, workspace=tmp_path, random=Random(1))

    async def run(*texts: str, tools: Sequence[Tool] = tuple(TOOLS)) -> LoopResult:
        messages: tuple[Message, ...] = ()
        for text in texts:
            result = await run_tool_loop(MODEL, (*messages, user(text)), tools, context=context)
            messages = result.messages
        return result

    return run


def called(result: LoopResult) -> list[tuple[str, dict[str, Any]]]:
    return [(step.tool, json.loads(step.arguments)) for step in result.steps]


async def test_the_chart_has_the_values_that_the_weather_returned(talk: Talk, tmp_path: Path) -> None:
    result = await talk("帮我查上海未来三天天气，然后画成柱状图")
    weather, chart = (step.result for step in result.steps)

    assert result.stop_reason is StopReason.ANSWERED
    assert chart.data["values"] == [day["temp_max"] for day in weather.data["series"]]
    assert chart.data["labels"] == [day["date"] for day in weather.data["series"]]
    assert (tmp_path / chart.data["path"]).read_bytes().startswith(b"\x89PNG")
    for day in weather.data["series"]:
        assert day["date"] in result.text
    assert "这是离线示例数据，不是实时天气。" in result.text
    assert chart.data["path"] in result.text


async def test_one_action_a_turn_and_its_reason(talk: Talk) -> None:
    result = await talk("查上海天气，然后算 3*4，然后掷骰子")
    assert [step.step for step in result.steps] == [1, 2, 3]
    reply = await MODEL.chat([user("算 3*4")], [calculate])
    assert reply.finish_reason == "tool_calls"
    assert reply.reasoning.startswith("calculate ")
    assert "evidence 2.6" in reply.reasoning


async def test_the_reason_is_that_of_the_very_step() -> None:
    first, second = ToolCall("c", "todo", '{"action": "list"}'), "提醒我带伞，然后列出待办"
    reply = await MODEL.chat([user(second)], TOOLS)
    assert "提醒" not in reply.reasoning
    assert reply.reasoning.splitlines()[0].startswith("todo ")
    done = [user(second), assistant(tool_calls=[first]), tool_message(first, "added")]
    later = await MODEL.chat(done, TOOLS)
    assert later.reasoning.splitlines()[0].startswith("todo ")
    assert later.reasoning != reply.reasoning
    assert sum(line.startswith("todo ") for line in later.reasoning.splitlines()) == 1


async def test_asked_twice_it_says_the_same_and_keeps_nothing() -> None:
    messages = [user("查上海天气，然后画图")]
    first = await MODEL.chat(messages, TOOLS)
    await MODEL.chat([user("hello")], TOOLS)
    assert await MODEL.chat(messages, TOOLS) == first
    assert await KeylessModel(clock=CLOCK).chat(messages, TOOLS) == first


async def test_a_question_and_its_answer_across_turns(talk: Talk) -> None:
    assert (await talk("帮我查一下天气")).text == "哪个城市？"
    assert called(await talk("帮我查一下天气", "北京")) == [("get_weather", {"city": "北京"})]
    asked = await talk("make me a picture")
    assert asked.text.splitlines()[1:] == ["1. draw a chart", "2. make a meme"]
    assert called(await talk("make me a picture", "2", "so true")) == [("make_meme", {"text": "so true"})]


async def test_references_count_all_results_of_the_conversation(talk: Talk) -> None:
    result = await talk("roll a die", "weather in Paris for 3 days", "chart it")
    weather = next(message for message in result.messages if message.name == "get_weather")
    assert called(result)[0][1]["values"] == [day["temp_max"] for day in weather.data["series"]]
    written = next(
        call for message in result.messages for call in message.tool_calls if call.name == "make_chart"
    )
    assert json.loads(written.arguments)["values"] == "$2.series.temp_max"


async def test_a_due_date_that_is_none_is_left_out_once(talk: Talk) -> None:
    result = await talk("提醒我2月30号交报告，然后列出待办")

    assert called(result) == [
        ("todo", {"action": "add", "due": "2月30号", "title": "交报告"}),
        ("todo", {"action": "add", "title": "交报告"}),
        ("todo", {"action": "list"}),
    ]
    assert [step.result.ok for step in result.steps] == [False, True, True]
    assert "日期“2月30号”无法识别" in result.text
    assert result.text.endswith("1. 交报告")


async def test_what_rests_on_a_failure_is_not_done_and_the_rest_is(talk: Talk) -> None:
    result = await talk("read gone.txt, then make a meme of it, then roll a die")

    assert [step.tool for step in result.steps] == ["files", "fun_pick"]
    lines = result.text.splitlines()
    assert lines[0].startswith("Sorry, that did not work (read and write files): ")
    assert "gone.txt" in lines[0]
    assert "(make a meme)" in lines[1]
    assert lines[2].startswith("You rolled ")


async def test_after_a_repair_references_are_renumbered(talk: Talk) -> None:
    @tool(title="Lucky number 幸运数字")
    def lucky(shift: int = 0) -> dict[str, int]:
        """Tell a lucky number."""
        return {"number": 7 + shift}

    result = await talk("提醒我2月30号交报告，然后算 3*4，再乘以2")
    assert called(result)[-1] == ("calculate", {"expression": "12 * 2"})
    written = [json.loads(call.arguments) for message in result.messages for call in message.tool_calls]
    assert written[-1] == {"expression": "$3.value * 2"}
    assert lucky.name not in {step.tool for step in result.steps}


@pytest.mark.parametrize("reason", ["due: no", "wrong arguments. due: bad", "no disk", "not run: no", ""])
async def test_a_tool_that_always_fails_ends_in_an_apology(reason: str) -> None:
    @tool(title="To-do list 待办清单")
    def todo(action: str, title: str = "", due: str = "") -> str:
        """Keep a list."""
        raise ToolError(reason)

    result = await run_tool_loop(MODEL, [user("提醒我周四交报告，再提醒我周五洗车")], [todo])

    assert result.stop_reason is StopReason.ANSWERED
    assert len(result.steps) <= 4
    assert result.text.count("抱歉") == 2


async def test_no_request_reaches_the_loops_limits(talk: Talk) -> None:
    result = await talk("；".join(f"提醒我2月30号做第{n}件事" for n in range(20)))

    assert result.stop_reason is StopReason.ANSWERED
    assert len(result.steps) == MAX_CALLS < Limits().max_steps
    assert "步骤太多" in result.text


async def test_a_refused_call_is_not_tried_again() -> None:
    call = ToolCall("c", "calculate", '{"expression": "1 + 2"}')
    messages = [
        user("算 1 + 2"),
        assistant(tool_calls=[call]),
        tool_message(call, "not run: the person said no", ok=False),
    ]
    reply = await MODEL.chat(messages, [calculate])
    assert not reply.tool_calls
    assert "the person said no" in reply.text


async def test_what_another_model_has_done_is_not_done_again() -> None:
    call = ToolCall("call_9", "get_weather", '{"city": "Shanghai", "days": 3}')
    data = {"city": "上海", "unit": "c", "live": True, "source": "wttr.in", "series": []}
    messages = [
        user("帮我查上海未来三天天气，然后画成柱状图"),
        assistant(tool_calls=[call]),
        tool_message(call, "上海, live", data=data),
    ]
    reply = await MODEL.chat(messages, TOOLS)
    assert [made.name for made in reply.tool_calls] == ["make_chart"]

    other = ToolCall("call_9", "calculate", '{"expression": "1 + 1"}')
    messages = [
        user("hm?"),
        assistant(tool_calls=[other]),
        tool_message(other, "2", data={"expression": "1 + 1"}),
    ]
    assert (await MODEL.chat(messages, TOOLS)).text == "1 + 1 = 2"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("你好", "你好，我是小满。有什么要我做的？"),
        ("Hi there!", "Hello, I am Mini. What can I do for you?"),
        ("谢谢你", "不客气。"),
        (
            "who are you?",
            "I am Mini, a small assistant without a language model: I understand by rules and act with tools.",
        ),
        ("再见", "再见。"),
        ("What can you do?", "I can: work out sums. Just say it."),
        ("What's the stock price of Apple?", "I have no tool for that. I can: work out sums."),
        ("苹果股价多少", "我没有能做这件事的工具。我能：计算。"),
    ],
)
async def test_small_talk(text: str, answer: str) -> None:
    assert (await MODEL.chat([user(text)], [calculate])).text == answer


async def test_without_tools_it_says_so() -> None:
    assert "no tools" in (await MODEL.chat([user("what is 3*4?")])).text
    assert "没有工具" in (await MODEL.chat([user("你会做什么")])).text


async def test_the_answer_is_in_the_language_of_the_last_words(talk: Talk) -> None:
    assert (await talk("算一下 1+1", "17*23")).text == "17*23 = 391"
    assert "掷出了" in (await talk("掷骰子", "再来一次")).text
    assert (await talk("帮我查天气", "Roll a die")).text.startswith("You rolled")


async def test_a_tool_without_templates_answers_with_its_content() -> None:
    @tool(title="Lucky number 幸运数字")
    def lucky() -> str:
        """Tell a lucky number."""
        return "It is seven."

    result = await run_tool_loop(MODEL, [user("tell me my lucky number please")], [lucky])
    assert result.text == "It is seven."


async def test_it_streams_its_answer() -> None:
    pieces: list[Delta] = []
    reply = await MODEL.chat([user("你会做什么")], TOOLS, on_delta=pieces.append)
    assert len(pieces) > 20
    assert "".join(piece.text for piece in pieces) == reply.text
    calls: list[Delta] = []
    await MODEL.chat([user("算 1+1")], TOOLS, on_delta=calls.append)
    assert [(piece.tool_name, piece.arguments) for piece in calls] == [("calculate", '{"expression": "1+1"}')]


async def test_a_system_message_changes_nothing() -> None:
    plain = await MODEL.chat([user("算 1+1")], TOOLS)
    assert await MODEL.chat([system("画图 查天气"), user("算 1+1")], TOOLS) == plain


async def test_the_day_is_the_clocks() -> None:
    async def days(clock: str) -> str:
        reply = await KeylessModel(clock=FixedClock(clock)).chat([user("周末上海天气")], TOOLS)
        return reply.tool_calls[0].arguments

    assert json.loads(await days("2026-10-23"))["days"] == 3
    assert json.loads(await days("2026-10-19"))["days"] == 7


def test_data_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="intents"):
        KeylessModel(data_dir=tmp_path)


CALLS = [
    ToolCall("a", "get_weather", '{"city": "上海"}'),
    ToolCall("b", "calculate", "{"),
    ToolCall("c", "nothing_known", "[]"),
    ToolCall("d", "todo", '{"action": "add", "due": "x"}'),
]
MESSAGE = st.one_of(
    st.builds(
        user,
        st.text(max_size=20)
        | st.sampled_from(["查天气", "上海", "再画成图", "再来一次", "提醒我周四交报告", "2"]),
    ),
    st.builds(assistant, st.text(max_size=5), st.lists(st.sampled_from(CALLS), max_size=2)),
    st.builds(
        lambda call, ok, data: tool_message(call, "due: no", ok=ok, data=data),
        st.sampled_from(CALLS),
        st.booleans(),
        st.none() | st.just({"series": [{"date": "2026-10-23"}], "items": [1], "unit": "c"}) | st.just([1]),
    ),
    st.builds(system, st.text(max_size=5)),
)


@given(st.lists(MESSAGE, max_size=8))
@settings(max_examples=200, deadline=None)
def test_any_messages_have_a_reply_and_the_same_one_twice(messages: list[Message]) -> None:
    first = asyncio.run(MODEL.chat(messages, TOOLS))
    assert first == asyncio.run(MODEL.chat(messages, TOOLS))
    assert bool(first.tool_calls) != bool(first.text)


async def test_a_long_conversation_takes_bounded_time(talk: Talk) -> None:
    import time

    messages: list[Message] = []
    for number in range(300):
        call = ToolCall(f"c{number}", "calculate", '{"expression": "1 + 1"}')
        messages += [user("算 1 + 1"), assistant(tool_calls=[call]), tool_message(call, "2"), assistant("2")]
    started = time.thread_time()
    reply = await MODEL.chat([*messages, user("再加4")], TOOLS)

    assert json.loads(reply.tool_calls[0].arguments) == {"expression": "$300.value + 4"}
    assert time.thread_time() - started < 2.0
