"""agent_mini.planner.reading: whatever is rewritten, the way back leads to what was typed."""

import re

from hypothesis import given
from hypothesis import strategies as st

from agent_mini.planner import Reading

EDITS = [
    (re.compile("a+"), "bb"),
    (re.compile(r"\d"), ""),
    (re.compile("b"), "xyz"),
    (re.compile(r"\s+"), " "),
]


def test_what_was_typed_comes_back() -> None:
    reading = Reading.of("Buy THREE eggs").sub(re.compile("three"), "3")

    assert reading.text == "buy 3 eggs"
    assert reading.typed_at(4, 5) == "THREE"
    assert reading.typed_at(6, 10) == "eggs"
    part = reading.part(3, 10)
    assert part.text == "3 eggs"
    assert part.typed_at(0, len(part)) == "THREE eggs"


def test_a_letter_that_grows_when_it_is_lowered_stays() -> None:
    assert Reading.of("İX").text == "İx"


@given(st.text(max_size=40), st.lists(st.sampled_from(EDITS), max_size=5))
def test_places_stay_in_order_and_cover_everything(
    typed: str, edits: list[tuple[re.Pattern[str], str]]
) -> None:
    reading = Reading.of(typed)
    for pattern, new in edits:
        reading = reading.sub(pattern, new)

    assert len(reading.origin) == len(reading.text) + 1
    assert list(reading.origin) == sorted(reading.origin)
    assert reading.origin[-1] == len(typed)
    middle = len(reading) // 2
    part = reading.part(0, middle)
    assert part.text == reading.text[:middle].strip()
    assert part.typed_at(0, len(part)) in typed
