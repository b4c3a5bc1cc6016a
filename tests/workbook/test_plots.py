"""Figures as pictures: the right bars and cells, in the right place, whatever the labels hold."""

import io
import warnings

import pytest
from PIL import Image

from agent_mini.workbook import matrix, stacked_bars
from agent_mini.workbook.plots import COLOURS, NEGATIVES, RIGHT, WRONG


def pixels_of(picture, colour):
    """Where a colour stands: how many pixels have it, and the mean column and row."""
    wanted = tuple(bytes.fromhex(colour[1:]))
    image = Image.open(io.BytesIO(picture.data)).convert("RGB")
    assert image.size == (800, 480)
    width, data = image.width, image.tobytes()
    places = [
        divmod(place, width)
        for place in range(len(data) // 3)
        if tuple(data[3 * place : 3 * place + 3]) == wanted
    ]
    # The legend, in the bottom 30 rows, does not count.
    bars = [(row, column) for row, column in places if row < 450]
    count = len(bars)
    return count, sum(c for _, c in bars) / max(count, 1), sum(r for r, _ in bars) / max(count, 1)


def test_parts_are_as_long_as_they_count_and_negative_ones_go_to_the_left():
    picture = stacked_bars([("first", {"trigger": 4.0, "object": 2.0}), ("film", {"negative": -4.0})])
    trigger, trigger_x, trigger_y = pixels_of(picture, COLOURS[0])
    thing, object_x, object_y = pixels_of(picture, COLOURS[1])
    negative, negative_x, negative_y = pixels_of(picture, NEGATIVES[0])
    assert trigger == pytest.approx(2 * thing, rel=0.05)
    assert negative == pytest.approx(trigger, rel=0.05)
    assert negative_x < trigger_x < object_x
    assert trigger_y == pytest.approx(object_y, abs=2)
    assert trigger_y < negative_y


def test_a_part_has_one_colour_in_all_rows():
    rows = [("one", {"a": 1.0, "b": 1.0}), ("two", {"b": 1.0, "c": 1.0})]
    a, b, c = (pixels_of(stacked_bars(rows), colour)[0] for colour in COLOURS[:3])
    assert a == pytest.approx(c, rel=0.1)
    assert b == pytest.approx(a + c, rel=0.1)
    assert pixels_of(stacked_bars(rows), COLOURS[3])[0] == 0


def test_more_parts_than_colours():
    picture = stacked_bars([("many", {f"part {n}": 1.0 for n in range(20)})])
    assert pixels_of(picture, COLOURS[-1])[0] > 0


def test_the_diagonal_and_what_lies_beside_it_differ():
    right = matrix({("today", "today"): 3, ("todo", "todo"): 2})
    wrong = matrix({("today", "todo"): 3, ("todo", "today"): 2})
    assert pixels_of(right, RIGHT)[0] > 1000
    assert pixels_of(right, WRONG)[0] == 0
    assert pixels_of(wrong, WRONG)[0] > 1000
    assert pixels_of(wrong, RIGHT)[0] == 0


HOSTILE = ["查上海天气", "$x^2$ %d \\frac", "", "a" * 500, "line\nbreak", "😀", "مرحبا", "\x00\x1b[31m"]


@pytest.mark.parametrize("label", HOSTILE)
def test_any_label_is_drawn_without_a_warning(label):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stacked_bars([(label, {label: 1.0})], marks={label: 0.5})
        matrix({(label, "other"): 1, ("other", label): 2}, title=label)


def test_nothing_to_draw_is_an_empty_picture():
    assert pixels_of(stacked_bars([]), COLOURS[0])[0] == 0
    assert pixels_of(matrix({}), COLOURS[0])[0] == 0
