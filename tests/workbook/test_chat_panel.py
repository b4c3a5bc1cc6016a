"""A conversation in a notebook: a real kernel with a browser's messages, and the panel by itself."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest
from byte_server import STREAM, ByteServer, piece
from front_end import FrontEnd, running_front_end

from agent_mini.clock import FixedClock
from agent_mini.conversation import Conversation
from agent_mini.errors import ErrorCode, InputError, ModelError
from agent_mini.models import OpenAIModel, ScriptedModel
from agent_mini.models.scripted import ScriptItem
from agent_mini.planner import KeylessModel
from agent_mini.tools import (
    Tool,
    ToolContext,
    calculate,
    get_weather,
    make_chart,
    standard_tools,
    tool,
)
from agent_mini.types import Reply, ToolCall, ToolResult, assistant
from agent_mini.workbook import ChatPanel
from agent_mini.workbook.chat_panel import MAX_SHOWN

SETUP = """
import asyncio, json
from agent_mini import Conversation, FixedClock, load_settings
from agent_mini.models import ScriptedModel
from agent_mini.tools import ToolContext, get_weather, make_chart, tool
from agent_mini.types import ToolCall
from agent_mini.workbook import ChatPanel

def call(_tool, _id, **arguments):
    return ToolCall(_id, _tool, json.dumps(arguments, ensure_ascii=False))

release = asyncio.Event()

@tool(title="Wait")
async def wait() -> str:
    '''Wait until it may go on.'''
    await release.wait()
    return "<i>waited</i>"

@tool(title="Send a mail", side_effects=True)
def send_mail(to: str) -> str:
    '''Send a mail.'''
    return f"sent to {to}"

context = ToolContext.from_settings(load_settings(), clock=FixedClock("2026-10-23"))

def panel(*script, says=()):
    tools = [get_weather, make_chart, wait, send_mail]
    return ChatPanel(Conversation(ScriptedModel(script), tools, context=context), says)

