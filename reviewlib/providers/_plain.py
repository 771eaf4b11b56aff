"""Reading decoded values whose types cannot be trusted: what is not of the expected type reads as absent."""

import json
import re
from collections.abc import Iterable
from typing import TypeAlias

from reviewlib.decode import load_json
from reviewlib.errors import DecodeError
from reviewlib.model.frozen import Plain

Tree: TypeAlias = dict[str, Plain]
"""A decoded JSON object."""

_CAMEL = re.compile(r"(?<=[a-z0-9])_([a-z])")


def structure(text: str | bytes) -> Plain:
    """The object or array that a whole JSON text holds; None for every other text, also for a JSON number or word."""
    if text.lstrip()[:1] not in {"{", "[", b"{", b"["}:
        return None
    try:
        return load_json(text)
    except DecodeError:
        return None


def tree(value: Plain) -> Tree:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def trees(value: Plain) -> list[Tree]:
    """The objects of a list; everything else in it is left out."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, (list, tuple)) else []


def string(value: Plain) -> str | None:
    """The text, None where it is not one or empty."""
    if not isinstance(value, str) or not value:
        return None
    return value if value.isascii() else clean(value)


def kind(value: Plain) -> str:
    """The ``type`` of an object, an empty text where it has none."""
    return (string(value.get("type")) or "") if isinstance(value, dict) else ""


def count(value: Plain) -> int | None:
    """A number of tokens, None where it is not recorded as one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
        return None
    return int(value) if value == value // 1 else None


def total(counts: Iterable[int | None]) -> int:
    """The sum of the known counts."""
    return sum(item for item in counts if item is not None)


def clean(text: str) -> str:
    """The text with surrogate pairs joined (a stream may cut an emoji in two) and lone halves replaced."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def compact(value: Plain) -> str:
    """A value as one line of JSON with sorted keys, for showing what no reader understands."""
    try:
        return clean(json.dumps(value, sort_keys=True, ensure_ascii=False, default=repr))
    except (TypeError, ValueError, RecursionError):  # keys of several types; a cycle of YAML aliases; nested too deeply
        return f"a value of type {type(value).__name__} that has no JSON"


def camel(value: Tree) -> Tree:
    """The object with its own keys in camel case: Google's APIs take ``inline_data`` for ``inlineData``. What lies in it is left alone."""
    return {_CAMEL.sub(lambda found: found[1].upper(), key): item for key, item in value.items()}
