"""agent_mini.tools.toolbox: found, narrowed, run; never an exception from a call."""

import pytest

from agent_mini.tools import Toolbox, ToolContext, calculate, days_between, today, tool

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


async def test_what_cannot_be_json_is_a_result() -> None:
    @tool(title="Odd")
    def odd() -> object:
        """Give an object."""
        return object()

    result = await Toolbox([odd]).invoke("odd", {})
    assert not result.ok
    assert "odd failed: TypeError" in result.content
