"""Running a check on a learner's answer: on a thread and an event loop of its own, within a time limit.

Whatever the answer does, there is an outcome: it may raise, hang, exit, print, or change what it was given. With
one exception: code that holds the interpreter's lock all the while, such as a regular expression that backtracks
without end, cannot be cut off, because nothing else in this process gets to run.
"""

import asyncio
import ctypes
import dis
import inspect
import io
import re
import reprlib
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from types import CodeType
from typing import Any, Literal

from agent_mini.tools import Tool


class Wrong(Exception):
    """The answer fails; the message names the first input that fails, and does not give the answer away."""


class NotAttempted(Exception):
    """There is nothing to check yet."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a check.

    Args:
        state: The verdict.
        why: For ``not yet``, the first thing that fails, in one line.
        printed: What the answer printed meanwhile.
    """

    state: Literal["passed", "not attempted yet", "not yet"]
    why: str = ""
    printed: str = ""


def attempt(check: Callable[[Any], None], answer: Any, seconds: float = 5.0) -> Outcome:
    """Run ``check(answer)`` and say what came of it; never raises.

    Args:
        check: Raises ``Wrong`` or ``NotAttempted``, or returns.
        answer: A function, a class or a value.
        seconds: The time limit for the whole check.
    """
    run = _Run(check, answer, seconds)
    printed = _Printed()
    with redirect_stdout(printed), redirect_stderr(printed):
        run.start()
        try:
            run.join(seconds + 0.5)  # an asynchronous answer is timed inside, and ends there
            outcome = run.outcome or Outcome("not yet", run.too_slow())  # before the thread learns of it
        finally:
            run.stop()
    return Outcome(outcome.state, outcome.why, printed.getvalue())


def call(answer: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call the learner's function inside a check, awaiting where needed, and return what it returns.

    Lists, dicts and sets among the arguments are copied, so that an answer cannot change the check's own.

    Raises:
        Wrong: It raised, exited or took too long; the call is written out.
        NotAttempted: It returned ``...`` or raised ``NotImplementedError``.
    """
    run = _here.run
    run.calling = written = _written_call(answer, args, kwargs)
    if not callable(answer):
        raise Wrong(f"expected something to call, got {brief(answer)}")
    try:
        value = answer(*map(_copied, args), **{name: _copied(arg) for name, arg in kwargs.items()})
        if inspect.isawaitable(value):
            value = run.wait_for(value)
    except (Wrong, NotAttempted):
        raise
    except NotImplementedError:
        raise NotAttempted from None
    except BaseException as error:
        raise Wrong(f"{written} raised {_describe(error)}{_line_in(answer, error)}") from None
    if value is ...:
        raise NotAttempted
    return value


def expect(answer: Any, /, *args: Any, ok: Callable[[Any], object], wanted: str, **kwargs: Any) -> Any:
    """Call the learner's function and return its result, which must satisfy ``ok``.

    Args:
        ok: Given the result; a false value, or an exception, means it fails.
        wanted: What was expected, in words that do not give the answer away.

    Raises:
        Wrong, NotAttempted: As ``call``, and when ``ok`` is not satisfied.
    """
    try:
        value = call(answer, *args, **kwargs)
    except Wrong as wrong:
        raise Wrong(f"{wrong}; expected {wanted}") from None
    try:
        satisfied = bool(ok(value))
    except Exception:  # a result of another type than ``ok`` reckoned with
        satisfied = False
    if not satisfied:
        raise Wrong(f"{_written_call(answer, args, kwargs)} returned {brief(value)}; expected {wanted}")
    return value


def brief(value: Any) -> str:
    """``value`` as Python would write it, short, in one line and the same in every run."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", _short.repr(value))


def is_blank(answer: Any) -> bool:
    """Whether ``answer`` is a starter: ``...``, or a function or class with nothing in it yet."""
    if answer is ...:
        return True
    if inspect.isclass(answer):
        parts = [part for part in vars(answer).values() if inspect.isfunction(part)]
        return bool(parts) and all(map(is_blank, parts))
    code = _code_of(answer)
    return code is not None and _shape(code) <= _BLANK


