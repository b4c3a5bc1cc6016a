"""What stands beside every loop: limits and approval."""

from agent_mini.guardrails.approval import ApprovalGate, has_side_effects
from agent_mini.guardrails.limits import Limits, LimitWatch

__all__ = ["ApprovalGate", "LimitWatch", "Limits", "has_side_effects"]
