"""agent_mini.tracing: events kept in order, and as JSON Lines."""

import json
from pathlib import Path

from agent_mini.tracing import EventLog, JsonlLog, teller
from agent_mini.types import Event, EventKind


def test_a_log_keeps_order_and_tells_others() -> None:
    told: list[Event] = []
    log = EventLog(told.append)
    tell = teller(log, "r1")
    tell(EventKind.RUN_STARTED, question="q")
    tell(EventKind.RUN_ENDED)
    assert log.kinds == [EventKind.RUN_STARTED, EventKind.RUN_ENDED]
    assert list(log) == told
    assert len(log) == 2
    assert log.of(EventKind.RUN_STARTED) == [Event(EventKind.RUN_STARTED, "r1", {"question": "q"})]


def test_json_lines_are_one_ascii_line_an_event(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "events.jsonl"
    log = JsonlLog(path)
    log(Event(EventKind.TURN_ENDED, "r1", {"text": "多行\n\u2028文本"}))
    log(Event(EventKind.RUN_ENDED, "r1"))
    lines = path.read_bytes().split(b"\n")
    assert len(lines) == 3
    assert lines[0].isascii()
    assert json.loads(lines[0]) == {
        "kind": "turn_ended",
        "run_id": "r1",
        "data": {"text": "多行\n\u2028文本"},
    }
    assert not lines[2]
