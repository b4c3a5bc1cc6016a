"""The team by hand: a coordinator decides, an expert answers, a summariser ends it.

One step is a plain function of the state. It keeps nothing in between, so a discussion can stop after any
step and go on in another process.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace

from agent_mini.engine import (
    DECISION_SCHEMA,
    ask_model,
    build_context,
    conclude,
    forced_end,
    parse_decision,
    wait_for_person,
)
from agent_mini.errors import ErrorCode, InputError, ModelError
from agent_mini.guardrails import ApprovalGate, Limits
from agent_mini.handwritten.tool_loop import run_tool_loop
from agent_mini.models import ChatModel
from agent_mini.parsing import parse_verdict
from agent_mini.prompts import BAD_DECISION, COORDINATE, SUMMARISE, Role, role_prompt
from agent_mini.thinking import split_thinking
from agent_mini.tools import Tool, Toolbox, ToolContext
from agent_mini.tracing import Tell, teller
from agent_mini.types import (
    Decision,
    EventKind,
    Expert,
    Message,
    OnEvent,
    StepResult,
    TeamState,
    TeamStatus,
    Turn,
    assistant,
    ignore,
    system,
    user,
)


class Team:
    """An ``Engine``.

    Args:
        model: Who plays every role, or a model for each role.
        tools: What proposer and critic may use.
        limits: Of one expert's turn.
        context: What tools may use.
        approval: Who agrees to side effects; the context's human when None.
    """

    def __init__(
        self,
        model: ChatModel | Mapping[Role, ChatModel],
        tools: Iterable[Tool] = (),
        *,
        limits: Limits = Limits(),
        context: ToolContext | None = None,
        approval: ApprovalGate | None = None,
    ) -> None:
        self._model = model
        self._tools = Toolbox(tools)
        self._limits = limits
        self._context = context or ToolContext()
        self._approval = approval

    async def step(self, state: TeamState, on_event: OnEvent = ignore) -> StepResult:
        """One decision and one expert's answer, or the summary; see ``agent_mini.engine.Engine``."""
        if state.status is not TeamStatus.RUNNING:
            raise InputError(f"the discussion is {state.status}: there is no step to make")
        tell = teller(on_event, state.run_id)
        tell(EventKind.STEP_STARTED, round=state.rounds)
        result = await self._step(state, tell, on_event)
        tell(EventKind.STEP_ENDED, round=result.state.rounds, status=result.state.status)
        return result

    async def _step(self, state: TeamState, tell: Tell, on_event: OnEvent) -> StepResult:
        if reason := forced_end(state):  # the rules first, then the model
            task = SUMMARISE[state.language][reason]
            state, turn = await self._speak("summariser", state, task, tell, on_event)
            return StepResult(conclude(state, reason, turn))
        state, decision = await self._decide(state, tell)
        if decision.action == "ask_human":
            return StepResult(wait_for_person(state, decision.question), decision)
        assert decision.target is not None  # noqa: S101 - parse_decision has checked it
        state, turn = await self._speak(decision.target, state, decision.instruction, tell, on_event)
        return StepResult(state.with_turn(turn), decision)

    async def _decide(self, state: TeamState, tell: Tell) -> tuple[TeamState, Decision]:
        """Ask the coordinator; give a bad decision back once, with the error."""
        model = self._model_of("coordinator")
        messages = self._opening("coordinator", state, COORDINATE[state.language])
        for attempt in (1, 2):
            try:
                async with asyncio.timeout(self._limits.max_seconds):
                    reply = await ask_model(
                        model, messages, tell, response_schema=DECISION_SCHEMA, speaker="coordinator"
                    )
            except TimeoutError:
                raise ModelError(ErrorCode.LLM_TIMEOUT, "the coordinator took too long") from None
            state = replace(state, usage=state.usage + reply.usage)
            try:
                decision = parse_decision(reply.text)
            except ValueError as error:
                tell(EventKind.DECISION_REJECTED, attempt=attempt, error=str(error))
                correction = BAD_DECISION[state.language].format(error=error)
                messages += [assistant(reply.text), user(correction)]
            else:
                tell(
                    EventKind.DECISION_MADE,
                    action=decision.action,
                    target=decision.target,
                    reason=decision.reason,
                )
                return state, decision
        raise ModelError(ErrorCode.LLM_BAD_OUTPUT, "the coordinator gave no usable decision, twice")

    async def _speak(
        self, role: Expert, state: TeamState, task: str, tell: Tell, on_event: OnEvent
    ) -> tuple[TeamState, Turn]:
        """Let an expert answer, with tools; the summariser has none."""
        tell(EventKind.TURN_STARTED, speaker=role, instruction=task)
        key = f"{state.run_id}/{len(state.turns)}"
        result = await run_tool_loop(
            self._model_of(role),
            self._opening(role, state, task),
            () if role == "summariser" else self._tools,
            limits=self._limits,
            context=replace(self._context, call_key=key),
            approval=self._approval,
            speaker=role,
            run_id=state.run_id,
            on_event=on_event,
        )
        text = split_thinking(result.text)[0].strip()
        verdict = parse_verdict(text) if role == "critic" else None
        turn = Turn(role, task, text, verdict, result.model, result.seconds, result.usage, result.steps)
        tell(EventKind.TURN_ENDED, speaker=role, text=text, verdict=verdict, stop_reason=result.stop_reason)
        return replace(state, usage=state.usage + result.usage), turn

    def _model_of(self, role: Role) -> ChatModel:
        return self._model[role] if isinstance(self._model, Mapping) else self._model

    def _opening(self, role: Role, state: TeamState, task: str) -> list[Message]:
        return [system(role_prompt(role, state.language)), user(build_context(state, task))]
