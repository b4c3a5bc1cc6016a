"""``agent-mini doctor``: whether this machine has what the workbook needs, and what to do where it has not."""

import http.client
import importlib.metadata
import os
import platform
import shutil
import sys
import tempfile
import threading
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import typer
from packaging.requirements import Requirement
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from agent_mini.cli.app import app
from agent_mini.config import CHECKOUT, Settings, load_settings
from agent_mini.errors import InputError

INSTALL = 'run "uv sync", or "pip install -e ." in this environment'
NEEDED_PYTHON = (3, 11)
KERNEL_TIMEOUT = 30.0
NETWORK_TIMEOUT = 5.0

_STYLES = {"ok": "green", "missing": "bold red", "optional": "yellow"}


@dataclass(frozen=True, slots=True)
class Check:
    """What was found out about one part.

    Args:
        part: What was looked at.
        state: ``missing`` is something required that is absent or wrong; ``optional`` can stay as it is.
        found: What there is.
        remedy: What to do about it.
    """

    part: str
    state: Literal["ok", "missing", "optional"]
    found: str
    remedy: str = ""


@app.command()
def doctor() -> None:
    """Check this machine: Python, packages, kernel, fonts, and what is optional."""
    checks = quick_checks()
    if not _missing(checks):  # the rest needs the packages and the settings
        checks += [kernel_starts(), chinese_font(), *optional_checks(load_settings())]
    print_checks(checks)
    if _missing(checks):
        raise typer.Exit(1)


def quick_checks() -> list[Check]:
    """What must be right before a notebook is opened; takes no second."""
    return [python_version(), packages(), ipykernel_version(), settings_readable(), workspace_writable()]


def optional_checks(settings: Settings) -> list[Check]:
    """What only some notebooks use, and only if it is there."""
    return [key(settings), network(settings), postgresql(), chromium()]


def print_checks(checks: Iterable[Check]) -> None:
    """Print checks as a table."""
    table = Table("part", "state", Column("found", overflow="fold"), "what to do")
    for check in checks:
        state = Text(check.state, _STYLES[check.state])
        table.add_row(check.part, state, Text(check.found), Text(check.remedy))
    Console().print(table)


# --- required -----------------------------------------------------------------------------------------------


def python_version() -> Check:
    """The interpreter's version."""
    found = f"{platform.python_version()} on {platform.system()}"
    if sys.version_info < NEEDED_PYTHON:
        return Check("Python", "missing", found, "install Python 3.11 or newer")
    return Check("Python", "ok", found)


def packages(pyproject: Path = CHECKOUT / "pyproject.toml") -> Check:
    """The installed packages, against the versions the project is pinned to."""
    pins = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]["dependencies"]
    needed = [requirement for requirement in map(Requirement, pins) if _applies(requirement)]
    wrong = [problem for requirement in needed if (problem := _version_problem(requirement))]
    if wrong:
        return Check("packages", "missing", "; ".join(wrong), INSTALL)
    return Check("packages", "ok", f"{len(needed)} as pinned")


def ipykernel_version() -> Check:
    """ipykernel: before 7.4 a click does not reach a cell that waits for it."""
    if problem := _version_problem(Requirement("ipykernel>=7.4")):
        return Check("ipykernel", "missing", problem, INSTALL)
    return Check("ipykernel", "ok", importlib.metadata.version("ipykernel"))


def settings_readable() -> Check:
    """The environment and ``.env``."""
    try:
        settings = load_settings()
    except InputError as error:
        return Check("settings", "missing", error.message, error.hint)
    return Check("settings", "ok", f"model {settings.model_spec}")


