"""agent_mini.tools.drawing.text: text on its way into a picture."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.tools.drawing.text import clean, clusters, columns, drawable, note_on_missing, shorten, wrap


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  two   words ", "two words"),
        ("a\tb\r\nc\n\nd", "a b\nc\n\nd"),
        ("a\x00b\x1b[31m\x7f", "ab[31m"),
        ("e\u0301", "é"),
        ("\u202eabc\u200b\u200d\ufeff", "abc"),
        ("\u2600\ufe0f", "\u2600"),
        ("half \ud83d", "half \ufffd"),
        ("\u200b\n\u200b", ""),
        ("a\u3164b\u2800", "a b"),
        ("e\u034f\u0301", "é"),
    ],
)
def test_text_is_cleaned(text, kept) -> None:
    assert clean(text) == kept


@given(st.text())
def test_cleaning_twice_changes_nothing(text) -> None:
    assert clean(clean(text)) == clean(text)


def ascii_only(character: str) -> bool:
    return character.isascii()


@pytest.mark.parametrize(
    ("text", "kept", "missing"),
    [
        ("plain", "plain", []),
        ("周一 Mon", "?? Mon", ["一", "周"]),
        ("done 🎉", "done", ["🎉"]),
        ("🍎🍌", "red apple banana", ["🍌", "🍎"]),
        ("a，b", "a?b", ["，"]),
        ("🎉🎉\nok", "ok", ["🎉"]),
        ("x\u0305 y", "x y", ["\u0305"]),
        ("周\u0305", "?", ["\u0305", "周"]),
        ("\u0305a", "a", ["\u0305"]),
    ],
)
def test_what_no_font_has_is_marked_or_left_out(text, kept, missing) -> None:
    assert drawable(text, ascii_only) == (kept, missing)


def test_the_note_names_the_remedy_that_helps() -> None:
    assert note_on_missing([], has_chinese=False) == ""
    assert "fonts-noto-cjk" in note_on_missing(["周"], has_chinese=False)
    assert note_on_missing(["𰻞"], has_chinese=True).endswith("left out or shown as ?: 𰻞")
    assert "fonts-noto-cjk" not in note_on_missing(["🎉"], has_chinese=False)
    assert note_on_missing(["\ue000"], has_chinese=True).endswith(": U+E000")
    assert len(note_on_missing([chr(0x1F300 + n) for n in range(100)], has_chinese=True)) < 120


def test_what_keeps_fonts_from_being_looked_for_is_said() -> None:
    note = note_on_missing(["周"], False, "matplotlib: pip install matplotlib==1")
    assert (
        note
        == "Left out or shown as ?: 周. Finding a font for them needs matplotlib: pip install matplotlib==1."
    )
    assert note_on_missing([], False, "matplotlib") == ""


def test_a_letter_and_its_marks_stay_together() -> None:
    assert clusters("\u0301x\u0305\u0302y \u0301") == ["\u0301", "x\u0305\u0302", "y", " ", "\u0301"]
    assert shorten("ax\u0305\u0302y", 2) == "a…"
    assert shorten("x\u0305\u0302yz", 2) == "x\u0305\u0302…"
    assert wrap("x\u0305" * 4, columns, 2) == ["x\u0305x\u0305"] * 2


def test_width_is_counted_in_halves_of_a_chinese_character() -> None:
    assert columns("ab中，e\u0301") == 7
    assert shorten("中文标题 title", 8) == "中文标…"
    assert shorten("short", 5) == "short"
    assert shorten("", 5) == ""


@pytest.mark.parametrize(
    ("text", "limit", "lines"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("我们今天去哪里", 6, ["我们今", "天去哪", "里"]),
        ("我们走，好吗？", 6, ["我们", "走，好", "吗？"]),  # no line begins with a comma
        ("他说（好）", 6, ["他说", "（好）"]),  # nor ends with an opening bracket
        ("用 Python 写", 8, ["用", "Python", "写"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("a\n\nb", 4, ["a", "", "b"]),
        ("中", 1, ["中"]),
        ("", 4, [""]),
    ],
)
def test_lines_are_broken_where_they_may_be(text, limit, lines) -> None:
    assert wrap(text, columns, limit) == lines


@given(st.text(max_size=200).map(clean), st.integers(2, 40))
def test_no_line_is_too_wide_and_no_letter_is_lost(text, limit) -> None:
    lines = wrap(text, columns, limit)
    assert all(columns(line) <= limit for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.text(max_size=60).map(clean), st.integers(1, 40))
def test_as_much_as_fits_is_kept(text, limit) -> None:
    shown = shorten(text, limit)
    if columns(text) <= limit:
        assert shown == text
        return
    assert columns(shown) <= limit
    kept = clusters(text)
    longest = max(count for count in range(len(kept)) if columns("".join(kept[:count]).rstrip()) < limit)
    assert shown == "".join(kept[:longest]).rstrip() + "…"
