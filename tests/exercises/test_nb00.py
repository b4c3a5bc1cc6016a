"""The exercises of notebook 00."""

from collections import Counter
from collections.abc import Callable

from agent_mini.types import TeamState


def test_00a(exercise_holds: Callable[..., None]) -> None:
    def turns_not_words(state: TeamState) -> dict[str, int]:
        return dict(Counter(turn.speaker for turn in state.turns))

    def last_turn_only(state: TeamState) -> dict[str, int]:
        return {turn.speaker: len(turn.text.split()) for turn in state.turns}

    def characters(state: TeamState) -> dict[str, int]:
        return {turn.speaker: len(turn.text) for turn in state.turns}

    def split_on_each_space(state: TeamState) -> dict[str, int]:
        counts: dict[str, int] = {}
        for turn in state.turns:
            counts[turn.speaker] = counts.get(turn.speaker, 0) + len(turn.text.split(" "))
        return counts

    exercise_holds(
        "00.a",
        (turns_not_words, "expected the words the proposer said, as text.split() gives them"),
        (characters, "expected the words the proposer said"),
        (last_turn_only, "expected the words of all turns of a speaker together"),
        (
            split_on_each_space,
            "expected the words of all turns of a speaker together, as text.split() gives them",
        ),
        (lambda state: 0, "expected the words the proposer said"),
    )
