"""A to-do list in the workspace. What a list is stands in ``todo_store``, how dates are read in ``due``."""

import asyncio
import threading
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from agent_mini.threads import in_thread
from agent_mini.tools.base import ToolContext, tool
from agent_mini.tools.replayed import request_of
from agent_mini.types import ToolResult

if TYPE_CHECKING:
    from agent_mini.tools.todo_store import TodoItem

# No side effects to be approved: nothing is destroyed, since a deleted item stays in the file, marked as deleted.


@tool(title="To-do list 待办清单")
async def todo(
    *,
    action: Literal["add", "list", "done", "delete"],
    context: ToolContext,
    title: str = "",
    due: str = "",
    id: Annotated[int, Field(ge=1)] | None = None,
    request_id: str = "",
) -> ToolResult:
    """Keep the person's to-do list: add, list, done, delete. Use it whenever something is to be done later.

    管理待办清单：添加、查看、完成、删除。凡是要记下来、以后要做的事都用它。

    Args:
        action: What to do. add needs title; done and delete need id or title; list needs nothing.
        title: What is to be done, one line of at most 200 characters. For done and delete: the title of an
            item, or a part that only one open item has.
        due: Until when, for add: 2026-12-01, 周四, 下周一, 三天后, tomorrow, next Friday, in 2 weeks, Dec 1, with
            a time if there is one: 明天下午3点, tomorrow at 3pm. Leave it out for no date.
        id: Which item, for done and delete.
        request_id: For add: the same one again adds nothing and returns the item of the first time.
    """
    given_up = threading.Event()
    request_id = request_id if action == "add" and request_id else request_of(context, action, title, due, id)
    try:
        return await in_thread(
            _act, context, given_up, action=action, title=title, due=due, id=id, request_id=request_id
        )
    except asyncio.CancelledError:
        given_up.set()  # a call that was told to have failed must not add anything when the file is free again
        raise


def _act(
    context: ToolContext,
    given_up: threading.Event,
    *,
    action: str,
    title: str,
    due: str,
    id: int | None,
    request_id: str,
) -> ToolResult:
    from agent_mini.tools.due import parse_due
    from agent_mini.tools.todo_store import TodoStore  # sqlite3 is loaded when it is needed

    store = TodoStore(context.workspace / "todo.sqlite", given_up.is_set)
    item = None
    match action:
        case "add":
            item, new = store.asked(title, request_id, due), False
            if item is None:
                when = parse_due(due, context.clock.now()) if due.strip() else ""
                item, new = store.add(title, when, request_id, due)
            content = (
                f"added: {_line(item)}"
                if new
                else f"nothing new, this request was done before: {_line(item)}"
            )
        case "done":
            item, changed = store.done(id, title, request_id)
            content = f"{'done' if changed else 'it was done before'}: {_line(item)}"
        case "delete":
            item, changed = store.delete(id, title, request_id)
            content = f"{'deleted' if changed else 'it was deleted before'}: {_line(item)}"
        case _:
            content = ""
    items = store.list()
    if action == "list":
        content = "\n".join([f"{len(items)} open:", *map(_line, items)]) if items else "nothing is open"
    data = {"action": action, "items": [_plain(one) for one in items], "item": item and _plain(item)}
    return ToolResult(True, content, data)


def _plain(item: "TodoItem") -> dict[str, Any]:
    return {"id": item.id, "title": item.title, "due": item.due, "done": item.done}


def _line(item: "TodoItem") -> str:
    return f"{item.id}. {item.title}" + (f" (due {item.due})" if item.due else "")
