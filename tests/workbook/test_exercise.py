"""The exercise framework: one outcome for every answer, whatever the answer does."""

import asyncio
import json
import sys
import threading
import time

import pytest

from agent_mini.tools import tool
from agent_mini.workbook import exercise as framework
from agent_mini.workbook.attempt import brief, is_blank
from agent_mini.workbook.exercise import (
    NotAttempted,
    Wrong,
    call,
    check,
    exercise,
    expect,
    get,
    hint,
    solution,
)


def double(number: int) -> int:
    """The reference."""
    return 2 * number


@pytest.fixture(autouse=True)
def exercises(monkeypatch, tmp_path):
    """Three exercises of a notebook that does not exist, and a workspace of their own."""
    monkeypatch.setenv("AGENT_WORKSPACE", str(tmp_path / "work"))
    monkeypatch.setenv("AGENT_ENV_FILE", "none")
    monkeypatch.setattr(framework, "REGISTRY", {})

    @exercise("97.a", solution=double, hints=("Once is not enough.", "Think of two.", "2 * number"))
    def check_double(answer):
        for number in (1, 21):
            expect(answer, number, ok=lambda got, number=number: got == 2 * number, wanted="twice the number")

    exercise("97.q", solution=double, hints=("Be quick.",), seconds=0.5)(check_double)

    @exercise("97.b", solution=(1, 2), solution_source="(1, 2)", hints=("A pair.",))
    def check_pair(answer):
        if answer != (1, 2):
            raise Wrong(f"got {brief(answer)}; expected another pair")

    @exercise("97.c", solution=sorted, solution_source="sorted", hints=("Built in.",))
    def check_sort(answer):
        given = [3, 1, {"x": [2]}][:2]
        expect(answer, given, ok=lambda got: got == [1, 3], wanted="the numbers in order")
        if given != [3, 1]:
            raise Wrong("the check's own list was changed")

    return tmp_path / "work" / "progress.json"


def outcome(capsys, answer, exercise_id="97.a") -> str:
    assert check(exercise_id, answer) is None
    return capsys.readouterr().out


# --- passed -------------------------------------------------------------------------------------------------


async def double_async(number):
    await asyncio.sleep(0)
    return 2 * number


class Doubler:
    def __call__(self, number):
        return 2 * number

    def method(self, number):
        return 2 * number


@pytest.mark.parametrize(
    "answer", [double, double_async, lambda number: number + number, Doubler(), Doubler().method]
)
def test_a_right_answer_passes(capsys, answer):
    assert outcome(capsys, answer) == "97.a  passed\n"


async def test_it_works_where_a_loop_is_running(capsys):
    assert outcome(capsys, double_async) == "97.a  passed\n"


def test_the_reference_passes_and_a_value_can_be_an_answer(capsys):
    assert outcome(capsys, get("97.a").solution) == "97.a  passed\n"
    assert outcome(capsys, (1, 2), "97.b") == "97.b  passed\n"
    assert outcome(capsys, [1, 2], "97.b") == "97.b  not yet: got [1, 2]; expected another pair\n"


def test_an_answer_cannot_change_what_the_check_gave_it(capsys):
    def sort_in_place(numbers):
        numbers.sort()
        return numbers

    assert outcome(capsys, sort_in_place, "97.c") == "97.c  passed\n"


# --- not attempted ------------------------------------------------------------------------------------------


def only_docstring(number):
    """Twice the number."""


def only_pass(number):
    pass


def only_dots(number, *rest, key="value"): ...


async def only_dots_async(number): ...


async def docstring_and_dots_async(number):
    """Twice the number."""
    ...


def returns_dots(number):
    result = ...
    return result  # noqa: RET504


def says_not_implemented(number):
    raise NotImplementedError


class OnlyStubs:
    """A class to fill in."""

    def one(self): ...

    async def two(self):
        pass


@tool(title="Double a number")
def only_a_tools_frame(number: int) -> int:
    """Twice the number."""
    ...


STARTERS = [
    ...,
    only_docstring,
    only_pass,
    only_dots,
    only_dots_async,
    only_a_tools_frame,
    docstring_and_dots_async,
    returns_dots,
    says_not_implemented,
    OnlyStubs,
]


@pytest.mark.parametrize("answer", STARTERS)
def test_a_starter_is_not_attempted(capsys, exercises, answer):
    assert outcome(capsys, answer) == '97.a  not attempted yet. Stuck? hint("97.a")\n'
    assert not exercises.exists(), "looking at an exercise is no try"


def test_a_starter_without_source_is_recognised():
    namespace = {}
    exec("def bare(x):\n    ...\nasync def bare_async(x):\n    '''doc'''\n    pass", namespace)  # noqa: S102
    assert is_blank(namespace["bare"])
    assert is_blank(namespace["bare_async"])


