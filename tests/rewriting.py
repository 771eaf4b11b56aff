"""Recorded files, opened down to the trees inside their bodies, changed, and written again in the format that they had.

A ``Change`` is told of every mapping, text and stream in a file, the innermost first, with the keys that lead there. What it returns takes the
place. Texts are opened where recorders keep bodies; a text of the conversation that happens to be JSON stays a text.
"""

import base64
import gzip
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

from reviewlib.decode import body_text, decode
from tests.streams import frames, is_frames, is_sse, sse, unframed, unsse

Place: TypeAlias = tuple[str, ...]
"""The keys from the top of the file to a value; indices of lists are left out."""

BODIES = frozenset({"body", "string", "body_content", "parsed_body", "response", "raw", "base64_string", "params"})
"""Keys under which a text is a body, so JSON or a stream."""

STREAMS = frozenset({"chunks", "events", "stream_chunks", "streaming_chunks", "stream"})
"""Keys under which recorders keep the parsed events of a stream."""

HEADERS = frozenset({"headers", "reqheaders", "rawheaders", "request_headers", "response_headers", "header"})


def unchanged(value: Any, _place: Place) -> Any:
    """Leave a value as it is."""
    return value


@dataclass(frozen=True)
class Change:
    """What is done to the parts of a file.

    ``mapping`` and ``text`` to every mapping and text · ``stream`` to the list of a stream's events · ``headers`` to the list of
    ``(name, value)`` · ``body`` to the packed body (text or bytes) that is written, with the mapping that holds it.
    """

    mapping: Callable[[Any, Place], Any] = unchanged
    text: Callable[[Any, Place], Any] = unchanged
    stream: Callable[[Any, Place], Any] = unchanged
    headers: Callable[[Any, Place], Any] = unchanged
    body: Callable[[Any, Place], Any] = unchanged


def rewritten(data: bytes, change: Change) -> bytes:
    """Return a file with the change made everywhere; bytes that are no document are returned as they are."""
    decoded = decode(data)
    match decoded.kind:
        case "text" if isinstance(decoded.value, bytes):
            written = _httprr(decoded.value, change)
        case "text":
            return data
        case "jsonl":
            lines = [json.dumps(_walk(line, (), change), ensure_ascii=False) for line in decoded.value]
            written = "".join(f"{line}\n" for line in lines).encode()
        case "json":
            written = json.dumps(_walk(decoded.value, (), change), ensure_ascii=False).encode("utf-8", "replace")
        case "toml":
            written = _toml(_walk(decoded.value, (), change)).encode()
        case "yaml":
            written = yaml.dump(_walk(decoded.value, (), change), Dumper=_Dumper, sort_keys=False).encode()
    return gzip.compress(written) if data.startswith(b"\x1f\x8b") else written


