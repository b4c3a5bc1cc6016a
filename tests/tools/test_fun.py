"""agent_mini.tools.fun: chance from the context, within bounds."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from agent_mini.tools import Toolbox, ToolContext, fun_pick
from agent_mini.tools.fun import LUNCHES
from agent_mini.types import ToolResult


async def pick(seed: int = 1, **arguments: Any) -> ToolResult:
    return await Toolbox([fun_pick]).invoke("fun_pick", arguments, ToolContext(random=Random(seed)))


@pytest.mark.parametrize("mode", ["dice", "coin", "lunch", "wheel"])
async def test_chance_is_the_contexts(mode) -> None:
    options = ["茶", "coffee", "水"] if mode == "wheel" else None
    results = [await pick(seed, mode=mode, options=options, count=8) for seed in (7, 7, 8)]
    assert results[0].ok
    assert results[0] == results[1] != results[2]


async def test_dice_have_their_sides_and_their_sum() -> None:
    result = await pick(mode="dice", sides=20, count=100)
    picks = result.data["picks"]
    assert len(picks) == 100
    assert min(picks) >= 1
    assert max(picks) <= 20
    assert len(set(picks)) > 10
    assert result.data == {"mode": "dice", "picks": picks, "total": sum(picks)}
    assert result.content == f"{' + '.join(map(str, picks))} = {sum(picks)}"
    single = await pick(mode="dice")
    assert single.content == str(single.data["total"])


async def test_a_coin_falls_on_both_sides() -> None:
    result = await pick(mode="coin", count=100)
    assert set(Counter(result.data["picks"])) == {"heads", "tails"}
    assert result.data["total"] is None
    assert (await pick(mode="coin")).content in ("heads 正面", "tails 反面")


async def test_lunches_are_different_ones() -> None:
    result = await pick(mode="lunch", count=len(LUNCHES))
    assert sorted(result.data["picks"]) == sorted(LUNCHES)
    own = await pick(mode="lunch", options=["面条", " 米饭\x00 "], count=2)
    assert sorted(own.data["picks"]) == ["米饭", "面条"]
    assert (await pick(mode="lunch", options=[])).data["picks"][0] in LUNCHES


async def test_a_wheel_can_stop_at_one_place_twice() -> None:
    result = await pick(mode="wheel", options=["a", "b"], count=100)
    assert set(result.data["picks"]) == {"a", "b"}
    assert len(result.data["picks"]) == 100
    assert result.content == ", ".join(result.data["picks"])


async def test_what_is_twice_on_a_wheel_has_twice_the_chance_and_is_one_lunch() -> None:
    wheel = await pick(mode="wheel", options=["a", "a", "a", "b"], count=100)
    assert Counter(wheel.data["picks"])["a"] > 60
    lunch = await pick(mode="lunch", options=["a", "a", "b"], count=2)
    assert sorted(lunch.data["picks"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mode": "wheel"}, "options: wheel needs 2 to 50 to choose from; given 0"),
        ({"mode": "wheel", "options": ["a"]}, "options: wheel needs 2 to 50 to choose from; given 1"),
        ({"mode": "wheel", "options": ["a"] * 51}, "options: List should have at most 50 items"),
        ({"mode": "wheel", "options": ["a", " \u202e "]}, "options: number 2 is empty"),
        ({"mode": "wheel", "options": ["\u200b", "a"]}, "options: number 1 is empty"),
        ({"mode": "lunch", "options": ["a", "b", "\u3164\u2800"]}, "options: number 3 is empty"),
        (
            {"mode": "lunch", "options": ["a", " a"]},
            "options: lunch needs 2 to 50 different ones; given only 'a'",
        ),
        (
            {"mode": "lunch", "options": ["a", "b", "a"], "count": 3},
            "count: at most 2, as many as there are different",
        ),
        (
            {"mode": "wheel", "options": ["a", "b" * 101]},
            "options.1: String should have at most 100 characters",
        ),
        ({"mode": "wheel", "options": "a,b"}, "options: Input should be a valid list; given 'a,b'"),
        ({"mode": "lunch", "options": ["a"]}, "options: lunch needs 2 to 50 to choose from; given 1"),
        ({"mode": "lunch", "options": ["a", "b"], "count": 3}, "count: at most 2"),
        ({"mode": "dice", "options": ["a", "b"]}, "options: only for lunch and wheel; for dice leave it out"),
        ({"mode": "dice", "sides": 1}, "sides: Input should be greater than or equal to 2; given 1"),
        ({"mode": "dice", "sides": 10**9}, "sides: Input should be less than or equal to 1000"),
        ({"mode": "dice", "count": 10**9}, "count: Input should be less than or equal to 100"),
        ({"mode": "coin", "count": 0}, "count: Input should be greater than or equal to 1; given 0"),
        ({"mode": "coin", "count": "many"}, "count: Input should be a valid integer"),
        ({"mode": "dice", "sides": 2.5}, "sides: Input should be a valid integer"),
        ({"mode": "roulette"}, "mode: Input should be 'dice', 'coin', 'lunch' or 'wheel'; given 'roulette'"),
        ({}, "mode: missing"),
    ],
)
async def test_what_cannot_be_picked_is_said(arguments, words) -> None:
    result = await pick(**arguments)
    assert not result.ok
    assert words in result.content
    assert "\n" not in result.content
