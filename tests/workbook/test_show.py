"""Showing things: the plain form is readable, the rich one is safe, both are the same every time."""

import ast
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient
from rich.cells import cell_len

from agent_mini import human
from agent_mini.tools import calculate
from agent_mini.types import ToolCall, ToolResult, ToolStep, assistant, system, tool_message, user
from agent_mini.workbook import show

CALL = ToolCall("call_1", "days_until", '{"date": "2027-01-01"}')
CONVERSATION = [
    system("Be brief."),
    user("How many days until\n\nNew Year, times 3? 三倍"),
    assistant("Let me look.", [CALL, ToolCall("call_2", "calculate", '{"expression": "3 * 70"}')]),
    tool_message(CALL, "70"),
    assistant("210"),
]


def shown(capsys, function, *args) -> str:
    assert function(*args) is None
    return capsys.readouterr().out


def test_a_conversation_says_who_speaks_to_whom_and_links_answers_by_id(capsys):
    assert shown(capsys, show.show_messages, CONVERSATION) == (
        "from → to           call    content\n"
        "------------------  ------  ------------------------\n"
        "system → model              Be brief.\n"
        "user → model                How many days until\n"
        "\n"
        "                            New Year, times 3? 三倍\n"
        "model → user                Let me look.\n"
        'model → days_until  call_1  {"date": "2027-01-01"}\n'
        'model → calculate   call_2  {"expression": "3 * 70"}\n'
        "days_until → model  call_1  70\n"
        "model → user                210\n"
    )


def test_an_empty_conversation_and_an_empty_reply_are_shown_too(capsys):
    assert "from → to" in shown(capsys, show.show_messages, [])
    assert "model → user" in shown(capsys, show.show_messages, [assistant("")])


def test_a_step_log_is_a_table(capsys):
    steps = [
        ToolStep(1, "days_until", '{"date": "2027-01-01"}', ToolResult(True, "70"), 0.0),
        ToolStep(2, "天气", "{", ToolResult(False, "not JSON"), 12.345),
    ]
    assert shown(capsys, show.show_steps, steps) == (
        "step  tool        arguments               result    ok     ms\n"
        "----  ----------  ----------------------  --------  ---  ----\n"
        '   1  days_until  {"date": "2027-01-01"}  70        yes   0.0\n'
        "   2  天气        {                       not JSON  no   12.3\n"
    )


def test_columns_line_up_under_chinese():
    lines = str(show.table([("中文字", 1), ("ab", 20)], ("词", "n"))).splitlines()
    assert [cell_len(line) for line in lines] == [10, 10, 10, 10]


def test_a_long_text_is_cut_and_counted():
    assert show.cut("x" * 400) == "x" * 400
    assert show.cut("x" * 401) == "x" * 400 + "… (1 more characters)"
    assert "(600 more characters)" in str(show.table([("y" * 1000,)], ("text",)))


@pytest.mark.parametrize("text", ["word " * 70, "字" * 300, "x" * 390, "  indented " * 30, "a\tb " * 80])
def test_long_lines_are_wrapped_and_nothing_is_lost(text):
    lines = str(show.table([("k", text)], ("", ""))).splitlines()
    assert all(cell_len(line) <= show.WIDEST + 3 for line in lines)
    assert "".join("".join(lines).split()) == "k" + "".join(show.cut(text).split())


def test_html_is_escaped():
    view = show.table([("<script>alert(1)</script>", "a\nb")], ("<h>", "x"))
    assert "<script>" not in view.html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in view.html
    assert "a<br>b" in view.html
    assert "&lt;h&gt;" in view.html


def test_dollars_do_not_make_a_formula_of_what_is_between_them():
    view = show.table([["$1.series.date and $2.days"]], ["price in $"])
    assert "<span>$</span>1.series.date and <span>$</span>2.days" in view.html
    assert "price in <span>$</span>" in view.html
    assert "$1.series.date and $2.days" in view.plain


def test_a_table_of_uneven_rows_is_refused():
    with pytest.raises(ValueError, match="needs 2 cells"):
        show.table([(1,)], ("a", "b"))


def test_source_is_shown_under_its_full_name_and_compared_by_it_only(capsys):
    data, metadata = show.source_view(human.Nobody)._repr_mimebundle_()
    assert data["text/plain"] == "agent_mini.human.Nobody"
    assert data["text/markdown"].startswith("`agent_mini.human.Nobody`\n\n```python\nclass Nobody:")
    assert metadata == {"agent_mini": {"compare": ["text/plain"]}}
    printed = shown(capsys, show.show_source, human.Nobody.ask)
    assert printed.startswith("# agent_mini.human.Nobody.ask\n    async def ask(")


def test_modules_tools_and_instances_have_source_too():
    assert str(show.source_view(calculate)).startswith("# agent_mini.tools.calculate.calculate\n@tool(")
    assert str(show.source_view(human)).startswith('# agent_mini.human\n"""Asking a person')
    assert str(show.source_view(human.Nobody())).startswith("# agent_mini.human.Nobody\nclass Nobody")


@pytest.mark.parametrize("thing", [len, 42, ToolCall.__init__])
def test_what_has_no_source_says_so(capsys, thing):
    assert shown(capsys, show.show_source, thing).endswith(": no source to show\n")


def test_backticks_in_source_do_not_end_the_block():
    markdown = show.code_view("name", "x = '````'").markdown
    assert markdown == "`name`\n\n`````python\nx = '````'\n`````"


def test_a_diagram_is_a_mermaid_block():
    data, _ = show.mermaid("\nflowchart LR\n  a --> b\n")._repr_mimebundle_()
    assert data == {
        "text/plain": "flowchart LR\n  a --> b",
        "text/markdown": "```mermaid\nflowchart LR\n  a --> b\n```",
    }


def test_plain_data_is_shown_as_json(capsys):
    assert shown(capsys, show.show_json, {"问": [1]}) == '{\n  "问": [\n    1\n  ]\n}\n'


def test_in_a_notebook_the_rich_form_is_displayed_from_anywhere_in_a_cell():
    cell = nbformat.v4.new_code_cell(
        "from agent_mini.workbook import show_json, show_source, table\nfrom agent_mini import human\n"
        "for n in (1, 2):\n    show_json(n)\nshow_source(human.Nobody)\ntable([(1,)], ('n',))"
    )
    notebook = nbformat.v4.new_notebook(cells=[cell])
    NotebookClient(notebook, timeout=60).execute()
    outputs = notebook.cells[0].outputs
    assert [output.output_type for output in outputs] == ["display_data"] * 3 + ["execute_result"]
    assert outputs[0].data == {"text/plain": "1", "text/markdown": "```json\n1\n```"}
    assert outputs[2].metadata == {"agent_mini": {"compare": ["text/plain"]}}
    assert outputs[3].data["text/html"].startswith("<table>")


def test_the_names_of_the_package_are_light_and_all_there():
    code = (
        "import sys, agent_mini.workbook as workbook\n"
        "print('ipywidgets' in sys.modules, [getattr(workbook, n) and n for n in dir(workbook)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    heavy, names = done.stdout.strip().split(" ", 1)
    assert heavy == "False"
    assert {"check", "hint", "person", "show_source"} <= set(ast.literal_eval(names))
