"""The texts of a recording, each once, and a recording with other texts in their place. Works on values and models of any shape."""

import json
import re
import zlib
from base64 import b64decode
from binascii import Error
from collections.abc import Callable
from typing import TypeVar, cast
from urllib.parse import unquote

from reviewlib.decode import load_json
from reviewlib.errors import DecodeError
from reviewlib.model.frozen import Frozen, Plain

_T = TypeVar("_T")

OPAQUE = frozenset(
    {"signature", "thoughtSignature", "thought_signature", "encrypted_content", "encryptedContent", "reasoning_opaque", "redactedContent",
     "redacted_content", "b64_json", "embedding", "embeddings", "inlineData", "inline_data", "input_audio", "system_fingerprint", "logprobs"}
)  # fmt: skip
"""Members whose text is drawn or encrypted: reasoning that only the provider reads, signatures, media, vectors. Random bytes look like keys."""

_NAMED = 300  # the longest value whose name is read with it
_PLAIN = frozenset({bool, int, float, bytes, type(None)})
_OPENING = ("{", "[", "H")  # how JSON and the base64 of gzip begin
_QUOTED = re.compile(r"%[0-9A-Fa-f]{2}(?=[\w-]{8})")  # an address' way to write what may stand before a key
_PACKED = 24  # the shortest base64 that may hold something compressed
_URL_SAFE = str.maketrans("-_", "+/")
_GZIP = "H4sI"  # how base64 of gzip begins
_MOST_UNPACKED = 2**20
_UNPACKED_TOGETHER = 64 * 2**20  # a file may hold thousands, each of which unpacks to a thousand times its size


def texts(value: Plain | Frozen) -> dict[str, None]:
    """Return every distinct text in a value, in one order, and what texts hold in turn: JSON in a string, something compressed in base64.

    A short text under a name is ``name: text``, as rules for keys without a shape of their own go by the name. A history that every request
    repeats is read once: of the 44 MB of the public cassettes 15 are distinct.
    """
    found: dict[str, None] = {}
    seen: set[int] = set()
    waiting: list[Plain] = [value]
    room = _UNPACKED_TOGETHER
    while waiting:
        item = waiting.pop()
        kind = type(item)
        if kind is str:
            if item not in found:
                found[item] = None
                if "%" in item and _QUOTED.search(item):
                    found[unquote(item)] = None
                if item[:1] in _OPENING and room > 0:
                    inner = _inner(item)
                    waiting.append(inner)
                    room -= _MOST_UNPACKED if item[:4] == _GZIP else 0
        elif kind is dict:
            _members(item, found, waiting)
        elif kind is list:
            waiting += item
        elif kind not in _PLAIN and id(item) not in seen:
            seen.add(id(item))
            waiting += item if kind is tuple else item.__dict__.values()
    return found


def _members(members: dict[str, Plain], found: dict[str, None], waiting: list[Plain]) -> None:
    for name, item in members.items():
        kind = type(item)
        if kind is str:
            if name in OPAQUE or (name == "data" and _is_media(members)):
                continue
            if len(item) > _NAMED:
                waiting.append(item)
            else:
                found[f"{name}: {item}"] = None
                if item[:1] in _OPENING or "%" in item:
                    waiting.append(item)
        elif kind not in _PLAIN and name not in OPAQUE:
            waiting.append(item)
        found[name] = None


def _is_media(members: dict[str, Plain]) -> bool:
    """Whether ``data`` is the base64 of an attachment."""
    return "media_type" in members or "mimeType" in members or "mime_type" in members


def _inner(text: str) -> Plain:
    """Return what a text holds: a JSON document with strings of its own, or what base64 of gzip unpacks to; None for plain words."""
    if text[:1] in ("{", "[") and "\\" in text:
        try:
            return load_json(text)
        except DecodeError:
            return None
    return unpacked(text)


def unpacked(text: str) -> str | None:
    """Return the text in base64 of gzip; None for everything else, and for what unpacks to more than 1 MiB."""
    return unbase64(text) if text[:4] == _GZIP and len(text) >= _PACKED else None


def unbase64(text: str) -> str | None:
    """Return the text in base64, unpacked where that is gzip; None where it is no text, or more than 1 MiB."""
    try:
        data = b64decode(text.translate(_URL_SAFE) + "=" * (-len(text) % 4), validate=True)
        if data[:2] == b"\x1f\x8b":
            unpacker = zlib.decompressobj(wbits=31)
            data = unpacker.decompress(data, _MOST_UNPACKED)
            return data.decode() if unpacker.eof else None
        return data.decode()
    except (Error, ValueError, zlib.error):
        return None


def replaced(value: _T, change: Callable[[str], str]) -> _T:
    """Return a value with each of its texts changed, names of members too; the same object where nothing changes."""
    new: Plain = value
    if isinstance(value, str):
        new = change(value)
    elif isinstance(value, dict):
        members = {change(name): replaced(item, change) for name, item in value.items()}
        if (
            any(one is not two for one, two in zip(members.values(), value.values(), strict=False))
            or members.keys() != value.keys()
        ):
            new = members
    elif isinstance(value, list | tuple):
        items = [replaced(item, change) for item in value]
        if any(one is not two for one, two in zip(items, value, strict=True)):
            new = items if isinstance(value, list) else tuple(items)
    elif isinstance(value, Frozen):
        fields = {name: replaced(item, change) for name, item in value.__dict__.items()}
        changed = {name: item for name, item in fields.items() if item is not value.__dict__[name]}
        new = value.model_copy(update=changed) if changed else value
    return cast("_T", new)


def spellings(text: str) -> tuple[str, ...]:
    """Return a text as it may stand in another: as it is, in JSON, and in JSON within JSON; the longest first."""
    once = json.dumps(text)[1:-1]
    plain = json.dumps(text, ensure_ascii=False)[1:-1]
    return tuple(sorted({text, plain, once, json.dumps(once)[1:-1]}, key=len, reverse=True))
