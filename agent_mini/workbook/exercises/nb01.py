"""Notebook 01, What a tool call is: a schema by hand, the answers to calls, a stream put together."""

import inspect
import json
from collections.abc import Callable
from typing import Any, Literal

from agent_mini.workbook.exercise import Wrong, brief, call, exercise


def schema_of(function):
    import inspect
    from typing import get_args, get_type_hints

    names = {str: "string", int: "integer", float: "number", bool: "boolean"}
    hints = get_type_hints(function)
    properties, required = {}, []
    for name, parameter in inspect.signature(function).parameters.items():
        choices = get_args(hints[name])
        kind = type(choices[0]) if choices else hints[name]
        properties[name] = {"type": names[kind], "enum": list(choices)} if choices else {"type": names[kind]}
        if parameter.default is parameter.empty:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def book(train: str, seats: int) -> str:
    return f"{train} {seats}"


def search(text: str, limit: int = 10, exact: bool = False) -> list[str]:
    return [text][:limit] if exact else []


def scale(factor: float = 1.0) -> float:
    return factor


def ticket(kind: Literal["single", "return"], zone: Literal[1, 2, 3] = 1) -> str:
    return f"{kind} {zone}"


def ping() -> str:
    return "pong"


def quoted(first: "str", second: "bool") -> "str":
    return first if second else ""


_FUNCTIONS_AND_SCHEMAS: tuple[tuple[Callable[..., Any], dict[str, Any], list[str]], ...] = (
    (book, {"train": {"type": "string"}, "seats": {"type": "integer"}}, ["train", "seats"]),
    (
        search,
        {"text": {"type": "string"}, "limit": {"type": "integer"}, "exact": {"type": "boolean"}},
        ["text"],
    ),
    (scale, {"factor": {"type": "number"}}, []),
    (
        ticket,
        {
            "kind": {"type": "string", "enum": ["single", "return"]},
            "zone": {"type": "integer", "enum": [1, 2, 3]},
        },
        ["kind"],
    ),
    (ping, {}, []),
    (quoted, {"first": {"type": "string"}, "second": {"type": "boolean"}}, ["first", "second"]),
)


@exercise(
    "01.a",
    solution=schema_of,
    hints=(
        "inspect.signature(function).parameters has the parameters in order, each with its default or "
        "parameter.empty. JSON Schema has its own names for str, int, float and bool.",
        "An argument is required when it has no default. typing.get_type_hints(function)[name] is the type "
        "itself, even where the annotation was written as a string.",
        "typing.get_args of a Literal gives its choices, and () for str, int, float and bool. With choices, add "
        "enum, and take the type of the first choice.",
    ),
)
def check_schema_of(answer: Any) -> None:
    for function, properties, required in _FUNCTIONS_AND_SCHEMAS:
        where = f"def {function.__name__}{inspect.signature(function)}"
        schema = _as_sent(where, _call_for(where, answer, function))
        if not isinstance(schema, dict) or schema.get("type") != "object":
            raise Wrong(f'{where}: expected a dict with "type": "object", got {brief(schema)}')
        _check_properties(where, schema.get("properties"), properties)
        listed = schema.get("required", [])
        if not isinstance(listed, list) or sorted(map(str, listed)) != sorted(required):
            raise Wrong(
                f"{where}: required is {brief(listed)}; expected the parameters without a default, {brief(required)}"
            )


def _call_for(where: str, answer: Any, *arguments: Any) -> Any:
    """Call the answer; what it raises is reported with the input that made it raise."""
    try:
        return call(answer, *arguments)
    except Wrong as wrong:
        raise Wrong(f"{where}: {wrong}") from None


def _as_sent(where: str, schema: Any) -> Any:
    """The schema as a server gets it: in JSON, a tuple is a list."""
    try:
        return json.loads(json.dumps(schema))
    except (TypeError, ValueError) as error:
        raise Wrong(f"{where}: {brief(schema)} cannot be sent as JSON: {error}") from None


