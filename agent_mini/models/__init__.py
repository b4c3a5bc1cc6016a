"""Chat models: one protocol, many kinds.

``base``      what a model is
``scripted``  plays prepared replies: for tests and notebooks
``roleplay``  the keyless team
"""

from agent_mini.models.base import Capabilities, ChatModel, OnDelta
from agent_mini.models.roleplay import Behaviour, RoleplayModel
from agent_mini.models.scripted import ScriptedModel

__all__ = ["Behaviour", "Capabilities", "ChatModel", "OnDelta", "RoleplayModel", "ScriptedModel"]
