"""agent_mini.tools.calculate: right where it answers, and closed to everything else."""

import ast
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_mini.tools import ToolError, calculate
from agent_mini.tools.base import ToolContext
from agent_mini.tools.calculate import MAX_VALUE, evaluate, format_number


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("70 * 3", "210"),
        ("0.1 + 0.2", "0.3"),
        ("6 / 2", "3"),
        ("7 / 2", "3.5"),
        ("7 // 2", "3"),
        ("-7 % 3", "2"),
        ("2 ** 10", "1024"),
        ("-(3 + 4) * +2", "-14"),
        ("sqrt(2)", "1.4142"),
        ("round(2.675, 1)", "2.7"),
        ("max(1, 2.5, min(9, 8))", "8"),
        ("2 * pi", "6.2832"),
        ("log(8, 2)", "3"),
        ("1 / 3 - 1 / 3", "0"),
        ("1e-9", "1e-09"),
        ("  1 +\t1 ", "2"),
        ("999999999999999", "999999999999999"),
    ],
)
async def test_arithmetic(expression: str, shown: str) -> None:
    result = await calculate.run({"expression": expression}, ToolContext())
    assert (result.ok, result.content) == (True, shown)


def test_a_long_sum_is_not_nested() -> None:
    assert evaluate("+".join(["1"] * 100)) == 100
    assert evaluate("-".join(["12"] * 42)) == 12 - 41 * 12


async def test_precision_is_the_callers() -> None:
    result = await calculate.run({"expression": "2 / 3", "precision": 0}, ToolContext())
    assert result.content == "1"
    refused = await calculate.run({"expression": "2 / 3", "precision": 16}, ToolContext())
    assert (refused.ok, refused.content) == (False, "precision: must be 0 to 15; given 16")


HOSTILE = [
    ("__import__('os').system('id')", "calls cannot be used here"),
    ("().__class__.__base__.__subclasses__()", "calls cannot be used here"),
    ("open('/etc/passwd').read()", "calls cannot be used here"),
    ("pi.real", "attributes cannot be used here"),
    ("(1).bit_length()", "calls cannot be used here"),
    ("[1, 2][0]", "indexing cannot be used here"),
    ("[x for x in (1, 2)]", "ListComp"),
    ("{1: 2}", "Dict"),
    ("(1, 2)", "commas between numbers"),
    ("{i for i in ()}", "SetComp"),
    ("sum(i for i in (1,))", "calls cannot be used here"),
    ("lambda: 1", "lambda cannot be used here"),
    ("(x := 5)", "assignments cannot be used here"),
    ("f'{1}'", "f-strings cannot be used here"),
    ("'a' * 9", "str values cannot be used here"),
    ("b'a'", "bytes values cannot be used here"),
    ("True + 1", "bool values cannot be used here"),
    ("None", "NoneType values cannot be used here"),
    ("...", "ellipsis values cannot be used here"),
    ("1j", "complex values cannot be used here"),
    ("1 < 2", "comparisons cannot be used here"),
    ("1 and 2", "and/or cannot be used here"),
    ("1 if 1 else 2", "if/else cannot be used here"),
    ("not 1", "not 1"),
    ("~1", "~1"),
    ("1 << 40", "1 << 40"),
    ("1 | 2", "1 | 2"),
    ("1 @ 2", "1 @ 2"),
    ("x + 1", "names cannot be used here"),
    ("exec", "names cannot be used here"),
    ("sqrt", "names cannot be used here"),
    ("sqrt(x=4)", "calls cannot be used here"),
    ("max(*(1, 2))", "Starred"),
    ("max()", "max()"),
    ("sqrt(1, 2)", "sqrt(1, 2)"),
    ("9 ** 9 ** 9", "too large"),
    ("2 ** 65", "exponent at most 64"),
    ("1000001 ** 2", "base at most 1000000"),
    ("10 ** 16", "a value is too large"),
    ("1e308 * 10", "a value is too large"),
    ("exp(1000)", "exp(1000)"),
    ("-1e999", "a value is too large"),
    ("(-8) ** 0.5", "not a real number"),
    ("sqrt(-1)", "sqrt(-1)"),
    ("log(0)", "log(0)"),
    ("1 / 0", "division by zero in 1 / 0"),
    ("0 ** -1", "division by zero in 0 ** (-1)"),
    ("5 % 0", "division by zero"),
    ("round(1.5, 10**9)", "digits must be a whole number"),
    ("round(5, -10**9)", "digits must be a whole number"),
    ("round(5, 1.5)", "digits must be a whole number"),
    ("-" * 60 + "1", "nested too deep"),
    ("10 ^ 2", "10 ^ 2: this operator (a power is written **) cannot be used here"),
    ("1,000 + 1", "(1, 0 + 1): commas between numbers cannot be used here"),
    ("~1", "~1: this sign cannot be used here"),
    ("1if 1 else 2", "1if: cannot be read"),
    ("'\\d'", "\\d: cannot be read"),
    ("1000000 ** 64", "a value is too large"),
    ("min()", "min():"),
    ("(" * 150 + "1" + ")" * 40, "not an arithmetic expression"),
    ("1" * 201, "too long: 201 characters"),
    ("1 +", "not an arithmetic expression"),
    ("", "not an arithmetic expression"),
    ("import os", "not an arithmetic expression"),
    ("a = 1", "not an arithmetic expression"),
    ("1; 2", "not an arithmetic expression"),
    ("1\x00", "not an arithmetic expression"),
    ("await x", "Await"),
    ("yield", "not an arithmetic expression"),
    ("print(1)", "calls cannot be used here"),
]


@pytest.mark.parametrize(("expression", "words"), HOSTILE)
async def test_everything_else_is_refused_by_name(expression: str, words: str) -> None:
    result = await calculate.run({"expression": expression}, ToolContext())
    assert not result.ok
    assert words in result.content
    assert len(result.content) < 300


NUMBERS = st.integers(-999, 999) | st.floats(-999, 999, allow_nan=False).map(lambda x: round(x, 3))


def _expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**"]), inner)
    return pair.map(lambda p: f"({p[0]} {p[1]} {p[2]})") | inner.map(lambda e: f"-{e}")


@given(st.recursive(NUMBERS.map(str), _expressions, max_leaves=8))
def test_it_agrees_with_python(expression: str) -> None:
    """Where it answers, its answer is Python's own; it may only refuse what is too large or undefined."""
    try:
        value = evaluate(expression)
    except ToolError:
        return
    reference = eval(compile(ast.parse(expression, mode="eval"), "", "eval"), {"__builtins__": {}})  # noqa: S307
    assert value == reference
    assert type(value) is type(reference)
    assert math.isfinite(value)
    assert abs(value) <= MAX_VALUE


@given(st.text(max_size=220))
def test_no_text_gets_past_it(text: str) -> None:
    try:
        assert isinstance(evaluate(text), int | float)
    except ToolError as error:
        assert str(error)


@given(st.floats(-1e15, 1e15, allow_nan=False), st.integers(1, 15))
def test_a_shown_number_is_close(value: float, precision: int) -> None:
    shown = float(format_number(value, precision))
    assert shown == pytest.approx(value, rel=10.0**-precision, abs=10.0**-precision)
    assert (shown == 0) == (value == 0)
