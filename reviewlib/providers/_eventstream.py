"""AWS event streams (``application/vnd.amazon.eventstream``), as recorders keep them: the bytes, or their hex or base64 text.

A frame is: its length, the length of its headers, a CRC-32 of those eight bytes, the headers, the payload, a CRC-32 of all that.
Each event becomes the object that boto3 gives: the payload under the event's name. A ``chunk`` of InvokeModel holds another
JSON document as base64, and becomes that document. What botocore would refuse (a wrong checksum, an exception frame) becomes an error.
"""

import binascii
import re
import struct
from base64 import b64decode
from collections.abc import Iterator
from zlib import crc32

from reviewlib.model.frozen import Plain
from reviewlib.providers._plain import Tree, string, structure, tree
from reviewlib.redact import mask, suspicious

_PRELUDE = struct.Struct(">III")
_CRC = 4
_TEXT = 7  # the type of a header that is text; of the others only the size is needed
_SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
_SIZED = frozenset({6, _TEXT})  # these have their size before them
_HEX = re.compile(r"[0-9a-fA-F]{32}")
_BASE64 = re.compile(r"AA[A-Za-z0-9+/]{14}")  # no frame is as long as 16 MiB, so the first byte is 0


def frames(body: str | bytes) -> bytes | None:
    """The frames that a body holds; None for every other body."""
    raw = body if isinstance(body, bytes) else _decoded(body)
    return raw if raw is not None and _length(raw, 0) is not None else None


def _decoded(text: str) -> bytes | None:
    text = text.strip()
    try:
        if _HEX.match(text):
            return bytes.fromhex(text)
        return b64decode(text, validate=True) if _BASE64.match(text) else None
    except (ValueError, binascii.Error):
        return None


def read_frames(raw: bytes) -> tuple[Tree, ...]:
    """The events of a stream, in order. One that was cut short ends with its last whole frame."""
    return tuple(_events(raw))


def unwrapped(event: Tree) -> Tree:
    """The document in a ``chunk`` event of InvokeModel; every other event as it is."""
    chunk = event.get("chunk")
    inner = _document(chunk.get("bytes")) if len(event) == 1 and isinstance(chunk, dict) else None
    return event if inner is None else inner


def _document(data: Plain) -> Tree | None:
    """JSON as bytes, as text, or as base64 text."""
    if not isinstance(data, str | bytes):
        return None
    found = _masked(data)
    if found is None:
        try:
            found = _masked(b64decode(data, validate=True))
        except (ValueError, binascii.Error):
            return None
    return tree(found) if isinstance(found, dict) else None


def _masked(data: str | bytes) -> Plain:
    """The object or array in a payload, its secrets masked: those in bytes and base64 were not seen when the file was masked."""
    found = structure(data)
    return mask(found) if found is not None and suspicious(data) else found


def _events(raw: bytes) -> Iterator[Tree]:
    start = 0
    while (size := _length(raw, start)) is not None and start + size <= len(raw):
        frame = raw[start : start + size]
        if crc32(frame[:-_CRC]) != int.from_bytes(frame[-_CRC:], "big"):
            yield {
                "error": {
                    "message": f"The event stream is damaged: the checksum of the frame at byte {start} is wrong."
                }
            }
            return
        yield _event(frame)
        start += size


def _length(raw: bytes, start: int) -> int | None:
    """How long the frame at ``start`` is; None where none begins there."""
    if len(raw) - start < _PRELUDE.size:
        return None
    size, headers, checksum = _PRELUDE.unpack_from(raw, start)
    fits = headers + _PRELUDE.size + _CRC <= size
    return size if fits and crc32(raw[start : start + 8]) == checksum else None


def _event(frame: bytes) -> Tree:
    end = _PRELUDE.size + int.from_bytes(frame[4:8], "big")
    headers = dict(_headers(frame[_PRELUDE.size : end]))
    found = _masked(frame[end:-_CRC])
    payload = tree(found)
    named = headers.get(":event-type")
    if named is None:  # :exception-type with a payload, or :error-code with a message
        kind = headers.get(":exception-type") or headers.get(":error-code") or "error"
        said = string(payload.get("message")) or headers.get(":error-message")
        return {"error": {"type": kind, "message": f"{kind}: {said}" if said else kind}}
    return unwrapped({named: payload if found is None or isinstance(found, dict) else found})


def _headers(block: bytes) -> Iterator[tuple[str, str]]:
    """The headers that are text; what cannot be read ends them."""
    start = 0
    while start < len(block):
        name_end = start + 1 + block[start]
        if name_end >= len(block):
            return
        kind, value_start = block[name_end], name_end + 1
        if kind in _SIZED:
            size = int.from_bytes(block[value_start : value_start + 2], "big")
            value_start += 2
        elif kind in _SIZES:
            size = _SIZES[kind]
        else:
            return
        if kind == _TEXT:
            name, value = block[start + 1 : name_end], block[value_start : value_start + size]
            yield name.decode("utf-8", "replace"), value.decode("utf-8", "replace")
        start = value_start + size
