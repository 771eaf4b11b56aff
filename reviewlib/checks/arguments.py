"""Whether a tool call has the arguments that the tool's own JSON Schema asks for.

Schemas are recorded, so they are as hostile as everything else that is: a few bytes of references can unfold without end, and one pattern
can keep a regular expression busy for years. So what is judged is a copy of the schema, a plain tree of the keywords that a fixed number
of steps decide. What is left out says nothing: a call is never called invalid for it.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from math import isfinite
from typing import NamedTuple, TypeAlias

from reviewlib.model.frozen import Plain
from reviewlib.values import size, written

Schema: TypeAlias = dict[str, Plain]

MAX_NODES = 2_000
"""Parts of a schema, with its references unfolded. The largest that a call of the corpus is judged by has 10."""

MAX_VALUES = 2_000
"""Values in the arguments of one call; the most in the corpus is 22."""

MAX_DEPTH = 40
"""Levels of a schema. What lies deeper says nothing."""

MAX_WORK = 100_000
"""Parts of schemas times values, for the calls of one recording: 0.7 s at worst; the most in the corpus is 278."""

_FLAT = frozenset({"type", "properties", "required", "additionalProperties"})
_TYPE_NAMES: Mapping[type, tuple[str, ...]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    type(None): ("null",),
}
_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_LONGEST = 120
_LOOKED_AT = 8  # of many complaints, the most telling of the first few


class ArgumentReader:
    """Judges the calls of one recording. A schema is read once, and once the work is done that one recording is worth, nothing more is judged."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}
        self._left = MAX_WORK

    def complaint(self, schema: Plain, arguments: Plain) -> str | None:
        """Say in a few words what is wrong with the arguments; None where nothing is, or where it cannot be told."""
        known = self._read(schema)
        values = size(arguments, MAX_VALUES)
        work = known.nodes * values
        if known.plain is None or values > MAX_VALUES or work > self._left:
            return None
        self._left -= work
        return None if plainly_fits(known.plain, arguments) else _judge(known.plain, arguments)

    def _read(self, schema: Plain) -> "_Known":
        known = self._known.get(id(schema))
        if known is None:
            reader = _SchemaReader(schema, min(MAX_NODES, self._left))
            plain = reader.plain(schema)
            self._left -= reader.nodes
            known = self._known[id(schema)] = _Known(schema, None if reader.is_spent else plain, reader.nodes)
        return known


class _Known(NamedTuple):
    """A schema (held, so that no other object gets its id), what is judged by (None where it was too large), and the number of its parts."""

    schema: Plain
    plain: Schema | None
    nodes: int


def plainly_fits(schema: Schema, arguments: Plain) -> bool:
    """Tell whether an object has what is required, and no more than flat values of one type each. No is no judgement: the library has the word.

    Most calls of most tools are such: it spares them 40 µs each, and the import of the library.
    """
    if not isinstance(arguments, dict) or not schema.keys() <= _FLAT or schema.get("type", "object") != "object":
        return False
    properties = schema.get("properties", {})
    if schema.get("additionalProperties", True) is not True and not arguments.keys() <= properties.keys():
        return False
    return all(name in arguments for name in schema.get("required", ())) and all(
        _is_of(properties.get(name, {}), value) for name, value in arguments.items()
    )


def _is_of(schema: Schema, value: Plain) -> bool:
    return not schema or (schema.keys() == {"type"} and schema["type"] in _TYPE_NAMES.get(type(value), ()))


def _judge(schema: Schema, arguments: Plain) -> str | None:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - 0.15 s: only where a call may be wrong
    from jsonschema.exceptions import best_match  # noqa: PLC0415 - as above

    worst = best_match(islice(Draft202012Validator(schema).iter_errors(arguments), _LOOKED_AT))
    if worst is None:
        return None
    where = written(tuple(worst.absolute_path))
    return f"{where}: {_shortened(worst.message)}" if where else _shortened(worst.message)


