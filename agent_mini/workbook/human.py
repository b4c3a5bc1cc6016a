"""Asking a person in a notebook, with widgets; and choosing who is asked where.

A click reaches the kernel while a cell awaits, from ipykernel 7.4 on. Nothing here blocks, and every question
has a time limit. A page that is reloaded loses the widget, so what must survive that is asked over a checkpoint
in two cells: one runs to the question, the next goes on with the answer.
"""

import asyncio
import sys
from collections.abc import Callable, Sequence
from html import escape
from importlib.metadata import version
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display
from ipywidgets import HTML, Button, HBox, Layout, Text, VBox, Widget

from agent_mini.config import load_settings
from agent_mini.human import Approval, ApprovalRequest, Human, Nobody, ScriptedHuman, TerminalHuman

NEEDED_IPYKERNEL = (7, 4)


class WidgetHuman:
    """Asks with a text field and buttons below the cell.

    Args:
        seconds: How long to wait; after that a question has no answer, and an approval is refused.
        place: Puts the question somewhere; it is displayed below the cell by default.
    """

    def __init__(self, seconds: float = 600.0, place: Callable[[Widget], object] = display) -> None:
        self.seconds = seconds
        self._place = place

    async def ask(self, question: str, choices: Sequence[str] = ()) -> str | None:
        text = Text(placeholder="your answer")
        panel = _Panel(question, f"<b>{_html(question)}</b>", text)
        for choice in choices:
            panel.add_button(choice, lambda choice=choice: choice)
        panel.add_button("Send", lambda: text.value.strip() or None)
        panel.add_button("Skip", lambda: "")
        answer = await panel.answer(
            self._place, self.seconds, lambda answer: f"Answered: {answer}" if answer else "Skipped."
        )
        return answer or None

    async def approve(self, request: ApprovalRequest) -> Approval:
        reason = Text(placeholder="why not (optional)")
        shown = f"<b>{_html(request.title)}</b>: {_html(request.tool)}<pre>{escape(request.arguments)}</pre>"
        panel = _Panel(f"Run {request.tool} {request.arguments}?", shown, reason)
        panel.add_button("Approve", lambda: Approval(True, digest=request.digest))
        panel.add_button(
            "Reject",
            lambda: Approval(False, reason.value.strip() or "the person said no", digest=request.digest),
        )
        answer = await panel.answer(
            self._place, self.seconds, lambda answer: "Approved." if answer.allowed else "Rejected."
        )
        return answer or Approval(False, "nobody answered in time", digest=request.digest)


def person(answers: Sequence[str] | None = None, approvals: Sequence[bool | str] = ()) -> Human:
    """The person to ask, and a printed line that says who it is and why.

    Args:
        answers: Prepared answers, instead of a person; otherwise those of ``AGENT_ANSWERS``, if it is set.
        approvals: Prepared approvals, as for ``ScriptedHuman``.
    """
    human, why = _choose(answers, approvals)
    print(f"asking: {why}")
    return human


def someone_clicks() -> bool:
    """Whether a person is there who can click, and nothing is prepared in their place."""
    return isinstance(_choose(None, ())[0], WidgetHuman)


def _choose(answers: Sequence[str] | None, approvals: Sequence[bool | str]) -> tuple[Human, str]:
    if answers is not None or approvals:
        return ScriptedHuman(answers or (), approvals), "prepared answers, from this cell"
    prepared = load_settings().agent_answers
    if prepared:
        return ScriptedHuman.from_json(prepared), "prepared answers, from AGENT_ANSWERS"
    kernel: Any = getattr(get_ipython(), "kernel", None)
    if kernel is None:
        if sys.stdin is not None and sys.stdin.isatty():
            return TerminalHuman(), "you, on the terminal"
        return Nobody(), "nobody, because there is no terminal and no notebook"
    if not kernel.get_parent("shell").get("content", {}).get("allow_stdin"):
        return (
            Nobody(),
            "nobody, because this notebook runs by itself; person(answers=[...]) prepares answers",
        )
    installed = version("ipykernel")
    if tuple(map(int, installed.split(".")[:2])) < NEEDED_IPYKERNEL:
        return Nobody(), f"nobody, because buttons need ipykernel 7.4 and this is {installed}"
    return WidgetHuman(), "you, with the buttons below the cell"


class _Panel(VBox):
    """A question with its controls, waiting for one click.

    Args:
        plain: The question as a front end without widgets shows it.
        html: The question as it stands above the controls.
        field: The text field.
    """

    def __init__(self, plain: str, html: str, field: Text) -> None:
        self._plain = plain
        self._head = HTML(html)
        self._field = field
        self._buttons = HBox()
        super().__init__([self._head, HBox([field, self._buttons])])
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[Any] = self._loop.create_future()

    def __repr__(self) -> str:
        return self._plain

    def add_button(self, label: str, value: Callable[[], Any]) -> None:
        """Add a button that answers with what ``value`` returns; None means: not yet."""
        button = Button(description=label, layout=Layout(width="auto"))
        button.on_click(lambda _: self._resolve(value()))
        self._buttons.children = (*self._buttons.children, button)

    def _resolve(self, value: Any) -> None:
        # Clicks may come in on another thread than the loop's.
        if value is not None:
            self._loop.call_soon_threadsafe(lambda: self._future.done() or self._future.set_result(value))

    async def answer(
        self, place: Callable[[Widget], object], seconds: float, words: Callable[[Any], str]
    ) -> Any:
        """Show the question and return the answer, or None after ``seconds``."""
        place(self)
        end = "Stopped."
        try:
            answer = await asyncio.wait_for(self._future, seconds)
            end = words(answer)
            return answer
        except TimeoutError:
            end = f"No answer within {seconds / 60:.0f} minutes." if seconds >= 60 else "No answer in time."
            return None
        finally:
            self._head.value += f"<div>{_html(end)}</div>"
            for control in (self._field, *self._buttons.children):
                control.disabled = True


def _html(text: str) -> str:
    return escape(text).replace("\n", "<br>")
