"""Arithmetic by walking the syntax tree: what is not listed here cannot run.

``eval`` would be one line, and with it every reader of the prompt could run Python on this machine. Taking
its builtins away does not help: ``().__class__.__base__.__subclasses__()`` needs none.
"""

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any

from agent_mini.tools.base import ToolError, tool
from agent_mini.types import ToolResult

MAX_LENGTH = 200
MAX_DEPTH = 40
MAX_BASE = 1e6
MAX_EXPONENT = 64
MAX_VALUE = 1e15

Number = int | float

_GLUED = re.compile(r"\\.?|(?<![\w.])\d[\d_.]*(?:e[+-]?\d+)?(?:and|else|for|if|in|is|not|or)", re.IGNORECASE)


def _round(value: Number, digits: Number = 0) -> Number:
    # The built-in computes 10**digits: one short expression could keep it busy for ever.
    if not isinstance(digits, int) or abs(digits) > 15:
        raise ToolError(f"round: digits must be a whole number from -15 to 15; given {digits}")
    return round(value, digits) if digits else round(value)


def _least(*values: Number) -> Number:
    return min(values)


def _greatest(*values: Number) -> Number:
    return max(values)


_OPERATORS: dict[type[ast.operator], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,  # pyright: ignore[reportUnknownMemberType]
    ast.FloorDiv: operator.floordiv,  # pyright: ignore[reportUnknownMemberType]
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,  # pyright: ignore[reportUnknownMemberType]
}
_SIGNS: dict[type[ast.unaryop], Callable[..., Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
_CONSTANTS: dict[str, Number] = {"pi": math.pi, "e": math.e}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": math.sqrt,
    "log": math.log,
    "exp": math.exp,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "abs": abs,
    "round": _round,
    "floor": math.floor,
    "ceil": math.ceil,
    "min": _least,
    "max": _greatest,
}


@tool(title="Calculate 计算", read_only=True)
def calculate(expression: str, precision: int = 4) -> ToolResult:
    """Work out an arithmetic expression. Use it for every sum instead of reckoning yourself.

    计算算术表达式。凡是算数都用它，不要自己心算。

    Args:
        expression: Numbers, + - * / // % **, parentheses, pi, e and sqrt log exp sin cos tan abs round
            floor ceil min max, for example "(3 + 4) * 2".
        precision: Digits after the decimal point, 0 to 15.
    """
    if not 0 <= precision <= 15:
        raise ToolError(f"precision: must be 0 to 15; given {precision}")
    value = evaluate(expression)
    return ToolResult(True, format_number(value, precision), {"expression": expression, "value": value})


def evaluate(expression: str) -> Number:
    """Work out ``expression``.

    Returns:
        An int where every step gave one, else a finite float.

    Raises:
        ToolError: Anything that is not arithmetic, too large, or undefined; it names the offending piece.
    """
    if len(expression) > MAX_LENGTH:
        raise ToolError(f"the expression is too long: {len(expression)} characters, at most {MAX_LENGTH}")
    if glued := _GLUED.search(expression):  # the parser would print a warning
        raise ToolError(f"{glued[0]}: cannot be read; part it, or leave it out")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "it cannot be read"
        raise ToolError(f"not an arithmetic expression: {reason}") from None
    return _value(tree.body, depth=0)


def format_number(value: Number, precision: int) -> str:
    """Write a number for a person: no trailing zeros, no noise of binary fractions, never just 0 for a small one."""
    if isinstance(value, int):
        return str(value)
    rounded = round(value, precision)
    if rounded == 0.0 and value != 0.0:
        return f"{value:.{max(precision, 1)}g}"
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


def _value(node: ast.expr, depth: int) -> Number:
    if depth > MAX_DEPTH:
        raise ToolError(f"the expression is nested too deep: at most {MAX_DEPTH} levels")
    try:
        return _checked(_compute(node, depth + 1))
    except ZeroDivisionError:
        raise ToolError(f"division by zero in {ast.unparse(node)}") from None
    except (ArithmeticError, ValueError, TypeError) as error:
        raise ToolError(f"{ast.unparse(node)}: {error}") from None


def _compute(node: ast.expr, depth: int) -> Number:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _SIGNS:
            return _SIGNS[type(sign)](_value(operand, depth))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            # A long sum leans to the left: its length bounds it, and only what it holds is nested.
            a, b = _value(left, depth - 1), _value(right, depth)
            if isinstance(op, ast.Pow) and (abs(a) > MAX_BASE or abs(b) > MAX_EXPONENT):
                raise ToolError(
                    f"{ast.unparse(node)}: too large; base at most {MAX_BASE:.0f}, exponent at most {MAX_EXPONENT}"
                )
            return _OPERATORS[type(op)](a, b)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*(_value(arg, depth) for arg in args))
        case _:
            raise _refusal(node)


def _checked(value: Any) -> Number:
    """Refuse what arithmetic can produce but a calculator does not show: complex, infinite, enormous."""
    if not isinstance(value, int | float):
        raise ToolError(f"the result is not a real number: {value}")
    if not abs(value) <= MAX_VALUE:  # so is a value that is not a number
        raise ToolError(f"a value is too large: at most {MAX_VALUE:.0f}")
    return value


def _refusal(node: ast.expr) -> ToolError:
    piece = ast.unparse(node)
    shown = piece if len(piece) <= 60 else piece[:57] + "..."
    kinds: dict[type[ast.expr], str] = {
        ast.Attribute: "attributes",
        ast.Subscript: "indexing",
        ast.Compare: "comparisons",
        ast.BoolOp: "and/or",
        ast.NamedExpr: "assignments",
        ast.Lambda: "lambda",
        ast.IfExp: "if/else",
        ast.JoinedStr: "f-strings",
        ast.Name: "names",
        ast.Call: "calls",
        ast.Tuple: "commas between numbers",
        ast.BinOp: "this operator (a power is written **)",
        ast.UnaryOp: "this sign",
    }
    kind = kinds.get(type(node), type(node).__name__)
    if isinstance(node, ast.Constant):
        kind = f"{type(node.value).__name__} values"
    return ToolError(f"{shown}: {kind} cannot be used here")
