"""When two outputs of a cell count as equal."""

import pytest
from nbformat.v4 import new_output
from pictures import png

from agent_mini.workbook.outputs import WIDGET, difference, merge_streams, picture_size, sanitizer


def svg(width: str, height: str, inside: str = "") -> str:
    return f'<?xml version="1.0"?>\n<svg xmlns="s" width="{width}" height="{height}"><g width="1">{inside}</g></svg>'


def shown(metadata=None, **kinds):
    data = {name.replace("__", "/"): text for name, text in kinds.items()}
    return new_output("display_data", data, metadata=metadata or {})


def printed(text, name="stdout"):
    return new_output("stream", name=name, text=text)


NAME_ONLY = {"agent_mini": {"compare": ["text/plain"]}}

EQUAL = {
    "nothing": ([], []),
    "text": ([printed("one\n")], [printed("one\n")]),
    "a stream in pieces": ([printed("one\ntwo\n")], [printed("one\n"), printed("two\n")]),
    "another picture of the same size": ([shown(image__png=png(4, 3))], [shown(image__png=png(4, 3, "red"))]),
    "another drawing of the same size": (
        [shown(**{"image/svg+xml": svg("4pt", "3pt")})],
        [shown(**{"image/svg+xml": svg("4pt", "3pt", "x")})],
    ),
    "another view of the same widget": (
        [shown(text__plain="IntSlider(value=0)", **{WIDGET: {"model_id": "1"}})],
        [shown(text__plain="IntSlider(value=0)")],
    ),
    "a kind that does not count": (
        [shown(NAME_ONLY, text__plain="f", text__html="<p>old</p>")],
        [shown(NAME_ONLY, text__plain="f", text__html="<p>new</p>")],
    ),
}

DIFFERENT = {
    "text": ([printed("one\n")], [printed("two\n")]),
    "a last line break": ([printed("one\n")], [printed("one")]),
    "a missing output": ([printed("one\n")], []),
    "an additional output": ([], [printed("one\n")]),
    "an order": ([printed("one\n"), shown(text__plain="1")], [shown(text__plain="1"), printed("one\n")]),
    "a stream": ([printed("one\n")], [printed("one\n", "stderr")]),
    "a picture's size": ([shown(image__png=png(4, 3))], [shown(image__png=png(4, 2))]),
    "a drawing's size": (
        [shown(**{"image/svg+xml": svg("4", "3")})],
        [shown(**{"image/svg+xml": svg("4", "2")})],
    ),
    "a drawing without a size": (
        [shown(**{"image/svg+xml": "<svg><a/></svg>"})],
        [shown(**{"image/svg+xml": "<svg><b/></svg>"})],
    ),
    "a picture that is none": ([shown(image__png="b25l")], [shown(image__png="dHdv")]),
    "a kind of picture": ([shown(image__png=png(4, 3))], [shown(image__jpeg=png(4, 3))]),
    "HTML": ([shown(text__plain="f", text__html="old")], [shown(text__plain="f", text__html="new")]),
    "JSON": ([shown(application__json={"a": 1})], [shown(application__json={"a": 2})]),
    "a kind that counts": ([shown(NAME_ONLY, text__plain="f")], [shown(NAME_ONLY, text__plain="g")]),
    "which kinds count": ([shown(NAME_ONLY, text__plain="f", a__b="x")], [shown(text__plain="f", a__b="x")]),
    "an error's text": (
        [new_output("error", ename="ValueError", evalue="one", traceback=[])],
        [new_output("error", ename="ValueError", evalue="two", traceback=[])],
    ),
    "shown or returned": (
        [shown(text__plain="1")],
        [new_output("execute_result", {"text/plain": "1"}, execution_count=1)],
    ),
}


@pytest.mark.parametrize("name", EQUAL)
def test_these_are_equal(name: str) -> None:
    assert difference(*EQUAL[name]) == []


@pytest.mark.parametrize("name", DIFFERENT)
def test_these_differ(name: str) -> None:
    assert difference(*DIFFERENT[name])


def test_the_difference_reads_as_a_diff() -> None:
    committed = [printed("one\ntwo\n"), shown(image__png=png(640, 480))]
    fresh = [printed("one\n2\n"), shown(image__png=png(640, 400))]
    assert [line for line in difference(committed, fresh) if line[0] in "+-"] == [
        "--- committed",
        "+++ fresh",
        "-  two",
        "+  2",
        "-  picture 640x480",
        "+  picture 640x400",
    ]


def test_what_varies_is_replaced_before() -> None:
    sanitize = sanitizer("# a note\n[ports]\nregex: (localhost):\\d+\nreplace: \\1:PORT\n")
    assert sanitize("http://localhost:8123/v1") == "http://localhost:PORT/v1"
    assert difference([printed("localhost:1")], [printed("localhost:2")], sanitize) == []
    assert difference([printed("localhost:1")], [printed("elsewhere:1")], sanitize)


def test_only_neighbours_of_one_stream_are_merged() -> None:
    outputs = [
        printed("a"),
        printed("b"),
        printed("c", "stderr"),
        printed("d"),
        shown(text__plain="1"),
        printed("e"),
    ]
    assert [output.get("text") for output in merge_streams(outputs)] == ["ab", "c", "d", None, "e"]
    assert outputs[0].text == "a"


def test_the_size_of_a_picture() -> None:
    assert picture_size("image/png", png(12, 7)) == "12x7"
    assert picture_size("image/svg+xml", svg("460.8pt", "345.6pt")) == "460.8ptx345.6pt"
    assert picture_size("text/plain", "12x7") is None


@pytest.mark.parametrize("length", range(32))
def test_a_picture_cut_off_before_its_size_has_none(length: int) -> None:
    assert picture_size("image/png", png(12, 7)[:length]) is None


@pytest.mark.parametrize("mark", [5, None, "text", ["text/plain"], {}, {"compare": 5}, {"compare": None}])
def test_metadata_that_means_nothing_changes_nothing(mark: object) -> None:
    marked = [shown({"agent_mini": mark}, text__plain="f", text__html="<p>old</p>")]
    assert difference(marked, [shown(text__plain="f", text__html="<p>old</p>")]) == []
    assert difference(marked, [shown(text__plain="f", text__html="<p>new</p>")])
