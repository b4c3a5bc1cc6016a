"""All the tools of the course in one toolbox."""

from agent_mini.tools.ascii_art import make_ascii_art
from agent_mini.tools.calculate import calculate
from agent_mini.tools.chart import make_chart
from agent_mini.tools.dates import days_between, today
from agent_mini.tools.files import files
from agent_mini.tools.fun import fun_pick
from agent_mini.tools.meme import make_meme
from agent_mini.tools.todo import todo
from agent_mini.tools.toolbox import Toolbox
from agent_mini.tools.weather import get_weather


def standard_tools() -> Toolbox:
    """Every tool that ships, in a toolbox of its own; ``only`` narrows it."""
    return Toolbox(
        (
            get_weather,
            calculate,
            today,
            days_between,
            make_chart,
            make_meme,
            make_ascii_art,
            todo,
            files,
            fun_pick,
        )
    )
