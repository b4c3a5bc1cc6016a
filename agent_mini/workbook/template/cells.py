"""What a single cell may hold: code that serves every language edition, and outputs that every reader can have."""

import ast
import importlib
import io
import json
import re
import tokenize
from collections import Counter
from collections.abc import Iterator

from nbformat import NotebookNode

from agent_mini.workbook.template.page import CJK, Page, Problem, parse

MOST_OUTPUT = 200_000
"""Bytes of all outputs of a notebook together."""

MOST_COMMENT_LINES = 3

_MACHINE_PATH = re.compile(
    r"(?<![\w./:])/(?:Users|home|root|tmp|private|var|opt|usr|mnt|work|workspaces?)/|\b[A-Z]:\\\w|site-packages"
)


def ids(page: Page) -> Iterator[Problem]:
    """Every cell has an id of its own, so that a diff follows it."""
    counted = Counter(cell.get("id") for cell in page.cells)
    for place, cell in enumerate(page.cells, 1):
        known = cell.get("id")
        if known is None:
            yield place, "no cell id: agent-mini notebooks refresh gives it one"
        elif counted[known] > 1:
            yield place, f"cell id {known} is used twice: agent-mini notebooks refresh gives it another"


def empty(page: Page) -> Iterator[Problem]:
    """No cell is empty."""
    for place, cell in enumerate(page.cells, 1):
        if not cell.source.strip():
            yield place, "an empty cell"


def plain_python(page: Page) -> Iterator[Problem]:
    """Code is Python as it stands: no magics, no shell."""
    for place, cell in page.code:
        if parse(cell.source) is None:
            yield place, "not plain Python: no magics, no shell commands, no unfinished code"


def english_code(page: Page) -> Iterator[Problem]:
    """Code is the same in every language edition: Chinese only in strings, and prose only in Markdown."""
    for place, cell in page.code:
        for token in _tokens(cell.source):
            if token.type in (tokenize.NAME, tokenize.COMMENT, tokenize.OP) and CJK.search(token.string):
                yield place, f"Chinese outside a string, line {token.start[0]}: the code serves every edition"
        if re.search(rf"(^[ \t]*#.*\n?){{{MOST_COMMENT_LINES + 1}}}", cell.source, re.MULTILINE):
            yield (
                place,
                f"more than {MOST_COMMENT_LINES} lines of comment in a row: prose belongs in Markdown",
            )


def no_asyncio_run(page: Page) -> Iterator[Problem]:
    """A notebook has a running loop."""
    for place, tree in page.trees:
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Attribute)
                and node.attr == "run"
                and ast.unparse(node.value) == "asyncio"
            ):
                yield place, "asyncio.run does not work in a notebook: await at the top level"


def public_names(page: Page) -> Iterator[Problem]:
    """Notebooks use what the package promises: names in ``__all__`` of it and of its first level."""
    for place, tree in page.trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                modules = {alias.name: [] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                modules = {node.module or "": [alias.name for alias in node.names]}
            else:
                continue
            for module, names in modules.items():
                if module.split(".")[0] == "agent_mini":
                    yield from ((place, problem) for problem in _not_public(module, names))


def no_nbval_marks(page: Page) -> Iterator[Problem]:
    """Nothing is exempt from the comparison."""
    for place, cell in page.code:
        marks = [
            tag for tag in cell.metadata.get("tags", []) if tag.startswith(("nbval", "raises-exception"))
        ]
        if marks or "NBVAL" in cell.source:
            yield place, "marked for nbval: give what varies from outside, or add a rule to sanitize.cfg"


def executed(page: Page) -> Iterator[Problem]:
    """Every code cell was run, once, from top to bottom."""
    for expected, (place, cell) in enumerate(page.code, 1):
        if cell.get("execution_count") != expected:
            yield place, "not executed in order: run agent-mini notebooks refresh"
            return


def clean_outputs(page: Page) -> Iterator[Problem]:
    """No errors, no stderr, nothing that tells on what machine it ran."""
    for place, cell in page.code:
        for output in cell.outputs:
            if output.output_type == "error":
                yield place, f"an error was committed: {output.ename}"
            if output.get("name") == "stderr":
                yield place, f"output on stderr: {output.text.strip().splitlines()[0][:60]}"
            text = "\n".join(_texts(output))
            if found := _MACHINE_PATH.search(text):
                yield (
                    place,
                    f"the output holds a path of this machine: {text[found.start() :].split()[0][:60]}",
                )
            if re.search(r"[\x1b\r\b]", text):
                yield place, "the output holds control characters for a terminal"


def output_size(page: Page) -> Iterator[Problem]:
    """A notebook stays quick to open and to read in a diff."""
    size = sum(len(json.dumps(cell.outputs, ensure_ascii=False).encode()) for _, cell in page.code)
    if size > MOST_OUTPUT:
        yield 0, f"{size // 1000} KB of outputs; at most {MOST_OUTPUT // 1000} KB"


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(source).readline)
    except (tokenize.TokenError, SyntaxError):
        return  # plain_python reports it


def _not_public(module: str, names: list[str]) -> Iterator[str]:
    if module.count(".") > 1:
        yield f"imports from {module}; notebooks use agent_mini and its first level"
        return
    try:
        public = getattr(importlib.import_module(module), "__all__", None)
    except ImportError as error:
        yield f"cannot import {module}: {error}"
        return
    for name in names:
        if public is not None and name not in public:
            yield f"imports {name} from {module}, whose __all__ does not name it"


def _texts(output: NotebookNode) -> Iterator[str]:
    if "text" in output:
        yield output.text
    for kind, data in output.get("data", {}).items():
        if isinstance(data, str) and kind != "image/png":
            yield data