def _check_properties(where: str, got: Any, wanted: dict[str, dict[str, Any]]) -> None:
    if not isinstance(got, dict) or set(got) != set(wanted):
        names = brief(list(got) if isinstance(got, dict) else got)
        raise Wrong(f"{where}: the names in properties are {names}; expected those of the parameters")
    for name, entry in wanted.items():
        if not isinstance(got[name], dict):
            raise Wrong(f"{where}: the property {name} is {brief(got[name])}; expected a dict with a type")
        for key in ("type", "enum"):
            given, right = got[name].get(key), entry.get(key)
            if given != right:
                expected = "none" if right is None else brief(right)
                raise Wrong(f"{where}: the {key} of {name} is {brief(given)}; expected {expected}")


def answer_calls(message, functions):
    answers = []
    for asked in message["tool_calls"]:
        name = asked["function"]["name"]
        if name in functions:
            content = functions[name](**json.loads(asked["function"]["arguments"]))
        else:
            content = f"there is no tool {name!r}; known: {', '.join(functions)}"
        answers.append({"role": "tool", "tool_call_id": asked["id"], "content": str(content)})
    return answers


def _asking(*calls: tuple[str, str, str]) -> dict[str, Any]:
    """The wire's assistant message that asks for ``calls``: id, name, arguments."""
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}
            for id_, name, arguments in calls
        ],
    }


_FUNCTIONS = {"add": lambda a, b: a + b, "shout": lambda text: text.upper()}
_MESSAGES = (
    ("one call of shout", _asking(("call_1", "shout", '{"text": "hi"}')), ["HI"]),
    (
        "two calls of shout",
        _asking(("call_8", "shout", '{"text": "你好 a"}'), ("call_7", "shout", '{"text": "b"}')),
        ["你好 A", "B"],
    ),
    ("a call whose result is the number 3", _asking(("call_1", "add", '{"a": 1, "b": 2}')), ["3"]),
    (
        "a call of delete_everything, which nobody offered, and a call of shout",
        _asking(("call_1", "delete_everything", "{}"), ("call_2", "shout", '{"text": "hi"}')),
        [None, "HI"],
    ),
)


@exercise(
    "01.b",
    solution=answer_calls,
    hints=(
        "The server pairs answers with calls by id. How many tool messages does a message with two calls need?",
        'Each answer has three keys: role "tool", tool_call_id, and content, which is always text.',
        "Go through message['tool_calls']; json.loads the arguments and call functions[name](**arguments). "
        "If the name is not in functions, say so in the content instead of raising.",
    ),
)
def check_answer_calls(answer: Any) -> None:
    for what, message, contents in _MESSAGES:
        answers = _call_for(what, answer, message, _FUNCTIONS)
        if not isinstance(answers, list) or not all(isinstance(item, dict) for item in answers):
            raise Wrong(f"{what}: expected a list of dicts, got {brief(answers)}")
        ids = [asked["id"] for asked in message["tool_calls"]]
        if len(answers) != len(ids):
            raise Wrong(
                f"{what}: expected one tool message for each call, {len(ids)} in all, got {len(answers)}"
            )
        for id_, item, content in zip(ids, answers, contents, strict=True):
            _check_tool_message(f"{what}: the answer to {id_}", item, id_, content)


def _check_tool_message(where: str, item: dict[str, Any], id_: str, content: str | None) -> None:
    if item.get("role") != "tool":
        raise Wrong(f"{where} has the role {brief(item.get('role'))}")
    if item.get("tool_call_id") != id_:
        raise Wrong(f"{where} has the tool_call_id {brief(item.get('tool_call_id'))}")
    text = item.get("content")
    if not isinstance(text, str):
        raise Wrong(f"{where} has the content {brief(text)}, which is no text")
    if not text.strip() or content not in (None, text):
        raise Wrong(f"{where} has the content {brief(text)}; expected {content or 'why it did not run'}")


