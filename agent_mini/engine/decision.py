"""The coordinator's decision, from text to a checked value."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from agent_mini.parsing import find_json_object
from agent_mini.types import Decision

_Text = Annotated[str, Field(min_length=1, pattern=r"\S")]


class _Dispatch(BaseModel):
    action: Literal["dispatch"]
    target: Literal["proposer", "critic"]
    instruction: str = ""
    reason: str = ""


class _AskHuman(BaseModel):
    action: Literal["ask_human"]
    question: _Text
    reason: str = ""


_ADAPTER: TypeAdapter[_Dispatch | _AskHuman] = TypeAdapter(
    Annotated[_Dispatch | _AskHuman, Field(discriminator="action")]
)

DECISION_SCHEMA: dict[str, Any] = _ADAPTER.json_schema()
"""The same rules as a JSON Schema, for models that can be held to one."""


def parse_decision(text: str) -> Decision:
    """Read a decision.

    Raises:
        ValueError: It is none; the message tells the model what to mend.
    """
    try:
        checked = _ADAPTER.validate_python(find_json_object(text))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"] if part not in ("dispatch", "ask_human"))
        raise ValueError(f"{field or 'action'}: {first['msg']}") from None
    return Decision(**checked.model_dump())
