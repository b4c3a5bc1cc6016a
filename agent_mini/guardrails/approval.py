"""Approval beside a loop: a tool with side effects runs only after a person has agreed to these arguments."""

from collections.abc import Callable
from dataclasses import replace

from agent_mini.human import ApprovalRequest, Human
from agent_mini.tools import Tool
from agent_mini.tracing import Tell
from agent_mini.types import EventKind, ToolCall


def has_side_effects(tool: Tool) -> bool:
    """The usual rule: ask about what changes something outside the conversation."""
    return tool.side_effects


class ApprovalGate:
    """Decides which calls need a person, and asks.

    Args:
        human: Whom to ask.
        needed: Which tools need asking.
    """

    def __init__(self, human: Human, needed: Callable[[Tool], bool] = has_side_effects) -> None:
        self._human = human
        self._needed = needed

    async def review(self, call: ToolCall, tool: Tool, tell: Tell) -> tuple[ToolCall, str]:
        """Ask about ``call`` if that is needed.

        Returns:
            The call as it may run, with edited arguments where the person edited them, and the reason why
            it may not run, empty when it may. An approval given for other arguments is a no.
        """
        if not self._needed(tool):
            return call, ""
        request = ApprovalRequest(tool.name, tool.title, call.arguments)
        tell(EventKind.APPROVAL_ASKED, tool=call.name, arguments=call.arguments, digest=request.digest)
        answer = await self._human.approve(request)
        allowed = answer.allowed and answer.digest == request.digest
        reason = answer.reason
        if answer.allowed and not allowed:
            reason = "the approval was given for other arguments"
        tell(EventKind.APPROVAL_GIVEN, tool=call.name, allowed=allowed, reason=reason)
        if not allowed:
            return call, f"not run: {reason or 'the person said no'}"
        return (call if answer.arguments is None else replace(call, arguments=answer.arguments)), ""