def assemble(deltas):
    calls = []
    for delta in deltas:
        for piece in delta.get("tool_calls") or []:
            function, index = piece.get("function") or {}, piece.get("index")
            if piece.get("id"):
                calls.append({"index": index, "id": piece["id"], "name": function["name"], "arguments": ""})
            mine = calls if index is None else [known for known in calls if known["index"] == index]
            mine[-1]["arguments"] += function.get("arguments") or ""
    return [{key: known[key] for key in ("id", "name", "arguments")} for known in calls]


def _piece(arguments: str | None = None, **fields: Any) -> dict[str, Any]:
    """One delta with one piece of a call; ``name`` goes where the wire has it."""
    function = {"name": fields.pop("name")} if "name" in fields else {}
    return {"tool_calls": [{**fields, "function": {**function, "arguments": arguments}}]}


_KEYS = ("id", "name", "arguments")
_STREAMS = (
    (
        "one call, its arguments in two pieces",
        [_piece("", index=0, id="a", name="f"), _piece('{"x"', index=0), _piece(": 1}", index=0)],
        [("a", "f", '{"x": 1}')],
    ),
    (
        "text before the call, and a delta with tool_calls null",
        [{"content": "Wait."}, {"content": "", "tool_calls": None}, _piece("{}", index=0, id="a", name="f")],
        [("a", "f", "{}")],
    ),
    ("no call at all", [{"role": "assistant", "content": ""}, {"content": "Hi."}, {}], []),
    (
        "two calls, their pieces interleaved",
        [
            _piece(index=0, id="a", name="f"),
            _piece(index=1, id="b", name="g"),
            _piece("[", index=0),
            _piece("{", index=1),
            _piece("]", index=0),
            _piece("}", index=1),
        ],
        [("a", "f", "[]"), ("b", "g", "{}")],
    ),
    (
        "two calls without index",
        [_piece("{", id="a", name="f"), _piece("}"), _piece("[", id="b", name="f"), _piece("]")],
        [("a", "f", "{}"), ("b", "f", "[]")],
    ),
    (
        "two calls, index null",
        [_piece("{}", index=None, id="a", name="f"), _piece("[]", index=None, id="b", name="f")],
        [("a", "f", "{}"), ("b", "f", "[]")],
    ),
    (
        "two calls, both with index 0",
        [
            _piece("{}", index=0, id="a", name="f"),
            _piece("[", index=0, id="b", name="f"),
            _piece("]", index=0),
        ],
        [("a", "f", "{}"), ("b", "f", "[]")],
    ),
)


@exercise(
    "01.c",
    solution=assemble,
    hints=(
        "Two questions decide everything: when does a new call begin, and which call does a piece continue?",
        "An id comes once, on a call's first piece. A piece without one continues the newest call of its index, "
        "or simply the newest call where there is no index.",
        "Keep a list of dicts. On an id, append one with empty arguments; then pick the call this piece belongs "
        "to, always the last that fits, and add piece['function'].get('arguments') or ''.",
    ),
)
def check_assemble(answer: Any) -> None:
    for what, deltas, calls in _STREAMS:
        got = _call_for(what, answer, deltas)
        if not isinstance(got, list) or not all(isinstance(item, dict) for item in got):
            raise Wrong(f"{what}: expected a list of dicts, got {brief(got)}")
        if len(got) != len(calls):
            counted = f"{len(calls)} {'call' if len(calls) == 1 else 'calls'}"
            raise Wrong(f"{what}: expected {counted}, got {len(got)}: {brief(got)}")
        for number, (item, known) in enumerate(zip(got, calls, strict=True), 1):
            _check_call(f"{what}: call {number}", item, dict(zip(_KEYS, known, strict=True)))


def _check_call(where: str, got: dict[str, Any], wanted: dict[str, str]) -> None:
    for key in _KEYS:
        if key not in got:
            raise Wrong(f"{where} has no key {key!r}, only {brief(list(got))}")
        if got[key] != wanted[key]:
            raise Wrong(f"{where}: {key} is {brief(got[key])}; expected {brief(wanted[key])}")
    if extra := [key for key in got if key not in _KEYS]:
        raise Wrong(f"{where} has more keys than id, name and arguments: {brief(extra)}")
