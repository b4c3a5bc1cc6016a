"""One call to a model, and the tool calls that come of it, each reported as it happens.

Trouble with a tool call is information for the model: bad JSON, wrong arguments, an unknown tool, an
exception, a time-out, a person's no. It becomes that call's result, so every call is always answered.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent_mini.engine.references import BadReference, resolve_call
from agent_mini.errors import AgentError
from agent_mini.guardrails import ApprovalGate, LimitWatch
from agent_mini.models import ChatModel
from agent_mini.parsing import parse_arguments
from agent_mini.tools import Toolbox, ToolContext
from agent_mini.tracing import Tell
from agent_mini.types import Delta, EventKind, Message, Reply, ToolCall, ToolResult, ToolStep

OUT_OF_TIME = "stopped: the time limit was reached"


async def ask_model(
    model: ChatModel,
    messages: Sequence[Message],
    tell: Tell,
    *,
    tools: Toolbox | None = None,
    response_schema: Mapping[str, Any] | None = None,
    speaker: str = "",
) -> Reply:
    """Call the model once.

    Args:
        model: Who answers.
        messages: The conversation.
        tell: Where to report.
        tools: What the model may ask for.
        response_schema: What the answer should follow, sent only to a model that can be held to it.
        speaker: Which role speaks, for the events.

    Raises:
        ModelError: The model failed; it has been reported.
    """

    def pass_on(delta: Delta) -> None:
        if delta.text:
            tell(EventKind.MODEL_DELTA, speaker=speaker, text=delta.text)

    schema = response_schema if model.capabilities.response_schema else None
    tell(EventKind.MODEL_CALLED, speaker=speaker, model=model.name)
    try:
        reply = await model.chat(messages, tools or (), response_schema=schema, on_delta=pass_on)
    except AgentError as error:
        tell(EventKind.MODEL_FAILED, speaker=speaker, code=error.code, message=error.message)
        raise
    tell(
        EventKind.MODEL_REPLIED,
        speaker=speaker,
        model=reply.model,
        calls=len(reply.tool_calls),
        reasoning=reply.reasoning,
    )
    return reply


async def run_calls(
    calls: Sequence[ToolCall],
    tools: Toolbox,
    context: ToolContext,
    watch: LimitWatch,
    tell: Tell,
    *,
    messages: Sequence[Message] = (),
    approval: ApprovalGate | None = None,
    refusal: str = "",
) -> list[ToolStep]:
    """Run one step's tool calls, side by side, and return their results in the order they were asked for.

    Args:
        calls: What the model asked for.
        tools: What there is.
        context: What tools may use; ``call_key`` is extended by ``/step/position`` for each call.
        watch: The loop's limits.
        tell: Where to report.
        messages: The conversation so far, which references in arguments lead into.
        approval: Who agrees to side effects; the context's human when None.
        refusal: Why none of them may run, when that is so.
    """
    gate = approval or ApprovalGate(context.human)
    # Whoever agrees must see the values, not the references.
    resolved = [(call, refusal) if refusal else _resolve(call, messages) for call in calls]
    # One question at a time and before anything runs: nobody can read four questions at once.
    agreed: list[tuple[ToolCall, str]] = []
    for call, refused in resolved:
        tool = tools.get(call.name)
        agreed.append(await gate.review(call, tool, tell) if tool and not refused else (call, refused))

    async def run_one(call: ToolCall, refused: str, position: int) -> ToolStep:
        edited = call.arguments != resolved[position][0].arguments
        # A loop that belongs to no run has no key to give: "1/0" would be the same in all of them.
        key = f"{context.call_key}/{watch.step}/{position}" if context.call_key else ""
        tell(EventKind.TOOL_CALLED, step=watch.step, call=call.id, tool=call.name, arguments=call.arguments)
        started = context.clock.monotonic()
        if refused:
            result = ToolResult(False, refused)
        else:
            result = await _run_tool(call, tools, replace(context, call_key=key), watch.seconds_left)
        if edited:  # the model must not take it for the result of what it asked
            content = f"run with other arguments, from the person: {call.arguments}\n{result.content}"
            result = replace(result, content=content)
        ms = (context.clock.monotonic() - started) * 1000
        tell(
            EventKind.TOOL_RETURNED,
            step=watch.step,
            call=call.id,
            tool=call.name,
            ok=result.ok,
            content=result.content,
            data=result.data,
            ms=ms,
        )
        return ToolStep(watch.step, call.name, call.arguments, result, ms)

    return await asyncio.gather(*(run_one(*item, position) for position, item in enumerate(agreed)))


def _resolve(call: ToolCall, messages: Sequence[Message]) -> tuple[ToolCall, str]:
    try:
        return resolve_call(call, messages), ""
    except BadReference as error:
        return call, f"not run: {error}"


async def _run_tool(call: ToolCall, tools: Toolbox, context: ToolContext, seconds: float) -> ToolResult:
    try:
        arguments = parse_arguments(call.arguments)
    except ValueError as error:
        return ToolResult(False, str(error))
    try:
        async with asyncio.timeout(seconds):
            return await tools.invoke(call.name, arguments, context)
    except TimeoutError:
        return ToolResult(False, OUT_OF_TIME)
