"""Stage 2, segment: a request into its steps.

然后, 再, "then", a semicolon part two steps wherever they stand. A comma, a full stop, "and" do so only where both
sides ask for something of their own: most often they stand inside one step. A piece that asks for nothing belongs to
the step before it. A quoted text is never parted: in the reading it has no inside.
"""

from collections.abc import Callable
from itertools import islice

from agent_mini.planner.language import Language
from agent_mini.planner.reading import Reading, Span
from agent_mini.planner.values import Step

MAX_SEGMENTS = 8
"""Steps of one request; the rest stays in the last of them."""


def segment(
    reading: Reading,
    language: Language,
    stands_alone: Callable[[Reading, Reading], bool] = lambda piece, before: True,
    most: int = MAX_SEGMENTS,
) -> tuple[Reading, ...]:
    """The parts of a request that a connecting word marks as steps.

    Args:
        reading: The request.
        language: The words that part.
        stands_alone: Whether a part asks for something, given the part before it; one that does not is left with that.
        most: How many parts there may be; the rest stays in the last of them.
    """
    spans: list[Span] = []
    start = 0
    for match in [*language.step_break.finditer(reading.text), None]:
        end = match.start() if match else len(reading)
        if (piece := reading.part(start, end)).text:
            if spans and (len(spans) == most or not stands_alone(piece, reading.part(*spans[-1]))):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
            start = match.end() if match else end
    return tuple(reading.part(*span) for span in spans)


def split_further(
    piece: Reading, language: Language, step_for: Callable[[Reading, Step | None], Step | None]
) -> tuple[Reading, ...]:
    """``piece`` parted at commas and "and" too, where what stands on each side asks for another tool.

    Args:
        piece: A step, as ``segment`` gave it.
        language: The words that may part.
        step_for: The step that a text asks for, or None; given the step before it, only one that lacks nothing.
    """
    for match in islice(language.perhaps_break.finditer(piece.text), MAX_SEGMENTS):
        left, right = piece.part(0, match.start()), piece.part(match.end(), len(piece))
        if not (left.text and right.text):
            continue
        before = step_for(left, None)
        behind = step_for(right, before) if before else None
        if before and behind and _differ(before, behind):
            return left, *split_further(right, language, step_for)
    return (piece,)


def _differ(before: Step, behind: Step) -> bool:
    """Whether two steps are not one: of other tools, or to do another thing with the same one."""
    kinds = ("action", "mode")
    return before.intent != behind.intent or any(
        before.arguments.get(kind) != behind.arguments.get(kind) for kind in kinds
    )
