"""Several models as one: the next answers where one cannot."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from agent_mini.errors import ErrorCode, ModelError
from agent_mini.models.base import Capabilities, ChatModel, OnDelta, Shown
from agent_mini.tools import Tool
from agent_mini.types import Event, EventKind, Message, OnEvent, Reply, ignore


def another_may_help(error: ModelError) -> bool:
    """The usual rule: a failure that may be over a little later, or an empty account, which no run can fill up."""
    return error.retryable or error.code is ErrorCode.LLM_QUOTA_EXCEEDED


def any_failure(error: ModelError) -> bool:
    """The rule where an answer of another model is better than none, whatever is wrong with the first."""
    return True


@dataclass(frozen=True, slots=True)
class FallbackPolicy:
    """When the next model is asked.

    Args:
        counts: Which failures are passed over; all others are raised.
        sticky: Whether a model that has failed is not asked again: for a fall-back made for one turn, so that its
            later steps do not wait for the same failure.
        answers_anew: Whether the next model is asked even after pieces of an answer have been shown. Whoever shows
            them must then end the broken answer at ``MODEL_FELL_BACK``: the next one begins after it.
        patience: Seconds that all models but the last may take together, over all calls; None for no limit.
    """

    counts: Callable[[ModelError], bool] = another_may_help
    sticky: bool = False
    answers_anew: bool = False
    patience: float | None = None


class FallbackModel:
    """Asks the first model, and the next one where that one fails.

    By default, what a person must mend is raised and not hidden: a refused key or request. ``Reply.model`` says who
    answered. Once a piece of an answer has been passed to ``on_delta``, its failure is final, unless the policy says
    otherwise: another model's answer cannot continue it.

    Args:
        models: The models, the preferred one first.
        on_event: Called with ``MODEL_FELL_BACK``: ``from`` and ``to``, the models' names, and the failure's ``code``,
            ``message`` and ``hint``.
        policy: When the next model is asked.

    Raises:
        ValueError: There are no models.
    """

    def __init__(
        self,
        models: Iterable[ChatModel],
        on_event: OnEvent = ignore,
        policy: FallbackPolicy = FallbackPolicy(),
    ) -> None:
        self._models = tuple(models)
        if not self._models:
            raise ValueError("a fall-back needs models to fall back on")
        self._on_event = on_event
        self._policy = policy
        self._first = 0
        self._seconds_left = policy.patience

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
        for position, model in enumerate(self._models[self._first :], start=self._first + 1):
            last = position == len(self._models)
            try:
                async with self._patience(model, last):
                    return await model.chat(
                        messages,
                        tools,
                        response_schema=response_schema,
                        grammar=grammar,
                        on_delta=shown.on_delta,
                    )
            except ModelError as error:
                failed.append(f"{model.name}: {error.code}")
                final = shown.anything and not self._policy.answers_anew
                if final or last or not self._policy.counts(error):
                    raise _with_all(error, failed) from error
                if self._policy.sticky:
                    self._first = position
                self._on_event(_fell_back(error, model, self._models[position]))
        raise AssertionError("the last model returned or raised")

    @asynccontextmanager
    async def _patience(self, model: ChatModel, last: bool) -> AsyncGenerator[None]:
        """Let ``model`` have what is left of the patience; the last one has all the time there is.

        Raises:
            ModelError: It took longer.
        """
        if last or self._seconds_left is None:
            yield
            return
        clock = asyncio.get_running_loop()
        started = clock.time()
        limit = asyncio.timeout(max(0.0, self._seconds_left))
        try:
            async with limit:
                yield
        except TimeoutError:
            if not limit.expired():
                raise
            message = f"{model.name} took longer than there was time for"
            raise ModelError(ErrorCode.LLM_TIMEOUT, message) from None
        finally:
            self._seconds_left -= clock.time() - started


def _fell_back(error: ModelError, failed: ChatModel, to: ChatModel) -> Event:
    data = {
        "from": failed.name,
        "to": to.name,
        "code": str(error.code),
        "message": error.message,
        "hint": error.hint,
    }
    return Event(EventKind.MODEL_FELL_BACK, data=data)


def _with_all(error: ModelError, failed: Sequence[str]) -> ModelError:
    """The last model's error, with the code of every model that was asked."""
    if len(failed) == 1:
        return error
    return ModelError(error.code, f"{error.message} (asked: {', '.join(failed)})", error.hint)
