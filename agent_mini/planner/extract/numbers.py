"""Numbers with their unit, and sums."""

import ast
import re

from agent_mini.planner.extract.found import Found
from agent_mini.planner.intents import Slot
from agent_mini.planner.reading import Reading
from agent_mini.planner.scene import Scene

_DATE = re.compile(r"\d{4}\s*[-/.]\s*\d{1,2}\s*[-/.]\s*\d{1,2}")
_MONEY = re.compile(
    r"[$¥￥€£](?=\d)|(?<=\d)(?:元|块钱|块|美元|欧元)(?=\s*(?:[-+*/)]|$))|(?<=\d),(?=\d{3}(?!\d))"
)
_FUNCTIONS = "sqrt|log|exp|sin|cos|tan|abs|round|floor|ceil|min|max"
_RUN = re.compile(rf"(?:\d+(?:\.\d+)?|\.\d+|[-+*/%()., ]|(?<![a-z])(?:{_FUNCTIONS}|pi|e)(?![a-z]))+")
_OPERATION = re.compile(
    rf"[\d)ei]\s*(?:\*\*|//|[-+*/%])\s*[-(]*\s*(?:[\d(.]|pi|e|{_FUNCTIONS})|(?:{_FUNCTIONS})\s*\("
)
_TIGHT = re.compile(r"\d+[-/]\d+(?:[-/]\d+)?")
_TAIL = re.compile(r"(?:是|等于|得)(?:多少|几).{0,6}$")


def find_number(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """A number by one of the slot's patterns, or by a word that means one."""
    for phrase in slot.patterns:
        if match := phrase.find(piece.text):
            value = float(match[1])
            return Found(int(value) if value.is_integer() else value, match.span())
    for value, phrases in slot.words.items():
        for _, span in phrases.all(piece.text):
            return Found(int(value), span)
    return None


def bare_number(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """The whole number of a bare answer."""
    found = re.findall(r"(?<![\d.])\d{1,9}(?![\d.])", piece.text)
    return Found(int(found[0])) if len(found) == 1 else None


def find_expression(piece: Reading, slot: Slot, scene: Scene) -> Found | None:
    """A sum, in the characters a calculator takes; ``{}`` in it stands for an earlier result."""
    text = _MONEY.sub("", _DATE.sub(lambda match: "_" * len(match[0]), piece.text))
    runs = [run for run in map(_trim, _RUN.findall(text)) if _OPERATION.search(run)]
    for run in sorted(runs, key=len, reverse=True):
        if _parses(run):
            # 24/7 and 7-11 are sums only when nothing else is said.
            rest = scene.intents.language.sum_request.sub("", text.replace(run, " "))
            sure = not _TIGHT.fullmatch(run) or not rest.strip(" =?？，,.。")
            return Found(run, sure=sure)
    bare = _TAIL.sub("", piece.text).strip(" ，。,.!?！？=")
    for rule in scene.intents.language.arithmetic_on:
        if match := rule.pattern.fullmatch(bare):
            return Found(match.expand(rule.mean), earlier=True)
    return None


def _trim(run: str) -> str:
    """A run of sum characters without what cannot begin or end a sum, and with its parentheses in pairs."""
    run = run.strip(" ,.")
    run = re.sub(r"^[*/%)+, ]+|[-+*/%(,. ]+$", "", run)
    while run.count(")") > run.count("(") and run.endswith(")"):
        run = run[:-1].rstrip()
    while run.count("(") > run.count(")") and run.startswith("("):
        run = run[1:].lstrip()
    return " ".join(run.split())


def _parses(run: str) -> bool:
    try:
        return len(run) <= 200 and isinstance(
            ast.parse(run, mode="eval").body, ast.BinOp | ast.Call | ast.UnaryOp
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
