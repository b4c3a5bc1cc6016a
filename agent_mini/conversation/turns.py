"""A conversation with one person: turn after turn through the tool loop, in a short memory of whole turns.

What this does not do: keep a conversation beyond the process, remember what fell out of the window, or let two turns
run at once.
"""

import uuid
from collections.abc import Iterable
from dataclasses import replace

from agent_mini.conversation.memory import WINDOW, recent
from agent_mini.conversation.questions import check_question
from agent_mini.errors import AgentError, InputError
from agent_mini.guardrails import ApprovalGate, Limits
from agent_mini.handwritten import run_tool_loop
from agent_mini.human import Human
from agent_mini.models import ChatModel, FallbackModel, FallbackPolicy, any_failure
from agent_mini.prompts import STOPPED, chat_prompt, language_of
from agent_mini.tools import Tool, Toolbox, ToolContext
from agent_mini.tracing import EventLog, teller
from agent_mini.types import (
    Event,
    EventKind,
    Language,
    LoopResult,
    Message,
    OnEvent,
    StopReason,
    assistant,
    ignore,
    system,
    user,
)

MODELS_SHARE = 0.75
"""The part of a turn's time that a model may take; what is left is enough for the one it falls back on."""


class Conversation:
    """Keeps the history; each ``send`` is one turn.

    Args:
        model: Who answers.
        tools: What it may ask for.
        context: What tools may use. Its ``call_key`` is replaced: a call's key is ``run/turn/step/position``.
        fallback: Who answers the rest of a turn in which ``model`` fails, in whatever way; the next turn asks
            ``model`` again. With None the failure is raised.
        window: Messages the model is shown at most; the newest turn is always whole.
        approval: Asks a person before a tool with side effects runs; the context's human when None.
        limits: What one turn may use.
        run_id: The conversation's name in events and call keys; a random one when empty.
    """

    def __init__(
        self,
        model: ChatModel,
        tools: Iterable[Tool],
        *,
        context: ToolContext | None = None,
        fallback: ChatModel | None = None,
        window: int = WINDOW,
        approval: ApprovalGate | None = None,
        limits: Limits = Limits(),
        run_id: str = "",
    ) -> None:
        self.model = model
        self.tools = Toolbox(tools)
        self.context = context or ToolContext()
        self.fallback = fallback
        self.run_id = run_id or uuid.uuid4().hex[:12]
        self._window = window
        self._approval = approval
        self._limits = limits
        self._messages: tuple[Message, ...] = ()
        self._interrupted: tuple[str, ...] = ()
        self._turns = 0
        self._running = False

    @property
    def messages(self) -> tuple[Message, ...]:
        """What is remembered: whole turns, every tool call answered, each ending in an answer."""
        return self._messages

    @property
    def interrupted(self) -> tuple[str, ...]:
        """The tools that changed something, or were about to, in a turn that did not end."""
        return self._interrupted

    def reset(self) -> None:
        """Forget everything that was said.

        Raises:
            InputError: A turn is running.
        """
        self._check_idle()
        self._messages, self._interrupted = (), ()

    async def send(self, text: str, on_event: OnEvent = ignore, *, human: Human | None = None) -> LoopResult:
        """Say something, and return what comes of it.

        A turn that does not end, because it is cancelled or its model fails, leaves the history as it was before;
        what its tools have done stands, and ``interrupted`` names them.

        Args:
            text: What the person says.
            on_event: Told of everything as it happens, from ``RUN_STARTED`` to ``RUN_ENDED``.
            human: Whom to ask in this turn, instead of the context's human.

        Returns:
            The turn: ``text`` is never empty, ``messages`` are what the model saw and what came of it.

        Raises:
            InputError: The text cannot be a question, or another turn is running.
            ModelError: The model failed, and there is nothing to fall back on.
        """
        question = check_question(text)
        self._check_idle()
        self._running, self._turns = True, self._turns + 1
        log = EventLog(on_event)
        tell = teller(log, self.run_id)
        language = language_of(question)
        shown = recent((*self._messages, user(question)), self._window)
        try:
            tell(EventKind.RUN_STARTED, question=question, turn=self._turns)
            result = await run_tool_loop(
                self._model_of_a_turn(log),
                [system(chat_prompt(language, self._interrupted)), *shown],
                self.tools,
                limits=self._limits,
                context=replace(
                    self.context,
                    call_key=f"{self.run_id}/{self._turns}",
                    human=human or self.context.human,
                ),
                approval=self._approval,
                run_id=self.run_id,
                on_event=log,
            )
        except BaseException as error:
            # Said again when this one too is stopped: nothing else remembers it.
            self._interrupted = (*self._interrupted, *_changing_calls(log, self.tools))
            reason = StopReason.MODEL_ERROR if isinstance(error, AgentError) else StopReason.CANCELLED
            tell(EventKind.RUN_ENDED, stop_reason=reason, model="", interrupted=list(self._interrupted))
            raise
        finally:
            self._running = False
        result = _in_words(result, language)
        self._interrupted = ()
        self._messages = recent(result.messages[1:], self._window)
        tell(EventKind.RUN_ENDED, stop_reason=result.stop_reason, model=result.model, interrupted=[])
        return result

    def _model_of_a_turn(self, on_event: OnEvent) -> ChatModel:
        if self.fallback is None:
            return self.model
        policy = FallbackPolicy(
            any_failure, sticky=True, answers_anew=True, patience=self._limits.max_seconds * MODELS_SHARE
        )
        return FallbackModel(
            (self.model, self.fallback),
            lambda event: on_event(Event(event.kind, self.run_id, event.data)),
            policy,
        )

    def _check_idle(self) -> None:
        if self._running:
            raise InputError("the answer before is still being written", "wait for it, or stop it")


def _in_words(result: LoopResult, language: Language) -> LoopResult:
    """The result with an answer in it, however the loop ended: a conversation goes on from an answer."""
    words = STOPPED[language]
    match result.stop_reason:
        case StopReason.ANSWERED | StopReason.CUT_OFF if result.text.strip():
            return result
        case (
            StopReason.ANSWERED | StopReason.CUT_OFF
        ):  # an assistant that says nothing is refused by some servers
            text, messages = words["empty"], result.messages[:-1]
        case reason:
            text, messages = words[reason], result.messages
    return replace(result, text=text, messages=(*messages, assistant(text)))


def _changing_calls(log: EventLog, tools: Toolbox) -> list[str]:
    """The tools that changed something, or may still be doing so, each once and in order."""
    failed = {event.data["call"] for event in log.of(EventKind.TOOL_RETURNED) if not event.data["ok"]}
    called = [event.data for event in log.of(EventKind.TOOL_CALLED) if event.data["call"] not in failed]
    names = [str(data["tool"]) for data in called]
    return list(dict.fromkeys(name for name in names if (tool := tools.get(name)) and not tool.read_only))
