"""agent_mini.tools.todo: the list as a loop sees it."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent_mini.clock import FixedClock
from agent_mini.handwritten import run_tool_loop
from agent_mini.models import ScriptedModel
from agent_mini.tools import Toolbox, ToolContext, todo
from agent_mini.types import ToolCall, ToolResult, user


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return ToolContext(workspace=tmp_path / "new", clock=FixedClock("2026-11-26T23:00:00+08:00"))


async def invoke(context: ToolContext, **arguments: Any) -> ToolResult:
    return await Toolbox([todo]).invoke("todo", arguments, context)


async def test_a_day_with_the_list(context: ToolContext) -> None:
    assert await invoke(context, action="list") == ToolResult(
        True, "nothing is open", {"action": "list", "items": [], "item": None}
    )
    milk = {"id": 1, "title": "买牛奶", "due": "2026-11-27 15:00", "done": False}
    added = await invoke(context, action="add", title="买牛奶", due="明天下午3点")
    assert added.content == "added: 1. 买牛奶 (due 2026-11-27 15:00)"
    assert added.data == {"action": "add", "items": [milk], "item": milk}
    await invoke(context, action="add", title="call mum")
    await invoke(context, action="add", title="report", due="today")
    listed = await invoke(context, action="list")
    assert listed.content == (
        "3 open:\n3. report (due 2026-11-26)\n1. 买牛奶 (due 2026-11-27 15:00)\n2. call mum"
    )
    assert [item["id"] for item in listed.data["items"]] == [3, 1, 2]
    done = await invoke(context, action="done", title="牛奶")
    assert done.content == "done: 1. 买牛奶 (due 2026-11-27 15:00)"
    assert done.data["item"] == milk | {"done": True}
    assert [item["id"] for item in done.data["items"]] == [3, 2]
    assert (await invoke(context, action="done", id="1")).content.startswith("it was done before: 1. ")
    assert (await invoke(context, action="delete", id=2)).content == "deleted: 2. call mum"
    assert (await invoke(context, action="delete", id=2)).content == "it was deleted before: 2. call mum"
    assert [path.name for path in context.workspace.iterdir()] == ["todo.sqlite"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "action: missing"),
        ({"action": "fly"}, "action: Input should be 'add', 'list', 'done' or 'delete'; given 'fly'"),
        ({"action": "add"}, "title: what is to be done"),
        ({"action": "add", "title": "x", "due": "xyz"}, "due: 'xyz' is not a date I can read. Write it like"),
        ({"action": "add", "title": "x", "due": "昨天"}, "due: '昨天' is 2026-11-25, which has passed"),
        ({"action": "add", "title": ["x"]}, "title: Input should be a valid string; given ['x']"),
        ({"action": "add", "title": "x", "when": "now"}, "when: no such argument"),
        ({"action": "done"}, "id: missing. Give the id of the item, or its title."),
        ({"action": "delete"}, "id: missing. Give the id of the item, or its title."),
        ({"action": "done", "id": 0}, "id: Input should be greater than or equal to 1; given 0"),
        ({"action": "done", "id": "three"}, "id: Input should be a valid integer"),
        ({"action": "done", "id": 5}, "there is no item with id 5. Open items: none."),
    ],
)
async def test_what_cannot_work_is_one_clear_line(
    context: ToolContext, arguments: dict[str, Any], words: str
) -> None:
    result = await invoke(context, **arguments)
    assert not result.ok
    assert words in result.content
    assert "\n" not in result.content
    assert not context.workspace.exists()


async def test_blank_dates_are_no_dates(context: ToolContext) -> None:
    assert (await invoke(context, action="add", title="x", due="  ")).data["item"]["due"] == ""


async def test_a_time_of_today_that_has_passed_is_no_due_date(context: ToolContext) -> None:
    result = await invoke(context, action="add", title="x", due="today at 9am")  # it is 23:00
    assert (result.ok, result.content[:55]) == (
        False,
        "due: 'today at 9am' is 2026-11-26 09:00, which has pass",
    )
    assert (await invoke(context, action="add", title="x", due="9am")).data["item"][
        "due"
    ] == "2026-11-27 09:00"


async def test_a_doubled_request_adds_one_item(context: ToolContext) -> None:
    first = await invoke(context, action="add", title="pay", due="tomorrow", request_id="r1")
    again = await invoke(context, action="add", title="pay", due="tomorrow", request_id="r1")
    assert again.content == "nothing new, this request was done before: 1. pay (due 2026-11-27)"
    assert again.data == first.data
    other = await invoke(context, action="add", title="rent", request_id="r1")
    assert (other.ok, other.content[:53]) == (False, "request_id: 'r1' was used before for 'pay', due 'tomo")
    later = ToolContext(workspace=context.workspace, clock=FixedClock("2026-11-28"))
    late = await invoke(later, action="add", title="pay", due="tomorrow", request_id="r1")
    assert (late.ok, late.data["item"]) == (True, first.data["item"])
    other = await invoke(later, action="add", title="pay", due="Monday", request_id="r1")
    assert not other.ok


async def add_in_a_loop(context: ToolContext, title: str) -> None:
    arguments = f'{{"action": "add", "title": "{title}"}}'
    model = ScriptedModel([ToolCall("c", "todo", arguments), "Noted."])
    result = await run_tool_loop(model, [user("please")], [todo], context=context)
    assert result.steps[0].result.ok, result.steps[0].result.content


async def test_a_step_that_is_run_again_after_a_crash_adds_nothing(context: ToolContext) -> None:
    run = ToolContext(call_key="run-7", workspace=context.workspace, clock=context.clock)
    await add_in_a_loop(run, "pay")
    await add_in_a_loop(run, "pay")
    assert len((await invoke(context, action="list")).data["items"]) == 1


async def test_a_step_that_is_run_again_after_midnight_finds_what_it_added(context: ToolContext) -> None:
    arguments = {"action": "add", "title": "pay", "due": "tonight at 11pm"}
    for moment in ("2026-11-26T22:00", "2026-11-26T23:05", "2026-11-27T00:05"):
        run = ToolContext("run-7/1/0", FixedClock(moment), workspace=context.workspace)
        result = await invoke(run, **arguments)
        assert (result.ok, result.data and result.data["item"]["id"]) == (True, 1), result.content


@pytest.mark.parametrize("action", ["done", "delete"])
async def test_a_step_that_is_run_again_marks_nothing_else(context: ToolContext, action: str) -> None:
    run = ToolContext("run-7/1/0", context.clock, workspace=context.workspace)
    for _ in range(2):
        await invoke(context, action="add", title="pay")
        assert (await invoke(run, action=action, title="pay")).data["item"]["id"] == 1
    assert [item["id"] for item in (await invoke(context, action="list")).data["items"]] == [2]


async def test_a_call_that_nobody_waits_for_adds_nothing_later(context: ToolContext) -> None:
    """Another program keeps the file for longer than the loop waits; then the file is free again."""
    await invoke(context, action="add", title="milk")
    before = threading.active_count()
    path = context.workspace / "todo.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(invoke(context, action="add", title="too late"), 0.2)
        other.execute("ROLLBACK")
    for _ in range(1000):
        if threading.active_count() <= before:
            break
        await asyncio.sleep(0.01)
    assert threading.active_count() <= before
    listed = await invoke(context, action="list")
    assert [item["title"] for item in listed.data["items"]] == ["milk"]


async def test_loops_that_belong_to_no_run_are_not_taken_for_one_another(context: ToolContext) -> None:
    for title in ("pay", "pay", "rent"):
        await add_in_a_loop(context, title)
    listed = await invoke(context, action="list")
    assert [item["title"] for item in listed.data["items"]] == ["pay", "pay", "rent"]


async def test_a_call_that_is_run_again_with_other_words_is_another_request(context: ToolContext) -> None:
    run = ToolContext(call_key="run-7/1/0", workspace=context.workspace, clock=context.clock)
    await invoke(run, action="add", title="pay")
    assert (await invoke(run, action="add", title="pay the rent")).ok


async def test_a_file_that_is_no_list_is_named(context: ToolContext) -> None:
    context.workspace.mkdir()
    (context.workspace / "todo.sqlite").write_text("milk", encoding="utf-8")
    result = await invoke(context, action="add", title="x")
    assert not result.ok
    assert result.content.startswith("todo.sqlite is damaged, or is no to-do list. It was left as it is")


def test_how_it_is_marked() -> None:
    """Nobody has to be asked, since nothing is destroyed; an addition without a request id does add twice."""
    assert (todo.read_only, todo.idempotent, todo.side_effects) == (False, False, False)
    assert list(todo.schema["properties"]) == ["action", "title", "due", "id", "request_id"]
    assert todo.schema["required"] == ["action"]
    assert "待办清单" in todo.description
