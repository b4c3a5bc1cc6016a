"""Every notebook as a reader sees it: opened and run in the real JupyterLab, in a real browser."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from agent_mini.workbook.course import Notebook, load_course
from agent_mini.workbook.lab_process import running_lab
from agent_mini.workbook.outputs import WIDGET
from agent_mini.workbook.screenshot import NotebookPage, PageFailed, missing_part, running_browser

pytestmark = pytest.mark.slow

BUILT = load_course().built


@dataclass(frozen=True)
class Desk:
    """A running JupyterLab, the folder it shows, and a way to open a notebook that lies there."""

    folder: Path
    open: Callable[[str], NotebookPage]

    def write(self, name: str, *cells: nbformat.NotebookNode) -> None:
        python = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook = new_notebook(cells=list(cells), metadata={"kernelspec": python})
        nbformat.write(notebook, self.folder / name)


@pytest.fixture(scope="module")
def desk(
    require: Callable[[str, str | None], None], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    require("chromium", missing_part())
    folder = tmp_path_factory.mktemp("lab")
    notebooks = folder / "workspace" / "notebooks"
    with running_browser() as browser, running_lab(folder) as address:
        yield Desk(notebooks, lambda name: NotebookPage(browser, address, notebooks / name))


def undrawn_diagrams(page: NotebookPage) -> list[str]:
    """The text of every diagram that mermaid could not draw."""
    return page.page.evaluate(
        """async () => {
            const undrawn = [];
            for (const diagram of document.querySelectorAll('.jp-RenderedMermaid')) {
                const image = diagram.querySelector('img');
                await image?.decode().catch(() => {});
                if (!image?.src.startsWith('data:image/svg+xml') || !image.naturalWidth)
                    undrawn.push(diagram.textContent);
            }
            return undrawn;
        }"""
    )


def expected_diagrams(notebook: nbformat.NotebookNode) -> int:
    return sum(cell.source.count("```mermaid") for cell in notebook.cells if cell.cell_type == "markdown")


def await_diagrams(page: NotebookPage, count: int) -> None:
    """Wait, within the page's time limit, until exactly ``count`` diagrams are drawn: they come after the text."""
    page.page.wait_for_function(
        "count => document.querySelectorAll('.jp-RenderedMermaid').length === count", arg=count
    )


def undrawn_widgets(page: NotebookPage, ran: nbformat.NotebookNode) -> list[int]:
    """The cells, counted from 1, that show fewer widgets than they printed."""
    shown = page.page.locator(".jp-Notebook .jp-Cell").evaluate_all(
        "cells => cells.map(cell => cell.querySelectorAll('.jp-OutputArea-output > .jupyter-widgets').length)"
    )
    return [
        place
        for place, (cell, count) in enumerate(zip(ran.cells, shown, strict=True), 1)
        if count < sum(WIDGET in output.get("data", {}) for output in cell.get("outputs", []))
    ]


@pytest.mark.parametrize("notebook", BUILT, ids=[notebook.file for notebook in BUILT])
def test_a_notebook_is_drawn_and_runs(desk: Desk, notebook: Notebook, tmp_path: Path) -> None:
    page = desk.open(notebook.file)
    await_diagrams(page, expected_diagrams(nbformat.read(notebook.path, nbformat.NO_CONVERT)))
    ran = page.run_all()
    page.picture(tmp_path / f"{notebook.path.stem}.png")
    assert undrawn_diagrams(page) == []
    assert undrawn_widgets(page, ran) == []
    assert page.complaints == []
    page.close()


def test_what_a_notebook_may_show_is_drawn(desk: Desk, tmp_path: Path) -> None:
    desk.write(
        "shows.ipynb",
        new_markdown_cell("```mermaid\nflowchart LR\n  问题 --> 模型\n```"),
        new_code_cell("import ipywidgets\n\nipywidgets.VBox([ipywidgets.IntSlider(), ipywidgets.Output()])"),
        *[new_markdown_cell("A long text.\n\n" * 30) for _ in range(20)],
        new_code_cell(
            "from IPython.display import Markdown\n\nMarkdown('```mermaid\\nflowchart LR\\n  a --> b\\n```')"
        ),
    )
    page = desk.open("shows.ipynb")
    ran = page.run_all()
    page.picture(tmp_path / "shows.png", cell=len(ran.cells))
    await_diagrams(page, 2)
    assert undrawn_diagrams(page) == []
    assert undrawn_widgets(page, ran) == []
    assert page.complaints == []
    assert (tmp_path / "shows.png").read_bytes().startswith(b"\x89PNG")
    page.close()


def test_what_goes_wrong_is_seen(desk: Desk) -> None:
    desk.write(
        "wrong.ipynb",
        new_markdown_cell("```mermaid\nflowchrt LR\n  a --> b\n```"),
        new_code_cell(f"display({{'{WIDGET}': {{'model_id': 'gone'}}, 'text/plain': 'a widget'}}, raw=True)"),
        new_code_cell(
            "from IPython.display import HTML\n\nHTML('<img src=\"http://192.0.2.1/picture.png\">')"
        ),
    )
    page = desk.open("wrong.ipynb")
    ran = page.run_all()
    assert [text.split()[0] for text in undrawn_diagrams(page)] == ["flowchrt"]
    assert undrawn_widgets(page, ran) == [2]
    assert "asked for http://192.0.2.1/picture.png" in page.complaints
    page.close()


@pytest.mark.parametrize(
    "source",
    [
        "1 / 0",
        "import asyncio\n\nasync with asyncio.TaskGroup() as group:\n    group.create_task(asyncio.wait_for(None, 1))",
    ],
    ids=["error", "group of errors"],
)
def test_a_cell_that_raises_stops_the_run(desk: Desk, source: str) -> None:
    desk.write("raises.ipynb", new_code_cell("1"), new_code_cell(source), new_code_cell("2"))
    page = desk.open("raises.ipynb")
    with pytest.raises(PageFailed, match=r"raises\.ipynb did not run to its end: .*Error"):
        page.run_all()
    page.close()
