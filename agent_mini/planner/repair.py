"""A failed call is evidence for the next one: what may be changed about it, and tried once more.

Each rule reads the tool's reason and gives other arguments, or has nothing to say. What no rule can mend is told to the
person with the tool's own reason.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent_mini.planner.derive import Offer

_BOUND = re.compile(r"(\w+): Input should be (?:less|greater) than or equal to (-?\d+(?:\.\d+)?)")
_NAMED = re.compile(r"(?:^|wrong arguments\. |; )(\w+): ")


@dataclass(frozen=True, slots=True)
class Repair:
    """Other arguments for a call that failed.

    Args:
        arguments: What to try now.
        slot: The argument that was changed.
        value: What it was.
        instead: What it is now; None when it was left out.
    """

    arguments: Mapping[str, Any]
    slot: str
    value: Any
    instead: Any = None


Rule = Callable[[Mapping[str, Any], str, Offer], Repair | None]


def keep_within_bounds(arguments: Mapping[str, Any], reason: str, offer: Offer) -> Repair | None:
    """A number beyond a bound becomes the bound."""
    match = _BOUND.search(reason)
    if match is None or match[1] not in arguments:
        return None
    bound = float(match[2])
    instead = int(bound) if bound.is_integer() else bound
    return Repair({**arguments, match[1]: instead}, match[1], arguments[match[1]], instead)


def leave_out(arguments: Mapping[str, Any], reason: str, offer: Offer) -> Repair | None:
    """An argument that the tool cannot use, such as a date that is none, is left out where it can be."""
    required = offer.tool.schema.get("required") or ()
    for name in _NAMED.findall(reason):
        slot = offer.intent.slots.get(name)
        if name in arguments and name not in required and not (slot and slot.required):
            rest = {other: value for other, value in arguments.items() if other != name}
            return Repair(rest, name, arguments[name])
    return None


RULES: tuple[Rule, ...] = (keep_within_bounds, leave_out)
"""The rules, in the order in which they are tried."""


def repair(arguments: Mapping[str, Any], reason: str, offer: Offer) -> Repair | None:
    """Other arguments for a call that failed for ``reason``, or None when there is nothing to try."""
    return next((found for rule in RULES if (found := rule(arguments, reason, offer))), None)
