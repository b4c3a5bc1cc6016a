"""agent_mini.tools.meme: every text fits, and none stops it."""

import asyncio
import re
import unicodedata
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.ft2font import FT2Font
from PIL import Image

from agent_mini import fonts
from agent_mini.fonts import matplotlib_file
from agent_mini.tools import Toolbox, ToolContext, make_meme
from agent_mini.tools.drawing.fonts import chinese_font
from agent_mini.tools.drawing.lettering import LINE, Lettering
from agent_mini.tools.drawing.mascot import draw_mascot
from agent_mini.tools.drawing.memes import HEIGHT, SIZES, WIDTH, draw_meme, split
from agent_mini.tools.drawing.text import clusters
from agent_mini.types import ToolResult

STYLES = ["meme", "note", "poster", "mascot"]


@pytest.fixture
def context(tmp_path) -> ToolContext:
    return ToolContext(workspace=tmp_path / "workspace")


async def meme(context: ToolContext, **arguments: Any) -> ToolResult:
    return await Toolbox([make_meme]).invoke("make_meme", arguments, context)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("text", ["测试全绿，可以下班了！", "It works on my machine", "上线\n别慌"])
async def test_a_meme_is_a_picture_in_the_workspace(context, style, text) -> None:
    result = await meme(context, text=text, style=style)
    assert result.ok, result.content
    path = result.data["path"]
    assert re.fullmatch(rf"pictures/{style}-[0-9a-f]{{12}}\.png", path)
    assert result.content.startswith(f"{style} picture saved as {path} ({WIDTH} x {HEIGHT} pixels).")
    assert result.data == {"path": path, "width": WIDTH, "height": HEIGHT, "style": style, "text": text}
    with Image.open(context.workspace / path) as picture:
        assert (picture.format, picture.size) == ("PNG", (WIDTH, HEIGHT))


@pytest.mark.parametrize("style", STYLES)
def test_the_text_is_in_the_picture_and_the_same_every_time(style) -> None:
    pictures = [draw_meme(text, style)[0] for text in ("one", "two", "one")]
    assert pictures[0] == pictures[2] != pictures[1]


def test_the_styles_are_four_pictures() -> None:
    assert len({draw_meme("hello", style)[0] for style in STYLES}) == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"text": ""}, "text: nothing to write"),
        ({"text": " \n\t"}, "text: nothing to write"),
        ({"text": "\u200b\u200d\ufe0f"}, "text: nothing in it can be seen"),
        ({"text": "\u3164\u2800\uffa0\u115f\u034f\U000e0100"}, "text: nothing in it can be seen"),
        ({"text": "x" * 1_000_000}, "text: String should have at most 10000 characters"),
        ({"text": "\ud83d"}, "text: Input should be a valid string"),
        ({"text": 5}, "text: Input should be a valid string; given 5"),
        ({}, "text: missing"),
        ({"text": "a", "style": "gif"}, "style: Input should be 'meme', 'note', 'poster' or 'mascot'"),
    ],
)
async def test_what_cannot_be_drawn_is_said(context, arguments, words) -> None:
    result = await meme(context, **arguments)
    assert not result.ok
    assert words in result.content
    assert not context.workspace.exists()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "text",
    [
        "🎉",
        "👩‍👩‍👧‍👦 family 🇨🇳",
        "a\x00b\x07\x1b[2J",
        "e\u0301\u0300\u0302\u0303" * 70,
        "שלום مرحبا \u202eabc",
        "\U0010fffe\ue000",
        "x" * 10_000,
        "字" * 10_000,
        "a\n" * 5_000,
        "{path} %s $x$",
        "ﷺ" * 300,
    ],
)
async def test_no_text_stops_it(context, style, text) -> None:
    result = await meme(context, text=text, style=style)
    assert result.ok, result.content
    assert len(result.content) < 400


async def test_what_is_left_out_is_said(context) -> None:
    long = await meme(context, text="字" * 301, style="note")
    assert "Only the first 300 of its 301 characters are drawn." in long.content
    tight = await meme(context, text="字" * 300, style="mascot")
    assert "The text is too long for this picture and is cut." in tight.content
    emoji = await meme(context, text="done 🦜")
    assert emoji.content.endswith("they were left out or shown as ?: 🦜")


async def test_without_a_chinese_font_there_is_a_picture_and_a_note(context, monkeypatch) -> None:
    monkeypatch.setattr(fonts, "find_cjk_font", lambda: None)
    chinese_font.cache_clear()
    try:
        result = await meme(context, text="你好，world")
        assert result.ok
        assert "fonts-noto-cjk" in result.content
        assert Lettering().drawable("你好，world") == "???world"
    finally:
        chinese_font.cache_clear()


