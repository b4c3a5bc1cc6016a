"""The values everything passes around: frozen dataclasses and closed lists, with no I/O.

``messages``  a conversation with a model
``tools``     what comes of tool calls
``events``    what can happen, and why things end
``team``      the state of a team discussion
"""

from agent_mini.types.events import Event, EventKind, OnEvent, StopReason, ignore
from agent_mini.types.messages import (
    Delta,
    FinishReason,
    Message,
    Reply,
    Role,
    ToolCall,
    Usage,
    assistant,
    system,
    tool_message,
    user,
)
from agent_mini.types.team import (
    Decision,
    Expert,
    Language,
    Speaker,
    StepResult,
    TeamState,
    TeamStatus,
    Turn,
    Verdict,
)
from agent_mini.types.tools import LoopResult, ToolResult, ToolStep

__all__ = [
    "Decision",
    "Delta",
    "Event",
    "EventKind",
    "Expert",
    "FinishReason",
    "Language",
    "LoopResult",
    "Message",
    "OnEvent",
    "Reply",
    "Role",
    "Speaker",
    "StepResult",
    "StopReason",
    "TeamState",
    "TeamStatus",
    "ToolCall",
    "ToolResult",
    "ToolStep",
    "Turn",
    "Usage",
    "Verdict",
    "assistant",
    "ignore",
    "system",
    "tool_message",
    "user",
]
