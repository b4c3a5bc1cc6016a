"""agent_mini.tools.chart: honest charts, Chinese in them, and nothing that stops it."""

import asyncio
import math
import re
from io import BytesIO
from typing import Any

import matplotlib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text
from PIL import Image

from agent_mini import fonts
from agent_mini.tools import Toolbox, ToolContext, make_chart
from agent_mini.tools.drawing.axes import _fit_labels, _room, _short, draw_axes
from agent_mini.tools.drawing.charts import draw_chart
from agent_mini.tools.drawing.fonts import chinese_font
from agent_mini.tools.drawing.pie import draw_pie
from agent_mini.tools.drawing.sheet import DPI, HEIGHT, WIDTH, Sheet
from agent_mini.types import ToolResult

WEEK = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"]


@pytest.fixture
def context(tmp_path) -> ToolContext:
    return ToolContext(workspace=tmp_path / "new" / "workspace")


@pytest.fixture
def no_chinese_font(monkeypatch):
    monkeypatch.setattr(fonts, "find_cjk_font", lambda: None)
    chinese_font.cache_clear()
    yield
    chinese_font.cache_clear()


def needs_chinese() -> None:
    if fonts.find_cjk_font() is None:
        pytest.skip("no font here draws Chinese")


async def chart(context: ToolContext, **arguments: Any) -> ToolResult:
    return await Toolbox([make_chart]).invoke("make_chart", arguments, context)


@pytest.mark.parametrize("kind", ["bar", "line", "pie"])
@pytest.mark.parametrize("count", [1, 2, 7, 20, 50])
async def test_a_chart_is_a_picture_in_the_workspace(context, kind, count) -> None:
    labels, values = [f"第{n}天 day {n}" for n in range(count)], [n * 1.5 + 1 for n in range(count)]
    result = await chart(context, kind=kind, labels=labels, values=values, title="气温 Temperature")
    assert result.ok, result.content
    path = result.data.pop("path")
    assert re.fullmatch(rf"pictures/{kind}-[0-9a-f]{{12}}\.png", path)
    with Image.open(context.workspace / path) as picture:
        assert (picture.format, picture.size) == ("PNG", (WIDTH, HEIGHT))
    drawn = {"kind": kind, "title": "气温 Temperature", "labels": labels, "values": values}
    assert result.data == {"width": WIDTH, "height": HEIGHT, **drawn}
    shown = "1 value" if count == 1 else f"{count} values"
    assert result.content.startswith(f"{kind} chart of {shown} saved as {path} ({WIDTH} x {HEIGHT} pixels).")


async def test_twice_the_same_is_one_file_and_another_is_another(context) -> None:
    first = await chart(context, kind="bar", labels=["a", "b"], values=[1, 2])
    again = await chart(context, kind="bar", labels=["a", "b"], values=[1.0, "2"])
    other = await chart(context, kind="bar", labels=["a", "b"], values=[2, 1])
    assert first == again
    assert first.data["path"] != other.data["path"]
    files = sorted(path.name for path in (context.workspace / "pictures").iterdir())
    assert files == sorted(result.data["path"].removeprefix("pictures/") for result in (first, other))


async def test_whole_numbers_stay_whole_and_labels_may_be_numbers(context) -> None:
    result = await chart(context, kind="line", labels=[2025, 2026], values=[21.0, -0.5])
    assert result.data["labels"] == ["2025", "2026"]
    assert [(value, type(value)) for value in result.data["values"]] == [(21, int), (-0.5, float)]


