"""What a tool is, and how a typed function becomes one.

One definition serves all: the loop calls it, the model is shown its schema, a server exposes it.
"""

import inspect
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any, cast, get_type_hints

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from agent_mini.clock import Clock, SystemClock
from agent_mini.config import CHECKOUT, Settings
from agent_mini.human import Human, Nobody
from agent_mini.threads import in_thread
from agent_mini.types import ToolResult

JsonSchema = Mapping[str, Any]


@dataclass(frozen=True)
class ToolContext:
    """What a tool may use of the world, given to it by whoever runs it.

    Args:
        call_key: The call's idempotency key, ``run/step/call``: the same when a step is run again after a crash;
            empty when the call belongs to no run.
        clock: The only source of dates and times.
        random: The only source of chance.
        workspace: The folder for what a tool makes.
        offline: Whether the network is out of bounds.
        data_dir: Where the data that ships is.
        human: Whom to ask.
    """

    call_key: str = ""
    clock: Clock = field(default_factory=SystemClock)
    random: Random = field(default_factory=Random)
    workspace: Path = field(default_factory=lambda: user_data_path("agent-mini", appauthor=False))
    offline: bool = False
    data_dir: Path = CHECKOUT / "data"
    human: Human = field(default_factory=Nobody)

    @classmethod
    def from_settings(cls, settings: Settings, **others: Any) -> "ToolContext":
        """A context with the folders of the settings, offline where they say so; ``others`` are its other fields."""
        return cls(
            workspace=settings.agent_workspace,
            offline=settings.agent_offline,
            data_dir=settings.agent_data_dir,
            **others,
        )


class ToolError(Exception):
    """Raised inside a tool: it cannot do what was asked, and the message tells the model why."""


Handler = Callable[[Mapping[str, Any], ToolContext], Awaitable[ToolResult]]


@dataclass(frozen=True)
class Tool:
    """Something a model can ask for.

    Args:
        name: What the model calls it.
        title: What a person calls it.
        description: When to use it, for the model.
        schema: The JSON Schema of its arguments, an object.
        handler: Runs it; wrong arguments come back as a ``ToolResult`` that is not ok.
        read_only: It changes nothing.
        idempotent: Twice does no more than once.
        side_effects: It changes something outside the conversation, so a person may have to agree.
    """

    name: str
    title: str
    description: str
    schema: JsonSchema
    handler: Handler
    read_only: bool = False
    idempotent: bool = False
    side_effects: bool = False

    async def run(self, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
        """Check ``arguments`` and run the tool.

        Returns:
            The result; not ok, with the reason, for wrong arguments and for a ``ToolError``. Any other
            exception is a mistake in the tool and passes through: ``Toolbox.invoke`` catches it.
        """
        return await self.handler(arguments, context)


def tool(
    *, title: str, read_only: bool = False, idempotent: bool = False, side_effects: bool = False
) -> Callable[[Callable[..., Any]], Tool]:
    """Make a ``Tool`` of a typed function, sync or async.

    The name is the function's. The description is its docstring up to ``Args:``, and each argument's
    description is its entry there. A parameter annotated ``ToolContext`` receives the context and is not
    shown to the model. A returned text is the content; other plain data is both ``data`` and, as JSON, the
    content; a ``ToolResult`` is taken as it is.
    """

    def decorate(function: Callable[..., Any]) -> Tool:
        description, arguments_help = _read_docstring(inspect.getdoc(function) or "")
        model, context_name = _arguments_model(function, arguments_help)

        @wraps(function)  # so that a tool's source can be found and shown
        async def handler(arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
            try:
                checked = model.model_validate(dict(arguments))
            except ValidationError as error:
                return ToolResult(False, explain_validation(error, list(model.model_fields)))
            values = {name: getattr(checked, name) for name in model.model_fields}
            for name, given in arguments.items():
                if _is_truth_for_a_number(given, values[name]):
                    return ToolResult(False, f"wrong arguments. {name}: must be a number; given {given!r}.")
            if context_name:
                values[context_name] = context
            try:
                if inspect.iscoroutinefunction(function):
                    value = await function(**values)
                else:  # a slow synchronous tool must not stop the event loop
                    value = await in_thread(function, **values)
            except ToolError as error:
                return ToolResult(False, str(error))
            return _as_result(value)

        return Tool(
            name=function.__name__,
            title=title,
            description=description,
            schema=_slim(model.model_json_schema()),
            handler=handler,
            read_only=read_only,
            idempotent=idempotent or read_only,
            side_effects=side_effects,
        )

    return decorate


def explain_validation(error: ValidationError, accepted: list[str]) -> str:
    """Say what was wrong with arguments: each field, what was given, and what is accepted."""
    parts: list[str] = []
    for item in error.errors(include_url=False):
        name = ".".join(str(part) for part in item["loc"]) or "arguments"
        if item["type"] == "missing":
            parts.append(f"{name}: missing")
        elif item["type"] == "extra_forbidden":
            parts.append(f"{name}: no such argument")
        else:
            given = repr(item["input"])
            shown = given if len(given) <= 80 else given[:77] + "..."
            parts.append(f"{name}: {item['msg']}; given {shown}")
    return f"wrong arguments. {'; '.join(parts)}. Accepted: {', '.join(accepted) or 'no arguments'}."


def _as_result(value: Any) -> ToolResult:
    if isinstance(value, ToolResult):
        return value
    if isinstance(value, str):
        return ToolResult(True, value, value)
    return ToolResult(True, json.dumps(value, ensure_ascii=False), value)


def _arguments_model(
    function: Callable[..., Any], arguments_help: Mapping[str, str]
) -> tuple[type[BaseModel], str | None]:
    """A pydantic model of a function's parameters, and the name of the one that takes the context."""
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    context_name: str | None = None
    for name, parameter in inspect.signature(function).parameters.items():
        if name not in hints:
            raise TypeError(f"{function.__name__}: parameter {name} needs a type annotation")
        if hints[name] is ToolContext:
            context_name = name
            continue
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[name] = (hints[name], Field(default, description=arguments_help.get(name)))
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=False)
    model = create_model(function.__name__, __config__=config, **fields)
    return model, context_name


def _is_truth_for_a_number(given: Any, taken: Any) -> bool:
    """pydantic takes true for 1, and ``{"id": true}`` would delete the first item."""
    if isinstance(given, bool):
        return isinstance(taken, int | float) and not isinstance(taken, bool)
    if isinstance(given, list | tuple) and isinstance(taken, list | tuple):
        pairs = zip(cast("list[Any]", given), cast("list[Any]", taken), strict=False)
        return any(_is_truth_for_a_number(one, other) for one, other in pairs)
    return False


def _read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Split a docstring into the description and the help of each argument."""
    description, _, rest = text.partition("\nArgs:\n")
    block = re.split(r"\n(?=\S)", rest, maxsplit=1)[0]
    entries = re.findall(r"^ {4}(\w+): (.+(?:\n {8,}.+)*)", block, flags=re.MULTILINE)
    return description.strip(), {name: " ".join(help_text.split()) for name, help_text in entries}


def _slim(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave out the titles pydantic derives from names: the model reads every token."""
    schema.pop("title", None)
    for part in schema.get("properties", {}).values():
        part.pop("title", None)
    return schema
