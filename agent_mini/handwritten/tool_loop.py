"""The tool loop by hand: ask the model, run what it asks for, give every answer back, until it asks no more."""

import asyncio
from collections.abc import Iterable, Sequence

from agent_mini.engine import ask_model, repair, run_calls
from agent_mini.guardrails import ApprovalGate, Limits, LimitWatch
from agent_mini.models import ChatModel
from agent_mini.tools import Tool, Toolbox, ToolContext
from agent_mini.tracing import teller
from agent_mini.types import (
    EventKind,
    LoopResult,
    Message,
    OnEvent,
    Reply,
    StopReason,
    ToolStep,
    ignore,
    tool_message,
)

CUT_OFF = "not run: your message hit the length limit, so its arguments may be incomplete. Write less."
REPEATED = "not run: this exact call was made too often. Use the results you have."


async def run_tool_loop(
    model: ChatModel,
    messages: Sequence[Message],
    tools: Iterable[Tool] = (),
    *,
    limits: Limits = Limits(),
    context: ToolContext | None = None,
    approval: ApprovalGate | None = None,
    speaker: str = "",
    run_id: str = "",
    on_event: OnEvent = ignore,
) -> LoopResult:
    """Run the loop to its end.

    Args:
        model: Who answers.
        messages: The conversation so far; an unfinished one is repaired first.
        tools: What the model may ask for.
        limits: Steps, seconds and repeats.
        context: What tools may use; its ``call_key``, where it has one, is the prefix of every call's key.
        approval: Asks a person before a tool with side effects runs; the context's human when None.
        speaker: Which role the model plays, for the events.
        run_id: The run the events belong to.
        on_event: Told of everything as it happens.

    Raises:
        ModelError: The model failed. Tool trouble is never raised.
    """
    toolbox, context, tell = Toolbox(tools), context or ToolContext(), teller(on_event, run_id)
    watch = LimitWatch(limits, context.clock)
    history, replies, steps = list(repair(messages)), list[Reply](), list[ToolStep]()
    if history != list(messages):
        tell(EventKind.HISTORY_REPAIRED, before=len(messages), after=len(history))

    while not (reason := watch.start_step()):
        try:
            async with asyncio.timeout(watch.seconds_left):
                reply = await ask_model(model, history, tell, tools=toolbox, speaker=speaker)
        except TimeoutError:
            reason = StopReason.TIME_LIMIT
            break
        replies.append(reply)
        history.append(reply.message)
        if not reply.tool_calls:
            reason = StopReason.CUT_OFF if reply.cut_off else StopReason.ANSWERED
            break

        reason = watch.count_calls(reply.tool_calls)
        refusal = CUT_OFF if reply.cut_off else REPEATED if reason else ""
        done = await run_calls(
            reply.tool_calls,
            toolbox,
            context,
            watch,
            tell,
            messages=history,
            approval=approval,
            refusal=refusal,
        )
        steps += done
        for call, step in zip(reply.tool_calls, done, strict=True):
            result = step.result
            history.append(tool_message(call, result.content, ok=result.ok, data=result.data))
        if reason:
            break

    if reason is not StopReason.ANSWERED:
        tell(EventKind.LIMIT_REACHED, reason=reason)
    return LoopResult.collect(reason, history, steps, replies)
