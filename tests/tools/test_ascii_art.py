"""agent_mini.tools.ascii_art: letters from a table, Chinese by a font, pictures by their brightness."""

import os
import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ExifTags, Image, ImageOps

from agent_mini import fonts
from agent_mini.tools import Toolbox, ToolContext, make_ascii_art, make_chart
from agent_mini.tools.drawing.banner import GLYPHS, set_banner
from agent_mini.tools.drawing.dots import MAX_SIDE, RAMP, picture_rows
from agent_mini.tools.drawing.fonts import chinese_font
from agent_mini.types import ToolResult


@pytest.fixture
def context(tmp_path) -> ToolContext:
    (tmp_path / "workspace" / "pictures").mkdir(parents=True)
    return ToolContext(workspace=tmp_path / "workspace")


async def art(context: ToolContext, **arguments: Any) -> ToolResult:
    return await Toolbox([make_ascii_art]).invoke("make_ascii_art", arguments, context)


# --- text ---------------------------------------------------------------------------------------------------


async def test_text_is_written_in_large_letters(context) -> None:
    result = await art(context, text="Hi 42!")
    assert result.content.splitlines() == [
        "#  # ###     #  # ###  #",
        "#  #  #      #  #    # #",
        "####  #      ####  ##  #",
        "#  #  #         # #",
        "#  # ###        # #### #",
    ]
    assert result.data == {"text": result.content, "width": 24, "height": 5}


def test_every_printable_ascii_character_has_a_letter_of_its_own() -> None:
    printable = {chr(code) for code in range(32, 127)}
    assert {character for character in printable if character.upper() not in GLYPHS} == set()
    assert len(set(GLYPHS.values())) == len(GLYPHS)
    for glyph in GLYPHS.values():
        assert len(glyph) == 5
        assert len({len(row) for row in glyph}) == 1


async def test_lines_are_broken_between_words_and_long_words_anywhere(context) -> None:
    assert (await art(context, text="AB CD", width=12)).content.count("\n\n") == 1
    broken = await art(context, text="M" * 60, width=10)
    assert broken.data["width"] <= 10
    assert broken.content.count("\n\n") == 59


async def test_an_accent_is_left_out_and_full_width_is_usual_width(context) -> None:
    assert (await art(context, text="É")).content == (await art(context, text="e")).content
    assert (await art(context, text="Ｏｋ！")).content == (await art(context, text="OK!")).content


@pytest.mark.parametrize(
    ("text", "plain", "codes"),
    [
        ("1\ufe0f\u20e3 go", "1 go", "U+20E3"),
        ("x\u0305p\u0302", "xp", "U+0302 U+0305"),
        ("a \u0301 b", "a b", "U+0301"),
    ],
)
async def test_a_mark_is_no_letter_and_is_said(context, text, plain, codes) -> None:
    result = await art(context, text=text)
    letters = (await art(context, text=plain)).data["text"]
    assert result.data["text"] == letters
    assert result.content == f"{letters}\n\nLetters are written without the marks on them: {codes}."


async def test_chinese_is_drawn_by_a_font(context) -> None:
    if fonts.find_cjk_font() is None:
        pytest.skip("no font here draws Chinese")
    one = await art(context, text="一")
    lines = [line for line in one.content.splitlines() if line.strip()]
    assert 1 <= len(lines) <= 2  # a single stroke
    assert max(line.count("#") for line in lines) > 15
    assert (await art(context, text="中")).content != (await art(context, text="文")).content
    mixed = await art(context, text="中A", width=60)
    assert mixed.content.splitlines()[-1].endswith("#  #")
    assert (await art(context, text="中文", width=10)).data["width"] <= 10


