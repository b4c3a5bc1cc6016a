"""agent_mini.handwritten.tool_loop: whatever a model does, every call is answered and the loop ends."""

import asyncio
import json
from collections.abc import Iterable

import pytest

from agent_mini.clock import FixedClock
from agent_mini.errors import ErrorCode, ModelError
from agent_mini.guardrails import ApprovalGate, Limits
from agent_mini.handwritten import run_tool_loop
from agent_mini.handwritten.tool_loop import CUT_OFF, REPEATED
from agent_mini.human import ScriptedHuman
from agent_mini.models import ScriptedModel
from agent_mini.models.base import OnDelta
from agent_mini.tools import Tool, ToolContext, calculate, days_between, today, tool
from agent_mini.tracing import EventLog
from agent_mini.types import (
    EventKind,
    LoopResult,
    Message,
    Reply,
    StopReason,
    ToolCall,
    Usage,
    assistant,
    tool_message,
    user,
)

TOOLS = [today, days_between, calculate]
CONTEXT = ToolContext(clock=FixedClock("2026-10-23"))


def call(_tool: str, _id: str = "c1", **arguments: object) -> ToolCall:
    return ToolCall(_id, _tool, json.dumps(arguments))


async def loop(script: Iterable[object], tools: Iterable[Tool] = TOOLS, **options: object) -> LoopResult:
    model = ScriptedModel(script)  # type: ignore[arg-type]
    options = {"context": CONTEXT, **options}
    result = await run_tool_loop(model, [user("q")], tools, **options)  # type: ignore[arg-type]
    assert_every_call_answered(result.messages)
    return result


def assert_every_call_answered(messages: tuple[Message, ...]) -> None:
    for position, message in enumerate(messages):
        answers = messages[position + 1 : position + 1 + len(message.tool_calls)]
        assert [answer.tool_call_id for answer in answers] == [call.id for call in message.tool_calls]


async def test_three_tools_in_a_row() -> None:
    result = await loop(
        [
            call("today"),
            call("days_between", start="2026-10-23", end="2027-01-01"),
            call("calculate", expression="70 * 3"),
            "210.",
        ]
    )
    assert (result.text, result.stop_reason) == ("210.", StopReason.ANSWERED)
    assert [step.result.content for step in result.steps] == ["2026-10-23 (Friday)", "70", "210"]
    assert [(step.step, step.tool) for step in result.steps] == [
        (1, "today"),
        (2, "days_between"),
        (3, "calculate"),
    ]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (ToolCall("c1", "calculate", '{"expression": "1+'), "not valid JSON"),
        (ToolCall("c1", "calculate", "[1]"), "must be a JSON object"),
        (call("calculate", expresion="1"), "expresion: no such argument"),
        (call("clock"), "Known tools: today, days_between, calculate."),
        (call("calculate", expression="1/0"), "division by zero"),
    ],
)
async def test_a_failed_call_goes_back_to_the_model(bad: ToolCall, words: str) -> None:
    result = await loop([bad, call("calculate", "c2", expression="1+1"), "2"])
    assert (result.text, result.stop_reason) == ("2", StopReason.ANSWERED)
    assert [step.result.ok for step in result.steps] == [False, True]
    answer = result.messages[2]
    assert answer.tool_call_id == "c1"
    assert words in answer.content


async def test_an_exception_in_a_tool_goes_back_to_the_model() -> None:
    @tool(title="Break")
    def broken() -> str:
        """Break."""
        raise TimeoutError("the tool's own, not the loop's")

    result = await loop([call("broken"), "sorry"], [broken])
    assert result.text == "sorry"
    assert "TimeoutError: the tool's own" in result.steps[0].result.content


async def test_parallel_calls_run_side_by_side_and_answer_in_order() -> None:
    both_started = asyncio.Barrier(2)

    @tool(title="Meet")
    async def meet(name: str) -> str:
        """Return once two are here."""
        await asyncio.wait_for(both_started.wait(), 5)
        return name

    result = await loop([[call("meet", "a", name="first"), call("meet", "b", name="second")], "ok"], [meet])
    assert [message.content for message in result.messages[2:4]] == ["first", "second"]


async def test_the_same_tool_twice_in_one_turn_runs_twice() -> None:
    twice = [call("calculate", "a", expression="1+1"), call("calculate", "b", expression="1+1")]
    result = await loop([twice, "ok"])
    assert len(result.steps) == 2
    assert all(step.result.ok for step in result.steps)


async def test_cut_off_arguments_never_run() -> None:
    cut = Reply(assistant(tool_calls=[call("calculate", expression="1+1")]), "m", "length")
    result = await loop([cut, "shorter"])
    assert (result.text, result.stop_reason) == ("shorter", StopReason.ANSWERED)
    assert (result.steps[0].result.ok, result.steps[0].result.content) == (False, CUT_OFF)


async def test_a_cut_off_answer_is_marked() -> None:
    result = await loop([Reply(assistant("the answer is for"), "m", "length")])
    assert (result.text, result.stop_reason) == ("the answer is for", StopReason.CUT_OFF)


async def test_step_limit() -> None:
    model_calls = [call("calculate", expression=f"{n}+1") for n in range(9)]
    log = EventLog()
    result = await loop(model_calls, limits=Limits(max_steps=3), on_event=log)
    assert (result.stop_reason, len(result.steps)) == (StopReason.STEP_LIMIT, 3)
    assert log.of(EventKind.LIMIT_REACHED)[0].data == {"reason": StopReason.STEP_LIMIT}


