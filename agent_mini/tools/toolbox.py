"""A set of tools under one roof: looked up, narrowed, shown to a model, run."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agent_mini.tools.base import Tool, ToolContext
from agent_mini.tools.results import plain_result
from agent_mini.types import ToolResult


class Toolbox:
    """Tools by name.

    Args:
        tools: The tools; two of one name are a mistake.

    Raises:
        ValueError: Two tools share a name.
    """

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise ValueError(f"two tools are called {tool.name}")
            self._tools[tool.name] = tool

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names, in order."""
        return tuple(self._tools)

    def get(self, name: str) -> Tool | None:
        """The tool of that name, or None."""
        return self._tools.get(name)

    def only(self, *names: str) -> "Toolbox":
        """A toolbox with just these.

        Raises:
            KeyError: One of them is not here: an allow-list with a misspelt name must not pass for a short one.
        """
        return Toolbox(self._tools[name] for name in names)

    async def invoke(
        self, name: str, arguments: Mapping[str, Any], context: ToolContext | None = None
    ) -> ToolResult:
        """Run a tool by name; whatever goes wrong is a result that is not ok, never an exception."""
        try:
            tool = self._tools.get(name)
            if tool is None:
                known = ", ".join(self.names) or "none"
                return ToolResult(False, f"there is no tool {name[:80]!r}. Known tools: {known}.")
            return plain_result(name, await tool.run(arguments, context or ToolContext()))
        except KeyboardInterrupt:  # that is a person, not the tool
            raise
        except BaseException as error:
            task = asyncio.current_task()
            if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
                raise
            return plain_result(str(name), ToolResult(False, f"{name} failed: {_describe(error)}"))


def _describe(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # an error that cannot even say what it is
        return type(error).__name__
