"""Stage 6, validate: arguments against the JSON Schema of the tool that is really offered.

A value that lies outside the bounds is moved to the nearer one, a text where a number is wanted becomes one if it can.
What this does not do: all of JSON Schema. It knows the keywords that describe arguments; others it takes as fulfilled.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

Schema = Mapping[str, Any]

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


class Invalid(ValueError):
    """A value that the schema does not accept."""


def validate(arguments: Mapping[str, Any], schema: Schema) -> tuple[dict[str, Any], dict[str, str]]:
    """Check arguments.

    Args:
        arguments: What is to be sent; a text that begins with ``$`` refers to an earlier result and passes.
        schema: The tool's schema, an object.

    Returns:
        The arguments that are accepted, mended where that is possible and without those that are the tool's default;
        and for each that is not accepted, why.
    """
    properties = cast("Mapping[str, Schema]", schema.get("properties", {}))
    kept: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, value in arguments.items():
        if name not in properties:
            wrong[name] = "no such argument"
            continue
        try:
            checked = value if is_reference(value) else mend(value, properties[name], schema)
        except Invalid as error:
            wrong[name] = str(error)
            continue
        if "default" not in properties[name] or properties[name]["default"] != checked:
            kept[name] = checked
    return kept, wrong


def is_reference(value: Any) -> bool:
    """Whether a value stands for a piece of an earlier result."""
    return isinstance(value, str) and value.startswith("$") and value[1:2].isdecimal()


def mend(value: Any, schema: Schema, root: Schema) -> Any:
    """``value`` as the schema takes it.

    Raises:
        Invalid: It does not, and cannot be made to.
    """
    if "$ref" in schema:
        schema = _follow(str(schema["$ref"]), root)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _mend_any(value, cast("Sequence[Schema]", schema[key]), root)
    if "const" in schema and value != schema["const"]:
        raise Invalid(f"must be {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        raise Invalid(f"must be one of {', '.join(map(str, schema['enum']))}")
    value = _typed(value, schema.get("type"))
    match value:
        case bool():
            return value
        case int() | float():
            return _bounded(value, schema)
        case str():
            return _measured(value, schema, "Length", "characters")
        case list():
            items = cast("list[Any]", _measured(cast("list[Any]", value), schema, "Items", "items"))
            return [mend(item, schema["items"], root) for item in items] if "items" in schema else items
        case _:
            return value


def _mend_any(value: Any, choices: Sequence[Schema], root: Schema) -> Any:
    reasons: list[str] = []
    for choice in choices:
        try:
            return mend(value, choice, root)
        except Invalid as error:
            reasons.append(str(error))
    raise Invalid(" or ".join(dict.fromkeys(reasons)))


def _typed(value: Any, wanted: Any) -> Any:
    names = [wanted] if isinstance(wanted, str) else list(cast("Sequence[str]", wanted or ()))
    if not names or any(_is(value, name) for name in names):
        return value
    if isinstance(value, str):
        for name, make in (("integer", int), ("number", float)):
            if name in names:
                try:
                    return make(value)
                except ValueError:
                    continue
    if isinstance(value, int | float) and not isinstance(value, bool):
        if "string" in names:
            return str(value)
        if "integer" in names and float(value).is_integer():
            return int(value)
    if "array" in names and isinstance(value, str):
        return [value]
    raise Invalid(f"must be {' or '.join(names)}")


def _is(value: Any, name: str) -> bool:
    return isinstance(value, _TYPES.get(name, (object,))) and (isinstance(value, bool) <= (name == "boolean"))


def _bounded(value: int | float, schema: Schema) -> int | float:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and value < low:
        return cast("int | float", low)
    if high is not None and value > high:
        return cast("int | float", high)
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if (above is not None and value <= above) or (below is not None and value >= below):
        raise Invalid(
            f"must be above {above}" if below is None or value < below else f"must be below {below}"
        )
    return value


def _measured(value: Any, schema: Schema, what: str, unit: str) -> Any:
    least, most = schema.get(f"min{what}", 0), schema.get(f"max{what}")
    if len(value) < least or (most is not None and len(value) > most):
        raise Invalid(f"must have {least} to {'any number of' if most is None else most} {unit}")
    return value


def _follow(reference: str, root: Schema) -> Schema:
    """What a ``#/$defs/Name`` leads to; an empty schema, which takes anything, where it leads nowhere."""
    found: Any = root
    for name in reference.removeprefix("#/").split("/"):
        found = cast("Mapping[str, Any]", found).get(name, {}) if isinstance(found, Mapping) else {}
    return cast("Schema", found) if isinstance(found, Mapping) else {}
