"""Chance, for play: dice, coins, lunch, a wheel. It comes from the context, so a seed makes it repeatable."""

from typing import Annotated, Any, Literal

from pydantic import Field

from agent_mini.printable import printable
from agent_mini.tools.base import ToolContext, ToolError, tool
from agent_mini.tools.drawing.text import clean
from agent_mini.types import ToolResult

LUNCHES = (
    "noodles 面条",
    "dumplings 饺子",
    "fried rice 炒饭",
    "hot pot 火锅",
    "rice noodles 米粉",
    "malatang 麻辣烫",
    "wonton soup 馄饨",
    "curry rice 咖喱饭",
    "a sandwich 三明治",
    "a salad 沙拉",
    "pizza 披萨",
    "sushi 寿司",
)


@tool(title="Pick by chance 随机选", read_only=True)
def fun_pick(
    mode: Literal["dice", "coin", "lunch", "wheel"],
    context: ToolContext,
    options: Annotated[list[Annotated[str, Field(max_length=100)]] | None, Field(max_length=50)] = None,
    sides: Annotated[int, Field(ge=2, le=1000)] = 6,
    count: Annotated[int, Field(ge=1, le=100)] = 1,
) -> ToolResult:
    """Let chance decide: roll dice, toss a coin, choose a lunch, or spin a wheel of given options. Use it when
    someone wants something random or cannot make up their mind.

    让运气来决定：掷骰子、抛硬币、选午饭，或者从给出的选项里转转盘。要随机、要帮忙拿主意时用它。

    Args:
        mode: dice, coin, lunch or wheel.
        options: What to choose from, 2 to 50; needed for wheel, where one that is given twice has twice the
            chance, and for lunch instead of our own dishes.
        sides: How many sides a die has, 2 to 1000.
        count: How many dice, coins, different lunches or spins, 1 to 100.
    """
    if mode in ("dice", "coin") and options:
        raise ToolError(f"options: only for lunch and wheel; for {mode} leave it out")
    chance = context.random
    if mode == "dice":
        rolls = [chance.randint(1, sides) for _ in range(count)]
        total = sum(rolls)
        shown = " + ".join(map(str, rolls))
        return _result(mode, rolls, f"{shown} = {total}" if count > 1 else shown, total)
    if mode == "coin":
        tosses = [chance.choice(("heads", "tails")) for _ in range(count)]
        words = {"heads": "heads 正面", "tails": "tails 反面"}
        return _result(mode, tosses, ", ".join(words[toss] for toss in tosses))
    choices = _choices(mode, options)
    if mode == "lunch":
        if count > len(choices):
            raise ToolError(
                f"count: at most {len(choices)}, as many as there are different lunches; given {count}"
            )
        picks = chance.sample(choices, count)
    else:
        picks = [chance.choice(choices) for _ in range(count)]
    return _result(mode, picks, ", ".join(picks))


def _choices(mode: str, options: list[str] | None) -> list[str]:
    if not options and mode == "lunch":
        return list(LUNCHES)
    if options is None or len(options) < 2:
        raise ToolError(f"options: {mode} needs 2 to 50 to choose from; given {len(options or ())}")
    choices = [" ".join(printable(option).split()) for option in options]
    for number, choice in enumerate(choices, 1):
        if not clean(choice):
            raise ToolError(f"options: number {number} is empty")
    if mode == "wheel":  # what is on a wheel twice has twice the chance
        return choices
    different = list(dict.fromkeys(choices))
    if len(different) < 2:
        raise ToolError(f"options: {mode} needs 2 to 50 different ones; given only {different[0]!r}")
    return different


def _result(mode: str, picks: list[Any], content: str, total: int | None = None) -> ToolResult:
    return ToolResult(True, content, {"mode": mode, "picks": picks, "total": total})
