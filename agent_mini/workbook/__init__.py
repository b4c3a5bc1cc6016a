"""What a notebook uses beside the system it builds: exercises, progress, a person to ask, ways to show things.

The names are loaded when they are first used: the command line needs neither widgets nor IPython.
"""

from agent_mini.lazy import lazy_names

_HOME = {
    "ChatPanel": "chat_panel",
    "LocalEndpoint": "endpoint",
    "WidgetHuman": "human",
    "check": "exercise",
    "hint": "exercise",
    "matrix": "plots",
    "mermaid": "show",
    "person": "human",
    "progress": "overview",
    "show_course": "course",
    "show_json": "show",
    "show_messages": "show",
    "show_source": "show",
    "show_steps": "show",
    "solution": "exercise",
    "stacked_bars": "plots",
    "table": "show",
}

__all__ = list(_HOME)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = lazy_names(__name__, _HOME)
