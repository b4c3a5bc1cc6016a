"""Tools: what a model can ask for. One file a tool; ``base`` says what a tool is, ``toolbox`` holds them."""

from agent_mini.tools.ascii_art import make_ascii_art
from agent_mini.tools.base import Tool, ToolContext, ToolError, tool
from agent_mini.tools.calculate import calculate
from agent_mini.tools.chart import make_chart
from agent_mini.tools.dates import days_between, today
from agent_mini.tools.files import files
from agent_mini.tools.fun import fun_pick
from agent_mini.tools.meme import make_meme
from agent_mini.tools.standard import standard_tools
from agent_mini.tools.todo import todo
from agent_mini.tools.toolbox import Toolbox
from agent_mini.tools.weather import get_weather

__all__ = [
    "Tool",
    "ToolContext",
    "ToolError",
    "Toolbox",
    "calculate",
    "days_between",
    "files",
    "fun_pick",
    "get_weather",
    "make_ascii_art",
    "make_chart",
    "make_meme",
    "standard_tools",
    "today",
    "todo",
    "tool",
]