@pytest.mark.parametrize(
    ("text", "kept", "missing"),
    [
        ("x\u0305 = 5, p\u0302", "x\u0305 = 5, p\u0302", ""),
        ("s\u0336t\u0336", "s\u0336t\u0336", ""),
        ("\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd", "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd", ""),
        ("\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f", None, ""),
        ("1\ufe0f\u20e3 2\ufe0f\u20e3 go", "1 2 go", "U+20E3"),
        ("\u0939\u093f\u0928\u094d\u0926\u0940", "???", "\u0926 \u0928 \u0939 U+093F U+0940 U+094D"),
        ("\u0e19\u0e49\u0e33", "??", "\u0e19 \u0e33 U+0E49"),
        ("a \u0301b\n\u0301c", "a b\nc", "U+0301"),
        ("\u0301", "combining acute accent", "U+0301"),
    ],
)
def test_a_mark_is_drawn_on_its_letter_or_left_out_and_said(text, kept, missing) -> None:
    lettering = Lettering()
    shown = lettering.drawable(text)
    if kept is not None:
        assert unicodedata.normalize("NFC", kept) == shown
    assert lettering.note.rpartition("?: ")[2] == missing
    maps = [set(FT2Font(file).get_charmap()) for file in font_files()]
    for cluster in clusters(shown.replace("\n", "")):
        assert any({ord(character) for character in cluster} <= known for known in maps), cluster


def font_files() -> list[str]:
    chinese = chinese_font().font
    return [str(matplotlib_file("fonts", "ttf", "DejaVuSans.ttf")), *([chinese.path] if chinese else [])]


def test_a_font_has_what_is_in_its_character_map() -> None:
    chinese = chinese_font().font
    if chinese is None:
        pytest.skip("no font here draws Chinese")
    lettering = Lettering()
    known = FT2Font(chinese.path, face_index=chinese.face).get_charmap()
    for code in (
        *range(0x21, 0x7F),
        *range(0x300, 0x370),
        *range(0x4E00, 0x4F00),
        *range(0x900, 0x980),
        0x20E3,
    ):
        assert lettering._has(0, chr(code)) is (code in known), hex(code)


def test_chinese_is_no_box() -> None:
    if fonts.find_cjk_font() is None:
        pytest.skip("no font here draws Chinese")
    lettering = Lettering()
    masks = {lettering.mask(character, 48).tobytes() for character in "中文国口"}
    assert len(masks) == 4


async def test_the_same_picture_on_several_threads_at_once_is_one_whole_file(context) -> None:
    results = await asyncio.gather(*(meme(context, text="同时 at once", style="note") for _ in range(6)))
    assert len({result.content for result in results}) == 1
    (file,) = (context.workspace / "pictures").iterdir()
    with Image.open(file) as picture:
        picture.load()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("top\nbottom", ("top", "bottom")),
        ("top\nmore\nand more", ("top", "more and more")),
        ("测试全绿，可以下班了！", ("测试全绿，", "可以下班了！")),
        ("hello", ("hello", "")),
        ("not long enough", ("not long enough", "")),
        ("a, \u0301b,\u0301cd", ("a,", "\u0301b,\u0301cd")),
        ("when the tests pass on the first try", ("when the tests pass", "on the first try")),
    ],
)
def test_a_meme_has_an_upper_and_a_lower_text(text, parts) -> None:
    assert split(text) == parts


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=300), st.floats(60, 700), st.floats(60, 400))
def test_fitted_text_is_inside_its_box(text, width, height) -> None:
    lettering = Lettering()
    fitted = lettering.fit(lettering.drawable(text), width, height, SIZES)
    assert len(fitted.lines) * fitted.size * LINE <= max(height, fitted.size * LINE)
    for line in fitted.lines:
        single = (
            len(clusters(line)) == 1 and fitted.size == SIZES[-1]
        )  # there is no smaller size, nor a place to break
        assert single or lettering.width(line, fitted.size) <= width + 1e-6


@pytest.mark.parametrize("text", ["@", "\ufdfd", "W W W"])
def test_a_letter_wider_than_the_box_is_made_smaller(text) -> None:
    lettering = Lettering()
    fitted = lettering.fit(text, 60, 200, SIZES)
    assert fitted.size < SIZES[0]
    assert "…" not in fitted.lines
    assert fitted.size == SIZES[-1] or max(lettering.width(line, fitted.size) for line in fitted.lines) <= 60


def test_lines_are_made_even_but_no_word_is_broken_for_it() -> None:
    lettering = Lettering()
    assert (
        lettering.fit("aaa aaa aaa aaa", lettering.width("aaa aaa aaa", 24), 99, [24]).lines
        == ("aaa aaa",) * 2
    )
    word = "internationalization"
    assert lettering.fit(f"{word} of it", lettering.width(word, 24) + 1, 99, [24]).lines == (word, "of it")


def test_a_scarce_box_gets_the_beginning_and_an_ellipsis() -> None:
    fitted = Lettering().fit("one two three four five six seven eight nine ten", 100, 60, SIZES)
    assert fitted.size == SIZES[-1]
    assert fitted.lines[0].startswith("one")
    assert fitted.lines[-1].endswith("…")


def test_mini_stands_on_nothing() -> None:
    picture = draw_mascot(120)
    assert (picture.size, picture.mode) == ((120, 120), "RGBA")
    assert picture.getpixel((0, 0)) == (0, 0, 0, 0)
    assert picture.getpixel((60, 54))[3] == 255


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=80), st.sampled_from(STYLES))
def test_any_text_makes_a_picture(text, style) -> None:
    with Image.open(BytesIO(draw_meme(text, style)[0])) as picture:
        assert picture.size == (WIDTH, HEIGHT)
