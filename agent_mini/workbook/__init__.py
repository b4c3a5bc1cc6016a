"""What a notebook uses beside the system it builds: exercises, progress, and ways to show things."""

from agent_mini.workbook.course import show_course
from agent_mini.workbook.exercise import check, hint, solution
from agent_mini.workbook.human import WidgetHuman, person
from agent_mini.workbook.show import mermaid, show_json, show_messages, show_source, show_steps, table

__all__ = [
    "WidgetHuman",
    "check",
    "hint",
    "mermaid",
    "person",
    "show_course",
    "show_json",
    "show_messages",
    "show_source",
    "show_steps",
    "solution",
    "table",
]
