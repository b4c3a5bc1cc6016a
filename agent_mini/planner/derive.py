"""Which intent goes with which offered tool, and intents for tools that nobody wrote phrases for.

A tool is known by its name, also with a server's prefix: ``weather__get_weather``, ``home.todo``. Any other tool, a
learner's own or one found on a server at run time, says enough itself: its name and title become triggers, its JSON
Schema the slots.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent_mini.planner.intents import Intent, Intents, Kind, Said, Slot
from agent_mini.planner.phrases import Phrases
from agent_mini.tools import Tool

MAX_TOOLS = 64
"""How many offered tools are looked at."""

MAX_ARGUMENTS = 64
"""How many arguments of a tool, and values of a choice: a server may send a schema of any size."""

_SEPARATOR = re.compile(r"[_.\-/:]+$")
_HAN = re.compile(r"[\u4e00-\u9fff]{2,12}")
_LATIN = re.compile(r"[A-Za-z][A-Za-z'-]*(?: [A-Za-z'-]+)*")
_DULL = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "for",
        "in",
        "on",
        "by",
        "with",
        "and",
        "or",
        "get",
        "set",
        "do",
        "run",
        "my",
        "your",
        "from",
        "use",
        "it",
        "is",
        "are",
        "when",
        "this",
        "that",
    ]
)
_KINDS: dict[str, Kind] = {
    "city": "city",
    "location": "city",
    "path": "path",
    "file": "path",
    "filename": "path",
    "expression": "expression",
    "due": "when",
    "date": "date",
}


@dataclass(frozen=True, slots=True)
class Offer:
    """An offered tool, and what people say when they want it."""

    tool: Tool
    intent: Intent

    @property
    def name(self) -> str:
        """The name the tool is offered under."""
        return self.tool.name


def match_tools(tools: Iterable[Tool], intents: Intents) -> tuple[Offer, ...]:
    """Each offered tool with its intent, which takes only arguments that this very tool has."""
    return tuple(
        Offer(tool, fit(find_intent(tool.name, intents) or derive(tool), tool))
        for tool, _ in zip(tools, range(MAX_TOOLS), strict=False)
        if tool.name  # nobody could call it otherwise
    )


def find_intent(name: str, intents: Intents) -> Intent | None:
    """The intent of a tool, whatever its server has put before its name."""
    known = [
        intent
        for intent in intents
        if name == intent.tool or _is_prefix(name.removesuffix(intent.tool), name)
    ]
    return max(known, key=lambda intent: len(intent.tool), default=None)


def _is_prefix(prefix: str, name: str) -> bool:
    return prefix != name and bool(_SEPARATOR.search(prefix))


def fit(intent: Intent, tool: Tool) -> Intent:
    """``intent`` with the slots that ``tool`` has: others left out, required ones it does not know derived."""
    properties, required = _arguments(tool)
    slots = {name: slot for name, slot in intent.slots.items() if name in properties}
    unknown = {
        name: _slot(name, properties[name], required=True)
        for name in required
        if name not in slots and name in properties
    }
    if len(slots) == len(intent.slots) and not unknown:
        return intent
    return intent.model_copy(update={"slots": slots | unknown})


def derive(tool: Tool) -> Intent:
    """An intent from what a tool says of itself."""
    properties, required = _arguments(tool)
    name = tool.name.replace("_", " ").replace("-", " ").strip().lower()
    titles = [*_HAN.findall(tool.title), *(text.lower() for text in _LATIN.findall(tool.title))]
    spoken = [name, *titles]
    words = {word for text in spoken if text.isascii() for word in re.findall(r"[a-z']+", text)}
    objects = sorted(word for word in words if word not in _DULL and len(word) > 2)
    after = [*spoken, *objects, *_LEADING]
    slots: dict[str, Slot] = {
        argument: _slot(argument, schema, required=argument in required, after=after)
        for argument, schema in properties.items()
    }
    does = Said(zh=next(iter(_HAN.findall(tool.title)), tool.name), en=(tool.title or tool.name).lower())
    return Intent(
        tool=tool.name,
        triggers=_phrases(spoken),
        objects=_phrases(objects),
        does=does,
        slots=slots,
    )


_LEADING = ("for", "about", "to", "of", "on", "called", "named", "with", "关于", "：", ":")


def _slot(name: str, schema: Mapping[str, Any], *, required: bool, after: Iterable[str] = _LEADING) -> Slot:
    ask = Said(zh=f"{_HUMAN.get(name, name)}是什么？", en=f"Which {name.replace('_', ' ')}?")
    common: dict[str, Any] = {"required": required, "ask": ask}
    parts = [cast("Mapping[str, Any]", part) for part in _list(schema, "anyOf") if isinstance(part, Mapping)]
    kinds = {str(part.get("type")) for part in (schema, *parts)}
    choices = [str(choice) for choice in _list(schema, "enum")]
    if choices:
        return Slot(kind="choice", words={choice: _phrases([choice]) for choice in choices}, **common)
    if name in _KINDS:
        return Slot(kind=_KINDS[name], evidence=0.6, **common)
    if kinds & {"integer", "number"}:
        spoken = name.replace("_", " ")
        return Slot(
            kind="number",
            patterns=_phrases(
                [f"{spoken} {{n}}", f"{{n}} {spoken}", f"{{n}}{_HUMAN.get(name, spoken)}", "{n}"]
            ),
            **common,
        )
    if "array" in kinds:
        return Slot(kind="list", after=_phrases(after), **common)
    if "string" in kinds and required:
        return Slot(kind="text", after=_phrases(after), skip=_phrases(_LEADING), **common)
    return Slot(
        kind="text",
        after=_phrases([f"{name.replace('_', ' ')}:", f"{name.replace('_', ' ')} is"]),
        quoted=False,
        **common,
    )


_HUMAN = {
    "minutes": "分钟",
    "hours": "小时",
    "seconds": "秒",
    "days": "天",
    "query": "要找的内容",
    "text": "内容",
    "title": "标题",
    "name": "名字",
    "question": "问题",
    "topic": "主题",
}


def _list(schema: Mapping[str, Any], key: str) -> list[Any]:
    """The list under ``key``, as far as it is one and worth reading."""
    found = schema.get(key)
    return cast("list[Any]", found)[:MAX_ARGUMENTS] if isinstance(found, list) else []


def _arguments(tool: Tool) -> tuple[Mapping[str, Mapping[str, Any]], frozenset[str]]:
    found, required = tool.schema.get("properties"), tool.schema.get("required")
    named = cast("Mapping[str, Any]", found if isinstance(found, Mapping) else {})
    properties = {
        name: cast("Mapping[str, Any]", schema if isinstance(schema, Mapping) else {})
        for (name, schema), _ in zip(named.items(), range(MAX_ARGUMENTS), strict=False)
    }
    listed = cast("list[Any]", required if isinstance(required, list | tuple) else [])
    return properties, frozenset(name for name in listed if isinstance(name, str))


def _phrases(texts: Iterable[str]) -> Phrases:
    return Phrases(text.strip() for text in texts if text.strip())
