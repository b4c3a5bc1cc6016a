"""The hand-written version: plain Python, nothing hidden.

``tool_loop``   one model and its tools
``team``        coordinator, proposer, critic, summariser
``checkpoint``  a discussion in a file
"""

from agent_mini.handwritten.checkpoint import FileCheckpoint
from agent_mini.handwritten.team import Team
from agent_mini.handwritten.tool_loop import run_tool_loop

__all__ = ["FileCheckpoint", "Team", "run_tool_loop"]
