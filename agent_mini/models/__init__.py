"""Chat models: one protocol, many kinds.

``base``      what a model is
``scripted``  plays prepared replies: for tests and notebooks
``roleplay``  the keyless team
``openai``    a real one, behind an OpenAI-compatible server
``fallback``  several as one: the next answers where one cannot
``wire``      the JSON that real ones speak
"""

from agent_mini.models import wire
from agent_mini.models.base import Capabilities, ChatModel, OnDelta
from agent_mini.models.fallback import FallbackModel, FallbackPolicy, another_may_help, any_failure
from agent_mini.models.openai import OpenAIModel
from agent_mini.models.roleplay import Behaviour, RoleplayModel
from agent_mini.models.scripted import ScriptedModel

__all__ = [
    "Behaviour",
    "Capabilities",
    "ChatModel",
    "FallbackModel",
    "FallbackPolicy",
    "OnDelta",
    "OpenAIModel",
    "RoleplayModel",
    "ScriptedModel",
    "another_may_help",
    "any_failure",
    "wire",
]
