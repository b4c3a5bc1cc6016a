"""Stage 5, decide: act, ask which was meant, or take it for small talk."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent_mini.planner.intents import Weights
from agent_mini.planner.values import Candidate


@dataclass(frozen=True, slots=True)
class Decision:
    """What the scores come to.

    Args:
        kind: ``act`` on the first of the tools, ask ``which`` of them was meant, or ``talk``.
        tools: The tools in question, the best first; none for talk.
    """

    kind: Literal["act", "which", "talk"]
    tools: tuple[str, ...] = ()


def decide(candidates: Sequence[Candidate], weights: Weights) -> Decision:
    """Decide by the scores alone; of equal ones the earlier candidate wins."""
    ranked = sorted(candidates, key=lambda candidate: -candidate.total)
    if ranked and ranked[0].total >= weights.act:
        return Decision("act", (ranked[0].tool,))
    unclear = tuple(candidate.tool for candidate in ranked if candidate.total >= weights.ask)
    return Decision("which", unclear[:3]) if unclear else Decision("talk")
