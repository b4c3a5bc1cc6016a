"""``agent-mini ask``, against a real server on this machine."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from agent_mini.cli import run
from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models import ScriptedModel
from agent_mini.models.scripted import ScriptItem
from agent_mini.types import Reply, ToolCall, Usage, assistant, system, user
from agent_mini.workbook import LocalEndpoint

KEY = "sk-secret-0123456789abcdef"
Serve = Callable[..., ScriptedModel]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """``serve(*script)``: a server that the settings point to; returns the model behind it."""
    started: list[LocalEndpoint] = []

    def start(*script: ScriptItem, api_key: str = "") -> ScriptedModel:
        model = ScriptedModel(script, "parrot")
        started.append(LocalEndpoint(model, api_key=api_key).start())
        settings = {"PROVIDER": "openai", "MODEL": "any", "BASE_URL": started[-1].url, "MAX_RETRIES": "0"}
        for name, value in settings.items():
            monkeypatch.setenv(f"LLM_{name}", value)
        return model

    yield start
    for endpoint in started:
        endpoint.stop()


def test_the_answer_is_on_stdout_and_all_else_on_stderr(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    model = serve(Reply(assistant("Sixty-nine days.\n还有69天。"), "parrot-1", usage=Usage(5, 7)))

    assert run(["ask", " How many days? "]) == 0
    out, err = capsys.readouterr()
    assert out == "Sixty-nine days.\n还有69天。\n"
    assert re.fullmatch(r"parrot-1 · \d+\.\d s · 5 \+ 7 tokens\n", err)
    assert model.requests[0].messages == (user("How many days?"),)


def test_a_system_message_goes_first(serve: Serve) -> None:
    model = serve("a")

    assert run(["ask", "Why?", "--system", "Be brief."]) == 0
    assert model.requests[0].messages == (system("Be brief."), user("Why?"))


def test_the_model_can_be_chosen(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    serve("from the server")

    assert run(["ask", "Why?", "--model", "roleplay"]) == 0
    out, err = capsys.readouterr()
    assert out != "from the server\n"
    assert err.startswith("roleplay · ")


def test_no_control_character_of_an_answer_reaches_the_terminal(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    serve("\x1b[31mred\x1b[0m\x07\r\x9b1m\tend\n")

    assert run(["ask", "Why?"]) == 0
    assert capsys.readouterr().out == "[31mred[0m1m\tend\n\n"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(assistant("half an ans"), "m", "length"), "length"),
        (Reply(assistant(), "m", "content_filter"), "content_filter"),
        (ToolCall("c1", "now", "{}"), "tool_calls"),
    ],
)
def test_an_answer_that_did_not_end_by_itself_says_so(
    serve: Serve, capsys: pytest.CaptureFixture[str], reply: ScriptItem, reason: str
) -> None:
    serve(reply)

    assert run(["ask", "Why?"]) == 0
    assert capsys.readouterr().err.endswith(f" · ended by {reason}\n")


def test_a_models_error_is_one_line_with_code_and_hint(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    serve(ModelError(ErrorCode.LLM_QUOTA_EXCEEDED, "insufficient balance"))

    assert run(["ask", "Why?"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: LLM_QUOTA_EXCEEDED: HTTP 402: insufficient balance (")
    assert err.count("\n") == 1


def test_a_wrong_key_is_not_shown(
    serve: Serve, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    serve("a", api_key="another")
    monkeypatch.setenv("LLM_API_KEY", KEY)

    assert run(["ask", "Why?"]) == 1
    err = capsys.readouterr().err
    assert "LLM_AUTH" in err
    assert KEY not in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([""], "empty"),
        (["a" * 40_000], "the limit is 32,768"),
        (["Why?", "--model", "gpt-4"], "roleplay"),
        (["Why?", "--model", "openai:m"], "LLM_API_KEY"),
        (["Why?", "--model", "openai"], "LLM_MODEL"),
        (["Why?", "--nonsense"], "--nonsense"),
        ([], "question"),
    ],
)
def test_input_that_cannot_work_is_one_line_and_a_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_it_works_as_a_command_with_a_question_from_a_pipe(serve: Serve) -> None:
    model = serve("还有69天。")
    done = subprocess.run(
        [sys.executable, "-m", "agent_mini.cli", "ask", "-"],
        input="还有几天？\n".encode(),
        capture_output=True,
        env={**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout.decode("utf-8").strip()) == (0, "还有69天。")
    assert "parrot · " in done.stderr.decode("utf-8")
    assert model.requests[0].messages == (user("还有几天？"),)
