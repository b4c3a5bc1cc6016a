"""agent_mini.conversation.turns: the memory of whole turns, and a model to fall back on, against real servers."""

import asyncio
import json
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest
from byte_server import DONE, STREAM, Answer, ByteServer, http, piece
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_mini.clock import FixedClock
from agent_mini.conversation import MAX_QUESTION, Conversation, recent
from agent_mini.errors import ErrorCode, InputError, ModelError
from agent_mini.guardrails import Limits
from agent_mini.human import ScriptedHuman
from agent_mini.models import OpenAIModel, ScriptedModel
from agent_mini.models.scripted import ScriptItem
from agent_mini.prompts import STOPPED, chat_prompt
from agent_mini.tools import Tool, ToolContext, calculate, get_weather, make_chart, tool
from agent_mini.tracing import EventLog
from agent_mini.types import (
    EventKind,
    Message,
    Reply,
    StopReason,
    ToolCall,
    assistant,
    system,
    tool_message,
    user,
)


def call(_tool: str, _id: str = "c1", **arguments: object) -> ToolCall:
    return ToolCall(_id, _tool, json.dumps(arguments, ensure_ascii=False))


def assert_valid(messages: Sequence[Message]) -> None:
    """What every server takes: turns from a user on, every call answered at once, no answer to nothing."""
    assert all(message.role != "system" for message in messages)
    assert not messages or messages[0].role == "user"
    position = 0
    while position < len(messages):
        calls = messages[position].tool_calls
        answers = messages[position + 1 : position + 1 + len(calls)]
        assert messages[position].role != "tool"
        assert [answer.tool_call_id for answer in answers] == [one.id for one in calls]
        position += 1 + len(calls)


@tool(title="Note")
def note(text: str) -> str:
    """Write something down."""
    if text == "fail":
        raise ValueError("no")
    return text


# --- the history --------------------------------------------------------------------------------------------


async def test_each_turn_sees_the_ones_before_and_is_answered_in_its_language() -> None:
    model = ScriptedModel(["Hello!", "四。", "Bye."])
    conversation = Conversation(model, [calculate])
    for text in ("Hi", " 二加二等于几？\n", "Thanks"):
        await conversation.send(text)

    assert model.requests[0].messages == (system(chat_prompt("en")), user("Hi"))
    assert model.requests[1].messages[0] == system(chat_prompt("zh"))
    assert model.requests[1].messages[1:] == (user("Hi"), assistant("Hello!"), user("二加二等于几？"))
    assert model.requests[2].messages[0] == system(chat_prompt("en"))
    assert [message.content for message in conversation.messages] == [
        "Hi",
        "Hello!",
        "二加二等于几？",
        "四。",
        "Thanks",
        "Bye.",
    ]


async def test_a_later_step_is_drawn_from_what_an_earlier_one_returned(tmp_path: Path) -> None:
    script = [
        call("get_weather", "a", city="上海", days=3),
        call("make_chart", "b", kind="bar", labels="$1.series.date", values="$1.series.temp_max"),
        "画好了。",
    ]
    context = ToolContext(clock=FixedClock("2026-10-23"), workspace=tmp_path, offline=True)
    conversation = Conversation(ScriptedModel(script), [get_weather, make_chart], context=context)
    result = await conversation.send("上海未来三天，画成柱状图")

    weather, chart = (step.result for step in result.steps)
    assert chart.data["values"] == [day["temp_max"] for day in weather.data["series"]]
    assert (tmp_path / chart.data["path"]).is_file()


async def test_a_reset_forgets() -> None:
    model = ScriptedModel(["a", "b"])
    conversation = Conversation(model, [])
    await conversation.send("first")
    conversation.reset()
    assert conversation.messages == ()
    await conversation.send("second")
    assert model.requests[1].messages[1:] == (user("second"),)


@pytest.mark.parametrize(
    ("limit", "kept"),
    [(12, "Q a Q c t t a Q a"), (8, "Q c t t a Q a"), (7, "Q c t t a Q a"), (6, "Q a"), (1, "Q a")],
)
def test_trimming_leaves_whole_turns(limit: int, kept: str) -> None:
    calls = (call("note", "1"), call("note", "2"))
    turns = [
        *(user("Q"), assistant("a")),
        *(user("Q"), assistant(tool_calls=calls), *(tool_message(one, "t") for one in calls), assistant("a")),
        *(user("Q"), assistant("a")),
    ]
    left = recent(turns, limit)
    assert_valid(left)
    assert " ".join(message.content or "c" for message in left) == kept


