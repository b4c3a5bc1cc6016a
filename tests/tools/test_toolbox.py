"""agent_mini.tools.toolbox: found, narrowed, run; never an exception from a call."""

import asyncio

import pytest

from agent_mini.tools import Tool, Toolbox, ToolContext, calculate, days_between, today, tool

BOX = Toolbox([calculate, today, days_between])


def test_it_holds_tools_by_name() -> None:
    assert BOX.names == ("calculate", "today", "days_between")
    assert len(BOX) == 3
    assert "today" in BOX
    assert BOX.get("today") is today
    assert BOX.get("nothing") is None
    assert BOX.only("today").names == ("today",)


def test_two_of_a_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two tools are called today"):
        Toolbox([today, today])


def test_a_misspelt_allow_list_is_refused() -> None:
    with pytest.raises(KeyError, match="tday"):
        BOX.only("tday")


async def test_an_unknown_tool_names_the_known_ones() -> None:
    result = await BOX.invoke("clock", {})
    assert (result.ok, result.content) == (
        False,
        "there is no tool 'clock'. Known tools: calculate, today, days_between.",
    )
    assert "Known tools: none." in (await Toolbox().invoke("x", {})).content


async def test_an_exception_inside_is_a_result() -> None:
    @tool(title="Break")
    def broken() -> str:
        """Break."""
        raise RuntimeError("disk on fire")

    result = await Toolbox([broken]).invoke("broken", {}, ToolContext())
    assert (result.ok, result.content) == (False, "broken failed: RuntimeError: disk on fire")


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (StopIteration(), "StopIteration"),
        (SystemExit(1), "SystemExit: 1"),
        (asyncio.CancelledError(), "CancelledError"),
        (GeneratorExit(), "GeneratorExit"),
        (BaseExceptionGroup("two", [SystemExit()]), "BaseExceptionGroup: two"),
        (Mute(), "broken failed: Mute"),
    ],
)
@pytest.mark.parametrize("kind", ["sync", "async"])
async def test_nothing_that_a_tool_raises_gets_out(error: BaseException, words: str, kind: str) -> None:
    def broken() -> str:
        """Break."""
        raise error

    async def broken_async() -> str:
        """Break."""
        raise error

    broken_async.__name__ = "broken"
    box = Toolbox([tool(title="Break")(broken if kind == "sync" else broken_async)])
    result = await asyncio.wait_for(box.invoke("broken", {}), 10)
    assert not result.ok
    assert words in result.content


async def test_a_cancellation_of_ours_gets_through() -> None:
    @tool(title="Hang")
    async def hang() -> str:
        """Never return."""
        await asyncio.Event().wait()
        return ""

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(Toolbox([hang]).invoke("hang", {}), 0.05)


async def test_a_handler_that_gives_no_result() -> None:
    async def handler(arguments: object, context: object) -> None:
        return None

    raw = Tool("raw", "Raw", "", {}, handler)  # type: ignore[arg-type]
    assert (await Toolbox([raw]).invoke("raw", {})).content == "raw gave no result that can be used"


async def test_what_cannot_be_json_is_a_result() -> None:
    @tool(title="Odd")
    def odd() -> object:
        """Give an object."""
        return object()

    result = await Toolbox([odd]).invoke("odd", {})
    assert not result.ok
    assert "odd failed: TypeError" in result.content


async def test_what_goes_back_to_the_model_is_bounded_whatever_it_wrote() -> None:
    unknown = await Toolbox([calculate]).invoke("x" * 1_000_000, {})
    assert len(unknown.content) < 200

    @tool(title="Loud")
    def loud() -> str:
        """Fail at length."""
        raise RuntimeError("y" * 1_000_000)

    assert len((await Toolbox([loud]).invoke("loud", {})).content) < 51_000


async def test_a_name_that_can_be_none_is_a_result_too() -> None:
    result = await Toolbox([calculate]).invoke(["a"], {})  # type: ignore[arg-type]
    assert (result.ok, result.content.startswith("['a'] failed: TypeError")) == (False, True)
