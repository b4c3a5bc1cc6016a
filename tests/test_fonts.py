"""Fonts: only one that really draws Chinese is chosen."""

import shutil
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib import font_manager
from matplotlib.font_manager import FontProperties, fontManager

from agent_mini.fonts import draws_chinese, find_cjk_font


def font_file(folder: Path, name: str, glyphs: dict[str, int]) -> Path:
    """A font that draws each character as a square of a size; 100 is the size of the missing-glyph box."""
    builder = FontBuilder(1000, isTTF=True)
    names = [".notdef", *(f"u{ord(character):x}" for character in glyphs)]
    drawn = {}
    for glyph, size in zip(names, [100, *glyphs.values()], strict=True):
        pen = TTGlyphPen(None)
        if size:
            pen.moveTo((50, 0))
            for point in ((50, size * 7), (50 + size * 7, size * 7), (50 + size * 7, 0)):
                pen.lineTo(point)
            pen.closePath()
        drawn[glyph] = pen.glyph()
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(character): f"u{ord(character):x}" for character in glyphs})
    builder.setupGlyf(drawn)
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 50)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": name, "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    path = folder / f"{name}.ttf"
    builder.save(path)
    return path


@pytest.mark.parametrize(
    ("glyphs", "draws"),
    [
        ({"中": 60, "文": 80}, True),
        ({"中": 60}, False),
        ({"a": 60, "b": 80}, False),
        ({"中": 100, "文": 100}, False),  # the box for both, under a good name
        ({"中": 100, "文": 80}, False),
        ({"中": 60, "文": 60}, False),  # one picture for every character
        ({"中": 0, "文": 0}, False),
    ],
)
def test_a_font_has_to_draw_what_it_claims(tmp_path, glyphs, draws):
    assert draws_chinese(str(font_file(tmp_path, "Noto Sans CJK SC", glyphs))) is draws


def test_fonts_without_chinese_are_not_taken_for_any(tmp_path):
    latin = fontManager.findfont(FontProperties("DejaVu Sans"))
    assert not draws_chinese(latin)
    placeholder = Path(latin).with_name("LastResortHE-Regular.ttf")
    assert placeholder.exists()
    assert not draws_chinese(str(placeholder))
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"not a font")
    assert not draws_chinese(str(broken))
    assert not draws_chinese(str(tmp_path / "missing.ttf"))


def use_only(monkeypatch, known: list[Path], on_disk: list[Path]) -> None:
    manager = font_manager.FontManager.__new__(font_manager.FontManager)
    manager.__dict__.update(fontManager.__dict__, ttflist=[])
    for path in known:
        manager.addfont(path)
    monkeypatch.setattr(font_manager, "fontManager", manager)
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [str(path) for path in (*known, *on_disk)])


def test_the_better_font_is_chosen_and_then_any_that_draws(tmp_path, monkeypatch):
    good, plain = {"中": 60, "文": 80}, {"a": 60}
    latin = font_file(tmp_path, "AAA Latin", plain)
    other = font_file(tmp_path, "BBB Chinese", good)
    hei = font_file(tmp_path, "SimHei", good)
    liar = font_file(tmp_path, "Noto Sans CJK SC", {"中": 100, "文": 100})

    use_only(monkeypatch, [latin, other, hei, liar], [])
    choice = find_cjk_font()
    assert choice is not None
    assert (choice.family, choice.path) == ("SimHei", str(hei))

    use_only(monkeypatch, [latin, other, liar], [])
    choice = find_cjk_font()
    assert choice is not None
    assert choice.family == "BBB Chinese"

    use_only(monkeypatch, [latin, liar], [])
    assert find_cjk_font() is None


def test_a_font_installed_since_matplotlib_looked_is_found_and_usable(tmp_path, monkeypatch):
    latin = font_file(tmp_path, "AAA Latin", {"a": 60})
    new = font_file(tmp_path, "SimHei", {"中": 60, "文": 80})
    shutil.copy(latin, tmp_path / "damaged.ttf")
    (tmp_path / "damaged.ttf").write_bytes(b"no")
    use_only(monkeypatch, [latin], [tmp_path / "damaged.ttf", new])
    choice = find_cjk_font()
    assert choice is not None
    assert font_manager.fontManager.findfont(FontProperties(choice.family), fallback_to_default=False) == str(
        new
    )
