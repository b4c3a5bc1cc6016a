"""agent_mini.handwritten.team: one step at a time, and the whole discussion."""

import asyncio
import json

import pytest

from agent_mini.engine import fail, new_discussion, run, wait_for_person
from agent_mini.errors import ErrorCode, InputError, ModelError
from agent_mini.guardrails import Limits
from agent_mini.handwritten import Team
from agent_mini.human import Nobody, ScriptedHuman
from agent_mini.models import ScriptedModel
from agent_mini.models.roleplay import Behaviour, RoleplayModel
from agent_mini.prompts import role_prompt
from agent_mini.tools import ToolContext, calculate, tool
from agent_mini.tracing import EventLog
from agent_mini.types import (
    EventKind,
    Reply,
    StopReason,
    TeamState,
    TeamStatus,
    ToolCall,
    Usage,
    Verdict,
    assistant,
)


def dispatch(target: str, instruction: str = "do it") -> str:
    return json.dumps({"action": "dispatch", "target": target, "instruction": instruction})


ASK = json.dumps({"action": "ask_human", "question": "How much?"})
AGREEMENT = [dispatch("proposer"), "Go.", dispatch("critic"), "Fine.\nVERDICT: APPROVE", "Use Go."]


async def discuss(script: list[object], **options: object) -> tuple[TeamState, ScriptedModel, EventLog]:
    model, log = ScriptedModel(script), EventLog()  # type: ignore[arg-type]
    state = new_discussion("Go or Rust?", max_rounds=options.pop("max_rounds", 6), run_id="r1")  # type: ignore[arg-type]
    state = await run(Team(model, [calculate]), state, on_event=log, **options)  # type: ignore[arg-type]
    return state, model, log


async def test_agreement() -> None:
    state, model, log = await discuss([*AGREEMENT])
    assert (state.status, state.stop_reason, state.answer) == (
        TeamStatus.DONE,
        StopReason.CONSENSUS,
        "Use Go.",
    )
    assert [turn.speaker for turn in state.turns] == ["proposer", "critic", "summariser"]
    assert state.turns[1].verdict is Verdict.APPROVE
    roles = ["coordinator", "proposer", "coordinator", "critic", "summariser"]
    assert [request.messages[0].content for request in model.requests] == [
        role_prompt(role, "en")  # type: ignore[arg-type]
        for role in roles
    ]
    assert log.kinds[0] is EventKind.RUN_STARTED
    assert log.kinds[-1] is EventKind.RUN_ENDED
    json.dumps([dict(event.data) for event in log])


async def test_the_summariser_gets_no_tools_and_the_experts_do() -> None:
    _, model, _ = await discuss([*AGREEMENT])
    assert [request.tools for request in model.requests] == [(), ("calculate",), (), ("calculate",), ()]


async def test_the_round_limit_ends_it_without_asking_the_coordinator() -> None:
    state, model, _ = await discuss([dispatch("proposer"), "Go.", "No consensus: Go."], max_rounds=1)
    assert (state.stop_reason, state.answer) == (StopReason.ROUND_LIMIT, "No consensus: Go.")
    assert "no consensus was reached" in model.requests[-1].messages[1].content


async def test_no_rounds_at_all() -> None:
    state, model, _ = await discuss(["Nothing was discussed."], max_rounds=0)
    assert (state.stop_reason, state.rounds, len(model.requests)) == (StopReason.ROUND_LIMIT, 0, 1)


async def test_a_missing_verdict_is_a_revision() -> None:
    script = [dispatch("proposer"), "Go.", dispatch("critic"), "Looks good to me!", "No consensus."]
    state, _, _ = await discuss([*script], max_rounds=2)
    assert state.turns[1].verdict is Verdict.REVISE
    assert state.stop_reason is StopReason.ROUND_LIMIT


async def test_a_bad_decision_is_given_back_once() -> None:
    state, model, log = await discuss(["the proposer, I think", *AGREEMENT])
    assert state.stop_reason is StopReason.CONSENSUS
    retry = model.requests[1].messages
    assert [message.role for message in retry] == ["system", "user", "assistant", "user"]
    assert "there is no JSON object" in retry[-1].content
    assert log.of(EventKind.DECISION_REJECTED)[0].data["attempt"] == 1


async def test_a_second_bad_decision_fails_the_run_and_keeps_what_was_said() -> None:
    script = [dispatch("proposer"), "Go.", '{"action": "dispatch"}', '{"action": "stop"}']
    state, model, _ = await discuss([*script])
    assert (state.status, state.error_code) == (TeamStatus.FAILED, "LLM_BAD_OUTPUT")
    assert [turn.text for turn in state.turns] == ["Go."]
    assert len(model.requests) == 4


async def test_every_failure_can_be_tried_again_from_its_last_good_step() -> None:
    down = ModelError(ErrorCode.LLM_UNAVAILABLE, "down")
    for position in range(len(AGREEMENT)):
        script: list[object] = [*AGREEMENT]
        script.insert(position, down)
        first, _, _ = await discuss(script)
        assert (first.status, first.error_code) == (TeamStatus.FAILED, "LLM_UNAVAILABLE")
        # What the failed step had said is said again: a step is whole or not at all.
        rest = AGREEMENT[len(first.turns) * 2 :]
        state = await run(Team(ScriptedModel(rest), [calculate]), first)
        assert (state.status, state.answer, len(state.turns)) == (TeamStatus.DONE, "Use Go.", 3)


