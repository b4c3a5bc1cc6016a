"""An engine makes one step; ``run`` repeats it until the discussion ends, waits or fails."""

from collections.abc import Callable
from typing import Protocol

from agent_mini.engine.rules import fail, retry, take_answer
from agent_mini.errors import AgentError
from agent_mini.human import Human
from agent_mini.tracing import teller
from agent_mini.types import EventKind, OnEvent, StepResult, TeamState, TeamStatus, ignore

Save = Callable[[TeamState], None]


class Engine(Protocol):
    """Moves a discussion on: the hand-written team is one, the graph is another."""

    async def step(self, state: TeamState, on_event: OnEvent = ignore) -> StepResult:
        """Make one decision and one expert's answer of it, or the summary when a hard rule says so.

        Given the model it is pure: the same state gives the same result, and nothing is kept in between.

        Raises:
            ModelError: A model failed; ``state`` is still good and the step can be made again.
        """
        ...


async def run(
    engine: Engine,
    state: TeamState,
    *,
    human: Human | None = None,
    save: Save | None = None,
    on_event: OnEvent = ignore,
) -> TeamState:
    """Repeat ``engine.step`` until the discussion is done, waits for a person, or a model fails.

    Args:
        engine: What makes the steps.
        state: Where to begin: a new discussion, or any stored one. A failed one is tried again; a finished
            one is returned as it is.
        human: Whom to ask; with None, or no answer, the state is returned waiting.
        save: Called with every new state before anything else happens.
        on_event: Told of everything.

    Returns:
        The last state. A model's failure is in it, not raised: what was said before is kept.
    """

    tell = teller(on_event, state.run_id)

    def keep(new: TeamState) -> TeamState:
        if save is not None:
            save(new)
            tell(EventKind.CHECKPOINT_SAVED, turns=len(new.turns), status=new.status)
        return new

    if state.status is TeamStatus.DONE:
        return state
    fresh = not state.turns and state.status is TeamStatus.RUNNING
    tell(EventKind.RUN_STARTED if fresh else EventKind.RUN_RESUMED, question=state.question)
    state = retry(state)

    while state.status is not TeamStatus.DONE:
        if state.status is TeamStatus.WAITING:
            tell(EventKind.PERSON_ASKED, question=state.pending_question)
            answer = await human.ask(state.pending_question) if human else None
            if answer is None:
                tell(EventKind.RUN_WAITING, question=state.pending_question)
                return state
            state = keep(take_answer(state, answer))
            tell(EventKind.PERSON_ANSWERED, answer=answer)
        try:
            state = keep((await engine.step(state, on_event)).state)
        except AgentError as error:
            state = keep(fail(state, error))
            break
    tell(EventKind.RUN_ENDED, status=state.status, stop_reason=state.stop_reason, error_code=state.error_code)
    return state
