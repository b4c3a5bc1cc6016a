"""What a sentence stands in: the day, and what was done before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from agent_mini.planner.intents import Intent, Intents, Slot
from agent_mini.planner.values import Step


@dataclass(frozen=True, slots=True)
class Scene:
    """What a sentence stands in.

    Args:
        intents: The words to know.
        day: Today.
        done: The steps before it, those of earlier turns too, oldest first.
        current: Those of them that belong to the same request; a step may go on from them without a word.
    """

    intents: Intents
    day: date
    done: Sequence[Step] = ()
    current: Sequence[Step] = ()

    def gives_to(self, intent: Intent, text: str) -> bool:
        """Whether the last step's result has what a tool takes, or the step was one of the same tool just now."""
        last = self.done[-1].intent if self.done else ""
        if self.current and last == intent.tool:
            return True
        sources = (source for slot in intent.slots.values() for source in slot.sources if source.tool == last)
        return any(not source.words or source.words.first(text) for source in sources)

    def reference(self, slot: Slot, text: str, *, only_implicit: bool = False) -> str | None:
        """Where in the earlier results a slot's value is: ``$1.series.temp_max``; the latest that has one."""
        for step in reversed(self.done):
            for source in slot.sources:
                fits = source.tool in (step.intent, "*") and (source.implicit or not only_implicit)
                if fits and (not source.words or source.words.first(text)):
                    return f"${step.number}.{source.path}"
        return None
