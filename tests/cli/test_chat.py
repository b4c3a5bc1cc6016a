"""``agent-mini chat``: in a pipe and on a terminal, against real servers and real children."""

import asyncio
import json
import os
import socket
import struct
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from byte_server import STREAM, ByteServer, piece

from agent_mini.cli import run
from agent_mini.config import CHECKOUT
from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models import ScriptedModel
from agent_mini.models.scripted import ScriptItem
from agent_mini.tools import standard_tools
from agent_mini.types import Reply, ToolCall, assistant
from agent_mini.workbook import LocalEndpoint

Serve = Callable[..., ScriptedModel]


def call(_tool: str, _id: str = "c1", **arguments: object) -> ToolCall:
    return ToolCall(_id, _tool, json.dumps(arguments, ensure_ascii=False))


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """``serve(*script)``: a real server that the settings point to; returns the model behind it."""
    started: list[LocalEndpoint] = []

    def start(*script: ScriptItem, api_key: str = "") -> ScriptedModel:
        model = ScriptedModel(script, "parrot")
        started.append(LocalEndpoint(model, api_key=api_key).start())
        settings = {"PROVIDER": "openai", "MODEL": "any", "BASE_URL": started[-1].url, "MAX_RETRIES": "0"}
        for name, value in settings.items():
            monkeypatch.setenv(f"LLM_{name}", value)
        return model

    monkeypatch.setenv("AGENT_OFFLINE", "1")
    yield start
    for endpoint in started:
        endpoint.stop()


