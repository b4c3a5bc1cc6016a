"""agent_mini.tools.base: one typed function, one whole tool."""

import asyncio
from typing import Annotated, Literal

import pytest
from pydantic import Field

from agent_mini.tools import Tool, ToolContext, ToolError, tool
from agent_mini.types import ToolResult


@tool(title="Book a table", side_effects=True)
async def book(
    place: str,
    people: Annotated[int, Field(ge=1, le=20)],
    context: ToolContext,
    kind: Literal["in", "out"] = "in",
) -> dict[str, object]:
    """Book a table. Use it when the person names a restaurant.

    订位。

    Args:
        place: The restaurant, as people
            call it.
        people: How many.
        kind: Inside or outside.

    Returns:
        The booking.
    """
    if place == "nowhere":
        raise ToolError("there is no such place")
    return {"place": place, "people": people, "kind": kind, "key": context.call_key}


def test_the_definition_is_read_off_the_function() -> None:
    assert isinstance(book, Tool)
    assert (book.name, book.title, book.side_effects, book.read_only) == ("book", "Book a table", True, False)
    assert book.description == "Book a table. Use it when the person names a restaurant.\n\n订位。"
    assert book.schema == {
        "type": "object",
        "additionalProperties": False,
        "required": ["place", "people"],
        "properties": {
            "place": {"type": "string", "description": "The restaurant, as people call it."},
            "people": {"type": "integer", "description": "How many.", "minimum": 1, "maximum": 20},
            "kind": {
                "type": "string",
                "description": "Inside or outside.",
                "enum": ["in", "out"],
                "default": "in",
            },
        },
    }


async def test_it_runs_with_checked_arguments_and_the_context() -> None:
    result = await book.run({"place": "Noma", "people": "4"}, ToolContext(call_key="r/1/0"))
    assert result.data == {"place": "Noma", "people": 4, "kind": "in", "key": "r/1/0"}
    assert result.content == '{"place": "Noma", "people": 4, "kind": "in", "key": "r/1/0"}'


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "place: missing; people: missing. Accepted: place, people, kind."),
        ({"place": "x", "people": 0}, "people: Input should be greater than or equal to 1; given 0"),
        ({"place": "x", "people": 1, "kind": "up"}, "kind: Input should be 'in' or 'out'; given 'up'"),
        ({"place": "x", "people": 1, "context": 1}, "context: no such argument"),
        ({"place": ["y" * 500], "people": 1}, "..."),
        ({"place": "x", "people": True}, "people: must be a number; given True"),
        ({"place": "nowhere", "people": 1}, "there is no such place"),
    ],
)
async def test_trouble_is_a_result(arguments: dict[str, object], words: str) -> None:
    result = await book.run(arguments, ToolContext())
    assert not result.ok
    assert words in result.content
    assert len(result.content) < 400


async def test_true_is_no_number_in_a_list_either_and_stays_true_where_it_is_meant() -> None:
    @tool(title="Add")
    def add(values: list[float], loud: bool = False) -> str:
        """Add."""
        return f"{sum(values)} {loud}"

    assert (await add.run({"values": [1, 2], "loud": True}, ToolContext())).content == "3.0 True"
    assert (await add.run({"values": [1, True]}, ToolContext())).content == (
        "wrong arguments. values: must be a number; given [1, True]."
    )


async def test_a_slow_synchronous_tool_does_not_stop_the_loop() -> None:
    import threading

    gate = threading.Event()

    @tool(title="Wait")
    def wait() -> str:
        """Wait for the gate."""
        return "opened" if gate.wait(10) else "never opened"

    running = asyncio.create_task(wait.run({}, ToolContext()))
    await asyncio.sleep(0)
    gate.set()  # reachable only while the tool is waiting
    assert (await running).content == "opened"


async def test_a_result_passes_as_it_is() -> None:
    @tool(title="Raw", read_only=True)
    def raw() -> ToolResult:
        """Give a result."""
        return ToolResult(False, "no", via="mcp")

    assert await raw.run({}, ToolContext()) == ToolResult(False, "no", via="mcp")
    assert raw.idempotent  # what changes nothing may run twice


def test_an_untyped_parameter_is_a_programmers_mistake() -> None:
    with pytest.raises(TypeError, match="parameter x needs a type annotation"):

        @tool(title="Bad")
        def bad(x) -> str:  # type: ignore[no-untyped-def]
            """Bad."""
            return str(x)
