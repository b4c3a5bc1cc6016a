"""The chat panel as a reader sees it: in the real JupyterLab, with a real click."""

import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from agent_mini.workbook.lab_process import running_lab
from agent_mini.workbook.screenshot import NotebookPage, missing_part, running_browser

PANEL = """
from agent_mini import Conversation, FixedClock, load_settings
from agent_mini.models import ScriptedModel
from agent_mini.tools import ToolContext, standard_tools
from agent_mini.types import ToolCall
from agent_mini.workbook import ChatPanel

weather = ToolCall("a", "get_weather", '{"city": "上海", "days": 3}')
columns = '"labels": "$1.series.date", "values": "$1.series.temp_max"'
chart = ToolCall("b", "make_chart", '{"kind": "bar", "title": "上海未来三天", ' + columns + "}")
context = ToolContext.from_settings(load_settings(), clock=FixedClock("2026-10-23"))
model = ScriptedModel([weather, chart, "It is " + "drawn <i>.", "Good" + "bye."])
ChatPanel(Conversation(model, standard_tools(), context=context))
"""


@pytest.mark.slow
def test_a_click_sends_and_all_of_it_is_seen(
    require: Callable[[str, str | None], None], tmp_path: Path
) -> None:
    require("chromium", missing_part())
    with running_browser() as browser, running_lab(tmp_path) as address:
        file = tmp_path / "workspace" / "notebooks" / "chat.ipynb"
        python = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = new_notebook(cells=[new_code_cell(PANEL)], metadata={"kernelspec": python})
        nbformat.write(notebook, file)
        page = NotebookPage(browser, address, file)
        page.run_all()
        panel = page.page.locator(".jp-OutputArea")
        field = panel.get_by_placeholder("Ask for something")

        field.fill("上海未来三天的天气，画成柱状图")
        panel.get_by_role("button", name=re.compile("Send")).click()
        panel.get_by_text("It is drawn <i>.").wait_for()
        assert field.input_value() == ""
        assert panel.locator("details").count() == 2
        result = panel.get_by_text("an offline example, not live weather")
        assert not result.is_visible()
        panel.locator("summary", has_text="get_weather").click()
        assert result.is_visible()
        width = panel.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)")
        assert width == 800
        page.picture(tmp_path / "chat.png")

        field.fill("thank you")
        field.press("Enter")
        panel.get_by_text("Goodbye.").wait_for()
        panel.get_by_role("button", name=re.compile("Reset")).click()
        panel.get_by_text("Goodbye.").wait_for(state="detached")
        assert panel.locator("details").count() == 0
        assert (page.complaints, page.errors()) == ([], [])
        page.close()
