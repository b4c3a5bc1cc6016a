"""The exercises of notebook 01: typical wrong answers, and the words with which they fail."""

import inspect
import json
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

from agent_mini.workbook.attempt import attempt
from agent_mini.workbook.exercise import get


def test_schema_of(exercise_holds: Callable[..., None]) -> None:
    names = {str: "string", int: "integer", float: "number", bool: "boolean"}

    def properties_of(function: Callable[..., Any]) -> dict[str, Any]:
        hints = get_type_hints(function)
        kinds = {name: hints[name] for name in inspect.signature(function).parameters}
        return {name: {"type": names.get(kind, "string")} for name, kind in kinds.items()}

    def all_required(function: Callable[..., Any]) -> dict[str, Any]:
        properties = properties_of(function)
        return {"type": "object", "properties": properties, "required": list(properties)}

    def python_names(function: Callable[..., Any]) -> dict[str, Any]:
        hints = get_type_hints(function)
        parameters = inspect.signature(function).parameters
        properties = {name: {"type": hints[name].__name__} for name in parameters}
        return {"type": "object", "properties": properties, "required": list(properties)}

    def with_return(function: Callable[..., Any]) -> dict[str, Any]:
        properties = {name: {"type": names[kind]} for name, kind in get_type_hints(function).items()}
        return {"type": "object", "properties": properties, "required": list(properties)}

    def required_of(function: Callable[..., Any]) -> list[str]:
        parameters = inspect.signature(function).parameters.values()
        return [parameter.name for parameter in parameters if parameter.default is parameter.empty]

    def without_enum(function: Callable[..., Any]) -> dict[str, Any]:
        return {"type": "object", "properties": properties_of(function), "required": required_of(function)}

    def raw_annotations(function: Callable[..., Any]) -> dict[str, Any]:
        properties: dict[str, Any] = {}
        for name, parameter in inspect.signature(function).parameters.items():
            choices = get_args(parameter.annotation)
            kind = type(choices[0]) if choices else parameter.annotation
            properties[name] = {"type": names[kind], **({"enum": list(choices)} if choices else {})}
        return {"type": "object", "properties": properties, "required": required_of(function)}

    def a_set(function: Callable[..., Any]) -> dict[str, Any]:
        return without_enum(function) | {"required": set(required_of(function))}

    def enum_everywhere(function: Callable[..., Any]) -> dict[str, Any]:
        schema = without_enum(function)
        for entry in schema["properties"].values():
            entry["enum"] = []
        return schema

    exercise_holds(
        "01.a",
        (
            lambda function: {"properties": {}},
            'def book(train: str, seats: int) -> str: expected a dict with "type"',
        ),
        (python_names, "the type of train is 'str'; expected 'string'"),
        (with_return, "the names in properties are ['train', 'seats', 'return']"),
        (
            all_required,
            "def search(text: str, limit: int = 10, exact: bool = False) -> list[str]: "
            "required is ['text', 'limit', 'exact']; expected the parameters without a default, ['text']",
        ),
        (without_enum, "the enum of kind is None; expected ['single', 'return']"),
        (enum_everywhere, "the enum of train is []; expected none"),
        (
            raw_annotations,
            "def quoted(first: 'str', second: 'bool') -> 'str': raw_annotations(quoted) raised KeyError",
        ),
        (a_set, "cannot be sent as JSON: Object of type set is not JSON serializable"),
    )


def test_schema_of_takes_any_valid_schema() -> None:
    found = get("01.a")

    def no_required_when_empty(function: Callable[..., Any]) -> dict[str, Any]:
        schema = found.solution(function)
        return schema if schema["required"] else {key: schema[key] for key in ("type", "properties")}

    def tuples(function: Callable[..., Any]) -> dict[str, Any]:
        schema = found.solution(function)
        entries = {
            name: {key: tuple(value) if key == "enum" else value for key, value in entry.items()}
            for name, entry in schema["properties"].items()
        }
        return schema | {"properties": entries, "required": tuple(schema["required"])}

    def another_order(function: Callable[..., Any]) -> dict[str, Any]:
        schema = found.solution(function)
        entries = dict(reversed(schema["properties"].items()))
        return schema | {"properties": entries, "required": schema["required"][::-1]}

    for answer in (no_required_when_empty, tuples, another_order):
        assert attempt(found.check, answer, found.seconds).state == "passed"


