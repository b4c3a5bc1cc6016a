"""``agent-mini plan``: the trace a person reads, and the object a program reads."""

import json

import pytest

from agent_mini.cli import run


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")


def test_the_trace_shows_every_stage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "请帮我查上海未来三天天气，然后画成柱状图"]) == 0
    out = capsys.readouterr().out

    assert "normalised  查上海未来3天天气，然后画成柱状图" in out
    assert "segment 2   画成柱状图" in out
    assert {"trigger", "evidence", "diversity", "request", "score"} <= set(out.split())
    assert 'slots       city="上海", days=3' in out
    assert '$2 is       make_chart(kind="bar", labels="$1.series.date", values="$1.series.temp_max")' in out


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("帮我做张图", "it asks     which of make_chart or make_meme was meant"),
        ("帮我查天气", "it asks     for the city of get_weather"),
        ("你好", "it calls    nothing: this is small talk"),
        ("我想看《天气之子》", "decision    small talk"),
    ],
)
def test_what_comes_of_it(capsys: pytest.CaptureFixture[str], text: str, line: str) -> None:
    assert run(["plan", text]) == 0
    assert line in capsys.readouterr().out


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "算 3*4，然后画个饼图", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)

    first, second = shown["segments"]
    assert (first["tool"], first["arguments"], first["ask"]) == ("calculate", {"expression": "3*4"}, None)
    assert first["scores"][0]["total"] == pytest.approx(sum(first["scores"][0]["parts"].values()))
    assert (second["tool"], second["ask"]) == ("make_chart", "labels")
    assert shown["ask"] == "labels"


def test_earlier_turns_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "再画成图", "--json", "--before", "掷骰子", "--before", "上海未来三天天气"]) == 0
    (step,) = json.loads(capsys.readouterr().out)["steps"]
    assert step["arguments"]["values"] == "$2.series.temp_max"


@pytest.mark.parametrize("arguments", [[""], ["   "], ["x" * 40_000], ["算 1+1", "--before", ""]])
def test_what_cannot_be_planned_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert run(["plan", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


def test_control_characters_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "提醒我\x1b[31m交报告\x07"]) == 0
    out = capsys.readouterr().out
    assert "\x1b[31m" not in out
    assert "\x07" not in out


def test_data_that_cannot_be_used_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("AGENT_DATA_DIR", str(tmp_path))
    assert run(["plan", "你好"]) == 2
    assert "intents" in capsys.readouterr().err