CHART = [
    call("get_weather", "a", city="上海", days=3),
    call("make_chart", "b", kind="bar", labels="$1.series.date", values="$1.series.temp_max"),
    "画好了 <b>",
]
"""


@pytest.fixture
async def front_end(tmp_path: Path) -> AsyncIterator[FrontEnd]:
    async with running_front_end(tmp_path, SETUP) as running:
        yield running


def enabled(front_end: FrontEnd, label: str) -> bool:
    return any(
        model.get("description") == label and not model["disabled"] for model in front_end.models.values()
    )


async def test_a_run_without_a_person_leaves_text_and_pictures(front_end: FrontEnd) -> None:
    front_end.run("await panel(*CHART, 'Bye.', says=['上海三天的图', 'Thanks']).play()", allow_stdin=False)
    assert await front_end.finish() == ""
    kinds = [sorted(shown) for shown in front_end.shown]
    text = ["text/html", "text/plain"]
    assert kinds == [text, ["image/png", "text/plain"], text, text]
    plain = [shown["text/plain"] for shown in front_end.shown if "text/html" in shown]
    assert plain[0].startswith("> 上海三天的图\naction       get_weather ")
    assert "an offline example, not live weather" in plain[0]
    assert "picture      pictures/bar-" in plain[0]
    assert plain[1:] == ["画好了 <b>", "> Thanks\nBye."]
    html = " ".join(shown.get("text/html", "") for shown in front_end.shown)
    assert html.count("<details") == 2
    assert "画好了 &lt;b&gt;" in html


async def test_a_person_types_clicks_and_sees_it_all(front_end: FrontEnd) -> None:
    front_end.run("mine = panel(*CHART, 'Bye.')\nmine")
    assert await front_end.finish() == ""
    front_end.type("上海三天的图")
    front_end.click("Send 发送")
    await front_end.until(lambda: "画好了 &lt;b&gt;" in front_end.html() and enabled(front_end, "Send 发送"))
    assert front_end.html().count("<details") == 2
    assert front_end.html().count("✓ <b>") == 2
    assert [m["format"] for m in front_end.models.values() if m["_model_name"] == "ImageModel"] == ["png"]

    front_end.type("Thanks")
    front_end.press_enter()
    await front_end.until(lambda: "Bye." in front_end.html() and enabled(front_end, "Reset 重来"))
    front_end.run("print(mine)")
    assert (await front_end.finish()).endswith("画好了 <b>\n\n> Thanks\nBye.\n")

    front_end.click("Reset 重来")
    front_end.run("print(mine, len(mine.conversation.messages))")
    assert await front_end.finish() == "ChatPanel: nothing was said yet 0\n"


async def test_the_kernel_goes_on_while_a_turn_waits(front_end: FrontEnd) -> None:
    front_end.run("panel(call('wait', 'a'), 'Done.')")
    await front_end.finish()
    front_end.type("wait")
    front_end.click("Send 发送")
    await front_end.until(lambda: "… <b>wait</b>" in front_end.html())
    assert not enabled(front_end, "Send 发送")
    front_end.type("me too")
    front_end.press_enter()  # not now: it stays in the field
    front_end.run("release.set()\nprint(6 * 7)")
    assert await front_end.finish() == "42\n"
    await front_end.until(lambda: "Done." in front_end.html())
    assert "&lt;i&gt;waited&lt;/i&gt;" in front_end.html()
    assert "me too" not in front_end.html()


async def test_a_turn_can_be_stopped(front_end: FrontEnd) -> None:
    front_end.run("panel('Hi.', call('wait', 'a'), 'Still here.')")
    await front_end.finish()
    for text, sign in (("hello", "Hi."), ("wait", "… <b>wait</b>")):
        front_end.type(text)
        front_end.click("Send 发送")
        await front_end.until(lambda sign=sign: sign in front_end.html())
        await front_end.until(lambda sign=sign: enabled(front_end, "Send 发送") or sign != "Hi.")
    front_end.click("Stop 停止")
    await front_end.until(
        lambda: (
            "stopped; run already, or running: wait" in front_end.html() and enabled(front_end, "Send 发送")
        )
    )
    front_end.type("and now?")
    front_end.click("Send 发送")
    await front_end.until(lambda: "Still here." in front_end.html())


async def test_the_person_is_asked_inside_the_panel(front_end: FrontEnd) -> None:
    front_end.run("panel(call('send_mail', 'a', to='<all>'), 'Sent.')")
    await front_end.finish()
    front_end.shown.clear()
    front_end.type("mail everybody")
    front_end.click("Send 发送")
    await front_end.until(lambda: "Approve" in front_end.labels())
    front_end.click("Approve")
    await front_end.until(lambda: "Sent." in front_end.html())
    assert "sent to &lt;all&gt;" in front_end.html()
    assert front_end.shown == []


async def test_a_script_is_played_before_a_persons_eyes(front_end: FrontEnd) -> None:
    front_end.run("await panel(*CHART, 'Hello.', says=['上海三天的图']).play()")
    assert await front_end.finish() == ""
    assert len(front_end.shown) == 1
    assert "application/vnd.jupyter.widget-view+json" in front_end.shown[0]
    assert front_end.shown[0]["text/plain"] == "ChatPanel: nothing was said yet"
    assert "画好了 &lt;b&gt;" in front_end.html()
    front_end.type("Hi")
    front_end.click("Send 发送")
    await front_end.until(lambda: "Hello." in front_end.html())


# --- without a kernel: the same code path, as a notebook that runs by itself takes it --------------------------


def call(_tool: str, _id: str = "c1", **arguments: object) -> ToolCall:
    return ToolCall(_id, _tool, json.dumps(arguments, ensure_ascii=False))


async def played(script: Iterable[ScriptItem], *says: str, tools: Iterable[Tool] = (calculate,)) -> str:
    panel = ChatPanel(Conversation(ScriptedModel(script), tools), says)
    await panel.play()
    return str(panel)


async def test_it_prints_what_was_said(capsys: pytest.CaptureFixture[str]) -> None:
    script = [
        Reply(assistant(tool_calls=[call("calculate", expression="1/0")]), "m", "tool_calls", reasoning="算"),
        "不行。",
        "Hello!",
    ]
    text = await played(script, "一除以零", " Hi ")
    assert text == (
        "> 一除以零\n"
        "thought      算\n"
        'action       calculate {"expression": "1/0"}\n'
        "observation  division by zero in 1 / 0\n"
        "不行。\n"
        "\n"
        "> Hi\n"
        "Hello!"
    )
    assert capsys.readouterr().out == text.replace("\n\n", "\n") + "\n"


@pytest.mark.parametrize(
    ("request_", "note"),
    [
        ("帮我查上海未来三天天气，然后画成柱状图", "这是离线示例数据，不是实时天气。"),
        ("Weather in Shanghai for the next 3 days, then a bar chart of it", "This is offline example data"),
    ],
)
async def test_without_a_model_it_draws_what_the_weather_step_returned(
    tmp_path: Path, request_: str, note: str
) -> None:
    context = ToolContext(clock=FixedClock("2026-10-23"), workspace=tmp_path, offline=True)
    model = KeylessModel(clock=context.clock)
    panel = ChatPanel(Conversation(model, standard_tools(), context=context), [request_])
    await panel.play()
    (drawn,) = (entry for entry in panel._entries if entry.picture)
    assert drawn.picture == (tmp_path / drawn.path).read_bytes()
    assert note in str(panel)


async def test_errors_are_shown_and_the_next_turn_goes_on() -> None:
    text = await played([ModelError(ErrorCode.LLM_AUTH, "refused"), "Hello!"], "Hi", "x" * 40_000, "Hi")
    lines = text.splitlines()
    assert lines[1].startswith("note         LLM_AUTH: refused (the key was refused: check LLM_API_KEY")
    assert "note         the question has 40,000 bytes; the limit is 32,768 (shorten it)" in lines
    assert lines[-2:] == ["> Hi", "Hello!"]


async def test_what_was_done_before_a_model_failed_is_said() -> None:
    @tool(title="Add")
    def add() -> str:
        """Change something."""
        return "added"

    text = await played([call("add"), ModelError(ErrorCode.LLM_TIMEOUT, "too slow")], "Hi", tools=[add])
    assert text.splitlines()[-1] == "note         stopped; run already, or running: add"


async def test_a_broken_answer_ends_where_it_broke() -> None:
    async with ByteServer(STREAM + piece("half an ans")) as server:
        model = OpenAIModel("real", base_url=server.url, max_retries=0)
        panel = ChatPanel(Conversation(model, [], fallback=ScriptedModel(["A whole one."], "other")), ["Hi"])
        await panel.play()
    lines = str(panel).splitlines()
    assert lines[:2] == ["> Hi", "half an ans …"]
    assert lines[2].startswith("note         real failed, other answers this turn. LLM_UNAVAILABLE:")
    assert lines[3:] == ["A whole one."]


async def test_nothing_hostile_reaches_the_page() -> None:
    @tool(title="Bad")
    def bad() -> str:
        """Return what no page should run."""
        return "</pre><script>alert(1)</script>\x1b[31m\u202eevil"

    hostile = "<img src=x onerror=alert(1)>\x00"
    script = [
        Reply(assistant(tool_calls=[call("bad", x=hostile), call("<b>", "c2")]), "m", reasoning=hostile),
        call("bad", "c3"),
        hostile,
    ]
    panel = ChatPanel(Conversation(ScriptedModel(script), [bad]), [hostile])
    await panel.play()
    html = "".join(widget.value for widget in panel._log.children)
    assert "alert(1)" in html
    for forbidden in ("<script", "<img", "<b><", "\x1b", "\x00", "\u202e"):
        assert forbidden not in html
    assert not set("\x1b\x00\u202e").intersection(str(panel))


@pytest.mark.parametrize(
    "path", ["../secret.png", "/etc/passwd", "secret.png", "pictures/gone.png", "pictures/page.png"]
)
async def test_a_picture_is_only_taken_from_the_workspace(tmp_path: Path, path: str) -> None:
    png = b"\x89PNG\r\n\x1a\n rest"
    workspace = tmp_path / "workspace"
    (workspace / "pictures").mkdir(parents=True)
    (workspace / "pictures" / "good.png").write_bytes(png)
    (workspace / "pictures" / "page.png").write_text("<html>")
    (tmp_path / "secret.png").write_bytes(png)
    (workspace / "secret.png").write_bytes(png)

    @tool(title="Draw")
    def draw(where: str) -> ToolResult:
        """Claim to have drawn."""
        return ToolResult(True, "drawn", {"path": where, "width": 1, "height": 1})

    script = [call("draw", where=path), call("draw", "c2", where="pictures/good.png"), "Done."]
    panel = ChatPanel(
        Conversation(ScriptedModel(script), [draw], context=ToolContext(workspace=workspace)), ["Draw"]
    )
    await panel.play()
    pictures = [entry.path for entry in panel._entries if entry.picture]
    assert pictures == ["pictures/good.png"]


async def test_calls_side_by_side_get_their_own_results(tmp_path: Path) -> None:
    calls = [
        call("get_weather", str(number), city=city, days=1) for number, city in enumerate(("北京", "上海"))
    ]
    context = ToolContext(clock=FixedClock("2026-10-23"), workspace=tmp_path, offline=True)
    conversation = Conversation(ScriptedModel([calls, "Done."]), [get_weather, make_chart], context=context)
    panel = ChatPanel(conversation, ["both"])
    await panel.play()
    observed = [entry.result or "" for entry in panel._entries if entry.kind == "call"]
    assert [text.split(",")[0] for text in observed] == ["北京", "上海"]


async def test_a_turn_ended_by_a_limit_or_cut_off_says_so() -> None:
    text = await played([Reply(assistant("half"), "m", "length")], "Hi")
    assert text == "> Hi\nhalf\nnote         cut off by the model's length limit"
    again = [call("calculate", str(number), expression="1+1") for number in range(5)]
    assert "I kept asking for the same thing" in await played(again, "Hi")


async def test_one_turn_at_a_time() -> None:
    held = asyncio.Event()

    @tool(title="Hold")
    async def keep() -> str:
        """Hold."""
        held.set()
        await asyncio.Event().wait()
        return ""

    panel = ChatPanel(Conversation(ScriptedModel([call("keep"), "ok"]), [keep]), ["go"])
    first = asyncio.create_task(panel.play())
    await asyncio.wait_for(held.wait(), 5)
    with pytest.raises(InputError, match="still being written"):
        await panel.play()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert panel._task is not None
    await asyncio.wait([panel._task], timeout=5)
    assert str(panel).endswith("note         stopped; run already, or running: keep")


async def test_the_screen_is_not_filled_without_end() -> None:
    says = [f"turn {number}" for number in range(MAX_SHOWN // 2 + 20)]
    panel = ChatPanel(Conversation(ScriptedModel(["ok"] * len(says)), []), says)
    await panel.play()
    assert len(panel._log.children) == MAX_SHOWN
    assert str(panel).startswith("> turn 0\nok\n")