async def test_the_newest_turn_is_whole_however_long() -> None:
    steps = [call("note", str(number), text=str(number)) for number in range(7)]
    model = ScriptedModel(["Hello!", *steps, "done", "and again"])
    conversation = Conversation(model, [note], window=6)
    await conversation.send("Hi")
    await conversation.send("a long one")

    assert [len(request.messages) for request in model.requests] == [2, *range(4, 19, 2)]
    assert len(conversation.messages) == 16
    await conversation.send("next")
    assert model.requests[-1].messages[1:] == (user("next"),)


async def test_references_count_in_what_the_model_is_shown() -> None:
    script = [
        *(call("note", "a", text="first"), "ok"),
        *(call("note", "b", text="second"), "ok"),
        *(call("note", "c", text="$1.content"), "ok"),
    ]
    conversation = Conversation(ScriptedModel(script), [note], window=6)
    for number in range(3):
        last = await conversation.send(f"turn {number}")
    assert last.steps[0].result.content == "second"


_CALL = st.sampled_from(
    [
        ("note", '{"text": "x"}'),
        ("note", '{"text": "fail"}'),
        ("note", "{"),
        ("note", '{"text": "$9.x"}'),
        ("gone", "{}"),
    ]
)
_STEP = st.lists(_CALL, min_size=1, max_size=3)
_END = st.sampled_from(["text", "", "  ", "cut off", "error", "cancelled"])
_TURN = st.tuples(st.lists(_STEP, max_size=5), _END)


@settings(max_examples=150, deadline=None)
@given(st.lists(_TURN, max_size=6), st.integers(1, 14), st.booleans())
def test_any_turns_leave_a_history_that_can_be_sent(
    turns: list[tuple[list[list[tuple[str, str]]], str]], window: int, with_fallback: bool
) -> None:
    async def play() -> None:
        for turn_number, (steps, end) in enumerate(turns):
            script = [
                [
                    ToolCall(f"{turn_number}-{step_number}-{place}", *one)
                    for place, one in enumerate(step, start=1)
                ]
                for step_number, step in enumerate(steps)
            ]
            endings: dict[str, ScriptItem] = {
                "cut off": Reply(assistant("half"), "m", "length"),
                "error": ModelError(ErrorCode.LLM_AUTH, "refused"),
            }
            model = _Cancels([*script, endings.get(end, end)], cancels=end == "cancelled")
            conversation.model, before = model, conversation.messages
            ended = len(steps) >= 4 or (end != "cancelled" and (end != "error" or with_fallback))
            try:
                result = await conversation.send(f"turn {turn_number}")
            except (ModelError, asyncio.CancelledError):
                assert not ended
                assert conversation.messages == before
            else:
                assert ended
                assert result.text.strip()
                assert conversation.messages[-1].content == result.text
            assert_valid(conversation.messages)
            for request in model.requests:
                shown = request.messages[1:]
                assert_valid(shown)
                newest = max(place for place, message in enumerate(shown) if message.role == "user")
                assert newest == 0 or newest + 1 <= window

    fallback = ScriptedModel(["instead"] * 10) if with_fallback else None
    conversation = Conversation(
        ScriptedModel([]), [note], window=window, limits=Limits(max_steps=4), fallback=fallback
    )
    asyncio.run(play())


class _Cancels(ScriptedModel):
    """A scripted model whose last reply never comes: the turn is cancelled instead."""

    def __init__(self, script: Sequence[ScriptItem], cancels: bool) -> None:
        super().__init__(script)
        self._last = len(script) if cancels else 0

    async def chat(self, *args: object, **kwargs: object) -> Reply:  # type: ignore[override]
        reply = await super().chat(*args, **kwargs)  # type: ignore[arg-type]
        if len(self.requests) == self._last:
            raise asyncio.CancelledError
        return reply


# --- how a turn can end -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "language"), [("go", "en"), ("开始", "zh")])
async def test_a_turn_that_is_stopped_by_a_limit_ends_in_words(text: str, language: str) -> None:
    model = ScriptedModel([call("note", str(number), text="x") for number in range(4)] + ["fine"])
    log = EventLog()
    conversation = Conversation(model, [note], limits=Limits(max_steps=4, max_repeats=9))
    result = await conversation.send(text, log)

    assert result.stop_reason is StopReason.STEP_LIMIT
    assert result.text == STOPPED[language]["step_limit"]  # type: ignore[index]
    assert conversation.messages[-1] == assistant(result.text)
    assert log.of(EventKind.RUN_ENDED)[0].data["stop_reason"] == "step_limit"


async def test_an_answer_without_words_gets_some() -> None:
    conversation = Conversation(ScriptedModel([" \n"]), [])
    assert (await conversation.send("?!")).text == "I have no answer to that."
    assert conversation.messages == (user("?!"), assistant("I have no answer to that."))


