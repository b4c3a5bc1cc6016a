"""What a conversation remembers: whole turns, the newest ones."""

from collections.abc import Sequence

from agent_mini.types import Message

WINDOW = 12
"""Messages that are remembered."""


def recent(messages: Sequence[Message], limit: int) -> tuple[Message, ...]:
    """The newest turns that have at most ``limit`` messages together, and the newest one in any case.

    A turn is what a person says and all that comes of it. Cut inside one, a conversation would begin with the answer
    to a call nobody made, which servers refuse.
    """
    turns: list[list[Message]] = []
    for message in messages:
        if message.role == "user":
            turns.append([])
        if turns:
            turns[-1].append(message)
    kept: list[Message] = []
    for turn in reversed(turns):
        if kept and len(kept) + len(turn) > limit:
            break
        kept = turn + kept
    return tuple(kept)
