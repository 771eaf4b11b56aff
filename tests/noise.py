"""Noise of a re-record, put into a recorded file: everything that is new in every recording and means nothing.

Each kind changes a file by itself; ``noised`` puts several on top of one another. The same seed makes the same noise.
"""

import base64
import gzip
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from reviewlib.errors import DecodeError
from reviewlib.model.cassette import File
from tests.rewriting import Change, Place, rewritten
from tests.streams import recut

_ID = re.compile(
    r"(?<![A-Za-z0-9])(msg|toolu|srvtoolu|mcptoolu|tooluse|chatcmpl|cmpl|call|resp|fc|rs|ws|ci|mcp|mcpl|req|gen|run|pyd_ai|ctc)"
    r"([-_](?:vrtx_|bdrk_|tool_)?)([A-Za-z0-9][A-Za-z0-9-]{7,})(?![A-Za-z0-9])"
)
"""Ids that a provider's prefix tells; a word with a hyphen or an underscore is none without a digit."""

_ID_KEYS = frozenset(
    {
        "responseId", "response_id", "generation_id", "request_id", "requestId", "session_id", "uuid", "trace_id", "run_id",
        "conversation_id", "tool_call_id", "event_id", "parent_id", "x-request-id",
    }
)  # fmt: skip
_ANSWERS = frozenset({"choices", "candidates", "usage", "function", "output", "finish_reason"})
"""What stands beside ``id`` in an answer or a tool call."""

_PAYLOAD = frozenset(
    {"arguments", "args", "kwargs", "input", "messages", "contents", "result", "results", "content", "parameters", "input_schema"}
    | {"functionCall", "functionResponse", "toolUse", "toolResult", "tools", "parts", "output"}
)  # fmt: skip
"""Keys below which a value is the agent's own: a time there is what a tool was asked or said."""

_TIME_KEYS = frozenset(
    {
        "created", "created_at", "completed_at", "expires_at", "recorded_at", "timestamp", "ts", "startedDateTime", "time", "duration",
        "duration_ms", "duration_s", "latency_ms", "elapsed_ms", "t_offset_ms", "base_time", "createTime", "total_duration",
        "load_duration", "prompt_eval_duration", "eval_duration", "callTime", "queue_time", "prompt_time", "completion_time", "total_time",
        "started_at", "ended_at", "duration_api_ms",
    }
)  # fmt: skip
_SIGNED = frozenset(
    {
        "signature", "thoughtSignature", "thought_signature", "encrypted_content", "encrypted_index", "system_fingerprint", "obfuscation",
        "redactedContent", "p", "latencyMs", "encrypted_stdout",
    }
)  # fmt: skip
_KEPT = re.compile(r"content-type|content-encoding|transfer-encoding|host|:.*", re.IGNORECASE)
"""Headers that say how a body is to be read."""

_NUMBERED = re.compile(r".+:[0-9a-f]{16}#\d+")

_CHAT = ("refusal", "audio", "function_call", "annotations", "reasoning", "tool_calls")
_PADDING: tuple[tuple[Callable[[Mapping[str, Any]], bool], tuple[str, ...]], ...] = (
    (lambda item: isinstance(item.get("choices"), list), ("system_fingerprint", "service_tier", "usage", "moderation")),
    (lambda item: "finish_reason" in item and "message" in item, ("logprobs", "content_filter_results", "stop_reason")),
    (lambda item: item.get("role") == "assistant" and "content" in item and item.get("type") is None, _CHAT),
    (lambda item: item.get("type") == "message" and "stop_reason" in item, ("container", "context_management", "stop_details")),
    (lambda item: item.get("type") == "text" and "text" in item and len(item) < 4, ("citations",)),
    (lambda item: item.get("type") == "tool_use", ("caller", "cache_control", "toolset_name")),
    (lambda item: item.get("object") == "response", ("moderation", "conversation", "prompt", "billing", "error", "instructions")),
    (lambda item: item.get("type") == "reasoning", ("encrypted_content", "content", "status")),
    (lambda item: item.get("type") == "function_call", ("namespace", "status")),
    (lambda item: isinstance(item.get("messages"), list) and "model" in item, ("stop", "temperature", "metadata", "seed", "top_p")),
    (lambda item: "input" in item and "model" in item, ("include", "store_id", "truncation", "prompt_cache_retention")),
    (lambda item: "finishReason" in item or "groundingMetadata" in item, ("citationMetadata", "avgLogprobs", "urlContextMetadata")),
    (lambda item: isinstance(item.get("candidates"), list), ("promptFeedback", "createTime", "automaticFunctionCallingHistory")),
)  # fmt: skip
"""Where the SDKs of providers write keys without a value, and which."""