def _shortened(message: str) -> str:
    """Keep the end of a long message: it begins with the value, and ends with what is wrong with it."""
    line = " ".join(message.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} … {line[-_LONGEST // 2 :]}"


class _SchemaReader:
    """Copies a schema as a plain tree. ``is_spent`` tells that it was larger than allowed, and the copy is of no use."""

    def __init__(self, root: Plain, allowed: int) -> None:
        self._root = root
        self._allowed = allowed
        self.nodes = 0

    @property
    def is_spent(self) -> bool:
        return self.nodes > self._allowed

    def plain(self, schema: Plain, open_: frozenset[str] = frozenset(), depth: int = 0) -> Schema:
        """Copy a part. ``open_`` are the references that it was reached by: one that leads back into itself says nothing."""
        self.nodes += 1
        if self.is_spent or not isinstance(schema, dict) or depth > MAX_DEPTH:
            return {}
        made = {key: kept for key, keep in _PLAIN.items() if key in schema and (kept := keep(schema[key])) is not None}
        made |= self._inside(schema, open_, depth + 1)
        every = self._each(schema.get("allOf"), open_, depth + 1)
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in open_:
            every.append(self.plain(self._meant(reference), open_ | {reference}, depth + 1))
        if every:
            made["allOf"] = every
        if schema.get("nullable") is True:  # as Gemini and OpenAPI write it
            return {"anyOf": [{"type": "null"}, made]}
        return made

    def _inside(self, schema: Mapping[str, Plain], open_: frozenset[str], depth: int) -> Schema:
        """Copy what the schema says of the parts of a value. ``oneOf`` is read as ``anyOf``: what was left out may be what told its branches apart."""
        made: Schema = {}
        properties = schema.get("properties")
        if isinstance(properties, dict):
            made["properties"] = {str(name): self.plain(item, open_, depth) for name, item in properties.items()}
        rest = schema.get("additionalProperties")
        if "patternProperties" not in schema and isinstance(rest, (bool, dict)):
            made["additionalProperties"] = self.plain(rest, open_, depth) if isinstance(rest, dict) else rest
        if isinstance(schema.get("items"), dict):
            made["items"] = self.plain(schema["items"], open_, depth)
        for key in ("anyOf", "oneOf"):
            branches = self._each(schema.get(key), open_, depth)
            if branches and "anyOf" not in made:
                made["anyOf"] = branches
        return made

    def _each(self, schemas: Plain, open_: frozenset[str], depth: int) -> list[Schema]:
        return [self.plain(item, open_, depth) for item in schemas] if isinstance(schemas, list) else []

    def _meant(self, reference: str) -> Plain:
        """Look up a reference inside the schema; one that leads out of it, or nowhere, says nothing."""
        if not reference.startswith("#"):
            return None
        found = self._root
        for name in reference[1:].split("/")[1:]:
            key = name.replace("~1", "/").replace("~0", "~")
            found = found.get(key) if isinstance(found, dict) else None
        return found


def _type(named: Plain) -> Plain:
    """Read a type; Gemini writes them in capitals. None where one of them is no type of JSON Schema."""
    if isinstance(named, list):
        kinds = [str(item).lower() for item in named]
        return kinds if kinds and _TYPES.issuperset(kinds) else None
    kind = str(named).lower()
    return kind if kind in _TYPES else None


def _number(value: Plain) -> Plain:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and (isinstance(value, int) or isfinite(value)) else None


def _count(value: Plain) -> Plain:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _names(value: Plain) -> Plain:
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


def _choices(value: Plain) -> Plain:
    is_flat = isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value)
    return value if is_flat and value else None


def _constant(value: Plain) -> Plain:
    return None if isinstance(value, (dict, list)) else value


def _each_of(keys: Iterable[str], keep: Callable[[Plain], Plain]) -> dict[str, Callable[[Plain], Plain]]:
    return dict.fromkeys(keys, keep)


_PLAIN: Mapping[str, Callable[[Plain], Plain]] = {
    "type": _type,
    "required": _names,
    "enum": _choices,
    "const": _constant,
    **_each_of(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _number),
    **_each_of(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _count),
}
"""The keywords that hold plain values: what is kept of each, None where it is nothing that the keyword may have."""
