"""Asking a person: what a question is, who may answer, and what happens when nobody is there.

A program never waits for ever and never takes silence for a yes: with nobody there, a question stays
unanswered and an approval is refused. Widgets for notebooks are a subclass in ``agent_mini.workbook``.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from agent_mini.errors import ErrorCode, InputError, ScriptExhausted
from agent_mini.printable import printable
from agent_mini.threads import in_thread


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A tool call that needs a person's yes.

    Args:
        tool: The tool's name.
        title: What it does, for a person.
        arguments: The exact arguments, as JSON text.
    """

    tool: str
    title: str
    arguments: str

    @property
    def digest(self) -> str:
        """A hash of tool and arguments; an approval holds for this and nothing else."""
        return hashlib.sha256(f"{self.tool}\n{self.arguments}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Approval:
    """A person's decision on an ``ApprovalRequest``.

    Args:
        allowed: Whether the call may run.
        reason: Why not, for the model to read.
        arguments: Other arguments to run it with, as JSON text, or None to leave them.
        digest: The digest of the request that was shown; another one's approval is refused.
    """

    allowed: bool
    reason: str = ""
    arguments: str | None = None
    digest: str = ""


class Human(Protocol):
    """Somebody, or a stand-in for somebody, who can be asked."""

    async def ask(self, question: str, choices: Sequence[str] = ()) -> str | None:
        """Ask ``question``; return the answer, or None when nobody answered."""
        ...

    async def approve(self, request: ApprovalRequest) -> Approval:
        """Ask for a yes or no to ``request``."""
        ...


class Nobody:
    """Nobody is there: no answer, and no."""

    async def ask(self, question: str, choices: Sequence[str] = ()) -> str | None:
        return None

    async def approve(self, request: ApprovalRequest) -> Approval:
        return Approval(False, "nobody was there to approve it", digest=request.digest)


class ScriptedHuman:
    """Plays prepared answers in order.

    Args:
        answers: What to answer to questions.
        approvals: True, False, or edited arguments as JSON text, for each approval.

    Raises:
        ScriptExhausted: When asked once too often.
    """

    def __init__(self, answers: Iterable[str] = (), approvals: Iterable[bool | str] = ()) -> None:
        self._answers = list(answers)
        self._approvals = list(approvals)
        self.asked: list[str] = []

    @classmethod
    def from_json(cls, text: str) -> "ScriptedHuman":
        """Read the answers from ``AGENT_ANSWERS``: a JSON list of strings.

        Raises:
            InputError: Anything else.
        """
        try:
            answers = TypeAdapter(list[str]).validate_json(text)
        except ValidationError:
            raise InputError(
                "AGENT_ANSWERS: must be a JSON list of texts",
                'for example ["yes", "about 50,000"]',
                ErrorCode.SETTINGS_INVALID,
            ) from None
        return cls(answers)

    async def ask(self, question: str, choices: Sequence[str] = ()) -> str | None:
        self.asked.append(question)
        if not self._answers:
            raise ScriptExhausted(f"no scripted answer left for: {question}")
        return self._answers.pop(0)

    async def approve(self, request: ApprovalRequest) -> Approval:
        self.asked.append(f"{request.tool} {request.arguments}")
        if not self._approvals:
            raise ScriptExhausted(f"no scripted approval left for: {request.tool}")
        choice = self._approvals.pop(0)
        if isinstance(choice, str):
            return Approval(True, arguments=choice, digest=request.digest)
        return Approval(choice, "" if choice else "the person said no", digest=request.digest)


class TerminalHuman:
    """Asks on the terminal; with no terminal there, nobody is.

    Args:
        before: Called before each prompt, to clear the way for it.
    """

    def __init__(self, before: Callable[[], None] | None = None) -> None:
        self._before = before

    async def ask(self, question: str, choices: Sequence[str] = ()) -> str | None:
        options = f" [{' / '.join(choices)}]" if choices else ""
        return await self._prompt(f"{question}{options}\n> ")

    async def approve(self, request: ApprovalRequest) -> Approval:
        answer = await self._prompt(f"Run {request.tool} {' '.join(request.arguments.split())}? [y/N] ")
        allowed = (answer or "").strip().lower() in ("y", "yes", "是", "好")
        return Approval(allowed, "" if allowed else "the person said no", digest=request.digest)

    async def _prompt(self, text: str) -> str | None:
        if not sys.stdin.isatty():
            return None
        if self._before is not None:
            self._before()
        try:
            # In a thread: the event loop goes on while the person thinks, and Ctrl-C ends it at once.
            answer = (await in_thread(_read_line, printable(text))).strip()
        except EOFError:
            return None
        return answer or None


def _read_line(prompt: str) -> str:
    """``input``, but past Python's own buffer: a thread that waits there cannot be left behind at the end."""
    if os.name == "nt":  # a console's bytes are in a code page of its own
        return input(prompt)
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = os.read(sys.stdin.fileno(), 65536)
    if not line:
        raise EOFError
    return line.decode(sys.stdin.encoding, "surrogateescape")