@pytest.mark.parametrize(
    "answer",
    [
        double,
        double_async,
        lambda number: number,
        lambda number: 0,
        lambda number: "",
        Doubler,
        Doubler(),
        print,
        None,
        0,
        (n for n in ()),
    ],
)
def test_an_attempt_is_no_starter(answer):
    assert not is_blank(answer)


# --- not yet ------------------------------------------------------------------------------------------------


def raises(number):
    raise ValueError("no\nluck")


def leaves(number):
    raise SystemExit(3)


def interrupts(number):
    raise KeyboardInterrupt


async def leaves_async(number):
    raise SystemExit(3)


async def raises_group(number):
    async with asyncio.TaskGroup() as group:
        group.create_task(double_async())  # pyright: ignore


def endless_recursion(number):
    return endless_recursion(number)


class Hostile:
    def __eq__(self, other):
        raise RuntimeError("compare me not")

    def __repr__(self):
        raise RuntimeError("print me not")

    __hash__ = None


def cancels_itself(number):
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (lambda number: number, "answer(1) returned 1; expected twice the number"),
        ({}.get, "dict.get(1) returned None; expected twice the number"),
        (lambda number: 2, "answer(21) returned 2; expected twice the number"),
        (lambda number: object(), "answer(1) returned <object object>; expected twice the number"),
        (
            lambda number: [7] * 50,
            "answer(1) returned [7, 7, 7, 7, 7, 7, 7, 7, ...]; expected twice the number",
        ),
        (lambda number: Hostile(), "answer(1) returned <Hostile instance>; expected twice the number"),
        (raises, "raises(1) raised ValueError: no luck (line LINE)"),
        (leaves, "leaves(1) raised SystemExit: 3 (line LINE)"),
        (leaves_async, "leaves_async(1) raised SystemExit: 3 (line LINE)"),
        (interrupts, "interrupts(1) raised KeyboardInterrupt (line LINE)"),
        (cancels_itself, "cancels_itself(1) raised CancelledError (line LINE)"),
        (lambda: 2, "answer(1) raised TypeError: "),
        (endless_recursion, "endless_recursion(1) raised RecursionError: maximum recursion depth exceeded"),
        (42, "expected something to call, got 42"),
        ("2 * number", "expected something to call, got '2 * number'"),
        (None, "expected something to call, got None"),
        (Hostile(), "expected something to call, got <Hostile instance>"),
        (OnlyStubs(), "expected something to call, got <"),
        (Doubler, "Doubler(1) raised TypeError: Doubler() takes no arguments"),
    ],
)
def test_a_wrong_answer_is_told_the_first_input_that_fails(capsys, answer, expected):
    line = outcome(capsys, answer)
    assert line.count("\n") == 1
    if "LINE" in expected:
        code = answer.__code__
        expected = expected.replace("LINE", str(code.co_firstlineno + 1))
    assert line.startswith(f"97.a  not yet: {expected}")


def test_the_first_error_of_a_group_is_named(capsys):
    line = outcome(capsys, raises_group)
    assert line.startswith("97.a  not yet: raises_group(1) raised TypeError: double_async() missing 1")


def test_a_coroutine_is_refused_without_a_warning(capsys):
    assert "this is a coroutine" in outcome(capsys, double_async(1))


def test_what_the_answer_prints_stands_under_the_verdict(capsys):
    def talkative(number):
        print("number is", number)  # noqa: T201
        return 0

    assert outcome(capsys, talkative) == (
        "97.a  not yet: talkative(1) returned 0; expected twice the number\n      printed: number is 1\n"
    )

    def talkative_and_right(number):
        print("number is", number)  # noqa: T201
        return 2 * number

    assert outcome(capsys, talkative_and_right) == "97.a  passed\n"


def hangs(number):
    while True:
        pass


def test_an_answer_that_closes_stdout_has_an_outcome(capsys):
    def tidy(number):
        print("number is", number)  # noqa: T201
        sys.stdout.close()
        return 2 * number

    assert outcome(capsys, tidy) == "97.a  passed\n"


def hangs_and_prints(number):
    while True:
        print("still here")  # noqa: T201


def hangs_and_catches(number):
    while True:
        try:
            time.sleep(0.01)
        except Exception:  # noqa: S112
            continue


def hangs_and_swallows_once(number):
    try:
        while True:
            time.sleep(0.001)
    except SystemExit:
        pass
    while True:
        time.sleep(0.001)


