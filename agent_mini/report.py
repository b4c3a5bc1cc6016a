"""A discussion as a Markdown report, from its state alone."""

from agent_mini.types import Language, StopReason, TeamState, TeamStatus, Turn

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "title": "Report",
        "question": "Question",
        "answer": "Answer",
        "no_answer": "There is no answer yet.",
        "steps": "Steps",
        "no_steps": "Nobody has spoken.",
        "task": "Task",
        "asked": "Asked",
        "tools": "Tools used",
        "ended": "How it ended",
        "proposer": "Proposer",
        "critic": "Critic",
        "person": "Person",
        "summariser": "Summariser",
        "approve": "approved",
        "revise": "asked for changes",
        "tokens": "tokens",
        "consensus": "By consensus: the critic approved the latest proposal.",
        "round_limit": "No consensus was reached: the limit of {rounds} rounds came first.",
        "waiting": "It waits for a person. Asked: {question}",
        "failed": "It failed with {code}: {error}. What was said before is kept, and it can be resumed.",
        "running": "It has not ended: it stands after {count} turns.",
    },
    "zh": {
        "title": "报告",
        "question": "问题",
        "answer": "答案",
        "no_answer": "还没有答案。",
        "steps": "过程",
        "no_steps": "还没有人发言。",
        "task": "任务",
        "asked": "问题",
        "tools": "用到的工具",
        "ended": "如何结束",
        "proposer": "提案者",
        "critic": "评审者",
        "person": "提问人",
        "summariser": "总结者",
        "approve": "通过",
        "revise": "要求修改",
        "tokens": "词元",
        "consensus": "达成一致：评审者通过了最新的提案。",
        "round_limit": "没有达成一致：先到了 {rounds} 轮的上限。",
        "waiting": "正在等人回答。问题：{question}",
        "failed": "因 {code} 失败：{error}。之前的发言都保留着，可以继续。",
        "running": "还没有结束：已有 {count} 条发言。",
    },
}


def render_report(state: TeamState) -> str:
    """Write the report: the question, the answer, every step, and how it ended.

    Args:
        state: Any discussion, finished or not.

    Returns:
        Markdown in the discussion's language, ending in a newline.
    """
    words = _WORDS[state.language]
    steps = [_turn(number, turn, words) for number, turn in enumerate(state.turns, 1)]
    parts = [
        f"# {words['title']}",
        f"## {words['question']}\n\n{_quote(state.question)}",
        f"## {words['answer']}\n\n{state.answer or words['no_answer']}",
        f"## {words['steps']}",
        *(steps or [words["no_steps"]]),
        f"## {words['ended']}\n\n{end_in_words(state)}",
    ]
    return "\n\n".join(parts) + "\n"


def is_report(text: str) -> bool:
    """Whether ``text`` begins as a report does, in either language."""
    return text.startswith(tuple(f"# {words['title']}\n" for words in _WORDS.values()))


def end_in_words(state: TeamState) -> str:
    """Say in one line how the discussion ended, or where it stands."""
    words = _WORDS[state.language]
    match state.status:
        case TeamStatus.DONE if state.stop_reason is StopReason.CONSENSUS:
            return words["consensus"]
        case TeamStatus.DONE:
            return words["round_limit"].format(rounds=state.max_rounds)
        case TeamStatus.WAITING:
            return words["waiting"].format(question=state.pending_question)
        case TeamStatus.FAILED:
            return words["failed"].format(code=state.error_code, error=state.error)
        case TeamStatus.RUNNING:
            return words["running"].format(count=len(state.turns))


def _turn(number: int, turn: Turn, words: dict[str, str]) -> str:
    verdict = f" · {words[turn.verdict]}" if turn.verdict else ""
    lines = [f"### {number}. {words[turn.speaker]}{verdict}"]
    if turn.model:
        cost = f"{turn.seconds:.1f} s · {turn.usage.total_tokens} {words['tokens']}"
        lines.append(f"`{turn.model}` · {cost}")
    label = words["asked" if turn.speaker == "person" else "task"]
    lines.append(f"*{label}*: {turn.instruction}")
    lines.append(_quote(turn.text))
    if turn.steps:
        used = [f"- `{s.tool}({s.arguments})` → {s.result.content}" for s in turn.steps]
        lines.append("\n".join([f"{words['tools']}:", *used]))
    return "\n\n".join(lines)


def _quote(text: str) -> str:
    """What somebody said, set off, so that its own headings do not become the report's."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