async def test_without_a_font_the_note_says_what_to_install(context, monkeypatch) -> None:
    monkeypatch.setattr(fonts, "find_cjk_font", lambda: None)
    chinese_font.cache_clear()
    try:
        mixed = await art(context, text="中A")
        assert mixed.ok
        assert mixed.content.startswith(" ".join((GLYPHS["?"][0], GLYPHS["A"][0])).rstrip())
        assert "fonts-noto-cjk" in mixed.content
        assert mixed.data["height"] == 5
        nothing = await art(context, text="中文")
        assert not nothing.ok
        assert nothing.content.startswith("text: none of it can be drawn. Chinese is shown as ?")
    finally:
        chinese_font.cache_clear()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "text and image: exactly one of them is needed; given neither"),
        ({"text": " ", "image": "\n"}, "given neither"),
        ({"text": "a", "image": "pictures/a.png"}, "given both"),
        ({"text": "x" * 61}, "text: at most 60 characters; given 61"),
        ({"text": "x" * 1_000_000}, "text: String should have at most 10000 characters"),
        ({"text": "\u200b\x00"}, "text: nothing in it can be seen"),
        ({"text": "\u3164\u2800"}, "text: nothing in it can be seen"),
        (
            {"text": "\u0301"},
            "none of it can be drawn. Letters are written without the marks on them: U+0301.",
        ),
        ({"text": "\u0939\u093f"}, "text: none of it can be drawn. No font here draws"),
        ({"text": "🦜"}, "text: none of it can be drawn. No font here draws"),
        ({"text": "a", "width": 9}, "width: Input should be greater than or equal to 10; given 9"),
        ({"text": "a", "width": 10**9}, "width: Input should be less than or equal to 200"),
        ({"text": "a", "background": "blue"}, "background: Input should be 'dark' or 'light'"),
    ],
)
async def test_what_cannot_be_drawn_is_said(context, arguments, words) -> None:
    result = await art(context, **arguments)
    assert not result.ok
    assert words in result.content
    assert "\n" not in result.content


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=60), st.integers(10, 200))
def test_a_banner_is_never_wider_than_it_may_be(text, width) -> None:
    words = [[GLYPHS.get(character, GLYPHS["?"]) for character in word] for word in text.upper().split()]
    lines = set_banner(words, width).splitlines()
    assert all(len(line) <= width for line in lines)
    assert sum("#" in line for line in lines) >= (1 if any(words) else 0)


# --- pictures -----------------------------------------------------------------------------------------------


def picture(mode: str = "L", size: tuple[int, int] = (40, 20), colour: Any = 0) -> Image.Image:
    return Image.new(mode, size, colour)


