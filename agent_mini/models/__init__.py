"""Chat models."""

from agent_mini.models.base import Capabilities, ChatModel, OnDelta

__all__ = ["Capabilities", "ChatModel", "OnDelta"]