class _Run(threading.Thread):
    """One check on its way."""

    def __init__(self, check: Callable[[Any], None], answer: Any, seconds: float) -> None:
        super().__init__(name="check", daemon=True)
        self.check, self.answer, self.seconds = check, answer, seconds
        self.deadline = time.monotonic() + seconds
        self.calling = "your answer"
        self.outcome: Outcome | None = None

    def run(self) -> None:
        _here.run = self
        try:
            with asyncio.Runner() as self.runner:
                self.outcome = self._verdict()
        except BaseException as error:  # trouble with what the answer left running in the loop
            self.outcome = self.outcome or Outcome("not yet", f"stopped with {_describe(error)}")

    def _verdict(self) -> Outcome:
        try:
            if inspect.iscoroutine(self.answer):
                self.answer.close()
                raise Wrong("this is a coroutine: pass the function itself, or await it first")
            if is_blank(self.answer):
                raise NotAttempted
            self.check(self.answer)
        except NotAttempted:
            return Outcome("not attempted yet")
        except Wrong as wrong:
            return Outcome("not yet", _one_line(str(wrong), 600))
        except BaseException as error:
            return Outcome("not yet", f"your answer raised {_describe(error)}")
        return Outcome("passed")

    def wait_for(self, awaitable: Any) -> Any:
        async def limited() -> Any:
            limit = asyncio.timeout(self.deadline - time.monotonic())
            try:
                async with limit:
                    return await awaitable
            except TimeoutError:
                if limit.expired():
                    raise Wrong(self.too_slow()) from None
                raise

        return self.runner.run(limited())

    def too_slow(self) -> str:
        return f"{self.calling} did not finish in {self.seconds:g} seconds"

    def stop(self) -> None:
        """End an endless loop: it would slow the notebook down for good.

        More than once, because Python swallows what is raised inside a finaliser, and waiting a little, so that
        what the answer prints to its end is still caught. One that catches everything is left behind.
        """
        deadline = time.monotonic() + 1.0
        while self.ident and self.is_alive() and time.monotonic() < deadline:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.ident), ctypes.py_object(SystemExit)
            )
            self.join(0.25)


class _Here(threading.local):
    run: _Run


_here = _Here()


class _Printed(io.StringIO):
    """Keeps the beginning of what is printed; an endless loop prints a lot."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, 2000 - self.tell())])
        return len(text)

    def close(self) -> None:
        """What was printed is read at the end, whatever the answer does to ``sys.stdout``."""


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 100
        self.maxlist = self.maxtuple = self.maxset = self.maxdict = 8

    def repr_function(self, value: Any, level: int) -> str:
        return _name(value)

    def repr_instance(self, x: Any, level: int) -> str:
        """A value of ours by what sets it apart: its fields that differ from their defaults."""
        if not is_dataclass(x) or isinstance(x, type) or level <= 0:
            return super().repr_instance(x, level)
        shown = [
            f"{field.name}={self.repr1(getattr(x, field.name), level - 1)}"
            for field in fields(x)
            if field.repr and getattr(x, field.name) != _default(field)
        ]
        return f"{type(x).__name__}({', '.join(shown)})"


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


_short = _Short()


def _code_of(answer: Any) -> CodeType | None:
    answer = answer.handler if isinstance(answer, Tool) else answer
    return getattr(inspect.unwrap(answer), "__code__", None) if inspect.isroutine(answer) else None


def _name(answer: Any) -> str:
    name = str(getattr(answer, "__qualname__", "")).rpartition("<locals>.")[2]
    return "answer" if name in ("", "<lambda>") else name


def _written_call(answer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    written = [*map(brief, args), *(f"{name}={brief(value)}" for name, value in kwargs.items())]
    return f"{_name(answer)}({', '.join(written)})"


def _copied(value: Any) -> Any:
    """Containers are copied; what is in them is not, so that a model or a tool stays the check's own."""
    if type(value) in (list, tuple, set):
        return type(value)(map(_copied, value))
    if type(value) is dict:
        return {key: _copied(item) for key, item in value.items()}
    return value


def _describe(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    try:
        text = _one_line(str(error), 200)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _line_in(answer: Any, error: BaseException) -> str:
    """Where in the answer's own cell it was raised: the traceback itself is not shown."""
    code = _code_of(answer)
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if code and frame.f_code.co_filename == code.co_filename]
    return f" (line {lines[-1]})" if lines else ""


def _one_line(text: str, longest: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _shape(code: CodeType) -> set[str]:
    """The instructions of a function, and the constants they load."""
    return {
        f"{step.opname} {step.argrepr}" if "CONST" in step.opname else step.opname
        for step in dis.get_instructions(code)
    }


def _nothing() -> None: ...


async def _nothing_async() -> None: ...


_BLANK = _shape(_nothing.__code__) | _shape(_nothing_async.__code__) | {"NOP"}
"""What a function without a body compiles to, on whichever Python this is."""