class _Dumper(yaml.CSafeDumper):
    """Quotes every text, so that no reader takes one for a number or a date; repeats what stands twice."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


_Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"'))


def _toml(tree: dict[str, Any]) -> str:
    """Write a table as TOML: a line a key, everything below it inline."""
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in tree.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(value, (str, bool, int, float)) else str(value)  # fmt: skip


def _walk(value: Any, place: Place, change: Change) -> Any:
    if isinstance(value, dict):
        walked = {key: _inside(key, item, value, place, change) for key, item in value.items()}
        return change.mapping(walked, place)
    if isinstance(value, list):
        walked = [_walk(item, place, change) for item in value]
        is_stream = place and place[-1] in STREAMS and all(isinstance(item, dict) for item in walked)
        return change.stream(walked, place) if is_stream or _is_array_stream(walked, place) else walked
    return change.text(value, place) if isinstance(value, str) else value


def _is_array_stream(items: list[Any], place: Place) -> bool:
    """Gemini streams a JSON array where it is not asked for server-sent events."""
    return bool(items) and place[-1:] != ("output",) and all(isinstance(item, dict) and "candidates" in item for item in items)  # fmt: skip


def _inside(key: str, item: Any, holder: dict[str, Any], place: Place, change: Change) -> Any:
    inner = (*place, str(key))
    if str(key).lower() in HEADERS:
        return _with_fields(item, change, inner)
    if isinstance(item, (str, bytes)) and _is_body(str(key), holder):
        packed = _opened(item, inner, change)
        return change.body(packed, inner) if set(holder) <= {"string", "encoding"} else packed
    if key == "arguments" and isinstance(item, str):
        return _json(item, inner, change)
    return _walk(item, inner, change)


def _is_body(key: str, holder: dict[str, Any]) -> bool:
    if key in {"text", "content"}:  # of a HAR, of httpx answers as vcrpy wrote them
        return not holder.keys().isdisjoint({"mimeType", "status_code"})
    return key in BODIES


def _opened(body: str | bytes, place: Place, change: Change) -> Any:
    """Change what is in a body, and write it as it was: compressed, as base64, as a stream."""
    if isinstance(body, bytes):
        if is_frames(body):
            return frames(_events(unframed(body), place, change))
        text = body_text(body)
        if not isinstance(text, str):
            return body
        packed = _opened(text, place, change).encode()
        return gzip.compress(packed, mtime=0) if body.startswith(b"\x1f\x8b") else packed
    if len(body) > 30 and re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", body) and len(body) % 4 == 0:
        return base64.b64encode(_opened(base64.b64decode(body), place, change)).decode()
    if is_sse(body):
        return sse(_events(unsse(body), place, change))
    return _json(body, place, change)


def _events(events: list[Any], place: Place, change: Change) -> list[Any]:
    """Change a stream: a list of ``(name or headers, data)``, data that is no object among them."""
    walked = [(name, _walk(data, place, change) if isinstance(data, dict) else data) for name, data in events]
    return change.stream(walked, place)


def _json(text: str, place: Place, change: Change) -> str:
    if not text.lstrip().startswith(("{", "[")):
        return change.text(text, place)
    try:
        tree = json.loads(text)
    except ValueError:
        return _json_lines(text, place, change)
    return json.dumps(_walk(tree, place, change), ensure_ascii=False)


def _json_lines(text: str, place: Place, change: Change) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    try:
        events = [(None, json.loads(line)) for line in lines]
    except ValueError:
        return change.text(text, place)
    return "".join(f"{json.dumps(data, ensure_ascii=False)}\n" for _, data in _events(events, place, change))


def _with_fields(fields: Any, change: Change, place: Place) -> Any:
    """Change header fields, in whichever of the shapes recorders write them."""
    if isinstance(fields, dict):
        return dict(change.headers(list(fields.items()), place))
    if not isinstance(fields, list) or not fields:
        return fields
    if all(isinstance(field, dict) and "name" in field for field in fields):
        changed = change.headers([(field["name"], field.get("value")) for field in fields], place)
        return [{"name": name, "value": value} for name, value in changed]
    if all(isinstance(field, list) and len(field) == 2 for field in fields):
        return [list(pair) for pair in change.headers([tuple(field) for field in fields], place)]
    if all(isinstance(field, str) for field in fields):
        changed = change.headers(list(zip(fields[::2], fields[1::2], strict=False)), place)
        return [text for pair in changed for text in pair]
    return fields


_HTTPRR = re.compile(rb"(\d+) (\d+)\n")


def _httprr(data: bytes, change: Change) -> bytes:
    first, _, _ = data.partition(b"\n")
    at, written = len(first) + 1, [first + b"\n"]
    while match := _HTTPRR.match(data, at):
        middle = match.end() + int(match[1])
        at = middle + int(match[2])
        messages = [_message(raw, change) for raw in (data[match.end() : middle], data[middle:at])]
        written.append(b"%d %d\n" % tuple(map(len, messages)) + b"".join(messages))
    return b"".join(written)


def _message(raw: bytes, change: Change) -> bytes:
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    if not any(name.lower() == "transfer-encoding" for name, _ in fields) and body:
        body = _opened(body, ("body",), change)
    written = [first, *(f"{name}: {value}" for name, value in change.headers(fields, ("headers",)))]
    return "\r\n".join(written).encode("latin-1") + b"\r\n\r\n" + body
