"""YAML text → plain values: the YAML 1.2 core schema over libyaml's events, bounded, running nothing.

PyYAML's own loaders read YAML 1.1 (a date, ``1:20``, ``=`` and ``<<`` in a cassette would change or fail) and build a node graph first.
Building from the parser's events took 0.29 s for 475 cassettes where ``CSafeLoader`` took 0.48 s, and lets every bound be checked
before memory is spent.

Where the schema leaves room, a plain scalar is read as the writers of cassettes mean it. They quote a text that their own resolver would
take for something else, and PyYAML's (YAML 1.1) does not take ``12e5`` or ``08`` for a number: hexadecimal ids are written so, plain.
"""

import base64
import binascii
import re
from collections.abc import Callable
from typing import Any

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from reviewlib.errors import DecodeError
from reviewlib.model.frozen import Plain

CORE = "tag:yaml.org,2002:"
PYTHON = CORE + "python/"
BYTES_PER_NODE = 64
"""So much text weighs as much as one more value, so that an alias to a long text is counted too."""

_CONSTANTS: dict[str, Plain] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_FIRST_OF_NUMBER = frozenset("-+.0123456789")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,4000})\Z")
_FLOAT = re.compile(r"[-+]?(?:(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+][0-9]+)\Z")

# What older recorders wrote for Python objects, read as the plain value inside: nothing is imported, nothing is called.
_ISTR = "multidict._multidict.istr"
_INERT_OBJECTS = frozenset(
    f"{PYTHON}object/{how}:{name}" for how in ("apply", "new") for name in (_ISTR, "_io.BytesIO", "builtins.iter")
) | {f"{PYTHON}object/apply:__builtin__.iter"}
_INERT_SEQUENCES = frozenset({f"{PYTHON}tuple", f"{PYTHON}list", CORE + "seq"})
_TEXTS = frozenset({CORE + "str", f"{PYTHON}str", f"{PYTHON}unicode", "!"})
_BINARY = frozenset({CORE + "binary", "!binary", f"{PYTHON}bytes"})
_PLAIN_TAGS = frozenset(CORE + name for name in ("null", "bool", "int", "float"))


def load_yaml(data: bytes | str, *, max_depth: int, max_nodes: int) -> Plain:
    """Return the one document of a YAML text as plain values; keys of mappings are always text.

    Aliases share their value; what they would expand to counts against ``max_nodes`` and ``max_depth``.
    Raises ``DecodeError`` (decode) for anything that is not plain data, and where a bound is hit.
    """
    try:
        return _Reader(data, max_depth, max_nodes).document()
    except YAMLError as error:
        raise DecodeError("decode", f"not valid YAML: {_problem(error)}") from error