def chat(
    *arguments: str, lines: str | bytes = b"", together: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run the command as a process of its own, with ``lines`` on its standard input."""
    data = lines if isinstance(lines, bytes) else lines.encode()
    done = subprocess.run(
        [sys.executable, "-m", "agent_mini.cli", "chat", *arguments],
        input=data,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if together else subprocess.PIPE,
        timeout=60,
        check=False,
    )
    err = (done.stderr or b"").decode()
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode().replace("\r\n", "\n"), err
    )


# --- one question ---------------------------------------------------------------------------------------------


def test_a_question_shows_its_steps_and_its_answer(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    thought = Reply(assistant("Let me see.", [call("calculate", expression="17/100*260")]), "m", "tool_calls")
    model = serve(thought, "44.2")

    assert run(["chat", "-c", " What is 17% of 260? "]) == 0
    out, err = capsys.readouterr()
    assert out == (
        'Let me see.\naction       calculate {"expression": "17/100*260"}\nobservation  44.2\n44.2\n'
    )
    assert err == ""
    assert model.requests[0].messages[-1].content == "What is 17% of 260?"
    assert len(model.requests[0].tools) == 10


def test_the_question_can_come_from_stdin(serve: Serve) -> None:
    model = serve("好的。")
    done = chat("-c", "-", lines="第一行\n第二行\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "好的。\n", "")
    assert model.requests[0].messages[-1].content == "第一行\n第二行"


def test_a_turn_that_comes_to_nothing_is_exit_code_1(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    serve(*[call("calculate", str(number), expression="1+1") for number in range(5)])
    assert run(["chat", "-c", "again and again"]) == 1
    assert capsys.readouterr().out.endswith(
        "I stopped here: I kept asking for the same thing. Say it in other words.\n"
    )


def test_the_workspace_and_the_file_of_events(serve: Serve, tmp_path: Path) -> None:
    serve(
        call("get_weather", "a", city="上海", days=3),
        call("make_chart", "b", kind="bar", labels="$1.series.date", values="$1.series.temp_max"),
        "画好了。",
    )
    log = tmp_path / "events.jsonl"
    done = chat("-c", "上海未来三天天气，画成柱状图", "--offline", "--log", str(log))
    assert done.returncode == 0
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    weather, chart = (event["data"]["data"] for event in events if event["kind"] == "tool_returned")
    assert chart["values"] == [day["temp_max"] for day in weather["series"]]
    picture = tmp_path / "workspace" / chart["path"]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert f"picture      {picture}\n" in done.stdout


def test_offline_reaches_child_processes(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    serve("ok")
    monkeypatch.setenv("AGENT_OFFLINE", "")  # so that it is put back
    assert run(["chat", "-c", "hello", "--offline"]) == 0
    child = subprocess.run(
        [sys.executable, "-c", "from agent_mini import load_settings; print(load_settings().agent_offline)"],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert child.stdout == "True\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["-c", " "], "error: the question is empty (write what you want to know)"),
        (["-c", "x" * 40_000], "error: the question has 40,000 bytes; the limit is 32,768 (shorten it)"),
        (["-c", "/sing"], "error: there is no command /sing (/help lists them)"),
        (["-c", "/trace"], "error: nothing was asked yet (ask something first)"),
        (["-c", "hi", "--demo"], "error: --demo brings its own questions (leave out -c or --demo)"),
        (["-c", "hi", "--model", "gpt"], "error: there is no model provider 'gpt' (choose one of: "),
        (
            ["-c", "hi", "--model", "openai:x"],
            "error: https://api.openai.com/v1 wants a key (set LLM_API_KEY",
        ),
        (
            ["--offline", "--model", "openai:x"],
            "error: AGENT_OFFLINE is set, and https://api.openai.com/v1 is",
        ),
        (["--nope"], "error: No such option: --nope"),
        (["hello"], "error: Got unexpected extra argument"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], line: str
) -> None:
    monkeypatch.setenv("AGENT_OFFLINE", "")  # so that it is put back
    assert run(["chat", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(line)
    assert err.count("\n") == 1


# --- a pipe ---------------------------------------------------------------------------------------------------


def test_a_pipe_is_a_conversation(serve: Serve) -> None:
    model = serve("Hello!", "四。")
    done = chat(lines="Hi\n\n  二加二？\r\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "> Hi\nHello!\n> 二加二？\n四。\n", "")
    assert [message.content for message in model.requests[1].messages[1:]] == ["Hi", "Hello!", "二加二？"]


def test_the_commands(serve: Serve) -> None:
    serve(call("calculate", expression="1+1"), "Two.", "Who are you?")
    done = chat(
        lines="one and one\n/Trace\n/TOOLS\n/help\n/reset\n/trace\n/sing me a song\nhello\n/quit\nnot this\n"
    )
    parts = {part.partition("\n")[0]: part.partition("\n")[2] for part in ("\n" + done.stdout).split("\n> ")}
    assert "calculate" in parts["/Trace"]
    assert "get_weather  Weather 天气  (changes nothing)" in parts["/TOOLS"]
    assert "计算算术表达式。" in parts["/TOOLS"]
    assert [line.split()[0] for line in parts["/help"].splitlines()[:-1]] == [
        "/trace",
        "/tools",
        "/reset",
        "/help",
        "/quit",
    ]
    assert parts["/reset"] == "forgotten"
    assert parts["hello"] == "Who are you?"
    assert "not this" not in done.stdout
    assert done.stderr == (
        "error: nothing was asked yet (ask something first)\n"
        "error: there is no command /sing (/help lists them)\n"
    )
    assert done.returncode == 1


def test_the_trace_shows_each_step(serve: Serve) -> None:
    serve(call("calculate", expression="[red]"), call("calculate", "c2", expression="1+1"), "Two.")
    done = chat(lines="one and one\n/trace\n")
    trace = done.stdout.partition("> /trace\n")[2]
    for part in (
        '{"expression": "[red]"}',
        "failed,",
        "ok,",
        "parrot · answered · model calls: 3 · tool calls: 2",
    ):
        assert part in trace


def test_a_reset_forgets(serve: Serve) -> None:
    model = serve("a", "b")
    chat(lines="first\n/reset\nsecond\n")
    assert [message.content for message in model.requests[1].messages[1:]] == ["second"]


def test_hostile_lines_are_answered_or_refused_one_by_one(serve: Serve) -> None:
    model = serve("one", "two", "three")
    lines = [
        b"x" * 100_000,
        b"\xff\xfe",
        b"nul \x00 and \x1b[31mred",
        "\u202eevil".encode(),
        b"\xef\xbb\xbfbom",
    ]
    done = chat(lines=b"\n".join(lines))
    assert done.returncode == 1
    assert done.stderr == (
        "error: a line has more than 32,768 bytes (shorten it)\n"
        "error: the question is not UTF-8 text (save it as UTF-8)\n"
    )
    assert done.stdout == "> nul  and [31mred\none\n> evil\ntwo\n> bom\nthree\n"
    assert model.requests[0].messages[-1].content == "nul \x00 and \x1b[31mred"


def test_a_line_as_long_as_may_be_is_taken(serve: Serve) -> None:
    model = serve("ok")
    assert chat(lines="x" * 32_768 + "\n").returncode == 0
    assert len(model.requests[0].messages[-1].content) == 32_768
    refused = chat(lines="x" * 32_769 + "\n")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "32,769 bytes; the limit is 32,768" in refused.stderr


def test_no_control_character_of_a_tool_or_a_model_reaches_the_terminal(serve: Serve) -> None:
    hostile = "\x1b]0;title\x07\x1b[2Jgone\x9b1m\r"
    serve(
        call("make_meme\x1b[31m", "a", text=hostile), call("files", "b", action="read", path=hostile), hostile
    )
    done = chat(lines="go\n/trace\n", together=True)
    assert done.returncode == 0
    assert not set("\x1b\x07\x9b\r").intersection(done.stdout)
    assert "]0;title" in done.stdout


# --- a terminal -------------------------------------------------------------------------------------------------


# Makes a terminal its own, as a shell would, and becomes the command. A fork of this process, with its threads,
# might hang.
BECOME = """
import fcntl, os, sys, termios
terminal = os.open(sys.argv[1], os.O_RDWR)
fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
for stream in range(3):
    os.dup2(terminal, stream)
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


class Terminal:
    """A command on a terminal of its own, with a person's keys."""

    def __init__(self, *command: str) -> None:
        from pexpect.fdpexpect import fdspawn

        keyboard, screen = os.openpty()
        # A dumb terminal is sent nothing but text.
        environment = os.environ | {"TERM": "dumb", "COLUMNS": "200"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", BECOME, os.ttyname(screen), *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._screen = screen
        self._pexpect = fdspawn(keyboard, timeout=30, encoding="utf-8")

    def see(self, text: str) -> None:
        self._pexpect.expect_exact(text)

    def type(self, keys: str) -> None:
        self._pexpect.send(keys)

    def end(self) -> int:
        return self._process.wait(timeout=30)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._screen)
        self._pexpect.close()


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    if not hasattr(os, "openpty"):
        pytest.skip("needs a terminal of the POSIX kind")
    pytest.importorskip("pexpect")
    started: list[Terminal] = []

    def start(*command: str) -> Terminal:
        started.append(Terminal(*(command or ("-m", "agent_mini.cli", "chat"))))
        return started[-1]

    yield start
    for one in started:
        one.close()


def test_a_person_talks_and_ends_it_with_the_end_of_input(
    serve: Serve, terminal: Callable[..., Terminal]
) -> None:
    serve("Good morning!")
    chatting = terminal()
    chatting.see("/help lists the commands, /quit ends.")
    chatting.see("> ")
    chatting.type("早上好\n")
    chatting.see("Good morning!")
    chatting.see("> ")
    chatting.type("/nonsense\n")
    chatting.see("error: there is no command /nonsense (/help lists them)")
    chatting.see("> ")
    chatting.type("\x04")
    assert chatting.end() == 0


def test_ctrl_c_stops_a_turn_and_between_turns_the_chat(
    terminal: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the connection and never says a word
        silent.settimeout(30)
        monkeypatch.setenv("LLM_PROVIDER", "openai")
        monkeypatch.setenv("LLM_MODEL", "silent")
        monkeypatch.setenv("LLM_BASE_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/v1")
        chatting = terminal()
        chatting.see("> ")
        chatting.type("hello?\n")
        connection, _ = silent.accept()
        with connection:
            connection.recv(1)
            chatting.type("\x03")
            chatting.see("stopped")
            chatting.see("> ")
    chatting.type("/tools\n")
    chatting.see("get_weather")
    chatting.see("> ")
    chatting.type("\x03")
    assert chatting.end() == 0


ASKING = """
import os
from agent_mini import Conversation
from agent_mini.cli.chat import Session, _typed
from agent_mini.models import ScriptedModel
from agent_mini.tools import tool
from agent_mini.types import ToolCall

@tool(title="Send a mail", side_effects=True)
def send_mail(to: str) -> str:
    return f"sent to {to}"

script = [ToolCall("a", "send_mail", '{"to": "all"}'), "One.", ToolCall("b", "send_mail", '{"to": "me"}'), "Two."]
Session(Conversation(ScriptedModel(script), [send_mail])).run(_typed())
"""


def test_a_person_is_asked_before_anything_is_changed(terminal: Callable[..., Terminal]) -> None:
    chatting = terminal("-c", ASKING)
    for answer, outcome in (("n", "not run: the person said no"), ("y", "sent to me")):
        chatting.see("> ")
        chatting.type("mail\n")
        chatting.see("? [y/N] ")
        chatting.type(f"{answer}\n")
        chatting.see(f"observation  {outcome}")
    chatting.see("Two.")
    chatting.see("> ")
    chatting.type("/quit\n")
    assert chatting.end() == 0


# --- falling back -----------------------------------------------------------------------------------------------


def test_a_refused_key_falls_back_and_the_next_turn_tries_again(serve: Serve) -> None:
    serve(ModelError(ErrorCode.LLM_AUTH, "no such key"), "I am back.")
    done = chat(lines="What is 2 + 3?\nhello\n")
    first, _, second = done.stdout.partition("> hello\n")
    assert "any failed, keyless answers this turn. LLM_AUTH: " in first
    assert "(the key was refused: check LLM_API_KEY and that it belongs to LLM_BASE_URL)\n" in first
    assert 'action       calculate {"expression": "2 + 3"}' in first
    assert second == "I am back.\n"
    assert (done.returncode, done.stderr) == (0, "")


def test_steps_already_done_are_not_done_again(serve: Serve) -> None:
    serve(call("get_weather", city="上海", days=3), ModelError(ErrorCode.LLM_QUOTA_EXCEEDED, "empty"))
    done = chat("-c", "帮我查上海未来三天天气，然后画成柱状图", "--offline")
    assert done.returncode == 0
    assert done.stdout.count("action       get_weather") == 1
    assert done.stdout.count("action       make_chart") == 1
    assert done.stdout.index("LLM_QUOTA_EXCEEDED") < done.stdout.index("action       make_chart")


async def test_a_broken_answer_ends_visibly_and_the_other_begins_on_its_own_line() -> None:
    async with ByteServer(STREAM + piece("half an ans")) as server:
        lines = await chat_with(server, "What is 2 + 3?")
    assert lines[0] == "half an ans …"
    assert lines[1].startswith("any failed, keyless answers this turn. LLM_UNAVAILABLE: ")
    assert lines[2].startswith("thought      ")
    assert "5" in lines[-1]


async def test_a_server_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    monkeypatch.setenv("LLM_TIMEOUT", "0.5")
    async with ByteServer(hang) as server:
        lines = await chat_with(server, "你好")
    assert lines[0].startswith("any failed, keyless answers this turn. LLM_TIMEOUT: ")
    assert len(lines) > 1


async def chat_with(server: ByteServer, question: str) -> list[str]:
    """What one question prints; it must have ended well."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "agent_mini.cli", "chat", "--model", "openai:any", "-c", question),
        env=os.environ | {"LLM_BASE_URL": server.url, "LLM_MAX_RETRIES": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, err) == (0, b"")
    return out.decode().splitlines()


# --- without a model --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("帮我查上海未来三天天气，然后画成柱状图", "示例"),
        (
            "What's the weather in Shanghai for the next 3 days, then draw it as a bar chart",
            "offline example",
        ),
    ],
)
def test_the_weather_is_drawn_as_it_was_returned(tmp_path: Path, question: str, note: str) -> None:
    log = tmp_path / "events.jsonl"
    done = chat("-c", question, "--offline", "--log", str(log))
    assert (done.returncode, done.stderr) == (0, "")
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    results = [event["data"] for event in events if event["kind"] == "tool_returned"]
    assert [(result["tool"], result["ok"]) for result in results] == [
        ("get_weather", True),
        ("make_chart", True),
    ]
    weather, chart = (result["data"] for result in results)
    assert len(weather["series"]) == 3
    assert chart["values"] == [day["temp_max"] for day in weather["series"]]
    assert chart["labels"] == [day["date"] for day in weather["series"]]
    picture = (tmp_path / "workspace" / chart["path"]).read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == (chart["width"], chart["height"])
    answer = done.stdout.rpartition("picture      ")[2]
    assert note in answer


def test_the_demonstration_touches_every_tool(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    done = chat("--demo", "--offline", "--log", str(log))
    assert (done.returncode, done.stderr) == (0, "")
    requests = tomllib.loads((CHECKOUT / "data" / "demo_requests.toml").read_text(encoding="utf-8"))[
        "request"
    ]
    ran: list[set[str]] = []
    for line in log.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["kind"] == "run_started":
            ran.append(set())
        elif event["kind"] == "tool_returned":
            assert event["data"]["ok"], event
            ran[-1].add(event["data"]["tool"])
    assert ran == [set(request["tools"]) for request in requests]
    assert set.union(*ran) == set(standard_tools().names)
    for request in requests:
        assert f"> {request['text']}\n" in done.stdout
    assert sorted(path.name for path in (tmp_path / "workspace").iterdir()) == ["demo"]


def test_a_question_is_asked_back_and_its_answer_taken(serve: Serve) -> None:
    done = chat("--model", "keyless", lines="天气怎么样？\n北京\n谢谢\n")
    assert done.returncode == 0
    assert 'action       get_weather {"city": "北京"' in done.stdout.partition("> 北京")[2]


def test_keyless_is_the_default_unless_the_settings_choose(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["chat", "-c", "1 + 1"]) == 0
    assert "action       calculate" in capsys.readouterr().out
    monkeypatch.setenv("LLM_PROVIDER", "roleplay")
    assert run(["chat", "-c", "1 + 1"]) == 0
    assert "action       calculate" in capsys.readouterr().out
    serve("I am a real one.")
    assert run(["chat", "-c", "1 + 1"]) == 0
    assert capsys.readouterr().out == "I am a real one.\n"
    assert run(["chat", "-c", "1 + 1", "--model", "keyless"]) == 0
    assert "action       calculate" in capsys.readouterr().out


def test_the_trace_shows_the_plan() -> None:
    done = chat(
        "--offline", lines="帮我查上海未来三天天气，然后再掷骰子\n/trace\nhello\n/trace\n天气\n/trace\n"
    )
    _, weather, hello, question = done.stdout.split("> /trace\n")
    for part in (
        "segment 1",
        "segment 2",
        "score",
        "decision    get_weather",
        "days=3",
        "$2 is       fun_pick",
    ):
        assert part in weather
    assert "model calls: 3 · tool calls: 2" in weather
    assert "it calls    nothing: this is small talk" in hello
    assert "it asks     for the city of get_weather" in question


def test_the_trace_of_a_turn_that_fell_back_shows_the_plan_too(serve: Serve) -> None:
    serve(ModelError(ErrorCode.LLM_AUTH, "no"), "I am back.")
    done = chat(lines="1 + 1\n/trace\n2 + 2\n/trace\n")
    first, second = done.stdout.split("> /trace\n")[1:]
    assert "decision    calculate" in first
    assert "decision" not in second
