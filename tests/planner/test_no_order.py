"""What destroys or writes needs an order: a sentence that asks about it, reports it or takes it back is none."""

import datetime as dt

import pytest

from agent_mini.config import CHECKOUT
from agent_mini.planner import Plan, load_intents, plan
from agent_mini.tools import standard_tools

INTENTS = load_intents(CHECKOUT / "data" / "intents")
TOOLS = list(standard_tools())


def planned(*turns: str) -> Plan:
    """The plan of the last turn."""
    made: tuple[Plan, ...] = ()
    for turn in turns:
        made = (*made, plan(turn, TOOLS, INTENTS, made, day=dt.date(2026, 10, 23)))
    return made[-1]


def actions(*turns: str) -> list[object]:
    return [step.arguments.get("action") for step in planned(*turns).steps]


@pytest.mark.parametrize(
    "text",
    [
        "我没让你删notes.txt",
        "谁删了notes.txt",
        "删除notes.txt之前先问我",
        "他删除了notes.txt",
        "notes.txt被删除了",
        "是不是要删除notes.txt",
        "I would rather not delete notes.txt",
        "should I delete notes.txt?",
        "what happens if I delete notes.txt",
        "I'm not sure if I should delete notes.txt",
        "My boss told me to delete notes.txt but I refused",
        "don't delete notes.txt",
        "我已经写了文件report.txt",
        "我昨天把“你好”写进了a.txt",
        "I haven't finished task 1",
        "Task 3 is not done yet",
        "did I finish task 3?",
        "任务1完成了吗",
        "待办1删了吗",
        "他让我删除待办3，我没理他",
    ],
)
def test_what_is_no_order_is_not_done(text: str) -> None:
    assert not {"delete", "done", "write", "append"}.intersection(actions(text))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("删除notes.txt", "delete"),
        ("delete notes.txt please", "delete"),
        ("Can you delete notes.txt?", "delete"),
        ("把“你好”写进 a.txt", "write"),
        ("帮我把任务1标记为完成", "done"),
        ("task 1 is done", "done"),
        ("我已经做完了2号待办", "done"),
        ("I've already finished task 2", "done"),
    ],
)
def test_an_order_is(text: str, action: str) -> None:
    assert actions(text) == [action]


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("delete a task", "not 1"),
        ("delete a task", "I have 3 kids"),
        ("删除待办", "我有1个孩子"),
        ("删除待办", "除了2"),
        ("remind me", "what?"),
        ("remind me", "no"),
        ("weather", "yes"),
        ("make a meme", "no thanks"),
    ],
)
def test_not_everything_answers_a_question(request_: str, answer: str) -> None:
    assert planned(request_, answer).steps == ()


@pytest.mark.parametrize(
    ("request_", "answer", "arguments"),
    [
        ("delete a task", "2", {"action": "delete", "id": 2}),
        ("删除待办", "第2个", {"action": "delete", "id": 2}),
        ("delete a task", "the second one", {"action": "delete", "id": 2}),
        ("remind me", "buy milk", {"action": "add", "title": "buy milk"}),
        ("天气怎么样", "北京", {"city": "北京"}),
    ],
)
def test_a_bare_answer_does(request_: str, answer: str, arguments: dict[str, object]) -> None:
    assert [dict(step.arguments) for step in planned(request_, answer).steps] == [arguments]


def test_a_film_is_no_city_after_the_weather_either() -> None:
    assert planned("北京天气", "《天气之子》好看吗").steps == ()


@pytest.mark.parametrize("text", ["1" * 1200, "9" * 32_000, "١٢٣" * 3000, "一" * 2500, "3*" * 1000])
def test_long_runs_of_digits_are_read_in_no_time(text: str) -> None:
    """Each took minutes once; the limit here is that of any test."""
    assert planned(text).text == text


@pytest.mark.parametrize(
    ("text", "expression"),
    [("1万加2千", "10000 + 2000"), ("2千乘3", "2000 * 3"), ("1.5万除以3", "15000 / 3")],
)
def test_digits_with_a_chinese_unit_are_one_number(text: str, expression: str) -> None:
    assert [step.arguments["expression"] for step in planned(text).steps] == [expression]


def test_a_little_word_before_a_weekday_is_no_next_week() -> None:
    assert dict(planned("帮我记一下周四交房租").steps[0].arguments) == {
        "action": "add",
        "due": "周四",
        "title": "交房租",
    }
