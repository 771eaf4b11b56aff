"""AWS event-stream frames, made by the book, for tests."""

import base64
import json
import struct
from typing import Any
from zlib import crc32


def frame(payload: bytes, **headers: str) -> bytes:
    """One frame; the name of a header is written with ``_`` for ``-`` and without its colon."""
    block = b"".join(_header(f":{name.replace('_', '-')}", value) for name, value in headers.items())
    prelude = struct.pack(">II", 16 + len(block) + len(payload), len(block))
    head = prelude + struct.pack(">I", crc32(prelude)) + block + payload
    return head + struct.pack(">I", crc32(head))


def _header(name: str, value: str) -> bytes:
    return bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()


def event(name: str, payload: Any) -> bytes:
    """An event frame with a JSON payload."""
    return frame(json.dumps(payload).encode(), event_type=name, content_type="application/json", message_type="event")


def converse_stream(events: list[dict[str, Any]]) -> bytes:
    """The events of ConverseStream as their frames, padded as Bedrock pads them."""
    return b"".join(event(name, {**value, "p": "abcd"}) for each in events for name, value in each.items())


def invoke_stream(events: list[dict[str, Any]]) -> bytes:
    """The events of InvokeModelWithResponseStream: each a JSON document as base64."""
    return b"".join(event("chunk", {"bytes": base64.b64encode(json.dumps(each).encode()).decode()}) for each in events)
