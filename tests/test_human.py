"""agent_mini.human: scripted, absent, and at a real terminal."""

import os
import signal
import subprocess
import sys

import pytest

from agent_mini.errors import InputError, ScriptExhausted
from agent_mini.human import ApprovalRequest, Nobody, ScriptedHuman, TerminalHuman

REQUEST = ApprovalRequest("pay", "Pay", '{"amount": 5}')


async def test_scripted_answers_in_order_and_then_says_so() -> None:
    human = ScriptedHuman(["a", "b"])
    assert [await human.ask("1?"), await human.ask("2?")] == ["a", "b"]
    with pytest.raises(ScriptExhausted, match="no scripted answer left for: 3\\?"):
        await human.ask("3?")
    assert human.asked == ["1?", "2?", "3?"]


async def test_scripted_approvals() -> None:
    human = ScriptedHuman(approvals=[True, False, '{"amount": 1}'])
    yes, no, edited = [await human.approve(REQUEST) for _ in range(3)]
    assert (yes.allowed, yes.digest) == (True, REQUEST.digest)
    assert (no.allowed, no.reason) == (False, "the person said no")
    assert (edited.allowed, edited.arguments) == (True, '{"amount": 1}')
    with pytest.raises(ScriptExhausted, match="no scripted approval left for: pay"):
        await human.approve(REQUEST)


async def test_answers_from_the_environment() -> None:
    assert await ScriptedHuman.from_json('["五万", "no"]').ask("?") == "五万"


@pytest.mark.parametrize("text", ["", "yes", "{}", "[1]", '"a"', "[null]"])
def test_bad_answers_are_one_clear_error(text: str) -> None:
    with pytest.raises(InputError, match="AGENT_ANSWERS: must be a JSON list of texts"):
        ScriptedHuman.from_json(text)


async def test_nobody() -> None:
    assert await Nobody().ask("?") is None
    assert not (await Nobody().approve(REQUEST)).allowed


async def test_no_terminal_is_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull, encoding="utf-8") as nothing:  # noqa: ASYNC230, PTH123
        monkeypatch.setattr(sys, "stdin", nothing)
        assert await TerminalHuman().ask("?") is None
        assert not (await TerminalHuman().approve(REQUEST)).allowed


def test_an_approval_holds_for_exactly_what_was_shown() -> None:
    other = ApprovalRequest("pay", "Pay", '{"amount": 50}')
    assert REQUEST.digest == ApprovalRequest("pay", "Another title", '{"amount": 5}').digest
    assert len({REQUEST.digest, other.digest, ApprovalRequest("pay2", "Pay", '{"amount": 5}').digest}) == 3


TERMINAL = """
import asyncio
from agent_mini.human import ApprovalRequest, TerminalHuman

async def main():
    human = TerminalHuman(before=lambda: print("CLEARED"))
    print("ANSWER", await human.ask("How much?", ["a", "b"]))
    print("YES", (await human.approve(ApprovalRequest("pay", "Pay", "{}"))).allowed)
    print("NO", (await human.approve(ApprovalRequest("pay", "Pay", "{}"))).allowed)
    print("END", await human.ask("More?"))

asyncio.run(main())
"""


INTERRUPTED = """
import asyncio
from agent_mini.human import TerminalHuman

asyncio.run(TerminalHuman().ask("How\\x1b[2J much?"))
"""


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_ctrl_c_at_the_question_ends_it_at_once() -> None:
    import pty

    controller, terminal = pty.openpty()
    with os.fdopen(controller, "r+b", buffering=0) as _keyboard, os.fdopen(terminal, "rb") as stdin:
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", INTERRUPTED],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        shown = process.stdout.read(len("How[2J much?\n> "))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert shown == b"How[2J much?\n> "
    assert b"KeyboardInterrupt" in errors
    assert b"Fatal" not in errors


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_at_a_real_terminal() -> None:
    import pty

    controller, terminal = pty.openpty()
    with os.fdopen(controller, "r+b", buffering=0) as keyboard, os.fdopen(terminal, "rb") as stdin:
        process = subprocess.Popen([sys.executable, "-c", TERMINAL], stdin=stdin, stdout=subprocess.PIPE)
        keyboard.write("五万\ny\n\n\x04".encode())
        output = process.communicate(timeout=30)[0].decode()
    assert "CLEARED\nHow much? [a / b]\n> ANSWER 五万" in output
    assert "Run pay {}? [y/N] YES True" in output
    assert "NO False" in output
    assert "END None" in output
