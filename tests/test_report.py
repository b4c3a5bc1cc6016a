"""agent_mini.report: the whole story, from the state alone, in both languages."""

from dataclasses import replace

import pytest

from agent_mini.engine import fail, new_discussion, run, wait_for_person
from agent_mini.errors import ErrorCode, ModelError
from agent_mini.handwritten import Team
from agent_mini.models import RoleplayModel
from agent_mini.report import end_in_words, is_report, render_report
from agent_mini.types import TeamState, ToolResult, ToolStep, Turn, Usage, Verdict


async def test_a_finished_discussion() -> None:
    state = await run(Team(RoleplayModel()), new_discussion("Go or Rust?"))
    report = render_report(state)
    assert report.startswith("# Report\n\n## Question\n\n> Go or Rust?\n\n## Answer\n\nThe team agrees.")
    assert report.count("\n### ") == len(state.turns) == 5
    assert "### 2. Critic · asked for changes\n\n`roleplay` · 0.0 s · " in report
    assert report.endswith("## How it ended\n\nBy consensus: the critic approved the latest proposal.\n")


async def test_in_chinese() -> None:
    report = render_report(
        await run(Team(RoleplayModel("never-agree")), new_discussion("该用 Go 吗？", max_rounds=2))
    )
    assert report.startswith("# 报告\n\n## 问题\n\n> 该用 Go 吗？\n\n## 答案\n\n团队没有达成一致。")
    assert "### 2. 评审者 · 要求修改" in report
    assert report.endswith("没有达成一致：先到了 2 轮的上限。\n")


STATE = new_discussion("Go or Rust?", max_rounds=3).with_turn(
    Turn("proposer", "write", "# Go\n\nbecause", None, "m")
)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (STATE, "It has not ended: it stands after 1 turns."),
        (wait_for_person(STATE, "How much?"), "It waits for a person. Asked: How much?"),
        (
            fail(STATE, ModelError(ErrorCode.LLM_AUTH, "no")),
            "It failed with LLM_AUTH: no. What was said before is kept",
        ),
    ],
)
def test_an_unfinished_one_says_where_it_stands(state: TeamState, words: str) -> None:
    assert words in end_in_words(state)
    assert words in render_report(state)
    assert "There is no answer yet." in render_report(state)


def test_a_report_is_known_by_its_title() -> None:
    assert is_report(render_report(new_discussion("q")))
    assert is_report(render_report(new_discussion("问题？")))
    assert not is_report("# Reporting\n")
    assert not is_report("")


def test_nobody_has_spoken() -> None:
    assert "Nobody has spoken." in render_report(new_discussion("q"))


def test_what_was_said_cannot_break_the_report() -> None:
    assert "\n> # Go\n>\n> because\n" in render_report(STATE)


def test_tools_time_and_tokens_are_shown() -> None:
    step = ToolStep(1, "calculate", '{"expression": "1+1"}', ToolResult(True, "2"))
    turn = Turn("critic", "check", "VERDICT: APPROVE", Verdict.APPROVE, "m-1", 1.26, Usage(10, 5), (step,))
    report = render_report(replace(STATE, turns=(turn,)))
    assert "`m-1` · 1.3 s · 15 tokens" in report
    assert '- `calculate({"expression": "1+1"})` → 2' in report
