"""agent_mini.planner.score: a sum a person can check by hand."""

from datetime import date

import pytest

from agent_mini.planner import Candidate, Intents, Scene, Step, decide, normalise, read_intent, score
from agent_mini.planner.score import PARTS


@pytest.fixture
def weigh(intents: Intents, day: date):
    def of(text: str, tool: str, *done: Step) -> Candidate:
        intent = intents.get(tool)
        assert intent is not None
        return score(normalise(text, intents), intent, Scene(intents, day, done))

    return of


def test_the_parts_add_up(weigh, intents: Intents) -> None:
    candidate = weigh("查上海未来三天天气", "get_weather")
    place = "查上海未来3天天气".index("天气")
    boost = 1.3 - 0.3 * place / 9

    assert candidate.parts == {
        "trigger": round(2.0 * boost, 3),
        "evidence": 1.4,
        "diversity": 0.6,
        "request": 0.6,
    }
    assert candidate.total == round(sum(candidate.parts.values()), 3)
    assert candidate.found == ("天气", "city", "days")


def test_the_front_counts_more(weigh) -> None:
    assert weigh("天气", "get_weather").parts["trigger"] == 2.6
    assert (
        weigh("weather in the city", "get_weather").parts["trigger"]
        > weigh("in the city the weather", "get_weather").parts["trigger"]
    )


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("我想看《天气之子》", "get_weather"),
        ("《待办人生》是本书吗", "todo"),
        ("I can't weather this storm", "get_weather"),
        ("老板又在画饼", "make_chart"),
        ("我打算休息", "calculate"),
        ("不用帮我查天气了", "get_weather"),
        ("Please don't delete notes.txt", "files"),
        ("what is a pie chart", "make_chart"),
        ("你喜欢下雨吗", "get_weather"),
    ],
)
def test_what_only_looks_like_it_is_far_below_nought(weigh, text: str, tool: str) -> None:
    candidate = weigh(text, tool)
    assert candidate.parts["negative"] == -8.0
    assert candidate.total < 0


def test_what_speaks_against_it_is_shown(weigh) -> None:
    assert weigh("我想看《天气之子》", "get_weather").found == ("not 天气之子",)
    assert weigh("帮我做张图", "make_meme").found == ("张图",)


@pytest.mark.parametrize("text", ["要不要带伞", "会不会下雨", "是不是要下雨了", "别忘了带伞"])
def test_a_question_or_a_reminder_denies_nothing(weigh, text: str) -> None:
    assert "negative" not in weigh(text, "get_weather").parts


def test_a_longer_word_of_the_tool_outweighs_what_looks_like_it(weigh) -> None:
    assert "negative" not in weigh("画饼图，标签是A、B", "make_chart").parts


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("the weather was awful last week", "get_weather"),
        ("the dice were on the table", "fun_pick"),
        ("这个文件夹真好看", "files"),
        ("my to-do list is killing me", "todo"),
        ("她总是提醒我吃饭", "todo"),
    ],
)
def test_a_word_that_merely_occurs_is_no_request(weigh, intents: Intents, text: str, tool: str) -> None:
    candidate = weigh(text, tool)
    assert candidate.parts["statement"] == -1.5
    assert decide([candidate], intents.weights).kind == "talk"


def test_a_chart_is_likelier_right_after_weather(weigh) -> None:
    weather = Step("get_weather", "get_weather", {}, 1)
    alone, after = weigh("画成图", "make_chart"), weigh("画成图", "make_chart", weather)

    assert after.parts["context"] == 2.0
    assert after.total == alone.total + 2.0
    assert "context" not in weigh("掷骰子", "fun_pick", weather).parts


def test_no_more_hits_of_a_kind_count_than_the_weights_say(weigh) -> None:
    many = weigh("天气 气温 下雨 下雪 带伞 台风", "get_weather")
    assert len(many.found) >= 5
    assert many.parts["trigger"] < 2 * 2.6


def test_weights_are_data(intents: Intents, day: date) -> None:
    intent = read_intent('tool = "t"\ntriggers = ["hello"]\nobjects = ["world"]')
    scene = Scene(intents, day)
    assert score(normalise("say hello world", intents), intent, scene).parts.keys() <= set(PARTS)
