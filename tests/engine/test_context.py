"""agent_mini.engine.context: bounded, and honest about what it leaves out."""

from agent_mini.engine import build_context, new_discussion
from agent_mini.engine.context import MAX_TURN_CHARS, MAX_TURNS
from agent_mini.types import Turn, Verdict


def test_the_first_step_sees_question_and_task() -> None:
    assert (
        build_context(new_discussion("Go or Rust?"), "Propose.")
        == "# Question\n\nGo or Rust?\n\n# Your task\n\nPropose."
    )


def test_turns_are_numbered_with_their_verdicts() -> None:
    state = new_discussion("该用 Go 吗？").with_turn(Turn("proposer", "写提案", "用"))
    state = state.with_turn(Turn("critic", "评审", "好", Verdict.APPROVE))
    state = state.with_turn(Turn("person", "预算？", "五万"))
    shown = build_context(state, "总结")
    assert (
        "# 目前的讨论\n\n## 1. 提案者\n用\n\n## 2. 评审者 (approve)\n好\n\n## 3. 提问人\n预算？\n五万\n\n# 你的任务"
        in shown
    )


def test_old_turns_are_left_out_and_said_so() -> None:
    state = new_discussion("Go or Rust?")
    for number in range(MAX_TURNS + 3):
        state = state.with_turn(Turn("proposer", "again", f"idea {number}"))
    shown = build_context(state, "Propose.")
    assert "(3 earlier turns left out)" in shown
    assert "idea 2" not in shown
    assert "## 4. proposer\nidea 3" in shown


def test_long_texts_are_cut_and_the_context_stays_bounded() -> None:
    state = new_discussion("q" * 50_000)
    for _ in range(50):
        state = state.with_turn(Turn("proposer", "again", "x" * 50_000))
    shown = build_context(state, "Propose.")
    assert f"[{50_000 - MAX_TURN_CHARS} characters left out]" in shown
    assert len(shown) < (MAX_TURNS + 1) * (MAX_TURN_CHARS + 100) + 1000