async def hangs_async(number):
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    "answer", [hangs, hangs_and_prints, hangs_and_catches, hangs_and_swallows_once, hangs_async]
)
def test_an_endless_answer_is_cut_off_and_ended(capsys, answer):
    line = outcome(capsys, answer, "97.q")
    assert line.startswith(f"97.q  not yet: {answer.__name__}(1) did not finish in 0.5 seconds")
    assert len(line) < 60_000, "what it printed is cut"
    deadline = time.monotonic() + 30
    while any(thread.name == "check" for thread in threading.enumerate()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(thread.name == "check" for thread in threading.enumerate())


async def leaves_a_task(number):
    leaves_a_task.task = asyncio.create_task(asyncio.Event().wait())
    return 2 * number


def test_what_an_answer_leaves_running_is_ended(capsys):
    assert outcome(capsys, leaves_a_task) == "97.a  passed\n"
    assert leaves_a_task.task.cancelled()


def test_a_timeout_of_its_own_is_an_ordinary_error(capsys):
    async def gives_up(number):
        async with asyncio.timeout(0.01):
            await asyncio.Event().wait()

    assert "gives_up(1) raised TimeoutError" in outcome(capsys, gives_up)


def test_a_mistake_in_a_check_does_not_stop_the_notebook(capsys):
    @exercise("97.d", solution=double, hints=("x",))
    def broken(answer):
        raise LookupError("oh")

    assert outcome(capsys, double, "97.d") == "97.d  not yet: your answer raised LookupError: oh\n"


def test_a_check_can_say_itself_that_nothing_was_attempted(capsys):
    @exercise("97.e", solution="x", solution_source="'x'", hints=("x",))
    def check_text(answer):
        if answer == "":
            raise NotAttempted
        call(answer.upper)

    assert outcome(capsys, "", "97.e") == '97.e  not attempted yet. Stuck? hint("97.e")\n'
    assert outcome(capsys, "x", "97.e") == "97.e  passed\n"


# --- ids, hints, solutions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["97.z", "97", "97.A"])
def test_an_unknown_id_lists_the_notebooks(capsys, wrong):
    assert (
        outcome(capsys, double, wrong) == f"no exercise '{wrong}'. Notebook 97 has 97.a, 97.b, 97.c, 97.q.\n"
    )


@pytest.mark.parametrize("wrong", ["", "96.a", 97, None, double, ["97.a"], "../../x"])
def test_no_id_at_all_says_how_to_write_one(capsys, wrong):
    assert outcome(capsys, "97.a", wrong).endswith('Write the id first, as check("02.a", answer).\n')


def test_no_answer_given_is_not_attempted(capsys):
    check("97.a")
    assert capsys.readouterr().out == '97.a  not attempted yet. Stuck? hint("97.a")\n'


def test_hints_come_one_after_the_other(capsys):
    for _ in range(4):
        hint("97.a")
    hint("97.a", 1)
    last = '2 * number (the last one; solution("97.a") shows an answer)'
    assert capsys.readouterr().out.splitlines() == [
        "97.a  hint 1 of 3: Once is not enough.",
        "97.a  hint 2 of 3: Think of two.",
        f"97.a  hint 3 of 3: {last}",
        f"97.a  hint 3 of 3: {last}",
        "97.a  hint 1 of 3: Once is not enough.",
    ]
    hint("97.a", 9)
    hint("97.z")
    assert capsys.readouterr().out.splitlines() == [
        '97.a  has 3 hints: hint("97.a", 1)',
        "no exercise '97.z'. Notebook 97 has 97.a, 97.b, 97.c, 97.q.",
    ]


def test_a_solution_is_shown_as_source(capsys):
    solution("97.a")
    solution("97.b")
    assert capsys.readouterr().out == (
        '# 97.a, one answer\ndef double(number: int) -> int:\n    """The reference."""\n    return 2 * number\n'
        "# 97.b, one answer\n(1, 2)\n"
    )


def test_what_happened_is_remembered(capsys, exercises):
    for answer in (lambda number: 0, double, double):
        check("97.a", answer)
    hint("97.b")
    solution("97.c")
    entries = json.loads(exercises.read_text(encoding="utf-8"))["exercises"]
    assert entries["97.a"].pop("passed").startswith("20")
    assert entries == {
        "97.a": {"tries": 3, "hints": 0, "solution": False},
        "97.b": {"passed": "", "tries": 0, "hints": 1, "solution": False},
        "97.c": {"passed": "", "tries": 0, "hints": 0, "solution": True},
    }


@pytest.mark.parametrize(
    ("exercise_id", "arguments", "words"),
    [
        ("2.a", {"solution": double, "hints": ("x",)}, "write it as 02.a"),
        ("97.x", {"solution": double, "hints": ()}, "no hint"),
        ("97.x", {"solution": 42, "hints": ("x",)}, "needs solution_source"),
        ("97.a", {"solution": double, "hints": ("x",)}, "97.a is taken by"),
    ],
)
def test_an_exercise_that_cannot_work_is_refused_when_it_is_written(exercise_id, arguments, words):
    with pytest.raises(ValueError, match=words):
        exercise(exercise_id, **arguments)(lambda answer: None)