BAD = [
    ({"labels": ["a"], "values": [1, 2]}, "must be equally many; given 1 labels and 2 values"),
    ({"labels": [], "values": []}, "labels: List should have at least 1 item"),
    ({"labels": ["a"] * 51, "values": [1] * 51}, "labels: List should have at most 50 items"),
    ({"labels": ["a"], "values": [1] * 100_000}, "values: List should have at most 50 items"),
    ({"values": [1, math.nan]}, "values.1: Input should be a finite number; given nan"),
    ({"values": [math.inf, 1]}, "values.0: Input should be a finite number; given inf"),
    ({"values": [1, "NaN"]}, "values.1: Input should be a finite number"),
    ({"values": [1, 1e16]}, "values.1: Input should be less than or equal to 1000000000000000"),
    ({"values": [1, 10**400]}, "values.1:"),
    ({"values": [1, "9" * 5000]}, "values.1:"),
    ({"values": [True, 1]}, "values.0: Value error, Input should be a number, not true or false; given True"),
    ({"values": [1, "12°C"]}, "values.1: Input should be a valid number, unable to parse string"),
    ({"values": [1, None]}, "values.1: Input should be a valid number; given None"),
    ({"values": [1, [2]]}, "values.1: Input should be a valid number"),
    ({"values": "1, 2"}, "values: Input should be a valid list; given '1, 2'"),
    ({"values": {"a": 1, "b": 2}}, "values: Input should be a valid list"),
    ({"labels": ["a", "b" * 101]}, "labels.1: String should have at most 100 characters"),
    ({"labels": ["a", True]}, "labels.1: Input should be a valid string; given True"),
    ({"title": "\ud800"}, "title: Input should be a valid string"),
    ({"labels": "ab"}, "labels: Input should be a valid list"),
    ({"title": "t" * 1_000_000}, "title: String should have at most 200 characters"),
    ({"kind": "radar"}, "kind: Input should be 'bar', 'line' or 'pie'; given 'radar'"),
    ({"kind": "pie", "values": [3, -1.5]}, "a pie has no negative slices; given -1.5 for 'b'"),
    ({"kind": "pie", "values": [0, 0]}, "a pie needs at least one value above 0"),
    ({"labels": None}, "labels: Input should be a valid list; given None"),
    ({"path": "../x.png"}, "path: no such argument"),
]


@pytest.mark.parametrize(("change", "words"), BAD)
async def test_what_cannot_be_drawn_is_said_and_leaves_nothing(context, change, words) -> None:
    result = await chart(context, **{"kind": "bar", "labels": ["a", "b"], "values": [1, 2], **change})
    assert not result.ok
    assert words in result.content
    assert "\n" not in result.content
    assert len(result.content) < 400
    assert not context.workspace.exists()


HOSTILE_TEXTS = [
    "$x^$ costs $\\frac{$",
    "a\x00b\x1b[31m",
    "line\nbreak\r\n\ttab",
    "\u200b\u200d\u202e\ufeff",
    "e\u0301\u0300\u0302" * 20,
    "👩‍👩‍👧‍👦🎉",
    "שלום مرحبا",
    "\U0010fffe\ue000\u0378",
    "%s {} \\n <b>&amp;</b>",
    "",
    "   ",
    "𰻞𰻝",
]


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
@pytest.mark.parametrize("kind", ["bar", "pie"])
async def test_no_text_stops_it(context, text, kind) -> None:
    result = await chart(context, kind=kind, labels=[text, "b"], values=[1, 2], title=text)
    assert result.ok, result.content


async def test_what_no_font_has_is_said(context) -> None:
    result = await chart(context, kind="bar", labels=["🦜", "b"], values=[1, 2])
    assert result.content.endswith(
        " No font here draws these characters, they were left out or shown as ?: 🦜"
    )
    assert Sheet("").drawable("🦜") == "parrot"  # a label of nothing else is named
    assert Sheet("").drawable("🦜 bird") == "bird"


def test_chinese_is_no_box() -> None:
    needs_chinese()
    pictures = {draw_chart("bar", [label], [1], "")[0] for label in ("中", "文", "国", "?")}
    assert len(pictures) == 4  # boxes would all be the same
    assert draw_chart("bar", ["中"], [1], "标题")[1] == ""


async def test_without_a_chinese_font_there_is_a_chart_and_a_note(context, no_chinese_font) -> None:
    result = await chart(context, kind="pie", labels=WEEK, values=range(7), title="一周")
    assert result.ok
    assert "fonts-noto-cjk" in result.content
    assert result.data["labels"] == WEEK
    assert Sheet("").drawable("周一 Mon") == "?? Mon"


async def test_charts_are_drawn_on_several_threads_at_once(context) -> None:
    arguments = {"labels": WEEK, "values": [3, 1, 4, 1, 5, 9, 2], "title": "一周"}
    alone = {kind: draw_chart(kind, *arguments.values())[0] for kind in ("bar", "line", "pie")}
    results = await asyncio.gather(*(chart(context, kind=kind, **arguments) for kind in list(alone) * 4))
    assert all(result.ok for result in results)
    for result in results:
        assert (context.workspace / result.data["path"]).read_bytes() == alone[result.data["kind"]]
    assert len(list((context.workspace / "pictures").iterdir())) == 3


@pytest.mark.parametrize("kind", ["bar", "line", "pie"])
@pytest.mark.parametrize(
    "settings",
    [
        {"font.family": "serif", "font.size": 30, "figure.dpi": 300},
        {"text.usetex": True},
        {"axes.formatter.use_mathtext": True, "axes.formatter.use_locale": True},
        {"path.sketch": (1, 100, 2)},
    ],
)
def test_what_a_person_set_in_matplotlib_does_not_matter(kind, settings) -> None:
    plain = draw_chart(kind, ["a $b", "c"], [1, 20.5], "t $x$")[0]
    with matplotlib.rc_context(settings):
        assert draw_chart(kind, ["a $b", "c"], [1, 20.5], "t $x$")[0] == plain


