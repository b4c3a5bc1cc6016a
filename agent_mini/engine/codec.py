"""A discussion as plain data (JSON types) and back, for whatever stores it."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from agent_mini.types import TeamState


def to_plain(state: TeamState) -> dict[str, Any]:
    """The state as JSON types."""
    return _adapter().dump_python(state, mode="json")


def from_plain(data: Any) -> TeamState:
    """The state again.

    Raises:
        ValueError: The data is no discussion (a ``pydantic.ValidationError``, which says where).
    """
    return _adapter().validate_python(data)


@cache
def _adapter() -> TypeAdapter[TeamState]:
    # Built on first use: it costs some milliseconds that most imports never need.
    return TypeAdapter(TeamState)
