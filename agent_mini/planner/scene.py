"""What a sentence stands in: the tools that are offered, the day, and what was done before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from agent_mini.planner.derive import Offer
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
        offers: The tools that may be chosen.
        results: How many results the conversation has by then.
    """

    intents: Intents
    day: date
    done: Sequence[Step] = ()
    current: Sequence[Step] = ()
    offers: Sequence[Offer] = ()
    results: int = 0

    @property
    def last(self) -> Step | None:
        """The step before it."""
        return self.done[-1] if self.done else None

    def offer(self, name: str) -> Offer | None:
        """The tool offered under that name."""
        return next((offer for offer in self.offers if offer.name == name), None)

    def offer_for(self, intent: str) -> Offer | None:
        """The tool offered for an intent, whatever its name."""
        return next((offer for offer in self.offers if offer.intent.tool == intent), None)

    def after(self, *steps: Step) -> "Scene":
        """The scene once ``steps`` of the same request are done."""
        return replace(
            self,
            done=(*self.done, *steps),
            current=(*self.current, *steps),
            results=self.results + len(steps),
        )

    def gives_to(self, intent: Intent, text: str) -> bool:
        """Whether the last step's result has what a tool takes."""
        last = self.last.intent if self.last else ""
        sources = (source for slot in intent.slots.values() for source in slot.sources if source.tool == last)
        return any(not source.words or source.words.first(text) for source in sources)

    def repeats(self, intent: Intent) -> bool:
        """Whether the step before it in the same request is one of the same tool."""
        return bool(self.current) and self.current[-1].intent == intent.tool

    def reference(self, slot: Slot, text: str, *, only_implicit: bool = False) -> str | None:
        """Where in the earlier results a slot's value is: ``$1.series.temp_max``; the latest that has one.

        A source that asks for words, "the forecast", goes before one that does not.
        """
        sources = [source for source in slot.sources if source.implicit or not only_implicit]
        for worded in (True, False):
            for step in reversed(self.done):
                for source in sources:
                    fits = source.tool in (step.intent, "*") and bool(source.words) is worded
                    if fits and (not worded or source.words.first(text)):
                        return f"${step.number}.{source.path}"
        return None