async def test_a_turn_that_is_cancelled_leaves_no_trace_but_what_was_done() -> None:
    started = asyncio.Event()

    @tool(title="Add", idempotent=True)
    def add() -> str:
        """Change something."""
        return "added"

    @tool(title="Look", read_only=True)
    def look() -> str:
        """Change nothing."""
        return "seen"

    @tool(title="Send")
    async def send() -> str:
        """Hang."""
        started.set()
        await asyncio.Event().wait()
        return ""

    script = ["Hi.", [call("look", "a"), call("add", "b"), call("note", "c", text="fail")], call("send", "d")]
    model, log = ScriptedModel([*script, "I know.", "ok"]), EventLog()
    conversation = Conversation(model, [look, add, note, send])
    await conversation.send("Hello")
    before = conversation.messages

    turn = asyncio.create_task(conversation.send("do it", log))
    await asyncio.wait_for(started.wait(), 5)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert conversation.messages == before
    assert conversation.interrupted == ("add", "send")
    assert log.of(EventKind.RUN_ENDED)[0].data == {
        "stop_reason": "cancelled",
        "model": "",
        "interrupted": ["add", "send"],
    }

    await conversation.send("what was done?")
    assert model.requests[-1].messages == (
        system(chat_prompt("en", ["add", "send"])),
        *before,
        user("what was done?"),
    )
    assert "add, send" in model.requests[-1].messages[0].content
    await conversation.send("good")
    assert model.requests[-1].messages[0] == system(chat_prompt("en"))


async def test_a_model_that_fails_leaves_no_trace_either() -> None:
    model = ScriptedModel(
        [call("note", text="x"), ModelError(ErrorCode.LLM_AUTH, "refused"), "better", "well"], "m"
    )
    conversation, log = Conversation(model, [note]), EventLog()
    with pytest.raises(ModelError, match="refused"):
        await conversation.send("go", log)
    assert conversation.messages == ()
    assert conversation.interrupted == ("note",)
    assert log.of(EventKind.RUN_ENDED)[0].data["stop_reason"] == "model_error"
    assert (await conversation.send("again")).text == "better"
    assert conversation.interrupted == ()


async def test_one_turn_at_a_time() -> None:
    release = asyncio.Event()

    @tool(title="Wait")
    async def wait() -> str:
        """Wait."""
        await release.wait()
        return "done"

    conversation = Conversation(ScriptedModel([call("wait"), "ok"]), [wait])
    turn = asyncio.create_task(conversation.send("go"))
    await asyncio.sleep(0)
    for attempt in (conversation.send("me too"), asyncio.to_thread(conversation.reset)):
        with pytest.raises(InputError, match="still being written"):
            await attempt
    release.set()
    assert (await asyncio.wait_for(turn, 5)).text == "ok"
    conversation.reset()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (" \n\t", "is empty"),
        ("x" * (MAX_QUESTION + 1), "32,769 bytes"),
        ("问" * 20_000, "60,000 bytes"),
        ("half \ud800", "not UTF-8"),
    ],
)
async def test_what_is_no_question_is_refused(text: str, words: str) -> None:
    conversation = Conversation(ScriptedModel([]), [])
    with pytest.raises(InputError, match=words):
        await conversation.send(text)
    assert conversation.messages == ()


async def test_calls_of_different_turns_and_conversations_have_different_keys() -> None:
    keys: list[str] = []

    @tool(title="Key")
    def key(context: ToolContext) -> str:
        """Tell the key."""
        keys.append(context.call_key)
        return context.call_key

    for _ in range(2):
        conversation = Conversation(ScriptedModel([call("key", "a"), "ok", call("key", "b"), "ok"]), [key])
        await conversation.send("one")
        await conversation.send("two")
    named = Conversation(ScriptedModel([[call("key", "a"), call("key", "b")], "ok"]), [key], run_id="chat")
    await named.send("both")
    assert len(set(keys)) == 6
    assert keys[4:] == ["chat/1/1/0", "chat/1/1/1"]


async def test_another_person_can_be_asked_for_one_turn() -> None:
    @tool(title="Send", side_effects=True)
    def send_it() -> str:
        """Change the world."""
        return "sent"

    conversation = Conversation(
        ScriptedModel([call("send_it", "a"), "ok", call("send_it", "b"), "ok"]), [send_it]
    )
    refused = await conversation.send("go")
    assert refused.steps[0].result.content == "not run: nobody was there to approve it"
    agreed = await conversation.send("go", human=ScriptedHuman(approvals=[True]))
    assert agreed.steps[0].result.content == "sent"


# --- falling back -------------------------------------------------------------------------------------------