async def test_a_coordinator_that_hangs_is_a_time_out() -> None:
    class Hanging(ScriptedModel):
        async def chat(self, *args: object, **kwargs: object) -> Reply:
            await asyncio.Event().wait()
            raise AssertionError

    team = Team(Hanging([]), limits=Limits(max_seconds=0.05))
    state = await run(team, new_discussion("Go or Rust?"))
    assert (state.status, state.error_code) == (TeamStatus.FAILED, "LLM_TIMEOUT")


async def test_asking_a_person() -> None:
    human = ScriptedHuman(["50,000"])
    state, model, log = await discuss([ASK, *AGREEMENT], human=human)
    assert human.asked == ["How much?"]
    assert (state.turns[0].speaker, state.turns[0].text) == ("person", "50,000")
    assert "50,000" in model.requests[1].messages[1].content
    assert EventKind.PERSON_ANSWERED in log.kinds


@pytest.mark.parametrize("human", [None, Nobody()])
async def test_nobody_there_leaves_it_waiting(human: Nobody | None) -> None:
    state, _, log = await discuss([ASK], human=human)
    assert (state.status, state.pending_question) == (TeamStatus.WAITING, "How much?")
    assert log.kinds[-1] is EventKind.RUN_WAITING


async def test_a_step_is_pure() -> None:
    state = new_discussion("Go or Rust?")
    before = state
    results = [await Team(ScriptedModel([dispatch("proposer"), "Go."])).step(state) for _ in range(2)]
    assert results[0] == results[1]
    assert state == before


@pytest.mark.parametrize(
    "state",
    [
        wait_for_person(new_discussion("q"), "How much?"),
        fail(new_discussion("q"), ModelError(ErrorCode.LLM_TIMEOUT, "slow")),
    ],
)
async def test_a_state_that_does_not_run_has_no_step(state: TeamState) -> None:
    with pytest.raises(InputError, match="there is no step to make"):
        await Team(ScriptedModel([])).step(state)


async def test_experts_use_tools_with_keys_of_their_own() -> None:
    @tool(title="Key")
    async def key(context: ToolContext) -> str:
        """Tell the call's key."""
        return context.call_key

    model = ScriptedModel([dispatch("proposer"), ToolCall("c", "key", "{}"), "Go."])
    result = await Team(model, [key]).step(new_discussion("Go or Rust?", run_id="r9"))
    turn = result.state.turns[-1]
    assert (turn.text, turn.steps[0].result.content) == ("Go.", "r9/0/1/0")


async def test_thinking_is_not_said() -> None:
    script = [
        dispatch("proposer"),
        "<think>hm</think>Go.",
        dispatch("critic"),
        "<think>VERDICT: APPROVE</think>No.",
    ]
    state, _, _ = await discuss([*script, "No consensus."], max_rounds=2)
    assert [turn.text for turn in state.turns[:2]] == ["Go.", "No."]
    assert state.turns[1].verdict is Verdict.REVISE


async def test_a_model_for_each_role() -> None:
    models = {
        "coordinator": ScriptedModel([dispatch("proposer"), dispatch("critic")], "boss"),
        "proposer": ScriptedModel(["Go."], "writer"),
        "critic": ScriptedModel(["VERDICT: APPROVE"], "reader"),
        "summariser": ScriptedModel(["Use Go."], "closer"),
    }
    state = await run(Team(models), new_discussion("Go or Rust?"))  # type: ignore[arg-type]
    assert [turn.model for turn in state.turns] == ["writer", "reader", "closer"]


async def test_the_bill_has_every_call_on_it() -> None:
    replies = [Reply(assistant(text), "m", usage=Usage(10, 1)) for text in AGREEMENT]
    state, _, _ = await discuss([*replies])
    assert state.usage == Usage(50, 5)


async def test_every_state_is_saved_before_the_next_step() -> None:
    saved: list[TeamState] = []
    state, _, _ = await discuss([ASK, *AGREEMENT], human=ScriptedHuman(["5"]), save=saved.append)
    assert [(s.status, len(s.turns)) for s in saved] == [
        ("waiting", 0), ("running", 1), ("running", 2), ("running", 3), ("done", 4),
    ]  # fmt: skip
    assert saved[-1] == state
    assert await run(Team(ScriptedModel([])), state) is state  # a finished one costs nothing


@pytest.mark.parametrize(
    ("behaviour", "status", "reason", "rounds"),
    [
        (Behaviour(), "done", "consensus", 4),
        (Behaviour(never_agree=True), "done", "round_limit", 6),
        (Behaviour(bad_decisions=1), "done", "consensus", 4),
        (Behaviour(bad_decisions=2), "failed", "model_error", 0),
        (Behaviour(bad_verdict=True), "done", "round_limit", 6),
        (Behaviour(ask_person=True), "done", "consensus", 5),
        (Behaviour(fail_at=3, fail_code=ErrorCode.LLM_QUOTA_EXCEEDED), "failed", "model_error", 1),
    ],
)
@pytest.mark.parametrize("question", ["Should we use Go or Rust?", "我们该用 Go 还是 Rust？"])
async def test_the_keyless_team(
    behaviour: Behaviour, status: str, reason: str, rounds: int, question: str
) -> None:
    state = new_discussion(question, max_rounds=6)
    state = await run(Team(RoleplayModel(behaviour)), state, human=ScriptedHuman(["5"]))
    assert (state.status, state.stop_reason, state.rounds) == (status, reason, rounds)
