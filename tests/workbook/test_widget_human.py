"""Asking a person in a notebook: a real kernel, and the messages a front end would send."""

import io
from collections.abc import AsyncIterator

import pytest
from front_end import FrontEnd, running_front_end

from agent_mini.errors import InputError
from agent_mini.human import ApprovalRequest, Nobody, ScriptedHuman
from agent_mini.workbook.human import person

SETUP = "from agent_mini.workbook import WidgetHuman, person\nfrom agent_mini.human import *"


@pytest.fixture
async def front_end(tmp_path) -> AsyncIterator[FrontEnd]:
    async with running_front_end(tmp_path, SETUP) as running:
        yield running


ASK = 'print(await WidgetHuman().ask("Which <b>budget</b>?", ["50,000", "不限"]))'


async def test_a_question_is_answered_with_a_click_or_a_text(front_end):
    front_end.run(ASK)
    await front_end.until(lambda: front_end.shown)
    assert front_end.labels() == ["50,000", "不限", "Send", "Skip"]
    assert "Which &lt;b&gt;budget&lt;/b&gt;?" in front_end.html()
    assert front_end.shown[0]["text/plain"] == "Which <b>budget</b>?"
    front_end.click("不限")
    assert await front_end.finish() == "不限\n"
    await front_end.until(front_end.disabled)
    assert "Answered: 不限" in front_end.html()
    front_end.click("Skip")  # too late: nothing happens

    front_end.models.clear()
    front_end.run(ASK)
    await front_end.until(lambda: front_end.shown)
    front_end.click("Send")  # nothing typed yet: goes on waiting
    front_end.type(" 60,000 <i> ")
    front_end.click("Send")
    assert await front_end.finish() == "60,000 <i>\n"
    assert "Answered: 60,000 &lt;i&gt;" in front_end.html()

    front_end.models.clear()
    front_end.run(ASK)
    await front_end.until(lambda: front_end.shown)
    front_end.type("not this")
    front_end.click("Skip")
    assert await front_end.finish() == "None\n"
    assert "Skipped." in front_end.html()


async def test_a_question_nobody_answers_ends(front_end):
    front_end.run('print(await WidgetHuman(seconds=0.2).ask("Anybody?"))')
    assert await front_end.finish() == "None\n"
    assert front_end.disabled()
    assert "No answer in time." in front_end.html()

    front_end.models.clear()
    front_end.run(
        "request = ApprovalRequest('send', 'Send a mail', '{}')\n"
        "approval = await WidgetHuman(seconds=0.2).approve(request)\n"
        "print(approval.allowed, approval.reason, approval.digest == request.digest)"
    )
    assert await front_end.finish() == "False nobody answered in time True\n"


async def test_an_interrupted_question_is_closed(front_end):
    front_end.run(
        "import asyncio\ntask = asyncio.create_task(WidgetHuman().ask('Still there?'))\n"
        "await asyncio.sleep(0)\ntask.cancel()\nprint((await asyncio.wait([task]))[0].pop().cancelled())"
    )
    assert await front_end.finish() == "True\n"
    assert front_end.disabled()
    assert "Stopped." in front_end.html()


APPROVE = """
request = ApprovalRequest("send_mail", "Send a <mail>", '{"to": "<all>"}')
approval = await WidgetHuman().approve(request)
print(approval.allowed, approval.reason, approval.digest == request.digest)
"""


async def test_an_approval_shows_the_arguments_and_takes_a_reason(front_end):
    front_end.run(APPROVE)
    await front_end.until(lambda: front_end.shown)
    assert front_end.labels() == ["Approve", "Reject"]
    assert "Send a &lt;mail&gt;" in front_end.html()
    assert "{&quot;to&quot;: &quot;&lt;all&gt;&quot;}" in front_end.html()
    assert front_end.shown[0]["text/plain"] == 'Run send_mail {"to": "<all>"}?'
    front_end.click("Approve")
    assert await front_end.finish() == "True  True\n"
    assert "Approved." in front_end.html()

    front_end.models.clear()
    front_end.run(APPROVE)
    await front_end.until(lambda: front_end.shown)
    front_end.type("too many people")
    front_end.click("Reject")
    assert await front_end.finish() == "False too many people True\n"
    assert "Rejected." in front_end.html()


async def test_two_questions_wait_side_by_side(front_end):
    front_end.run(
        "import asyncio\nprint(await asyncio.gather(WidgetHuman().ask('A?', ['a']), WidgetHuman().ask('B?', ['b'])))"
    )
    await front_end.until(lambda: len(front_end.shown) == 2)
    front_end.click("b")
    front_end.click("a")
    assert await front_end.finish() == "['a', 'b']\n"


WHO = "print(type(person()).__name__)"


async def test_who_is_asked_in_a_notebook(front_end):
    front_end.run(WHO)
    assert await front_end.finish() == "asking: you, with the buttons below the cell\nWidgetHuman\n"
    front_end.run(WHO, allow_stdin=False)
    assert await front_end.finish() == (
        "asking: nobody, because this notebook runs by itself; person(answers=[...]) prepares answers\nNobody\n"
    )
    front_end.run("import os; os.environ['AGENT_ANSWERS'] = '[\"yes\"]'\n" + WHO)
    assert await front_end.finish() == "asking: prepared answers, from AGENT_ANSWERS\nScriptedHuman\n"


# --- without a notebook -------------------------------------------------------------------------------------


@pytest.fixture
def plain_python(monkeypatch):
    monkeypatch.setenv("AGENT_ENV_FILE", "none")
    monkeypatch.delenv("AGENT_ANSWERS", raising=False)
    return monkeypatch


async def test_prepared_answers_come_first(plain_python, capsys):
    plain_python.setenv("AGENT_ANSWERS", '["from the environment"]')
    human = person(["from the cell"], approvals=[True])
    request = ApprovalRequest("t", "T", "{}")
    assert isinstance(human, ScriptedHuman)
    assert (await human.ask("?"), (await human.approve(request)).allowed) == ("from the cell", True)
    assert await person().ask("?") == "from the environment"
    assert not (await person(approvals=[False]).approve(request)).allowed
    assert capsys.readouterr().out.splitlines() == [
        "asking: prepared answers, from this cell",
        "asking: prepared answers, from AGENT_ANSWERS",
        "asking: prepared answers, from this cell",
    ]


def test_answers_that_are_no_list_are_refused(plain_python):
    plain_python.setenv("AGENT_ANSWERS", "yes")
    with pytest.raises(InputError, match="AGENT_ANSWERS"):
        person()


def test_without_a_terminal_nobody_is_asked(plain_python, capsys):
    plain_python.setattr("sys.stdin", io.StringIO())
    assert isinstance(person(), Nobody)
    assert capsys.readouterr().out == "asking: nobody, because there is no terminal and no notebook\n"
