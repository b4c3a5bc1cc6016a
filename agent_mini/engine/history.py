"""Mending a conversation before it is sent.

A server answers 400, now and for ever after, to a conversation with an unanswered tool call in it.
"""

from collections.abc import Sequence

from agent_mini.types import Message, tool_message

UNANSWERED = "no result: the run was interrupted before this call was answered"


def repair(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Make every tool call answered exactly once, directly after the message that asks for it.

    A missing answer is filled in with ``UNANSWERED``; an answer to nothing, or a second one, is dropped.
    """
    repaired: list[Message] = []
    position = 0
    while position < len(messages):
        message = messages[position]
        position += 1
        if message.role == "tool":
            continue
        repaired.append(message)
        answers: dict[str | None, Message] = {}
        while position < len(messages) and messages[position].role == "tool":
            answers.setdefault(messages[position].tool_call_id, messages[position])
            position += 1
        for call in message.tool_calls:
            repaired.append(answers.get(call.id) or tool_message(call, UNANSWERED, ok=False))
    return tuple(repaired)
