"""agent_mini.printable: what may reach a terminal, and what counts as text."""

from hypothesis import given
from hypothesis import strategies as st

from agent_mini.printable import printable, whole_text


def test_controls_are_left_out_and_lines_stay() -> None:
    assert printable("a\x1b[2J\x07b\r\nc\td\x9be\u202ef\u2066g\x00") == "a[2Jb\nc\tdefg"
    assert printable("上海 🙂 é") == "上海 🙂 é"


@given(st.text(st.characters(categories=["Cs", "Lo", "Cc"])))
def test_whole_text_can_always_be_written(text: str) -> None:
    assert whole_text(text).encode().decode() == whole_text(text)


def test_text_that_is_whole_stays() -> None:
    assert whole_text("上海 🙂\x00") == "上海 🙂\x00"
    assert whole_text("caf\udce9") == "caf\ufffd"
