"""Exercises of notebook 00: how exercises work."""

from typing import Any

from agent_mini.types import TeamState, Turn
from agent_mini.workbook.exercise import exercise, expect


def words_by_speaker(state):
    """How many words each speaker said in all."""
    counts = {}
    for turn in state.turns:
        counts[turn.speaker] = counts.get(turn.speaker, 0) + len(turn.text.split())
    return counts


@exercise(
    "00.a",
    solution=words_by_speaker,
    hints=(
        "state.turns is a tuple of Turn values; each has a speaker and a text.",
        "text.split() gives the words of one text.",
        "Start from an empty dict; for each turn add its words to what that speaker has: counts.get(name, 0).",
    ),
)
def check_words_by_speaker(answer: Any) -> None:
    silent = TeamState("q")
    short = TeamState("q", turns=(Turn("proposer", "write", "go there now"),))
    turns = (
        Turn("proposer", "write", "one  two"),
        Turn("critic", "review", "no"),
        Turn("proposer", "write", "three"),
    )
    for state, counts, wanted in (
        (short, {"proposer": 3}, "the words the proposer said, as text.split() gives them"),
        (
            TeamState("q", turns=turns),
            {"proposer": 3, "critic": 1},
            "the words of all turns of a speaker together, as text.split() gives them",
        ),
        (silent, {}, "nothing, for nobody has spoken"),
    ):
        expect(answer, state, ok=lambda got, counts=counts: got == counts, wanted=wanted)
