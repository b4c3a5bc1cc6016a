"""Where a notebook points: every target exists, for a learner's copy too."""

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from agent_mini.config import CHECKOUT
from agent_mini.workbook.template.page import Page, Problem, without_fences

KNOWN_HOSTS = {
    "arxiv.org",
    "datatracker.ietf.org",
    "developer.mozilla.org",
    "docs.langchain.com",
    "docs.pydantic.dev",
    "docs.python.org",
    "github.com",
    "html.spec.whatwg.org",
    "json-schema.org",
    "jupyter.org",
    "langchain-ai.github.io",
    "modelcontextprotocol.io",
    "opentelemetry.io",
    "platform.openai.com",
    "reference.langchain.com",
    "sqlite.org",
    "www.anthropic.com",
    "www.postgresql.org",
    "www.python-httpx.org",
    "www.sqlite.org",
}
"""Stable sites of documentation that notebooks may link to."""


def links(page: Page) -> Iterator[Problem]:
    """Links lead to known sites, to headings, or to notebooks that exist."""
    for place, text in page.prose:
        for target in _targets(text):
            if problem := _wrong(target, page):
                yield place, f"link to {target}: {problem}"


def meets(page: Page) -> Iterator[Problem]:
    """The package files that the course promises exist."""
    for file in page.entry.meets:
        if not (CHECKOUT / file).is_file():
            yield 0, f"data/course.toml says that it meets {file}, which does not exist"


def _targets(text: str) -> Iterator[str]:
    prose = re.sub(r"`[^`\n]*`", "", without_fences(text))
    yield from re.findall(r"\]\(\s*<?([^)\s>]+)", prose)
    yield from re.findall(r"""(?:href|src)=["']([^"']+)["']""", prose)
    yield from re.findall(r"<(https?://[^>\s]+)>", prose)


def _wrong(target: str, page: Page) -> str | None:
    parts = urlsplit(target)
    if parts.scheme in ("http", "https"):
        return None if parts.hostname in KNOWN_HOSTS else "not one of the known sites of documentation"
    if parts.scheme:
        return f"what is {parts.scheme}:?"
    if not parts.path:
        return None
    path = unquote(parts.path)
    if path.startswith(("/", "..")):
        return "leaves the folder, and a learner's copy stands alone: name the file as code instead"
    return None if (page.folder / path).is_file() else "no such file"