@pytest.mark.parametrize("count", range(1, 51))
@pytest.mark.parametrize("label", ["一", "2026-12-01", "很长的标签很长的标签很长的标签"])
def test_labels_under_an_axis_do_not_touch(count, label) -> None:
    sheet = Sheet("")
    size, angle = _fit_labels(sheet, [label] * count)
    turned = math.radians(angle)
    across = sheet.pixels(label, size) + 2 if angle == 0 else size * DPI / 72 / math.sin(turned)
    assert across <= _room(count)


LONG = ["W" * 100, "MANAGEMENT COMMUNICATION WWWWWWWWWW", "很长的标签" * 20, "x\u0305" * 50]


def texts(sheet: Sheet) -> list[tuple[str, Any]]:
    """What is written on a sheet that has been drawn, and where, in pixels from the left and the bottom."""
    sheet.png()
    renderer = sheet._canvas.get_renderer()
    written = [text for text in sheet.figure.findobj(Text) if text.get_text() and text.get_visible()]
    return [(text.get_text(), text.get_window_extent(renderer)) for text in written]


@pytest.mark.parametrize("kind", ["bar", "pie"])
@pytest.mark.parametrize("count", [1, 13, 30, 50])
@pytest.mark.parametrize("label", LONG)
@pytest.mark.parametrize("font", [True, False])
def test_no_text_leaves_the_picture(kind, count, label, font, request) -> None:
    if not font:
        request.getfixturevalue("no_chinese_font")
    sheet = Sheet("W" * 62)
    labels, values = [sheet.drawable(label)] * count, [n % 7 + 1.5 for n in range(count)]
    if kind == "pie":
        draw_pie(sheet, labels, values)
    else:
        draw_axes(sheet, kind, labels, values)
    for text, box in texts(sheet):
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= WIDTH, text
        assert box.y1 <= HEIGHT, text
    if kind == "pie":
        listed = [text for text, _ in texts(sheet) if re.search(r"  \d+\.\d%$", text)]
        assert len(listed) == count


@pytest.mark.parametrize("title", ["W" * 62, "QUARTERLY MANAGEMENT REPORT " * 7, "标题" * 100, "W" * 200])
@pytest.mark.parametrize("font", [True, False])
def test_a_title_stays_above_the_chart(title, font, request) -> None:
    if not font:
        request.getfixturevalue("no_chinese_font")
    sheet = Sheet(title)
    ((_, box),) = texts(sheet)
    assert box.x0 >= 0
    assert box.x1 <= WIDTH
    assert box.y0 >= HEIGHT - sheet.top


@pytest.mark.parametrize(
    "text", ["W" * 62, "MANAGEMENT COMMUNICATION", "中文标题，快速 fox", "1,234.5%", "iiii"]
)
@pytest.mark.parametrize("size", [7, 9, 10, 12, 15])
def test_a_text_is_as_wide_as_it_is_drawn(text, size) -> None:
    sheet = Sheet("")
    shown = sheet.drawable(text)
    sheet.write(0, 100, shown, size)
    ((_, box),) = texts(sheet)
    assert 0.98 * box.width - 1 <= sheet.pixels(shown, size) <= 1.08 * box.width + 1


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (2.5, "2.5"),
        (-3, "-3"),
        (1234.5678, "1,234.57"),
        (1_000_000_000.4, "1,000,000,000"),
        (0.00012, "0.00012"),
        (1e15, "1,000,000,000,000,000"),
    ],
)
def test_a_value_is_written_as_people_write_it(value, shown) -> None:
    assert _short(value) == shown


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["bar", "line"]),
    st.lists(st.tuples(st.text(max_size=100), st.floats(-1e15, 1e15)), min_size=1, max_size=12),
    st.text(max_size=200),
)
def test_any_text_and_any_numbers_make_a_picture(kind, points, title) -> None:
    png, _ = draw_chart(kind, [label for label, _ in points], [value for _, value in points], title)
    with Image.open(BytesIO(png)) as picture:
        assert picture.size == (WIDTH, HEIGHT)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1e15), min_size=1, max_size=12).filter(any))
def test_any_shares_make_a_pie(values) -> None:
    assert draw_chart("pie", ["x"] * len(values), values, "")[0]
