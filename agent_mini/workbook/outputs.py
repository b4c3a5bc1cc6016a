"""What a cell's outputs come to when they are compared, by the tests and by ``notebooks refresh``.

Everything counts, in order, with three exceptions. A picture counts by its kind and size, because its bytes
change with the fonts of a machine. A widget counts by its text, because its id is random. And an output whose
metadata says ``{"agent_mini": {"compare": ["text/plain"]}}`` counts by those kinds only.
"""

import base64
import difflib
import json
import re
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nbformat import NotebookNode

Sanitize = Callable[[str], str]
WIDGET = "application/vnd.jupyter.widget-view+json"


def as_it_is(text: str) -> str:
    """The text unchanged, for outputs in which nothing varies."""
    return text


def sanitizer(rules: str) -> Sanitize:
    """A function that replaces what varies from run to run.

    Args:
        rules: Pairs of lines, ``regex: …`` and ``replace: …``, as nbval reads them.
    """
    pairs = re.findall(r"^regex: (.*)$\n^replace: (.*)$", rules, flags=re.MULTILINE)

    def sanitize(text: str) -> str:
        for pattern, replacement in pairs:
            text = re.sub(pattern, replacement, text)
        return text

    return sanitize


def merge_streams(outputs: Iterable[NotebookNode]) -> list[NotebookNode]:
    """The outputs, with neighbours on the same stream made one: where a stream is cut is chance."""
    merged: list[NotebookNode] = []
    for output in outputs:
        last = merged[-1] if merged else None
        if (
            last is not None
            and output.output_type == last.output_type == "stream"
            and output.name == last.name
        ):
            merged[-1] = NotebookNode(last | {"text": last.text + output.text})
        else:
            merged.append(output)
    return merged


def comparable(output: NotebookNode, sanitize: Sanitize = as_it_is, *, whole: bool = False) -> dict[str, str]:
    """One output as a flat mapping from kind to text; two outputs are equal when these are.

    Args:
        output: An output of a cell.
        sanitize: Replaces what varies.
        whole: Compare every kind, also where the output's metadata names those that count.
    """
    match output.output_type:
        case "stream":
            return {output.name: sanitize(output.text)}
        case "error":
            return {"error": sanitize(f"{output.ename}: {output.evalue}")}
    match output.metadata:
        case {"agent_mini": {"compare": list(named)}} if named and not whole:
            counting = named
        case _:
            counting = list(output.data)
    counts = {"output": output.output_type}
    for kind, data in sorted(output.data.items()):
        if kind == WIDGET or kind not in counting:
            continue
        size = picture_size(kind, data)
        counts[kind] = f"picture {size}" if size else sanitize(_as_text(data))
    return counts


def picture_size(kind: str, data: Any) -> str | None:
    """Width and height of a PNG in pixels, or of an SVG in its own units, as ``640x480``; None for other data."""
    if kind == "image/png":
        try:
            header = base64.b64decode(data)[:24]
        except ValueError:
            return None
        if len(header) < 24 or header[12:16] != b"IHDR":
            return None
        width, height = struct.unpack(">II", header[16:24])
        return f"{width}x{height}"
    if kind == "image/svg+xml":
        tag = re.search(r"<svg\b[^>]*>", data)
        sides = dict(re.findall(r"""\s(width|height)=["']([^"']*)["']""", tag.group())) if tag else {}
        return f"{sides['width']}x{sides['height']}" if len(sides) == 2 else None
    return None


def difference(
    committed: Sequence[NotebookNode], fresh: Sequence[NotebookNode], sanitize: Sanitize = as_it_is
) -> list[str]:
    """The lines of a unified diff from the committed outputs of a cell to fresh ones; empty when they are equal."""
    before = [comparable(output, sanitize) for output in merge_streams(committed)]
    after = [comparable(output, sanitize) for output in merge_streams(fresh)]
    if before == after:
        return []
    return list(difflib.unified_diff(_lines(before), _lines(after), "committed", "fresh", lineterm=""))


def _lines(outputs: list[dict[str, str]]) -> list[str]:
    lines: list[str] = []
    for number, output in enumerate(outputs, 1):
        for kind, text in output.items():
            # A missing line break at the end is a difference too.
            lines += [f"[{number}] {kind}", *("  " + line for line in text.split("\n"))]
    return lines


def _as_text(data: Any) -> str:
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True)
