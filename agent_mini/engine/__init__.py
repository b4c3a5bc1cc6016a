"""What every engine shares, so that two of them can differ in nothing but their mechanics.

``rules``     how a discussion starts, ends, waits, fails and goes on
``context``   what an expert sees
``decision``  the coordinator's JSON, checked
``calls``     one call to a model, and the tool calls that come of it
``references``  ``$1.series.temp_max`` in a call's arguments, replaced by what it stands for
``history``   a conversation mended before it is sent
``codec``     a discussion as plain data
``loop``      the Engine protocol, and ``run``, which repeats its step
"""

from agent_mini.engine.calls import ask_model, run_calls
from agent_mini.engine.codec import from_plain, to_plain
from agent_mini.engine.context import build_context
from agent_mini.engine.decision import DECISION_SCHEMA, parse_decision
from agent_mini.engine.history import repair
from agent_mini.engine.loop import Engine, Save, run
from agent_mini.engine.references import BadReference, resolve, resolve_call
from agent_mini.engine.rules import (
    conclude,
    fail,
    forced_end,
    new_discussion,
    retry,
    take_answer,
    wait_for_person,
)

__all__ = [
    "DECISION_SCHEMA",
    "BadReference",
    "Engine",
    "Save",
    "ask_model",
    "build_context",
    "conclude",
    "fail",
    "forced_end",
    "from_plain",
    "new_discussion",
    "parse_decision",
    "repair",
    "resolve",
    "resolve_call",
    "retry",
    "run",
    "run_calls",
    "take_answer",
    "to_plain",
    "wait_for_person",
]
