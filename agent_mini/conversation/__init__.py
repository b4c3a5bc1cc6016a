"""A conversation with one person.

``turns``      the conversation itself: each turn through the tool loop, and a model to fall back on
``memory``     what it remembers: whole turns, the newest ones
``questions``  what a person may say, and what the demonstration says
``lines``      a turn as lines of text
"""

from agent_mini.conversation.lines import fell_back_line, labelled, picture_path, stopped_line
from agent_mini.conversation.memory import recent
from agent_mini.conversation.questions import MAX_QUESTION, check_question, demo_requests
from agent_mini.conversation.turns import Conversation

__all__ = [
    "MAX_QUESTION",
    "Conversation",
    "check_question",
    "demo_requests",
    "fell_back_line",
    "labelled",
    "picture_path",
    "recent",
    "stopped_line",
]