@dataclass(frozen=True)
class Noise:
    """One kind of noise: what it is called, and how it changes the files of a cassette."""

    name: str
    change: Callable[[Random, "Names"], Change]


class Names:
    """New names for the ids of a recording: the same id has the same new name in every file of it."""

    def __init__(self, seed: int, known: frozenset[str]) -> None:
        self._seed = seed
        found = sorted(known, key=len, reverse=True)
        self._known = re.compile("|".join(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])" for name in found)) if found else None  # fmt: skip

    def new(self, text: str) -> str:
        """Rename every id in a text."""
        if self._known is not None:
            text = self._known.sub(lambda match: self._other(match[0]), text)
        return _ID.sub(lambda match: f"{match[1]}{match[2]}{self._other(match[3])}" if any(map(str.isdigit, match[3])) else match[0], text)  # fmt: skip

    def _other(self, name: str) -> str:
        """Return a name of the same shape: digits stay digits, letters letters."""
        bits = iter(sha256(f"{self._seed} {name}".encode()).digest() * (1 + len(name) // 32))
        return "".join(_like(letter, next(bits)) for letter in name)


def _like(letter: str, bits: int) -> str:
    for letters in ("0123456789", "abcdef", "ghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        if letter in letters:
            return letters[bits % len(letters)]
    return letter


def ids_of(files: Sequence[File]) -> frozenset[str]:
    """Find the ids that no prefix tells: those that stand where providers and recorders keep one."""
    found: set[str] = set()

    def seen(item: dict[str, Any], _place: Place) -> dict[str, Any]:
        keys = {key for key in item if key in _ID_KEYS}
        if "id" in item and not _ANSWERS.isdisjoint(item):
            keys.add("id")
        named = [item[key] for key in keys if isinstance(item[key], str)]
        found.update(name for name in named if len(name) >= 8 and any(map(str.isdigit, name)) and not _ID.search(name))
        return item

    for file in files:
        with suppress(DecodeError):
            rewritten(file.data, Change(mapping=seen))
    return frozenset(found)


def _ids(_chance: Random, names: Names) -> Change:
    def renamed(item: dict[str, Any], _place: Place) -> dict[str, Any]:
        return {names.new(key) if _ID.fullmatch(str(key)) else key: value for key, value in item.items()}

    def in_headers(fields: list[tuple[str, Any]], _place: Place) -> list[tuple[str, Any]]:
        return [(name, names.new(value) if isinstance(value, str) else value) for name, value in fields]

    return Change(text=lambda text, _: names.new(text), mapping=renamed, headers=in_headers)


def _times(chance: Random, _names: Names) -> Change:
    def later(item: dict[str, Any], place: Place) -> dict[str, Any]:
        if not _PAYLOAD.isdisjoint(place):
            return item
        return {key: _later(value, chance) if key in _TIME_KEYS else value for key, value in item.items()}

    return Change(mapping=later)


def _later(value: Any, chance: Random) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return value
    if isinstance(value, str):
        return re.sub(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}", f"2027-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}T1{chance.randint(0, 9)}:4{chance.randint(0, 9)}", value)  # fmt: skip
    return type(value)(value + chance.randint(1, 5_000_000))


def _headers(chance: Random, _names: Names) -> Change:
    def other(fields: list[tuple[str, Any]], _place: Place) -> list[tuple[str, Any]]:
        listed = any(isinstance(value, list) for _, value in fields)
        kept = [
            (name, value if _KEPT.fullmatch(str(name)) else _other_header(value, chance))
            for name, value in fields
            if _KEPT.fullmatch(str(name)) or chance.random() < 0.85
        ]
        added = {"x-ratelimit-remaining-requests": "4999", "cf-ray": f"{chance.getrandbits(60):x}-FRA", "x-request-id": f"{chance.getrandbits(99):x}"}  # fmt: skip
        known = {str(name).lower() for name, _ in kept}
        kept += [(name, [value] if listed else value) for name, value in added.items() if name not in known]
        return chance.sample(kept, len(kept))

    return Change(headers=other)


def _other_header(value: Any, chance: Random) -> Any:
    if isinstance(value, list):
        return [_other_header(item, chance) for item in value]
    if not isinstance(value, str):
        return value
    return re.sub(r"\d", lambda _: str(chance.randrange(10)), value) + chance.choice(["", "; v=2"])


def _signatures(chance: Random, _names: Names) -> Change:
    def signed(item: dict[str, Any], place: Place) -> dict[str, Any]:
        def new(key: str, value: Any) -> Any:
            if key in _SIGNED or (key == "data" and item.get("type") == "redacted_thinking"):
                return base64.b64encode(chance.randbytes(24)).decode() if value and isinstance(value, str) else value
            return value

        inside = not {"arguments", "args", "properties", "functionResponse"}.isdisjoint(place)
        return item if inside else {key: new(key, value) for key, value in item.items()}

    return Change(mapping=signed)


def _thinking(chance: Random, _names: Names) -> Change:
    def thought(item: dict[str, Any], _place: Place) -> dict[str, Any]:
        keys = {"reasoning_content", "reasoning"} & item.keys()
        keys |= {"thinking"} if str(item.get("type")) in {"thinking", "thinking_delta"} else set()
        keys |= {"text"} if str(item.get("type")) == "summary_text" or item.get("thought") is True else set()
        said = {key: text for key in keys if isinstance(text := item.get(key), str) and text}
        return item | {key: f"{text} (thought {chance.random()})" for key, text in said.items()}

    return Change(mapping=thought)


def _padding(chance: Random, _names: Names) -> Change:
    def padded(item: dict[str, Any], place: Place) -> dict[str, Any]:
        if not {"arguments", "args", "functionResponse", "input_schema", "properties"}.isdisjoint(place):
            return item
        keys = [key for holds, keys in _PADDING if holds(item) for key in keys]
        if not keys:
            return item
        kept = {key: value for key, value in item.items() if value is not None or chance.random() < 0.5}
        return kept | {key: None for key in keys if key not in item and chance.random() < 0.6}

    return Change(mapping=padded)


def _order(chance: Random, _names: Names) -> Change:
    salt = chance.random()

    def shuffled(item: dict[str, Any], _place: Place) -> dict[str, Any]:
        """The same keys stand in the same order wherever they stand in a file, as one program writes them.

        The keys of a map of ``name:hash#n`` are no fields: their order is the order in which things happened.
        """
        if any(_NUMBERED.fullmatch(str(key)) for key in item):
            return item
        return {key: item[key] for key in sorted(item, key=lambda key: sha256(f"{salt} {key}".encode()).digest())}

    return Change(mapping=shuffled)


def _chunks(chance: Random, _names: Names) -> Change:
    return Change(stream=lambda events, _: recut(events, chance))


def _packing(chance: Random, _names: Names) -> Change:
    def packed(body: Any, _place: Place) -> Any:
        if isinstance(body, str):
            return gzip.compress(body.encode(), mtime=chance.randrange(2**30)) if chance.random() < 0.7 else body
        return gzip.decompress(body).decode("utf-8", "surrogateescape") if body.startswith(b"\x1f\x8b") else body

    return Change(body=packed)


KINDS: tuple[Noise, ...] = (
    Noise("ids", _ids),
    Noise("times", _times),
    Noise("headers", _headers),
    Noise("signatures", _signatures),
    Noise("thinking", _thinking),
    Noise("padding", _padding),
    Noise("key order", _order),
    Noise("chunks", _chunks),
    Noise("packing", _packing),
)
"""Every kind of noise, in the order in which they are put on top of one another."""


def noised(files: Sequence[File], kinds: Sequence[Noise], seed: int) -> list[File]:
    """Return the files of a cassette with noise in them; a file that is no document stays as it is."""
    names = Names(seed, ids_of(files) if any(kind.name == "ids" for kind in kinds) else frozenset())
    return [_noised(file, kinds, Random(f"{seed} {Path(file.path).name}"), names) for file in files]


def _noised(file: File, kinds: Sequence[Noise], chance: Random, names: Names) -> File:
    data = file.data
    for kind in kinds:
        if kind.name == "packing" and data.startswith((b"{", b"[")):  # no JSON holds bytes, but any file may be packed
            data = gzip.compress(data, mtime=0)
            continue
        try:
            data = rewritten(data, kind.change(chance, names))
        except DecodeError:
            return file
    return file.model_copy(update={"data": data, "blob": sha256(data).hexdigest()[:40]})