def saved(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def half_bright() -> Image.Image:
    image = picture()
    image.paste(255, (20, 0, 40, 20))
    return image


def test_bright_is_dense_on_a_dark_screen_and_the_other_way_round_on_a_light_one() -> None:
    dark, _ = picture_rows(saved(half_bright()), 20, dark=True)
    light, note = picture_rows(saved(half_bright()), 20, dark=False)
    assert note == ""
    assert dark == [" " * 10 + "@" * 10] * 5
    assert light == ["@" * 10] * 5


def test_every_letter_of_the_ramp_is_used() -> None:
    image = Image.frombytes("L", (256, 2), bytes(range(256)) * 2)
    row = picture_rows(saved(image), 200, dark=True)[0][0]
    assert sorted(set(row), key=row.index) == list(RAMP)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP", "WEBP"])
async def test_the_usual_kinds_are_read(context, kind) -> None:
    (context.workspace / "pictures" / "a").write_bytes(saved(half_bright(), kind))
    result = await art(context, image="pictures/a", width=20)
    assert result.ok, result.content
    assert (result.data["width"], result.data["height"]) == (20, 5)
    assert result.data["text"] == result.content
    assert {line[15] for line in result.content.splitlines()} == {"@"}


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_pixel_is_read(mode) -> None:
    assert len(picture_rows(saved(picture(mode)), 10, dark=True)[0]) == 2


def test_grey_in_16_bits_keeps_its_levels() -> None:
    levels = [0] * 10 + [30_000] * 10 + [65_535] * 10
    grey = Image.frombytes("I;16", (30, 20), struct.pack("<30H", *levels) * 20)
    assert picture_rows(saved(grey), 15, dark=True)[0][0] == " " * 5 + "=" * 5 + "@" * 5


def test_what_is_transparent_shows_the_screen() -> None:
    clear = saved(picture("RGBA", colour=(255, 0, 0, 0)))
    for dark in (True, False):
        rows, note = picture_rows(clear, 10, dark=dark)
        assert not any(rows)
        assert note == "Nothing is to be seen: all of the picture is as the screen behind it."


def test_of_an_animation_the_first_picture_is_shown() -> None:
    frames = [picture("L", colour=255), picture("L", colour=0), picture("L", colour=128)]
    gif = saved(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=50)
    assert set("".join(picture_rows(gif, 10, dark=True)[0])) == {"@"}


@pytest.mark.parametrize("size", [(1, 5000), (5000, 1), (1, 1), (3000, 3000)])
def test_every_shape_stays_within_bounds(size) -> None:
    rows, note = picture_rows(saved(picture("L", size, 255)), 200, dark=True)
    assert ("squeezed" in note) is (max(size) == 5000)
    assert 1 <= len(rows) <= 200
    assert all(len(row) <= 200 for row in rows)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_shown_the_way_up_it_was_taken(kind, orientation) -> None:
    image = half_bright()
    image.paste(128, (0, 10, 20, 20))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    turned = saved(image, kind, exif=exif)
    expected = ImageOps.exif_transpose(Image.open(BytesIO(turned)))
    assert picture_rows(turned, 20, dark=True) == picture_rows(saved(expected), 20, dark=True)


@pytest.mark.parametrize("exif", [b"Exif\0\0", b"Exif\0\0nonsense" * 9])
def test_damaged_exif_data_turns_nothing(exif) -> None:
    plain = saved(half_bright(), "JPEG")
    assert picture_rows(saved(half_bright(), "JPEG", exif=exif), 20, dark=True) == picture_rows(
        plain, 20, dark=True
    )


async def test_a_picture_of_nothing_is_said(context) -> None:
    (context.workspace / "pictures" / "a.png").write_bytes(saved(picture()))
    result = await art(context, image="pictures/a.png")
    assert result.ok
    assert result.content.strip() == "Nothing is to be seen: all of the picture is as the screen behind it."


async def test_a_chart_can_be_shown_at_once(context) -> None:
    drawn = await make_chart.run({"kind": "bar", "labels": ["a", "b"], "values": [1, 2]}, context)
    result = await art(context, image=drawn.data["path"], background="light")
    assert result.ok
    assert "@" in result.content


def png_header(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says how large it is."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


WHOLE = saved(half_bright().resize((400, 400)))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (png_header(50_000, 50_000), "it has too many pixels"),
        (png_header(10_000, 10_000), "it has too many pixels"),
        (
            png_header(5_000, 5_000),
            "it has too many pixels: 5000 x 5000, at most 16,000,000, and 16,384 on a side",
        ),
        (png_header(1, 16_000_000), "it has too many pixels: 1 x 16000000"),
        (png_header(MAX_SIDE + 1, 1), "it has too many pixels"),
        (png_header(2**31 - 1, 2**31 - 1), "it has too many pixels"),
        (png_header(0, 0), "cannot be shown"),
        (png_header(100, 100), "it is damaged"),
        (WHOLE[: len(WHOLE) // 2], "it is damaged"),
        (WHOLE[:20], "it is damaged"),
        (b"", "it is no picture of a kind that can be read: PNG, JPEG, GIF, BMP, WEBP"),
        (b"GIF89a" + b"\xff" * 50, "cannot be shown"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "it is no picture of a kind that can be read"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "it is no picture of a kind that can be read"),
        (saved(picture(), "TIFF"), "it is no picture of a kind that can be read"),
    ],
)
async def test_a_picture_that_is_none_is_said(context, content, words) -> None:
    (context.workspace / "pictures" / "bad.png").write_bytes(content)
    result = await art(context, image="pictures/bad.png")
    assert not result.ok
    assert result.content.startswith("image: 'pictures/bad.png' cannot be shown: ")
    assert words in result.content
    assert "\n" not in result.content


@settings(max_examples=150, deadline=None)
@given(st.integers(8, len(WHOLE) - 1), st.integers(1, 255))
def test_no_damage_gets_past_it(place, change) -> None:
    damaged = bytearray(WHOLE)
    damaged[place] ^= change
    try:
        rows, _ = picture_rows(bytes(damaged), 20, dark=True)
    except ValueError as error:
        assert str(error).startswith("it ")
    else:
        assert all(len(row) <= 20 for row in rows)


PATHS = [
    ("pictures/none.png", "No such file"),
    ("none.png", "must begin with pictures/ or files/"),
    ("pictures", "must begin with pictures/ or files/"),
    ("todo.sqlite", "must begin with"),
    ("memory/a.png", "must begin with"),
    ("../secret.png", "leads to another folder"),
    ("pictures/../../secret.png", "leads to another folder"),
    ("pictures/..%2f..%2fsecret.png", "has the encoded character"),
    ("pictures\\..\\secret.png", "has the forbidden character"),
    ("/etc/passwd", "it is absolute"),
    ("C:\\secret.png", "drive letter"),
    ("C:secret.png", "drive letter"),
    ("\\\\host\\share\\a.png", "network share"),
    ("~/secret.png", "home folder"),
    ("file:///etc/passwd", "has the forbidden character"),
    ("http://127.0.0.1/a.png", "has the forbidden character"),
    ("pictures//a.png", "is an empty piece"),
    ("pictures/./a.png", "means the folder itself"),
    ("pictures/a.png\x00.txt", "control character"),
    ("pictures/CON.png", "is a device on Windows"),
    ("pictures/a\u202egnp.png", "invisible character"),
    ("pictures/" + "a" * 300, "is too long"),
    ("pictures/inner", "is not a file"),
    ("files/pipe", "is not a file"),
    ("pictures/way_out.png", "image: "),
    ("pictures/out/secret.png", "is a link"),
]


@pytest.mark.parametrize(("path", "words"), PATHS)
async def test_no_path_leads_out(context, tmp_path: Path, path, words) -> None:
    (tmp_path / "secret.png").write_bytes(WHOLE)
    pictures = context.workspace / "pictures"
    (pictures / "inner").mkdir()
    (context.workspace / "files").mkdir()
    if "out" in path:
        if os.name == "nt":
            pytest.skip("Windows lets only administrators make links")
        (pictures / "way_out.png").symlink_to(tmp_path / "secret.png")
        (pictures / "out").symlink_to(tmp_path)
    if "pipe" in path:
        if not hasattr(os, "mkfifo"):
            pytest.skip("this system has no pipes with names")
        os.mkfifo(context.workspace / "files" / "pipe")
    result = await art(context, image=path)
    assert not result.ok
    assert result.content.startswith("image: ")
    assert words in result.content
    assert "\n" not in result.content


@pytest.mark.skipif(os.name == "nt", reason="there, a file of zeros takes room on the disk")
async def test_a_file_that_is_too_large_is_not_read(context) -> None:
    with (context.workspace / "pictures" / "large.png").open("wb") as file:
        file.truncate(2**40)  # no memory holds it
    result = await art(context, image="pictures/large.png")
    assert result.content == "image: 'pictures/large.png' is too large: at most 20 MB"


async def test_without_a_workspace_nothing_is_there(tmp_path) -> None:
    result = await art(ToolContext(workspace=tmp_path / "none"), image="pictures/a.png")
    assert result.content == "image: 'pictures/a.png' cannot be read: No such file or directory"
