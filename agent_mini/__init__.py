"""agent-mini: one multi-agent system built twice, by hand and then with LangGraph.

The names below are public; they are loaded when they are first used, so that ``import agent_mini`` stays
quick and loads nothing that is not needed.

Floors, from the ground: ``types errors clock`` · ``config prompts`` · ``parsing report human tracing`` · ``tools``
· ``models guardrails`` · ``engine planner`` · ``providers`` · ``handwritten`` · ``conversation`` · ``workbook`` ·
``cli``. A module imports only lower floors or its own package.
"""

from agent_mini.lazy import lazy_names

_HOME = {
    "AgentError": "errors",
    "ErrorCode": "errors",
    "InputError": "errors",
    "ModelError": "errors",
    "CheckpointError": "errors",
    "ScriptExhausted": "errors",
    "FixedClock": "clock",
    "SystemClock": "clock",
    "Settings": "config",
    "load_settings": "config",
    "Approval": "human",
    "ApprovalRequest": "human",
    "Human": "human",
    "Nobody": "human",
    "ScriptedHuman": "human",
    "TerminalHuman": "human",
    "EventLog": "tracing",
    "JsonlLog": "tracing",
    "Conversation": "conversation",
    "find_json_object": "parsing",
    "parse_arguments": "parsing",
    "parse_verdict": "parsing",
    "split_thinking": "thinking",
    "language_of": "prompts",
    "role_prompt": "prompts",
    "end_in_words": "report",
    "render_report": "report",
    "create_model": "providers",
}

__all__ = list(_HOME)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = lazy_names(__name__, _HOME)
