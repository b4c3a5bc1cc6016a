"""What an expert sees: the question, the recent turns and the task, within bounds.

A context that grows with the discussion costs more with every turn and one day no longer fits. What is left
out is said, so that a model does not take a part for the whole.
"""

from agent_mini.prompts import HEADINGS
from agent_mini.types import TeamState, Turn

MAX_TURNS = 6
MAX_TURN_CHARS = 4000


def build_context(state: TeamState, task: str) -> str:
    """The user message for a role.

    Args:
        state: The discussion; its ``MAX_TURNS`` last turns are shown, each cut to ``MAX_TURN_CHARS`` characters.
        task: What the role is to do now.
    """
    words = HEADINGS[state.language]
    parts = [words["question"], _cut(state.question, words["cut"])]
    if state.turns:
        parts.append(words["discussion"])
        left_out = len(state.turns) - MAX_TURNS
        if left_out > 0:
            parts.append(words["left_out"].format(count=left_out))
        first = max(0, left_out)
        parts += [_show(number, turn, words) for number, turn in enumerate(state.turns[first:], first + 1)]
    parts += [words["task"], task]
    return "\n\n".join(parts)


def _show(number: int, turn: Turn, words: dict[str, str]) -> str:
    verdict = f" ({turn.verdict})" if turn.verdict else ""
    asked = f"{turn.instruction}\n" if turn.speaker == "person" else ""
    return f"## {number}. {words[turn.speaker]}{verdict}\n{asked}{_cut(turn.text, words['cut'])}"


def _cut(text: str, note: str) -> str:
    if len(text) <= MAX_TURN_CHARS:
        return text
    return f"{text[:MAX_TURN_CHARS]}\n{note.format(count=len(text) - MAX_TURN_CHARS)}"
