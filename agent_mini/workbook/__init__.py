"""What a notebook uses beside the system it builds: exercises, progress, a person to ask, ways to show things.

The names are loaded when they are first used: the command line needs neither widgets nor IPython.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "LocalEndpoint": "endpoint",
    "WidgetHuman": "human",
    "check": "exercise",
    "hint": "exercise",
    "mermaid": "show",
    "person": "human",
    "progress": "overview",
    "show_course": "course",
    "show_json": "show",
    "show_messages": "show",
    "show_source": "show",
    "show_steps": "show",
    "solution": "exercise",
    "table": "show",
}

__all__ = list(_HOME)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'agent_mini.workbook' has no attribute {name!r}")
    return getattr(import_module(f"agent_mini.workbook.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
