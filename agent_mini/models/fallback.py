"""Several models as one: the next answers where one cannot."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models.base import Capabilities, ChatModel, OnDelta, Shown
from agent_mini.tools import Tool
from agent_mini.types import Event, EventKind, Message, OnEvent, Reply, ignore


class FallbackModel:
    """Asks the first model, and the next one where that one fails.

    A failure counts that may be over a little later, and an empty account, which no run can fill up. All others
    are raised: a refused key or request is for a person to mend, not to be hidden. ``Reply.model`` says who
    answered. Once a piece of an answer has been passed to ``on_delta``, its failure is final: another model's
    answer cannot continue it.

    Args:
        models: The models, the preferred one first.
        on_event: Called with ``MODEL_FELL_BACK``: ``from`` and ``to``, the models' names, and the ``code``.

    Raises:
        ValueError: There are no models.
    """

    def __init__(self, models: Iterable[ChatModel], on_event: OnEvent = ignore) -> None:
        self._models = tuple(models)
        if not self._models:
            raise ValueError("a fall-back needs models to fall back on")
        self._on_event = on_event

    @property
    def name(self) -> str:
        return " > ".join(model.name for model in self._models)

    @property
    def capabilities(self) -> Capabilities:
        """What all of them can do: any of them may have to answer."""
        each = [model.capabilities for model in self._models]
        return Capabilities(
            tools=all(one.tools for one in each),
            streaming=all(one.streaming for one in each),
            response_schema=all(one.response_schema for one in each),
            grammar=all(one.grammar for one in each),
        )

    async def chat(
        self,
        messages: Sequence[Message],
        tools: Iterable[Tool] = (),
        *,
        response_schema: Mapping[str, Any] | None = None,
        grammar: str | None = None,
        on_delta: OnDelta | None = None,
    ) -> Reply:
        """See ``ChatModel.chat``; the error raised at the end names every model's code."""
        tools = tuple(tools)
        shown = Shown(on_delta)
        failed: list[str] = []
        for position, model in enumerate(self._models, start=1):
            try:
                return await model.chat(
                    messages,
                    tools,
                    response_schema=response_schema,
                    grammar=grammar,
                    on_delta=shown.on_delta,
                )
            except ModelError as error:
                failed.append(f"{model.name}: {error.code}")
                if shown.anything or position == len(self._models) or not _another_may_help(error):
                    raise _with_all(error, failed) from error
                data = {"from": model.name, "to": self._models[position].name, "code": str(error.code)}
                self._on_event(Event(EventKind.MODEL_FELL_BACK, data=data))
        raise AssertionError("the last model returned or raised")


def _another_may_help(error: ModelError) -> bool:
    return error.retryable or error.code is ErrorCode.LLM_QUOTA_EXCEEDED


def _with_all(error: ModelError, failed: Sequence[str]) -> ModelError:
    """The last model's error, with the code of every model that was asked."""
    if len(failed) == 1:
        return error
    return ModelError(error.code, f"{error.message} (asked: {', '.join(failed)})", error.hint)