async def test_repeat_limit() -> None:
    result = await loop([call("today")] * 9, limits=Limits(max_repeats=2, max_steps=99))
    assert result.stop_reason is StopReason.REPEAT_LIMIT
    assert [step.result.ok for step in result.steps] == [True, True, False]
    assert result.messages[-1].content == REPEATED


async def test_time_limit_between_steps() -> None:
    clock = FixedClock("2026-10-23")

    @tool(title="Work")
    async def work() -> str:
        """Take a minute of the clock."""
        clock.advance(60)
        return "done"

    result = await loop(
        [call("work", "a"), "never asked"],
        [work],
        limits=Limits(max_seconds=30),
        context=ToolContext(clock=clock),
    )
    assert (result.stop_reason, result.steps[0].ms) == (StopReason.TIME_LIMIT, 60_000)


async def test_time_limit_inside_a_tool() -> None:
    cancelled = asyncio.Event()

    @tool(title="Hang")
    async def hang() -> str:
        """Never return."""
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return ""

    result = await loop([call("hang"), "moving on"], [hang], limits=Limits(max_seconds=0.05))
    assert result.steps[0].result.content == "stopped: the time limit was reached"
    assert cancelled.is_set()


async def test_time_limit_inside_the_model() -> None:
    class Hanging(ScriptedModel):
        async def chat(self, *args: object, on_delta: OnDelta | None = None, **kwargs: object) -> Reply:
            await asyncio.Event().wait()
            raise AssertionError

    result = await run_tool_loop(Hanging([]), [user("q")], limits=Limits(max_seconds=0.05))
    assert (result.stop_reason, result.text, result.messages) == (StopReason.TIME_LIMIT, "", (user("q"),))


async def test_a_models_error_is_raised_and_reported() -> None:
    log = EventLog()
    with pytest.raises(ModelError, match="too slow"):
        await loop([call("today"), ModelError(ErrorCode.LLM_TIMEOUT, "too slow")], on_event=log)
    assert log.of(EventKind.MODEL_FAILED)[0].data["code"] == "LLM_TIMEOUT"


async def test_an_unfinished_history_is_repaired_before_it_is_sent() -> None:
    model, log = ScriptedModel(["ok"]), EventLog()
    orphan = call("today", "x")
    await run_tool_loop(model, [user("q"), assistant(tool_calls=[orphan])], TOOLS, on_event=log)
    sent = model.requests[0].messages
    assert [message.role for message in sent] == ["user", "assistant", "tool"]
    assert log.kinds[0] is EventKind.HISTORY_REPAIRED


async def test_the_history_that_was_given_is_not_changed() -> None:
    history = [user("q")]
    await run_tool_loop(ScriptedModel(["ok"]), history)
    assert history == [user("q")]


@tool(title="Pay", side_effects=True)
async def pay(amount: int, context: ToolContext) -> dict[str, object]:
    """Pay."""
    return {"paid": amount, "key": context.call_key}


async def test_side_effects_need_a_yes_and_nobody_means_no() -> None:
    result = await loop([call("pay", amount=5), "ok"], [pay])
    assert (result.steps[0].result.ok, result.messages[2].content) == (
        False,
        "not run: nobody was there to approve it",
    )


async def test_a_loop_that_belongs_to_no_run_gives_no_key() -> None:
    result = await loop(
        [call("pay", amount=5), "ok"], [pay], approval=ApprovalGate(ScriptedHuman(approvals=[True]))
    )
    assert result.steps[0].result.data == {"paid": 5, "key": ""}


async def test_what_the_person_edited_is_what_runs() -> None:
    human = ScriptedHuman(approvals=['{"amount": 1}', False])
    calls = [call("pay", "a", amount=5), call("pay", "b", amount=9)]
    context = ToolContext(call_key="run/3")
    result = await loop([calls, "ok"], [pay], approval=ApprovalGate(human), context=context)
    assert result.steps[0].result.data == {"paid": 1, "key": "run/3/1/0"}
    assert result.steps[0].arguments == '{"amount": 1}'
    assert result.messages[2].content.startswith('run with other arguments, from the person: {"amount": 1}\n')
    assert result.steps[1].result.content == "not run: the person said no"


async def test_events_tell_the_story_in_order() -> None:
    log = EventLog()
    await loop([call("today"), "Friday."], run_id="r7", on_event=log)
    assert log.kinds == [
        EventKind.MODEL_CALLED,
        EventKind.MODEL_REPLIED,
        EventKind.TOOL_CALLED,
        EventKind.TOOL_RETURNED,
        EventKind.MODEL_CALLED,
        EventKind.MODEL_DELTA,
        EventKind.MODEL_REPLIED,
    ]
    assert {event.run_id for event in log} == {"r7"}
    json.dumps([dict(event.data) for event in log])  # plain data, ready for any log


async def test_the_bill_is_added_up() -> None:
    replies = [
        Reply(assistant(tool_calls=[call("today")]), "m", "tool_calls", Usage(10, 2), 0.5),
        Reply(assistant("done"), "m-2", "stop", Usage(20, 3), 0.25),
    ]
    result = await loop(replies)
    assert (result.usage, result.seconds, result.model) == (Usage(30, 5), 0.75, "m-2")


async def test_cancelling_the_loop_cancels_its_tools() -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    @tool(title="Hang")
    async def hang() -> str:
        """Never return."""
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return ""

    task = asyncio.create_task(loop([call("hang")], [hang]))
    await asyncio.wait_for(started.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stopped.is_set()


def test_a_message_answers_its_call() -> None:
    assert tool_message(call("today", "c9"), "Friday") == Message("tool", "Friday", (), "c9", "today")
