"""agent_mini.guardrails.approval: asked when it matters, and bound to what was shown."""

from dataclasses import replace

from agent_mini.guardrails import ApprovalGate
from agent_mini.human import Approval, ApprovalRequest, Nobody, ScriptedHuman
from agent_mini.tools import Tool, calculate, tool
from agent_mini.tracing import EventLog, teller
from agent_mini.types import EventKind, ToolCall


@tool(title="Pay", side_effects=True)
def pay(amount: int) -> str:
    """Pay."""
    return f"paid {amount}"


CALL = ToolCall("c1", "pay", '{"amount": 5}')


async def review(
    gate: ApprovalGate, tool: Tool = pay, call: ToolCall = CALL
) -> tuple[ToolCall, str, EventLog]:
    log = EventLog()
    reviewed, refusal = await gate.review(call, tool, teller(log, "r"))
    return reviewed, refusal, log


async def test_reading_needs_nobody() -> None:
    human = ScriptedHuman()
    call = ToolCall("c1", "calculate", "{}")
    reviewed, refusal, log = await review(ApprovalGate(human), calculate, call)
    assert (reviewed, refusal, list(log), human.asked) == (call, "", [], [])


async def test_yes_lets_it_run() -> None:
    reviewed, refusal, log = await review(ApprovalGate(ScriptedHuman(approvals=[True])))
    assert (reviewed, refusal) == (CALL, "")
    assert log.kinds == [EventKind.APPROVAL_ASKED, EventKind.APPROVAL_GIVEN]


async def test_edited_arguments_run_instead() -> None:
    reviewed, refusal, _ = await review(ApprovalGate(ScriptedHuman(approvals=['{"amount": 1}'])))
    assert (reviewed, refusal) == (replace(CALL, arguments='{"amount": 1}'), "")


async def test_no_is_told_to_the_model() -> None:
    assert (await review(ApprovalGate(ScriptedHuman(approvals=[False]))))[1] == "not run: the person said no"


async def test_nobody_there_is_a_no() -> None:
    assert (await review(ApprovalGate(Nobody())))[1] == "not run: nobody was there to approve it"


async def test_an_approval_of_something_else_is_a_no() -> None:
    class Mistaken(Nobody):
        async def approve(self, request: ApprovalRequest) -> Approval:
            return Approval(True, digest=replace(request, arguments='{"amount": 4}').digest)

    assert (await review(ApprovalGate(Mistaken())))[
        1
    ] == "not run: the approval was given for other arguments"


async def test_the_rule_can_be_another() -> None:
    gate = ApprovalGate(ScriptedHuman(approvals=[False]), needed=lambda tool: tool.name == "calculate")
    _, refusal, _ = await review(gate, calculate, ToolCall("c", "calculate", "{}"))
    assert refusal
