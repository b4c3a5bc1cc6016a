"""Notes of the requests that changed files, so that one that is run again after a crash is known again.

They are one small JSON file: a digest of the request, and what it did. A file that somebody damaged counts as
empty, since it only helps when a call is run again.
"""

import hashlib

from pydantic import BaseModel, TypeAdapter, ValidationError

MAX_NOTES = 100
"""Requests that are known again; a step that was cut off is run again long before so many others."""


class Note(BaseModel, frozen=True):
    """What a request did: the size of a file ``before`` it, the ``size`` after it, where the earlier is ``kept``."""

    before: int | None = None
    size: int | None = None
    kept: str | None = None


_NOTES = TypeAdapter(dict[str, Note])


def find_note(content: bytes | None, request: str) -> Note:
    """What is noted in ``content`` for a request; empty when it is new."""
    return _notes(content).get(_digest(request), Note())


def add_note(content: bytes | None, request: str, note: Note) -> bytes:
    """``content`` with the note of a request in the place of its earlier one, and without the oldest."""
    notes = _notes(content)
    notes.pop(_digest(request), None)
    notes[_digest(request)] = note
    return _NOTES.dump_json(dict([*notes.items()][-MAX_NOTES:]), exclude_none=True)


def _notes(content: bytes | None) -> dict[str, Note]:
    try:
        return _NOTES.validate_json(content or b"{}")
    except ValidationError:
        return {}


def _digest(request: str) -> str:
    return hashlib.sha256(request.encode("utf-8", "replace")).hexdigest()[:32]
