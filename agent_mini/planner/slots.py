"""Stage 4, fill slots: a tool's arguments from a sentence, and from the results before it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent_mini.planner.extract.dates import find_date, find_days
from agent_mini.planner.extract.found import Found
from agent_mini.planner.extract.lists import bare_list, find_labels, find_list, find_values
from agent_mini.planner.extract.numbers import bare_number, find_expression, find_number
from agent_mini.planner.extract.places import bare_city, find_city
from agent_mini.planner.extract.when import find_when
from agent_mini.planner.extract.words import find_choice, find_path, find_text, whole_text
from agent_mini.planner.intents import Intent, Kind, Slot
from agent_mini.planner.reading import Reading
from agent_mini.planner.scene import Scene

Extractor = Callable[[Reading, Slot, Scene], Found | None]

EXTRACTORS: dict[Kind, Extractor] = {
    "choice": find_choice,
    "city": find_city,
    "date": find_date,
    "days": find_days,
    "expression": find_expression,
    "label": find_labels,
    "list": find_list,
    "number": find_number,
    "path": find_path,
    "text": find_text,
    "value": find_values,
    "when": find_when,
}

BARE: dict[Kind, Extractor] = {
    "city": bare_city,
    "label": bare_list,
    "list": bare_list,
    "number": bare_number,
    "text": whole_text,
}
"""How a bare answer to "Which city?" is read, where that is not how a sentence is."""


WEAK: frozenset[Kind] = frozenset({"text", "when"})


@dataclass(frozen=True)
class Filled:
    """A tool's slots, filled as far as they can be.

    Args:
        arguments: What was found, and what earlier results give, as ``$N.path``.
        missing: The required slots that nothing was found for, in order.
        needs: For each slot whose value is the result of a tool that has not run: that tool.
        said: The slots that the sentence itself fills.
    """

    arguments: dict[str, Any]
    missing: tuple[str, ...] = ()
    needs: Mapping[str, str] = field(default_factory=dict[str, str])
    said: tuple[str, ...] = ()


def fill(
    piece: Reading,
    intent: Intent,
    scene: Scene,
    *,
    given: Mapping[str, Any] | None = None,
    inherited: Mapping[str, Any] | None = None,
) -> Filled:
    """Fill the slots of one tool.

    Args:
        piece: One step of a request.
        intent: What the tool takes.
        scene: What was done before.
        given: Values that the person gave when asked; they win.
        inherited: Arguments of the step that this one repeats with a change; they fill what is left.
    """
    found = {name: extract(piece, slot, scene) for name, slot in intent.slots.items()}
    values: dict[str, Any] = dict(given or {})
    needs: dict[str, str] = {}
    for name, slot in intent.slots.items():
        hit = found[name]
        if name in values or hit is None:
            continue
        if hit.needs:
            needs[name] = hit.needs
            values[name] = ""
        elif not hit.earlier:
            values[name] = hit.value
        elif reference := scene.reference(slot, piece.text):
            values[name] = hit.value.format(reference) if "{}" in str(hit.value) else reference
    said = tuple(name for name in values if name not in needs)
    for name, value in (inherited or {}).items():
        values.setdefault(name, value)
    _from_results(values, intent, scene, piece.text)
    _settle_choices(values, intent)
    used = {name: value for name, value in values.items() if _is_used(name, intent, values)}
    missing = tuple(
        name
        for name, slot in intent.slots.items()
        if name not in used and _is_required(name, slot, intent, used)
    )
    return Filled(
        used,
        missing,
        {name: tool for name, tool in needs.items() if name in used},
        tuple(name for name in said if name in used),
    )


def extract(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The value of one slot in a sentence, or None."""
    return EXTRACTORS[slot.kind](piece, slot, scene)


def extract_bare(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The value of one slot in the bare answer to a question about it, or None."""
    found = extract(piece, slot, scene)
    if (found is None or found.earlier) and (bare := BARE.get(slot.kind)):
        return bare(piece, slot, scene)
    return None if found is None or found.earlier else found


def evidence(piece: Reading, intent: Intent, scene: Scene, weak: Collection[Kind] = ()) -> tuple[str, ...]:
    """The slots that a sentence fills with something that speaks for the tool.

    Nearly every sentence has a text in it, and many a date: those count only where ``weak`` has their kind.
    """
    names: list[str] = []
    for name, slot in intent.slots.items():
        if slot.evidence and (slot.kind not in WEAK or slot.kind in weak):
            found = extract(piece, slot, scene)
            if found and found.sure and (not found.earlier or scene.reference(slot, piece.text)):
                names.append(name)
    return tuple(names)


def _from_results(values: dict[str, Any], intent: Intent, scene: Scene, text: str) -> None:
    """Take from earlier results what the sentence leaves out: a chart's numbers, what a file should hold."""
    taking = {
        name: slot for name, slot in intent.slots.items() if any(source.implicit for source in slot.sources)
    }
    free = not any(
        name in values for name in taking
    )  # never the labels of one thing with the values of another
    for name, slot in intent.slots.items():
        if name not in values and (free or name not in taking):
            reference = scene.reference(slot, text, only_implicit=not scene.current)
            if reference:
                values[name] = reference


def _settle_choices(values: dict[str, Any], intent: Intent) -> None:
    """A choice without a word follows from what else was found, or is the usual one."""
    for name, slot in intent.slots.items():
        if name in values:
            continue
        implied = next((value for other, value in slot.implied_by.items() if other in values), slot.default)
        if implied is not None:
            values[name] = implied


def _is_used(name: str, intent: Intent, values: Mapping[str, Any]) -> bool:
    """Whether a value belongs to the call: of two slots of which one is enough, the first that can be used."""
    slot = intent.slots.get(name)
    if slot is None or not _holds(slot.only, values):
        return False
    other = intent.slots.get(slot.unless)
    return (
        other is None
        or slot.unless not in values
        or not _holds(other.only, values)
        or list(intent.slots).index(name) < list(intent.slots).index(slot.unless)
    )


def _is_required(name: str, slot: Slot, intent: Intent, used: Mapping[str, Any]) -> bool:
    needed = slot.required if isinstance(slot.required, bool) else _holds(slot.required, used)
    return needed and _holds(slot.only, used) and slot.unless not in used


def _holds(conditions: Mapping[str, tuple[str, ...]], values: Mapping[str, Any]) -> bool:
    return all(values.get(name) in allowed for name, allowed in conditions.items())
