"""agent_mini.planner.plan: whole requests, follow-ups, questions and their answers."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_mini.config import CHECKOUT
from agent_mini.planner import Intents, Plan, load_intents, plan
from agent_mini.planner.plan import MAX_STEPS
from agent_mini.tools import Toolbox, calculate, standard_tools

Planned = Callable[..., Plan]
INTENTS = load_intents(CHECKOUT / "data" / "intents")
TOOLS = standard_tools()
DAY = date(2026, 10, 23)
WEATHER_CHART = {"labels": "$1.series.date", "values": "$1.series.temp_max"}


def calls(made: Plan) -> list[tuple[str, dict[str, Any]]]:
    return [(step.tool, dict(step.arguments)) for step in made.steps]


def test_two_steps_the_second_from_the_firsts_result(planned: Planned) -> None:
    made = planned("帮我查上海未来三天天气，然后画成柱状图")

    assert calls(made) == [
        ("get_weather", {"city": "上海", "days": 3}),
        ("make_chart", {"kind": "bar", **WEATHER_CHART}),
    ]
    assert [step.number for step in made.steps] == [1, 2]
    assert made.ask is None
    plain = made.to_plain()
    assert [part["tool"] for part in plain["segments"]] == ["get_weather", "make_chart"]
    assert plain["segments"][0]["scores"][0]["total"] >= 2.6
    assert plain["ask"] is None


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["上海天气怎么样", "那北京呢"], [("get_weather", {"city": "北京"})]),
        (["明天深圳天气怎么样", "那广州呢？"], [("get_weather", {"city": "广州", "days": 2})]),
        (["What's the weather in Paris?", "and tomorrow?"], [("get_weather", {"city": "Paris", "days": 2})]),
        (["上海未来三天天气", "再画成图"], [("make_chart", {"kind": "bar", **WEATHER_CHART})]),
        (
            ["weather in Rome for 3 days", "chart the lows as a line chart"],
            [("make_chart", {"kind": "line", "labels": "$1.series.date", "values": "$1.series.temp_min"})],
        ),
        (
            ["上海未来三天天气", "画成柱状图", "改成折线图"],
            [("make_chart", {"kind": "line", **WEATHER_CHART})],
        ),
        (
            ["画饼图：A 1，B 2", "改成柱状图"],
            [("make_chart", {"kind": "bar", "labels": ["A", "B"], "values": [1, 2]})],
        ),
        (["上海未来三天天气，然后画成柱状图", "那北京呢"], [("get_weather", {"city": "北京", "days": 3})]),
        (["12*8", "再加4"], [("calculate", {"expression": "$1.value + 4"})]),
        (["Roll two dice", "add 5 to that"], [("calculate", {"expression": "$1.total + 5"})]),
        (["Roll two dice", "again"], [("fun_pick", {"mode": "dice", "count": 2})]),
        (["Read a.txt", "now delete it"], [("files", {"action": "delete", "path": "a.txt"})]),
        (["读一下 a.txt", "做成表情包"], [("make_meme", {"text": "$1.content"})]),
        (
            ["上海天气", "存到 w.txt"],
            [("files", {"action": "write", "path": "w.txt", "content": "$1.content"})],
        ),
        (
            ["How many days until Christmas, then times 24"],
            [
                ("today", {}),
                ("days_between", {"start": "$1.date", "end": "2026-12-25"}),
                ("calculate", {"expression": "$2.days * 24"}),
            ],
        ),
        (
            ["掷骰子", "查上海天气，然后存到 w.txt"],
            [
                ("get_weather", {"city": "上海"}),
                ("files", {"action": "write", "path": "w.txt", "content": "$2.content"}),
            ],
        ),
        (
            ["今天几号，然后离元旦还有几天"],
            [("today", {}), ("days_between", {"start": "$1.date", "end": "2027-01-01"})],
        ),
    ],
)
def test_going_on_from_what_was_done(
    planned: Planned, texts: list[str], wanted: list[tuple[str, dict[str, Any]]]
) -> None:
    assert calls(planned(*texts)) == wanted


@pytest.mark.parametrize(
    ("text", "slot", "known"),
    [
        ("帮我查一下天气", "city", {}),
        ("What's the weather going to be like tomorrow?", "city", {"days": 2}),
        ("帮我加一条待办", "title", {"action": "add"}),
        ("Mark one of my tasks as done", "id", {"action": "done"}),
        ("画个柱状图，标签是语文、数学", "values", {"kind": "bar", "labels": ["语文", "数学"]}),
        ("create a file called todo.md", "content", {"action": "write", "path": "todo.md"}),
        ("转一下转盘", "options", {"mode": "wheel"}),
        ("How many days from 2026-02-01 to my exam?", "end", {"start": "2026-02-01"}),
        ("How many days until my birthday?", "end", {}),
        ("Make me a meme", "text", {}),
    ],
)
def test_what_is_missing_is_asked(planned: Planned, text: str, slot: str, known: dict[str, Any]) -> None:
    made = planned(text)

    assert made.ask is not None
    assert made.ask.slot == slot
    assert [dict(step.arguments) for step in made.steps] == [known]


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["帮我查一下天气", "北京"], ("get_weather", {"city": "北京"})),
        (["帮我查一下天气", "我在景德镇"], ("get_weather", {"city": "景德镇"})),
        (["What's the weather tomorrow?", "Ghent"], ("get_weather", {"city": "Ghent", "days": 2})),
        (["帮我查一下天气", "明天的，苏州"], ("get_weather", {"city": "苏州", "days": 2})),
        (
            ["帮我加一条待办", "周五给妈妈打电话"],
            ("todo", {"action": "add", "title": "给妈妈打电话", "due": "周五"}),
        ),
        (["make a meme", "hello world"], ("make_meme", {"text": "hello world"})),
        (["新建文件 a.txt", "你好"], ("files", {"action": "write", "path": "a.txt", "content": "你好"})),
        (["mark a task as done", "2"], ("todo", {"action": "done", "id": 2})),
        (["Calculate something", "18 * 45"], ("calculate", {"expression": "18 * 45"})),
        (
            ["Make a bar chart of 4 and 7", "Mon, Tue"],
            ("make_chart", {"kind": "bar", "labels": ["Mon", "Tue"], "values": [4, 7]}),
        ),
        (
            ["Draw a bar chart", "cats 4, dogs 7"],
            ("make_chart", {"kind": "bar", "labels": ["cats", "dogs"], "values": [4, 7]}),
        ),
        (["帮我做张图", "2", "你好"], ("make_meme", {"text": "你好"})),
        (["帮我做张图", "表情包", "你好"], ("make_meme", {"text": "你好"})),
        (
            ["画图", "苹果 3，香蕉 5"],
            ("make_chart", {"kind": "bar", "labels": ["苹果", "香蕉"], "values": [3, 5]}),
        ),
    ],
)
def test_a_bare_answer_resumes_the_request(
    planned: Planned, texts: list[str], wanted: tuple[str, dict[str, Any]]
) -> None:
    made = planned(*texts)
    assert made.ask is None
    assert calls(made) == [wanted]


def test_the_answer_completes_all_steps(planned: Planned) -> None:
    made = planned("查天气，然后画成柱状图", "上海")
    assert calls(made) == [
        ("get_weather", {"city": "上海"}),
        ("make_chart", {"kind": "bar", **WEATHER_CHART}),
    ]


@pytest.mark.parametrize(
    ("texts", "called"),
    [
        (["帮我查一下天气", "算了，抛个硬币吧"], ["fun_pick"]),
        (["Delete a file", "Actually, roll a die instead"], ["fun_pick"]),
        (["帮我查一下天气", "谢谢"], []),
        (["帮我查一下天气", "不用了"], []),
        (["What's the weather?", "never mind"], []),
        (["帮我查一下天气", "算一下 3 × 4", "北京"], []),
    ],
)
def test_another_subject_drops_the_question(planned: Planned, texts: list[str], called: list[str]) -> None:
    made = planned(*texts)
    assert [step.tool for step in made.steps] == called
    assert made.ask is None


def test_nothing_but_what_is_offered_is_planned(intents: Intents, day: date) -> None:
    made = plan("查上海天气，然后算 3*4", [calculate], intents, day=day)
    assert [step.tool for step in made.steps] == ["calculate"]
    assert plan("查上海天气", [], intents, day=day).steps == ()


def test_where_today_is_not_offered_the_day_is_known(intents: Intents, tools: Toolbox, day: date) -> None:
    made = plan("离元旦还有几天", tools.only("days_between"), intents, day=day)
    assert calls(made) == [("days_between", {"start": "2026-10-23", "end": "2027-01-01"})]


def test_a_plan_has_a_bounded_number_of_steps(planned: Planned) -> None:
    made = planned("；".join(["掷骰子"] * 50))
    assert len(made.steps) == MAX_STEPS
    assert made.shortened


TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(
        [
            "查",
            "天气",
            "上海",
            "然后",
            "画图",
            "算",
            "12*3",
            "提醒我",
            "明天",
            "写进",
            "a.txt",
            "“好”",
            "and",
            "then",
            "roll",
            "a",
            "die",
            "it",
            "呢",
            "第2条",
            "再",
        ]
    ),
    max_size=8,
).map(" ".join)


@given(st.lists(TEXTS, min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_any_texts_make_a_plan_and_the_same_one_twice(texts: list[str]) -> None:
    plans: list[Plan] = []
    for text in texts:
        made = plan(text, TOOLS, INTENTS, plans, day=DAY)
        assert made == plan(text, TOOLS, INTENTS, plans, day=DAY)
        plans.append(made)
    assert len(plans[-1].steps) <= MAX_STEPS + 1
    plans[-1].to_plain()


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "🎉🎉",
        "مرحبا بالعالم",
        "查" * 100_000,
        "weather " * 12_000,
        "掷骰子，" * 1000,
        "1+" * 50_000,
        "“" * 9999,
        "1" + " " * 9000 + "x",
        "画图 1" + " a" * 3000,
        "画图 " + "1 " * 3000,
        "提醒我" + " \n" * 3000 + "好",
        "a.b." * 3000,
        "3 " + "和" * 3000,
        "算 " + "(" * 3000 + "1" + ")" * 3000,
        "算 " + "1 的 " * 1000,
    ],
)
def test_any_long_or_strange_text_takes_bounded_time(planned: Planned, text: str) -> None:
    import time

    started = time.thread_time()
    planned(text)
    assert time.thread_time() - started < 5.0
