"""agent_mini.planner.extract: one kind of value at a time, the person's own words where they are text."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from agent_mini.planner import Intents, Scene, fill, normalise

Taken = Callable[[str, str, str], Any]


@pytest.fixture
def taken(intents: Intents, day: date) -> Taken:
    """``taken(tool, slot, text)``: what fills that slot of that tool."""

    def of(tool: str, slot: str, text: str) -> Any:
        intent = intents.get(tool)
        assert intent is not None
        return fill(normalise(text, intents), intent, Scene(intents, day)).arguments.get(slot)

    return of


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("上海天气", "上海"),
        ("北京市明天天气", "北京"),
        ("查一下景德镇未来五天的天气", "景德镇"),
        ("平遥下周会下雨吗", "平遥"),
        ("weather in Ljubljana", "Ljubljana"),
        ("weather oslo", "oslo"),
        ("Get Berlin's weather", "Berlin"),
        ("New York weather", "New York"),
        ("forecast for Ulan-Ude please", "Ulan-Ude"),
        ("weather in Shangai", "Shanghai"),
        ("What's the weather like tomorrow?", None),
        ("天气怎么样", None),
        ("下周会降温吗", None),
        ("check the weather for me", None),
    ],
)
def test_city(taken: Taken, text: str, city: str | None) -> None:
    assert taken("get_weather", "city", text) == city


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("上海天气", None),
        ("上海今天天气", 1),
        ("上海明天天气", 2),
        ("上海后天天气", 3),
        ("上海大后天天气", 4),
        ("上海未来三天天气", 3),
        ("上海这周天气", 7),
        ("上海周末天气", 3),
        ("上海周六天气", 2),
        ("上海周三天气", 6),
        ("Paris for the next 5 days", 5),
        ("Paris tomorrow", 2),
        ("Paris the day after tomorrow", 3),
        ("Paris this week", 7),
        ("Paris on Sunday", 3),
    ],
)
def test_days_on_a_friday(taken: Taken, text: str, days: int | None) -> None:
    assert taken("get_weather", "days", text) == days


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("算一下 (128 - 36) × 4", "(128 - 36) * 4"),
        ("what is 48 divided by 6 plus 9", "48 / 6 + 9"),
        ("sqrt 144", "sqrt(144)"),
        ("25 - -3", "25 - -3"),
        ("1,200 + 350", "1200 + 350"),
        ("$5 + $7", "5 + 7"),
        ("((1+2)*3", "(1+2)*3"),
        ("is 3 + 4 = 7?", "3 + 4"),
        ("2026-03-15", None),
        ("I am 25", None),
        ("3 * *", None),
        ("__import__('os') + 1", None),
    ],
)
def test_expression(taken: Taken, text: str, expression: str | None) -> None:
    assert taken("calculate", "expression", text) == expression


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2026-03-15 到 2026-11-02", "2026-03-15", "2026-11-02"),
        ("2026年5月1日到10月1日", "2026-05-01", "2027-10-01"),
        ("from March 1, 2026 to 30 June 2026", "2026-03-01", "2026-06-30"),
        ("until 2026-12-25 from 2026-12-01", "2026-12-01", "2026-12-25"),
        ("从国庆到元旦", "2026-10-01", "2027-01-01"),
        ("from 2026-02-01 to my exam", "2026-02-01", None),
        ("从上次旅行到2026-08-01过了多少天", None, "2026-08-01"),
        ("days between two dates", None, None),
        ("2026-02-30 到 2026-03-01", "2026-02-30", "2026-03-01"),
    ],
)
def test_the_two_ends_of_a_range(taken: Taken, text: str, start: str | None, end: str | None) -> None:
    assert (taken("days_between", "start", text), taken("days_between", "end", text)) == (start, end)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("离元旦还有几天", "2027-01-01"),
        ("离2028年元旦还有几天", "2028-01-01"),
        ("离春节还有几天", "2027-02-06"),
        ("days until Christmas", "2026-12-25"),
        ("days until Thanksgiving", "2026-11-26"),
        ("days until next Friday", "2026-10-30"),
        ("离下周三还有几天", "2026-10-28"),
    ],
)
def test_a_day_by_its_name(taken: Taken, text: str, end: str) -> None:
    assert taken("days_between", "end", text) == end


@pytest.mark.parametrize(
    ("text", "title", "due"),
    [
        ("提醒我周四交报告", "交报告", "周四"),
        ("周四提醒我交报告", "交报告", "周四"),
        ("提醒我明天下午三点开会", "开会", "明天下午三点"),
        ("提醒我2月30号交报告", "交报告", "2月30号"),
        ("加一个待办：下周三前提交申请", "提交申请", "下周三"),
        ("别忘了买三斤苹果", "买三斤苹果", None),
        ("买牛奶加到待办", "买牛奶", None),
        ("Remind me to call Mum tomorrow at 9am", "call Mum", "tomorrow at 9am"),
        ("remind me tomorrow to call Mum", "call Mum", "tomorrow"),
        ("Add “renew passport” to my todos for next Monday", "renew passport", "next Monday"),
        ("add pay rent to my todo list", "pay rent", None),
        ("remind me to finish the report by Friday", "finish the report", "Friday"),
        ("remind me in 30 minutes to stretch", "stretch", "in 30 minutes"),
        ("Add something to my to-do list", None, None),
        ("提醒我", None, None),
    ],
)
def test_title_and_due_date_in_the_persons_words(
    taken: Taken, text: str, title: str | None, due: str | None
) -> None:
    assert (taken("todo", "title", text), taken("todo", "due", text)) == (title, due)


@pytest.mark.parametrize(
    ("text", "labels", "values"),
    [
        ("画饼图：房租 3000，吃饭 1500", ["房租", "吃饭"], [3000, 1500]),
        ("bar chart: cats 4, dogs 7 and fish 2", ["cats", "dogs", "fish"], [4, 7, 2]),
        ("Plot a line graph with Jan 10, Feb 14, Mar 9", ["Jan", "Feb", "Mar"], [10, 14, 9]),
        ("pie of A=30%, B=70%", ["A", "B"], [30, 70]),
        ("Show Q1 1.5, Q2 -2 as a bar chart", ["Q1", "Q2"], [1.5, -2]),
        ("chart 2021: 5, 2022: 9", ["2021", "2022"], [5, 9]),
        ("line graph Monday 3 Tuesday 5", ["Monday", "Tuesday"], [3, 5]),
        ("柱状图，标签是语文、数学，数值是90、85", ["语文", "数学"], [90, 85]),
        ("Make a bar chart of 4, 7 and 9", None, [4, 7, 9]),
        ("画个柱状图，标签是语文、数学、英语", ["语文", "数学", "英语"], None),
        ("draw a chart", None, None),
    ],
)
def test_labels_and_values(
    taken: Taken, text: str, labels: list[str] | None, values: list[float] | None
) -> None:
    assert taken("make_chart", "labels", text) == labels
    assert taken("make_chart", "values", text) == values


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("从看电影、打球、睡觉里随机挑一个", ["看电影", "打球", "睡觉"]),
        ("Pick one for me: tea, coffee or juice", ["tea", "coffee", "juice"]),
        ("choose between pizza and sushi", ["pizza", "sushi"]),
        ("帮我选：火锅还是烧烤", ["火锅", "烧烤"]),
        ("转一下转盘", None),
    ],
)
def test_options(taken: Taken, text: str, options: list[str] | None) -> None:
    assert taken("fun_pick", "options", text) == options


@pytest.mark.parametrize(
    ("tool", "slot", "text", "value"),
    [
        ("files", "content", "把“项目周五上线”写进 plan.txt", "项目周五上线"),
        ("files", "content", "在 diary.txt 后面加一句：今天跑了五公里", "今天跑了五公里"),
        ("files", "content", "把 明天开会 写到 memo.txt", "明天开会"),
        ("files", "content", "write a file called x.md with content hello", "hello"),
        ("files", "path", "read ../secret.txt", "../secret.txt"),
        ("files", "path", "打开“my notes.txt”", "my notes.txt"),
        ("files", "path", "存到笔记.txt", "笔记.txt"),
        ("files", "action", "看看我的文件夹里都有啥文件", "list"),
        ("todo", "action", "我还有哪些待办没做完", "list"),
        ("todo", "id", "第3条待办做完了", 3),
        ("todo", "id", "delete todo 5", 5),
        ("make_meme", "text", "做个表情包，写上“周一又来了”", "周一又来了"),
        ("make_meme", "style", "I need a poster", "poster"),
        ("make_ascii_art", "text", "Write PYTHON in ASCII art", "PYTHON"),
        ("make_ascii_art", "text", "把 HELLO 变成字符画", "HELLO"),
        ("fun_pick", "sides", "Roll two 20-sided dice", 20),
        ("fun_pick", "count", "Roll two 20-sided dice", 2),
        ("fun_pick", "count", "抛两次硬币", 2),
        ("make_chart", "title", "折线图，周一12，周二15，标题叫“跑步”", "跑步"),
        ("calculate", "precision", "22除以7，保留两位小数", 2),
    ],
)
def test_other_values(taken: Taken, tool: str, slot: str, text: str, value: object) -> None:
    assert taken(tool, slot, text) == value
