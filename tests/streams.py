"""Streams as texts and frames: read into events, cut at other places, and written again."""

import json
import re
import struct
from copy import deepcopy
from random import Random
from typing import Any, TypeAlias
from zlib import crc32

Event: TypeAlias = tuple[Any, Any]
"""What stands before the data (the event's name, or a frame's headers), and the data: a tree where it was JSON."""

_LEAVES: tuple[tuple[str | int, ...], ...] = (
    ("delta", "text"),
    ("delta", "partial_json"),
    ("delta", "thinking"),
    ("delta", "toolUse", "input"),
    ("delta", "reasoningContent", "text"),
    ("delta", "message", "content", "text"),
    ("delta", "message", "tool_calls", "function", "arguments"),
    ("contentBlockDelta", "delta", "text"),
    ("contentBlockDelta", "delta", "toolUse", "input"),
    ("delta",),
    ("choices", 0, "delta", "content"),
    ("choices", 0, "delta", "reasoning_content"),
    ("choices", 0, "delta", "reasoning"),
    ("choices", 0, "delta", "tool_calls", 0, "function", "arguments"),
    ("choices", 0, "text"),
    ("candidates", 0, "content", "parts", 0, "text"),
    ("message", "content"),
)
"""Where the events of a stream hold the piece of text that may as well have come in two."""

_APART = frozenset({"sequence_number", "obfuscation", "p", "created", "usageMetadata", "usage", "created_at", "x_groq"})
"""Keys in which two events may differ that are pieces of one."""

_LAST = re.compile(r'"(?:finish_reason|finishReason|stop_reason|done_reason)": "')


def is_sse(text: str) -> bool:
    """Whether a text is a stream of server-sent events."""
    return re.search(r"(?:\A|\n)data:", text) is not None and not text.lstrip().startswith(("{", "["))


def unsse(text: str) -> list[Event]:
    """Read server-sent events; data that is no JSON object stays text."""
    found: list[Event] = []
    for block in re.split(r"(?:\r\n|\n|\r){2,}", text):
        lines = re.split(r"\r\n|\n|\r", block)
        name = next((line[6:].strip() for line in lines if line.startswith("event:")), None)
        data = "\n".join(line[5:].removeprefix(" ") for line in lines if line.startswith("data:"))
        if not any(line.startswith("data:") for line in lines):
            continue
        try:
            found.append((name, json.loads(data)))
        except ValueError:
            found.append((name, data))
    return found


def sse(events: list[Event]) -> str:
    """Write server-sent events."""
    return "".join(
        f"{f'event: {name}{chr(10)}' if name else ''}data: {data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)}\n\n"
        for name, data in events
    )


def is_frames(raw: bytes) -> bool:
    """Whether bytes are an AWS event stream: the checksum of the first eight is right."""
    return len(raw) > 16 and crc32(raw[:8]) == int.from_bytes(raw[8:12], "big")


def unframed(raw: bytes) -> list[Event]:
    """Read the frames of an AWS event stream as their headers (bytes) and their payload."""
    found: list[Event] = []
    while len(raw) > 16:
        size, headers = struct.unpack(">II", raw[:8])
        block, payload = raw[12 : 12 + headers], raw[12 + headers : size - 4]
        try:
            found.append((block, json.loads(payload)))
        except ValueError:
            found.append((block, payload))
        raw = raw[size:]
    return found


def frames(events: list[Event]) -> bytes:
    """Write the frames of an AWS event stream."""
    written = []
    for block, data in events:
        payload = data if isinstance(data, bytes) else json.dumps(data).encode()
        prelude = struct.pack(">II", 16 + len(block) + len(payload), len(block))
        frame = prelude + struct.pack(">I", crc32(prelude)) + block + payload
        written.append(frame + struct.pack(">I", crc32(frame)))
    return b"".join(written)


def recut(events: list[Any], chance: Random) -> list[Any]:
    """Cut the texts of a stream's events at other places: some come in two pieces, some pieces in one."""
    found: list[Any] = []
    for event in events:
        leaf = _leaf(_data(event))
        if leaf is None:
            found.append(event)
            continue
        if found and chance.random() < 0.4 and (joined := _joined(found[-1], event)) is not None:
            found[-1] = joined
            continue
        text = _at(_data(event), leaf)
        if len(text) > 1 and chance.random() < 0.6:
            cut = chance.randrange(1, len(text))
            found += [_with(event, leaf, text[:cut]), _with(_further(event, leaf), leaf, text[cut:])]
        else:
            found.append(event)
    return found


def _data(event: Any) -> Any:
    """Return the tree of an event: of a pair, or of what a recorder wraps around it."""
    data = event[1] if isinstance(event, tuple) else event
    return data["data"] if isinstance(data, dict) and isinstance(data.get("data"), dict) else data


def _leaf(data: Any) -> tuple[str | int, ...] | None:
    """Find where an event holds a piece of text; None where it also says that the answer ends, or holds more than one piece."""
    if not isinstance(data, dict) or _LAST.search(json.dumps(data)):
        return None
    if str(data.get("type")).endswith("_delta") and data["type"] != "content_block_delta":
        return None
    held = [leaf for leaf in _LEAVES if isinstance(_at(data, leaf), str) and _at(data, leaf)]
    if len(held) != 1 or len(data.get("choices") or [1]) != 1 or len(_parts(data)) > 1 or len(_calls(data)) > 1:
        return None
    if held[0] == ("delta",) and not str(data.get("type")).endswith(".delta"):
        return None
    return held[0]


def _parts(data: Any) -> list[Any]:
    parts = _at(data, ("candidates", 0, "content", "parts"))
    return parts if isinstance(parts, list) else []


def _calls(data: Any) -> list[Any]:
    calls = _at(data, ("choices", 0, "delta", "tool_calls"))
    return calls if isinstance(calls, list) else []


def _at(value: Any, leaf: tuple[str | int, ...]) -> Any:
    for key in leaf:
        if (isinstance(value, dict) and key in value) or (
            isinstance(value, list) and isinstance(key, int) and len(value) > key
        ):
            value = value[key]
        else:
            return None
    return value


def _with(event: Any, leaf: tuple[str | int, ...], text: str) -> Any:
    copy = deepcopy(event)
    holder = _at(_data(copy), leaf[:-1])
    holder[leaf[-1]] = text
    return copy


def _further(event: Any, leaf: tuple[str | int, ...]) -> Any:
    """Return an event as the second piece of itself: a tool call's id and name come with the first one alone."""
    copy = deepcopy(event)
    if "tool_calls" in leaf:
        call = _at(_data(copy), leaf[:-2])
        for key in ("id", "type"):
            call.pop(key, None)
        call["function"].pop("name", None)
    return copy


def _joined(one: Any, other: Any) -> Any | None:
    """Return two neighbouring pieces as one; None where they differ in anything else."""
    leaf = _leaf(_data(other))
    if leaf is None or leaf != _leaf(_data(one)) or _rest(one, leaf) != _rest(other, leaf):
        return None
    return _with(other, leaf, _at(_data(one), leaf) + _at(_data(other), leaf))


def _rest(event: Any, leaf: tuple[str | int, ...]) -> str:
    kept = {key: value for key, value in _data(_with(event, leaf, "")).items() if key not in _APART}
    return json.dumps(
        [event[0] if isinstance(event, tuple) and isinstance(event[0], str) else None, kept], sort_keys=True
    )
