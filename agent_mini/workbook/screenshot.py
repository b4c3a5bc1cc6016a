"""Notebooks as a reader sees them: JupyterLab in a headless Chromium, driven through Playwright.

The browser tests use the parts; ``agent-mini notebooks screenshot`` uses ``take_screenshot``.
"""

import importlib.util
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import nbformat

from agent_mini.errors import InputError
from agent_mini.workbook.lab_process import running_lab

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RUN_TIMEOUT = 120.0
"""Seconds that all cells of a notebook together may take."""

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
# A browser of its own looks up nothing and asks for nothing on the network.
_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class PageFailed(Exception):
    """A notebook did not run to its end in JupyterLab; the message says what it showed."""


def missing_part() -> str | None:
    """What stands in the way of driving a browser, in one line; None when nothing does."""
    if importlib.util.find_spec("playwright") is None:
        return "Playwright is not installed: `uv sync --group dev` brings it"
    if _chromium() is None:
        return "there is no Chromium on the PATH: install it, for example Debian's package chromium"
    return None


@contextmanager
def running_browser() -> Iterator["Browser"]:
    """Start a headless Chromium, and end it.

    Raises:
        InputError: Playwright or Chromium is not installed.
    """
    problem = missing_part()
    if problem:
        raise InputError(problem)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class NotebookPage:
    """One notebook, open in JupyterLab.

    Args:
        browser: Where to open it.
        address: JupyterLab's address with its token.
        notebook: The learner's copy of it.
    """

    def __init__(self, browser: "Browser", address: str, notebook: Path) -> None:
        self.complaints: list[str] = []
        """What the page wrote to the console as errors, and every request that was not for JupyterLab."""
        lab = urlsplit(address)
        self.page = browser.new_page(viewport={"width": 1440, "height": 900}, device_scale_factor=1)
        self.page.set_default_timeout(60_000)  # milliseconds
        self.page.on("console", lambda line: self._complain(line.text) if line.type == "error" else None)
        self.page.on("pageerror", lambda error: self._complain(str(error)))
        self.page.on("request", lambda request: self._check_host(request.url, lab.netloc))
        self._notebook = notebook
        self.page.goto(f"{lab.scheme}://{lab.netloc}/lab/tree/{notebook.name}?{lab.query}&reset")
        # JupyterLab draws the cells below the first screen when it has time; all are there when none is awaited.
        self.page.wait_for_function(
            "cells => document.querySelectorAll('.jp-Notebook .jp-Cell').length === cells"
            " && !document.querySelector('.jp-Notebook .jp-Placeholder')",
            arg=len(nbformat.read(notebook, nbformat.NO_CONVERT).cells),
        )

    def run_all(self) -> nbformat.NotebookNode:
        """Run all cells, save, and return the notebook as it was saved.

        Raises:
            PageFailed: A cell raised, or they took too long.
        """
        # Cells that are run before the kernel answers are dropped without a word.
        self.page.locator("#jp-main-statusbar", has_text=re.compile(r"Python 3.* \| Idle")).wait_for()
        self._choose("Edit", "Clear Outputs of All Cells")
        self._choose("Run", "Run All Cells")
        deadline = time.monotonic() + RUN_TIMEOUT
        # textContent, because innerText is empty for a cell outside the screen.
        prompts = (
            "() => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].map(p => p.textContent)"
        )
        while not all(re.search(r"\[\d+\]", prompt) for prompt in self.page.evaluate(prompts)):
            if time.monotonic() > deadline or self.errors():
                raise PageFailed(
                    f"{self._notebook.name} did not run to its end: {self.errors() or 'too slow'}"
                )
            self.page.wait_for_timeout(100)
        with self.page.expect_response(
            lambda answer: answer.request.method == "PUT" and "/api/contents/" in answer.url
        ):
            self.page.locator(".jp-NotebookPanel-toolbar [data-command='docmanager:save']").click()
        return nbformat.read(self._notebook, nbformat.NO_CONVERT)

    def errors(self) -> list[str]:
        """The text of every output that shows an error, or anything else a cell wrote to stderr."""
        # JupyterLab draws an exception and stderr alike; of a group of exceptions IPython sends only the latter.
        shown = self.page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']")
        return [text or "" for text in shown.all_text_contents()]

    def picture(self, path: Path, cell: int = 1) -> None:
        """Save what the screen shows with this cell, counted from 1, at its top."""
        self.page.locator(".jp-Notebook .jp-Cell").nth(cell - 1).evaluate("cell => cell.scrollIntoView()")
        self.page.screenshot(path=path)

    def close(self) -> None:
        """Close the page; the kernel goes on until JupyterLab ends."""
        self.page.close()

    def _choose(self, menu: str, item: str) -> None:
        for name in (menu, item):
            self.page.get_by_role("menuitem", name=name, exact=True).click()

    def _check_host(self, url: str, host: str) -> None:
        if not url.startswith(("blob:", "data:")) and urlsplit(url).netloc != host:
            self._complain(f"asked for {url}")

    def _complain(self, text: str) -> None:
        self.complaints.append(text)


def take_screenshot(notebook: Path, picture: Path, cell: int = 1) -> None:
    """Run a notebook of the course in JupyterLab and save a picture of it.

    Args:
        notebook: The committed notebook; a learner's copy of it is run.
        picture: Where to save the PNG.
        cell: Which cell to show at the top, counted from 1.

    Raises:
        InputError: Playwright or Chromium is not installed, or there is no such cell.
        LabFailed: JupyterLab did not start or did not end.
        PageFailed: The notebook did not run to its end.
    """
    cells = len(nbformat.read(notebook, nbformat.NO_CONVERT).cells)
    if cell > cells:
        raise InputError(f"{notebook.name} has {cells} cells, not {cell}")
    with (
        running_browser() as browser,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        running_lab(Path(folder)) as address,
    ):
        page = NotebookPage(browser, address, Path(folder) / "workspace" / "notebooks" / notebook.name)
        page.run_all()
        page.picture(picture, cell)
        page.close()


def _chromium() -> str | None:
    return next((path for path in map(shutil.which, _BROWSERS) if path), None)