async def hang(writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def hang_in_the_middle(writer: asyncio.StreamWriter) -> None:
    writer.write(STREAM + piece("half an ans"))
    await hang(writer)


def error(status: int, message: str) -> bytes:
    return http(status, {"error": {"message": message}})


def asks_for(name: str, **arguments: object) -> bytes:
    function = {"name": name, "arguments": json.dumps(arguments)}
    delta = {"tool_calls": [{"index": 0, "id": "real-1", "type": "function", "function": function}]}
    choice = {"index": 0, "delta": delta, "finish_reason": "tool_calls"}
    return STREAM + f"data: {json.dumps({'model': 'm-1', 'choices': [choice]})}\n\n".encode() + DONE


def over(server: ByteServer) -> OpenAIModel:
    return OpenAIModel("real", base_url=server.url, max_retries=0)


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (error(401, "Incorrect API key"), "LLM_AUTH"),
        (http(429, {"error": {"message": "quota", "code": "insufficient_quota"}}), "LLM_QUOTA_EXCEEDED"),
        (error(429, "slow down"), "LLM_RATE_LIMITED"),
        (error(404, "no such model"), "LLM_BAD_REQUEST"),
        (error(503, "overloaded"), "LLM_UNAVAILABLE"),
        (http(200, "<html>a portal</html>", content_type="text/html"), None),
        (hang, "LLM_TIMEOUT"),
        (hang_in_the_middle, "LLM_TIMEOUT"),
        (STREAM + piece("half an ans"), "LLM_UNAVAILABLE"),
    ],
    ids=["401", "quota", "429", "404", "503", "portal", "hang", "half-hang", "broken"],
)
async def test_whatever_is_wrong_with_a_model_the_turn_is_answered(bad: Answer, code: str | None) -> None:
    async with ByteServer(bad, STREAM + piece("I am back", "stop") + DONE) as server:
        keyless = ScriptedModel(["instead"], "keyless")
        # Three quarters of a turn are the model's; a server that hangs is left after them.
        limits = Limits(max_seconds=2.0 if code == "LLM_TIMEOUT" else 60.0)
        conversation = Conversation(over(server), [], fallback=keyless, limits=limits)
        log = EventLog()
        result = await conversation.send("hello", log)
        assert (result.text, result.stop_reason, result.model) == (
            "instead",
            StopReason.ANSWERED,
            "keyless",
        )
        (fell,) = log.of(EventKind.MODEL_FELL_BACK)
        assert fell.run_id == conversation.run_id
        assert (fell.data["from"], fell.data["to"]) == ("real", "keyless")
        assert fell.data["hint"]
        assert code in (None, fell.data["code"])
        assert conversation.messages == (user("hello"), assistant("instead"))

        again = await conversation.send("hello again")
        assert (again.text, again.model) == ("I am back", "m-1")


async def test_nobody_listens_at_that_port() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    log = EventLog()
    model = OpenAIModel("real", base_url=url, max_retries=0)
    conversation = Conversation(model, [], fallback=ScriptedModel(["instead"]))
    assert (await conversation.send("hello", log)).text == "instead"
    assert log.of(EventKind.MODEL_FELL_BACK)[0].data["code"] == "LLM_UNAVAILABLE"


async def test_the_steps_already_done_stand_and_the_rest_of_the_turn_stays_with_the_other() -> None:
    ran: list[str] = []

    @tool(title="Do")
    def do(what: str) -> str:
        """Do something."""
        ran.append(what)
        return f"did {what}"

    tools: list[Tool] = [do]
    async with ByteServer(asks_for("do", what="first"), error(401, "no")) as server:
        keyless = ScriptedModel([call("do", "k", what="second"), "both done"], "keyless")
        conversation = Conversation(over(server), tools, fallback=keyless)
        log = EventLog()
        result = await conversation.send("do both", log)

    assert ran == ["first", "second"]
    assert result.text == "both done"
    assert [step.result.content for step in result.steps] == ["did first", "did second"]
    assert len(server.requests) == 2
    assert len(log.of(EventKind.MODEL_FELL_BACK)) == 1
    assert [message.role for message in keyless.requests[0].messages[1:]] == ["user", "assistant", "tool"]
    assert_valid(conversation.messages)


async def test_when_both_fail_the_error_names_both() -> None:
    bad = ScriptedModel([ModelError(ErrorCode.LLM_AUTH, "first")], "a")
    worse = ScriptedModel([ModelError(ErrorCode.LLM_TIMEOUT, "second")], "b")
    conversation = Conversation(bad, [], fallback=worse)
    with pytest.raises(ModelError, match=r"second \(asked: a: LLM_AUTH, b: LLM_TIMEOUT\)"):
        await conversation.send("hello")
    assert conversation.messages == ()