def workspace_writable() -> Check:
    """The folder for what a learner makes."""
    try:
        folder = load_settings().agent_workspace
    except InputError:
        return Check(
            "workspace", "missing", "unknown, as the settings cannot be read", "mend the settings first"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
    except OSError as error:
        remedy = "make it a folder you can write to, or set AGENT_WORKSPACE to one"
        return Check("workspace", "missing", f"{folder}: {error.strerror}", remedy)
    return Check("workspace", "ok", str(folder))


def kernel_starts() -> Check:
    """A real kernel, asked to compute 1 + 1."""
    import nbformat

    from agent_mini.workbook.kernel import IsolatedKernel

    cell = nbformat.v4.new_code_cell("1 + 1")  # pyright: ignore[reportUnknownMemberType]
    notebook = nbformat.v4.new_notebook(cells=[cell])  # pyright: ignore[reportUnknownMemberType]
    try:
        with IsolatedKernel(notebook, timeout=KERNEL_TIMEOUT, start_timeout=KERNEL_TIMEOUT) as kernel:
            kernel.run(0)
        answer = notebook.cells[0].outputs[0]["data"]["text/plain"]
    except Exception as error:  # whatever it is, the kernel does not work
        return Check("kernel", "missing", f"{type(error).__name__}: {error}", INSTALL)
    if answer != "2":
        return Check("kernel", "missing", f"1 + 1 gave {answer}", INSTALL)
    return Check("kernel", "ok", "started, 1 + 1 is 2")


# --- optional -----------------------------------------------------------------------------------------------


def chinese_font() -> Check:
    """A font that draws Chinese; without one, charts and memes show ? for it."""
    from agent_mini.fonts import find_cjk_font

    try:
        font = find_cjk_font()
    except ImportError as error:  # it is installed, that was checked before
        return Check(
            "Chinese font", "optional", "none", f"matplotlib, which finds fonts, does not start: {error}"
        )
    if font is None:
        remedy = (
            "for Chinese in charts and memes, install one, such as Noto Sans CJK (Debian: fonts-noto-cjk)"
        )
        return Check("Chinese font", "optional", "none", remedy)
    return Check("Chinese font", "ok", font.family)


def key(settings: Settings) -> Check:
    """A key for a real model; it is never shown."""
    if settings.llm_api_key.get_secret_value():
        return Check("key", "ok", "LLM_API_KEY is set")
    return Check(
        "key", "optional", "not set", "nothing: all notebooks run without; .env.example has the settings"
    )


def network(settings: Settings) -> Check:
    """Whether the real model's server can be reached; one attempt, and only if there is a use for it."""
    if settings.agent_offline or not settings.llm_api_key.get_secret_value():
        return Check("network", "ok", "not needed")
    host = urlsplit(settings.llm_base_url).hostname or ""
    answers: list[str] = []
    # In a thread, because looking a name up knows no time limit.
    attempt = threading.Thread(target=lambda: answers.append(_reach(settings.llm_base_url)), daemon=True)
    attempt.start()
    attempt.join(NETWORK_TIMEOUT)
    problem = answers[0] if answers else f"no answer in {NETWORK_TIMEOUT:g} seconds"
    if problem:
        return Check(
            "network", "optional", f"{host}: {problem}", "check LLM_BASE_URL, the network and any proxy"
        )
    return Check("network", "ok", f"{host} answers")


def postgresql() -> Check:
    """A PostgreSQL server to use, or to start."""
    if os.environ.get("DATABASE_URL"):
        return Check("PostgreSQL", "ok", "DATABASE_URL is set")
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))  # Debian's are not on the path
    if program := shutil.which("postgres") or (installed[-1] if installed else None):
        return Check("PostgreSQL", "ok", str(program))
    return Check(
        "PostgreSQL", "optional", "none", "nothing: SQLite is used; set DATABASE_URL to use a server"
    )


def chromium() -> Check:
    """A browser for the maintainers' browser tests."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
    if program := next(filter(None, map(shutil.which, names)), None):
        return Check("Chromium", "ok", program)
    return Check("Chromium", "optional", "none", "nothing: only the browser tests use it")


def _missing(checks: Iterable[Check]) -> bool:
    return any(check.state == "missing" for check in checks)


def _applies(requirement: Requirement) -> bool:
    return requirement.marker is None or requirement.marker.evaluate()


def _version_problem(requirement: Requirement) -> str:
    try:
        version = importlib.metadata.version(requirement.name)
    except importlib.metadata.PackageNotFoundError:
        return f"{requirement.name} is not installed"
    if requirement.specifier.contains(version, prereleases=True):
        return ""
    return f"{requirement.name} is {version}, needed is {requirement.specifier}"


def _reach(address: str) -> str:
    """Why ``address`` cannot be reached, or nothing; any answer counts, a refusal too."""
    try:
        urllib.request.urlopen(address, timeout=NETWORK_TIMEOUT).close()  # noqa: S310
    except urllib.error.HTTPError as error:
        error.close()
    except (OSError, ValueError, http.client.HTTPException) as error:
        return str(getattr(error, "reason", error)) or type(error).__name__
    return ""