def test_answer_calls(exercise_holds: Callable[..., None]) -> None:
    def answers(message: dict[str, Any], functions: dict[str, Any], **changed: Any) -> list[dict[str, Any]]:
        made = []
        for asked in message["tool_calls"]:
            run = functions.get(asked["function"]["name"], lambda: "no such tool")
            content = str(run(**json.loads(asked["function"]["arguments"])))
            made.append({"role": "tool", "tool_call_id": asked["id"], "content": content} | changed)
        return made

    def only_the_first(message: dict[str, Any], functions: dict[str, Any]) -> list[dict[str, Any]]:
        return answers(message, functions)[:1]

    def as_user(message: dict[str, Any], functions: dict[str, Any]) -> list[dict[str, Any]]:
        return answers(message, functions, role="user")

    def one_id(message: dict[str, Any], functions: dict[str, Any]) -> list[dict[str, Any]]:
        return answers(message, functions, tool_call_id=message["tool_calls"][0]["id"])

    def result_as_it_is(message: dict[str, Any], functions: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            {
                "role": "tool",
                "tool_call_id": asked["id"],
                "content": functions[asked["function"]["name"]](**json.loads(asked["function"]["arguments"])),
            }
            for asked in message["tool_calls"]
        ]

    def known_tools_only(message: dict[str, Any], functions: dict[str, Any]) -> list[dict[str, Any]]:
        known = [asked for asked in message["tool_calls"] if asked["function"]["name"] in functions]
        return answers({"tool_calls": known}, functions)

    def raises_on_unknown(message: dict[str, Any], functions: dict[str, Any]) -> list[dict[str, Any]]:
        made = result_as_it_is(message, functions)
        return [answer | {"content": str(answer["content"])} for answer in made]

    exercise_holds(
        "01.b",
        (
            lambda message, functions: answers(message, functions)[0],
            "one call of shout: expected a list of dicts",
        ),
        (only_the_first, "two calls of shout: expected one tool message for each call, 2 in all, got 1"),
        (as_user, "the answer to call_1 has the role 'user'"),
        (one_id, "two calls of shout: the answer to call_7 has the tool_call_id 'call_8'"),
        (result_as_it_is, "the answer to call_1 has the content 3, which is no text"),
        (
            known_tools_only,
            "delete_everything, which nobody offered, and a call of shout: expected one tool message",
        ),
        (
            raises_on_unknown,
            "a call of delete_everything, which nobody offered, and a call of shout: raises_on_unknown(",
        ),
        (raises_on_unknown, "raised KeyError: 'delete_everything'"),
    )


def test_assemble(exercise_holds: Callable[..., None]) -> None:
    def collect(deltas: list[dict[str, Any]], key: Callable[[dict[str, Any]], Any]) -> list[dict[str, str]]:
        calls: dict[Any, dict[str, str]] = {}
        for delta in deltas:
            for piece in delta.get("tool_calls") or []:
                function = piece["function"]
                new = {"id": piece.get("id"), "name": function.get("name"), "arguments": ""}
                calls.setdefault(key(piece), new)["arguments"] += function.get("arguments") or ""
        return list(calls.values())

    def by_index(deltas: list[dict[str, Any]]) -> list[dict[str, str]]:
        return collect(deltas, lambda piece: piece["index"])

    def index_or_0(deltas: list[dict[str, Any]]) -> list[dict[str, str]]:
        return collect(deltas, lambda piece: piece.get("index", 0))

    def by_id(deltas: list[dict[str, Any]]) -> list[dict[str, str]]:
        return collect(deltas, lambda piece: piece.get("id"))

    def always_the_last(deltas: list[dict[str, Any]]) -> list[dict[str, str]]:
        calls: list[dict[str, str]] = []
        for delta in deltas:
            for piece in delta.get("tool_calls") or []:
                if piece.get("id"):
                    calls.append({"id": piece["id"], "name": piece["function"]["name"], "arguments": ""})
                calls[-1]["arguments"] += piece["function"].get("arguments") or ""
        return calls

    def without_name(deltas: list[dict[str, Any]]) -> list[dict[str, str]]:
        return [{"id": made["id"], "arguments": made["arguments"]} for made in by_index(deltas)]

    def with_index(deltas: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{"index": number, **made} for number, made in enumerate(by_index(deltas))]

    def text_forgotten(deltas: list[dict[str, Any]]) -> list[dict[str, str]]:
        return by_index([delta for delta in deltas if delta["tool_calls"]])

    exercise_holds(
        "01.c",
        (by_index, "two calls without index: by_index("),
        (by_index, "raised KeyError: 'index'"),
        (index_or_0, "two calls without index: expected 2 calls, got 1: [{"),
        (by_id, "one call, its arguments in two pieces: expected 1 call, got 2: [{"),
        (always_the_last, "two calls, their pieces interleaved: call 1: arguments is ''; expected '[]'"),
        (text_forgotten, "raised KeyError: 'tool_calls'"),
        (
            without_name,
            "one call, its arguments in two pieces: call 1 has no key 'name', only ['id', 'arguments']",
        ),
        (with_index, "call 1 has more keys than id, name and arguments: ['index']"),
        (lambda deltas: by_index(deltas)[0], "expected a list of dicts, got {"),
    )
