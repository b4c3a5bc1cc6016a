"""The utterances the planner is measured by: well-formed, grounded in what was typed, balanced, a third held out."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest

from agent_mini import tools
from agent_mini.config import CHECKOUT
from agent_mini.tools import Tool

EVALS = CHECKOUT / "data" / "evals"
PARTS = {"tuned": EVALS / "intents.jsonl", "held out": EVALS / "intents_heldout.jsonl"}

KINDS = {"everyday", "ellipsis", "typo", "mixed", "multi", "missing", "followup", "negative"}
ARGUMENTS = {
    "get_weather": {"city", "days", "unit"},
    "calculate": {"expression", "precision"},
    "today": set[str](),
    "days_between": {"start", "end"},
    "make_chart": {"kind", "labels", "values", "title"},
    "make_meme": {"text", "style"},
    "make_ascii_art": {"text"},
    "todo": {"action", "title", "due", "id"},
    "files": {"action", "path", "content"},
    "fun_pick": {"mode", "options", "sides", "count"},
}
# What a tool cannot do without; where that depends on the action or mode, both are named.
REQUIRED = {
    "get_weather": {"city"},
    "calculate": {"expression"},
    "days_between": {"start", "end"},
    "make_chart": {"kind", "labels", "values"},
    "make_meme": {"text"},
    "make_ascii_art": {"text"},
    "todo": {"action"},
    "todo add": {"title"},
    "todo done": {"id"},
    "todo delete": {"id"},
    "files": {"action"},
    "files read": {"path"},
    "files write": {"path", "content"},
    "files append": {"path", "content"},
    "files delete": {"path"},
    "fun_pick": {"mode"},
    "fun_pick wheel": {"options"},
}
CHOICES = {
    "unit": {"f"},
    "kind": {"bar", "line", "pie"},
    "style": {"note", "poster", "mascot"},
    "todo.action": {"add", "list", "done", "delete"},
    "files.action": {"list", "read", "write", "append", "delete"},
    "fun_pick.mode": {"dice", "coin", "lunch", "wheel"},
}
DEFAULTS = {"days": 1, "precision": 4, "sides": 6, "count": 1}
# Words the person typed, so they must be found in what was typed.
TYPED = {"city", "title", "due", "path", "content", "text"}
REFERENCES = {
    "get_weather": {"series.date", "series.temp_max", "series.temp_min", "content"},
    "calculate": {"value", "content"},
    "today": {"date", "content"},
    "days_between": {"days", "content"},
    "files": {"content"},
    "fun_pick": {"content"},
}
CHINESE = re.compile(r"[\u4e00-\u9fff]")
REFERENCE = re.compile(r"\$(\d+)\.([a-z_.]+)")

Row = dict[str, Any]


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


ROWS = {part: read(path) for part, path in PARTS.items()}
EVERY = [row for rows in ROWS.values() for row in rows]
each = pytest.mark.parametrize("row", EVERY, ids=[str(row["id"]) for row in EVERY])


def needed(step: Row) -> set[str]:
    name, arguments = step["tool"], step["arguments"]
    way = arguments.get("action") or arguments.get("mode")
    return REQUIRED.get(name, set[str]()) | REQUIRED.get(f"{name} {way}", set[str]())


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from strings(item)


@each
def test_the_fields(row: Row) -> None:
    keys = ["id", "lang", "kind", "before", "text", "steps", "ask"]
    assert list(row) == [key for key in keys if key in row]
    assert set(keys) - set(row) <= {"before"}
    assert row["kind"] in KINDS
    assert row["text"].strip() == row["text"] != ""
    assert ("before" in row) == (row["kind"] == "followup")
    assert (row["kind"] == "missing") == (row["ask"] is not None)
    match row["kind"]:
        case "negative":
            assert row["steps"] == []
        case "multi":
            assert len(row["steps"]) in {2, 3}
        case _:
            assert len(row["steps"]) == (row["ask"] != "which")


@each
def test_the_language(row: Row) -> None:
    text = row["text"]
    assert bool(CHINESE.search(text)) == (row["lang"] in {"zh", "mixed"})
    if row["kind"] == "mixed" or row["lang"] == "mixed":
        assert row["lang"] == "mixed"
        assert re.search("[A-Za-z]{2}", text)


@each
def test_the_steps(row: Row) -> None:
    for step in row["steps"]:
        name, arguments = step["tool"], step["arguments"]
        assert list(step) == ["tool", "arguments"]
        assert set(arguments) <= ARGUMENTS[name]
        missing = needed(step) - set(arguments)
        assert missing == ({row["ask"]} if row["ask"] else set())
        for key, value in arguments.items():
            assert value != DEFAULTS.get(key), "an argument equal to the tool's default is left out"
            choices = CHOICES.get(key) or CHOICES.get(f"{name}.{key}")
            assert choices is None or value in choices
        if "labels" in arguments and isinstance(arguments.get("values"), list):
            assert len(arguments["labels"]) == len(arguments["values"])
        for key in {"start", "end"} & set(arguments):
            assert REFERENCE.fullmatch(arguments[key]) or date.fromisoformat(arguments[key])


@each
def test_what_is_expected_was_typed(row: Row) -> None:
    typed = "\n".join([*row.get("before", []), row["text"]])
    for step in row["steps"]:
        for key, value in step["arguments"].items():
            if key not in TYPED | {"options", "labels"} or (key == "city" and row["kind"] == "typo"):
                continue
            for word in strings(value):
                assert REFERENCE.fullmatch(word) or word in typed


@each
def test_references_lead_to_an_earlier_result(row: Row) -> None:
    for position, step in enumerate(row["steps"]):
        for value in step["arguments"].values():
            for number, path in [found for text in strings(value) for found in REFERENCE.findall(text)]:
                if "before" in row:
                    assert int(number) == len(row["before"])
                    continue
                assert 1 <= int(number) <= position
                assert path in REFERENCES[row["steps"][int(number) - 1]["tool"]]


def test_arguments_are_those_of_the_tools() -> None:
    """A tool that the package has takes what the utterances give it."""
    here = {name: getattr(tools, name) for name in tools.__all__ if isinstance(getattr(tools, name), Tool)}
    assert "calculate" in here
    for name in ARGUMENTS.keys() & here.keys():
        assert set(here[name].schema["properties"]) >= ARGUMENTS[name], name


def test_no_id_and_no_text_comes_twice() -> None:
    assert len({row["id"] for row in EVERY}) == len(EVERY)
    # A bare answer such as a city is another case after another question.
    cases = [(*row.get("before", []), re.sub(r"\W", "", row["text"]).lower()) for row in EVERY]
    assert [case for case, times in Counter(cases).items() if times > 1] == []
    texts = [{row["text"].lower() for row in rows} for rows in ROWS.values()]
    assert texts[0] & texts[1] == set()


def test_enough_and_balanced() -> None:
    assert len(EVERY) >= 120
    assert sum(row["kind"] == "negative" for row in EVERY) >= 40
    assert 0.28 <= len(ROWS["held out"]) / len(EVERY) <= 0.38
    assert {step["tool"] for row in ROWS["held out"] for step in row["steps"]} == set(ARGUMENTS)


@pytest.mark.parametrize("part", PARTS)
def test_half_is_chinese_and_half_english(part: str) -> None:
    languages = Counter(row["lang"] for row in ROWS[part])
    assert abs(languages["zh"] - languages["en"]) <= 0.1 * languages["en"]
    assert 0 < languages["mixed"] <= 0.1 * len(ROWS[part])


def test_both_parts_have_the_same_mix() -> None:
    tuned, held_out = (Counter(row["kind"] for row in rows) for rows in ROWS.values())
    assert set(tuned) == set(held_out) == KINDS
    for kind in KINDS:
        assert held_out[kind] / held_out.total() == pytest.approx(tuned[kind] / tuned.total(), abs=0.05)


@pytest.mark.parametrize("path", PARTS.values(), ids=PARTS)
def test_the_files_are_plain_lines(path: Path) -> None:
    raw = path.read_bytes()
    assert raw.endswith(b"}\n")
    assert b"\r" not in raw
    rows = read(path)
    assert "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows) == raw.decode()