def plain_scalar(text: str) -> Plain:
    """Tell what an unquoted scalar means: null, a boolean, a decimal number, or its text."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] in _FIRST_OF_NUMBER:
        if _INTEGER.match(text):
            return int(text)
        if _FLOAT.match(text):
            return float(text)
    return text


class _Anchor:
    """An anchored value, with what it weighs when it is used again. ``None`` weight: it is not finished yet."""

    __slots__ = ("height", "nodes", "value")

    def __init__(self) -> None:
        self.value: Plain = None
        self.nodes: int | None = None
        self.height = 0


class _Reader:
    """One pass over the events of a document. ``deepest`` is the depth reached (inside an anchored value: in that), ``nodes`` what was built or aliased so far."""

    def __init__(self, data: bytes | str, max_depth: int, max_nodes: int) -> None:
        self._next: Callable[[], Any] = CParser(data).get_event
        self._max_depth = max_depth
        self._max_nodes = max_nodes
        self._nodes = 0
        self._deepest = 0
        self._anchors: dict[str, _Anchor] = {}

    def document(self) -> Plain:
        self._next()
        if isinstance(self._next(), StreamEndEvent):
            return None
        value = self._value(self._next(), 0)
        if not isinstance(self._next(), DocumentEndEvent) or not isinstance(self._next(), StreamEndEvent):
            raise DecodeError("decode", "the file holds more than one YAML document; a cassette is one")
        return value

    def _value(self, event: Any, depth: int) -> Plain:
        if event.anchor is None:
            return self._unshared(event, depth)
        if type(event) is AliasEvent:
            return self._alias(event, depth)
        anchor = self._anchors[event.anchor] = _Anchor()
        before, deepest, self._deepest = self._nodes, self._deepest, depth
        value = self._unshared(event, depth)
        anchor.value, anchor.nodes, anchor.height = value, self._nodes - before, self._deepest - depth
        self._deepest = max(deepest, self._deepest)
        return value

    def _unshared(self, event: Any, depth: int) -> Plain:
        kind = type(event)
        if kind is ScalarEvent:
            return self._scalar(event)
        self._enter(event, depth)
        return self._mapping(event, depth) if kind is MappingStartEvent else self._sequence(event, depth)

    def _alias(self, event: Any, depth: int) -> Plain:
        anchor = self._anchors.get(event.anchor)
        if anchor is None:
            raise self._refusal(event, f"the alias *{event.anchor} has no anchor")
        if anchor.nodes is None:
            raise self._refusal(event, f"the anchor &{event.anchor} contains itself")
        self._enter(event, depth + anchor.height, anchor.nodes)
        return anchor.value

    def _enter(self, event: Any, depth: int, nodes: int = 1) -> None:
        self._nodes += nodes
        if depth > self._deepest:  # noqa: PLR1730 - max() takes twice as long, and this runs for every list and object
            self._deepest = depth
        if depth >= self._max_depth:
            raise self._refusal(event, f"values are nested deeper than {self._max_depth} levels")
        if self._nodes > self._max_nodes:
            raise self._refusal(
                event, f"the file holds, or its aliases expand to, more than {self._max_nodes:,} values"
            )

    def _sequence(self, event: Any, depth: int) -> Plain:
        following, scalar, value, inner = self._next, self._scalar, self._value, depth + 1
        items: list[Plain] = []
        while type(item := following()) is not SequenceEndEvent:
            plain = type(item) is ScalarEvent and item.anchor is None
            items.append(scalar(item) if plain else value(item, inner))
        if event.tag is None or event.tag in _INERT_SEQUENCES:
            return items
        return self._object(event, items, None)

    def _mapping(self, event: Any, depth: int) -> Plain:
        following, scalar, value, inner = self._next, self._scalar, self._value, depth + 1
        items: dict[str, Plain] = {}
        while type(key := following()) is not MappingEndEvent:
            plain = type(key) is ScalarEvent and key.tag is None and key.anchor is None
            name = key.value if plain else self._key(key, inner)
            item = following()
            plain = type(item) is ScalarEvent and item.anchor is None
            items[name] = scalar(item) if plain else value(item, inner)
        if event.tag is None or event.tag in (CORE + "map", PYTHON + "dict"):
            return items
        return self._object(event, items.get("args"), items.get("state"))

    def _key(self, event: Any, depth: int) -> str:
        value = self._value(event, depth)
        if isinstance(value, str):
            return value
        if type(event) is ScalarEvent and event.tag not in _BINARY:
            return str(event.value)
        raise self._refusal(event, "a key is not text")

    def _scalar(self, event: Any) -> Plain:
        text: str = event.value
        self._nodes += 1 + len(text) // BYTES_PER_NODE
        if self._nodes > self._max_nodes:
            self._enter(event, 0)
        tag = event.tag
        if tag is None:
            return plain_scalar(text) if event.implicit[0] else text
        return self._tagged(event, tag, text)

    def _tagged(self, event: Any, tag: str, text: str) -> Plain:
        if tag in _BINARY:
            try:
                return base64.b64decode(text.encode("ascii"))
            except (binascii.Error, UnicodeEncodeError) as error:
                raise self._refusal(event, "a !!binary value is not base64") from error
        if tag in _PLAIN_TAGS:
            return plain_scalar(text)
        if tag in _TEXTS:
            return text
        if tag in _INERT_OBJECTS:
            return self._object(event, [text] if text else [], None)
        raise self._refusal(event, f"the tag {_shown(tag)} is not plain data, and no code in a cassette is run")

    def _object(self, event: Any, args: Plain, state: Plain) -> Plain:
        """Return the plain value inside a Python object: its first argument, or for a ``BytesIO`` the first entry of its state."""
        if event.tag not in _INERT_OBJECTS:
            raise self._refusal(
                event, f"the tag {_shown(event.tag)} is not plain data, and no code in a cassette is run"
            )
        held = args if isinstance(args, list) and args else state
        inner = held[0] if isinstance(held, list) and held else None
        if inner is None:
            return "" if event.tag.endswith(_ISTR) else b""
        return inner

    def _refusal(self, event: Any, what: str) -> DecodeError:
        mark = event.start_mark
        return DecodeError("decode", f"{what} (line {mark.line + 1}, column {mark.column + 1})")


def _shown(tag: str) -> str:
    return "!!" + tag[len(CORE) :][:80] if tag.startswith(CORE) else tag[:80]


def _problem(error: YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f"{problem} (line {mark.line + 1}, column {mark.column + 1})" if mark else problem
