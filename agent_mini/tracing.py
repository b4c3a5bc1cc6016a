"""The event log: what a loop reports, kept in memory or as JSON Lines.

What this does not do: number events across processes, or survive two writers. A durable run's own store does.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from agent_mini.types import Event, EventKind, OnEvent


class EventLog:
    """Keeps events in order; an instance is an ``on_event``.

    Args:
        also: Other listeners, told in order after the event was kept.
    """

    def __init__(self, *also: OnEvent) -> None:
        self._events: list[Event] = []
        self._also = also

    def __call__(self, event: Event) -> None:
        self._events.append(event)
        for listener in self._also:
            listener(event)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __len__(self) -> int:
        return len(self._events)

    @property
    def kinds(self) -> list[EventKind]:
        """The kinds of all events, in order."""
        return [event.kind for event in self._events]

    def of(self, kind: EventKind) -> list[Event]:
        """The events of one kind."""
        return [event for event in self._events if event.kind == kind]


class JsonlLog:
    """Appends each event to a file as one JSON object a line; an instance is an ``on_event``.

    Args:
        path: The file; its folder is made with the first event.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self, event: Event) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps({"kind": event.kind, "run_id": event.run_id, "data": dict(event.data)})
        with self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line + "\n")


class Tell(Protocol):
    """Reports one event of a run."""

    def __call__(self, kind: EventKind, **data: object) -> None: ...


def teller(on_event: OnEvent, run_id: str) -> Tell:
    """A short way to report events of one run to ``on_event``."""

    def tell(kind: EventKind, **data: object) -> None:
        on_event(Event(kind, run_id, data))

    return tell
