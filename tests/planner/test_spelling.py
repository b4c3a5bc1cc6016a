"""agent_mini.planner.spelling: slips are corrected, words are not."""

import pytest

from agent_mini.planner import Intents
from agent_mini.planner.spelling import correct, slip_table, slips_of


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wether", "weather"),
        ("wheather", "weather"),
        ("weathr", "weather"),
        ("cion", "coin"),
        ("remnd", "remind"),
        ("caculate", "calculate"),
        ("chrat", "chart"),
        ("drwa", "draw"),
        ("forcast", "forecast"),
        ("whether", "whether"),
        ("leather", "leather"),
        ("colin", "colin"),
        ("cake", "cake"),
        ("three", "three"),
        ("showing", "showing"),
        ("plan", "plan"),
        ("nice", "nice"),
    ],
)
def test_a_slip_is_corrected_and_a_word_is_not(intents: Intents, typed: str, meant: str) -> None:
    assert correct(typed, intents.slips) == meant


def test_what_could_be_two_words_is_left_alone() -> None:
    table = slip_table(["tested", "rested"], [])
    assert "tested" in slips_of("tested".replace("s", "s")) or correct("tested", table) == "tested"
    table = slip_table(["casting", "costing"], [])
    assert correct("csting", table) == "csting"
    assert correct("casstin", table) == "casstin"


def test_a_plural_is_no_slip() -> None:
    table = slip_table(["poster"], [])
    assert correct("posters", table) == "posters"
    assert correct("postre", table) == "poster"
