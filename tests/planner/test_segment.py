"""agent_mini.planner.segment: where a request is parted, and where not."""

from collections.abc import Callable

import pytest

from agent_mini.planner import Intents, Plan, normalise, segment
from agent_mini.planner.segment import MAX_SEGMENTS

Planned = Callable[..., Plan]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("查上海天气，然后画成柱状图", ["查上海天气", "画成柱状图"]),
        ("查天气再画图", ["查天气", "画图"]),
        ("查天气，接着画图；提醒我带伞", ["查天气", "画图", "提醒我带伞"]),
        ("roll a die and then flip a coin", ["roll a die", "flip a coin"]),
        ("roll a die; flip a coin", ["roll a die", "flip a coin"]),
        ("Check the weather. Then chart it", ["check the weather", "chart it"]),
        ("画饼图：房租 3000，吃饭 1500", ["画饼图：房租 3000，吃饭 1500"]),
        ("把“先写，然后再改”写进 a.txt", ["把“…”写进 ‹…›"]),
        ("再见", ["再见"]),
        ("strengthen it", ["strengthen it"]),
        ("I have been here since then", ["i have been here since then"]),
        ("合并两个文件", ["合并2个文件"]),
        ("", []),
    ],
)
def test_the_words_that_part(intents: Intents, text: str, parts: list[str]) -> None:
    assert [part.text for part in segment(normalise(text, intents), intents.language)] == parts


def test_a_part_that_asks_for_nothing_stays_with_the_one_before(intents: Intents) -> None:
    reading = normalise("提醒我洗碗然后拖地然后画图", intents)
    parts = segment(reading, intents.language, lambda piece, before: "图" in piece.text)

    assert [part.text for part in parts] == ["提醒我洗碗然后拖地", "画图"]


def test_the_number_of_parts_is_bounded(intents: Intents) -> None:
    parts = segment(normalise("掷骰子；" * 1000, intents), intents.language)

    assert len(parts) == MAX_SEGMENTS
    assert parts[-1].text.endswith("掷骰子")


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("查大连天气，做成折线图，提醒我带伞", ["get_weather", "make_chart", "todo"]),
        ("Check Berlin weather and save it to b.txt", ["get_weather", "files"]),
        ("Flip a coin and roll a die", ["fun_pick", "fun_pick"]),
        ("22除以7，保留两位小数", ["calculate"]),
        ("Open report.md and show me what's in it", ["files"]),
        ("I can't decide what to have for lunch, pick something for me", ["fun_pick"]),
        ("Plot temperatures: Mon 20, Tue 22, Wed 19", ["make_chart"]),
        ("remind me to buy milk and bread", ["todo"]),
        ("从看电影、打球、睡觉里选一个", ["fun_pick"]),
        ("提醒我洗碗然后拖地", ["todo"]),
        ("Add milk to my list and then add eggs", ["todo", "todo"]),
    ],
)
def test_a_comma_parts_only_two_requests(planned: Planned, text: str, called: list[str]) -> None:
    assert [step.tool for step in planned(text).steps] == called
