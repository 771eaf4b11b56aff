"""Checks of the keys that recorders find their answers by: whether replay would find what is stored."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping

from reviewlib.checks.addresses import path
from reviewlib.checks.check import Check, Sighting
from reviewlib.model.cassette import Exchange, Request
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import Recording, Trajectory
from reviewlib.placeholders import holds_one


def mismatches(recording: Recording) -> Iterator[Sighting]:
    """See requests that do not have the key they are stored under: they were edited after the recording, and replay goes by the key.

    Only recorders whose hash is known are judged, and those whose users may change it only where another entry of the cassette confirms it.
    A request in which something was masked has no key that could be computed.
    """
    recipe = _RECIPES.get(recording.cassette.format)
    if recipe is None:
        return
    asked = [
        (item.request, item.key in recipe(item.request))
        for item in recording.cassette.interactions
        if isinstance(item, Exchange) and item.key and item.request and isinstance(item.request.body, dict)
    ]
    if all(right for _, right in asked):
        return
    judged = [right for request, right in asked if _is_whole(request)]
    wrong = [right for right in judged if not right]
    if wrong and (recording.cassette.format in _FIXED or len(wrong) < len(judged)):
        yield Sighting(
            f"{len(wrong)} of {len(judged)} requests are not those of the keys that they are stored under: edited since",
            key="key",
        )


def _is_whole(request: Request) -> bool:
    return not holds_one(_compact(request.body))


def _compact(value: Plain) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def _spaced(value: Plain) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _plain_hash(request: Request) -> Iterator[str]:
    """Hash the body as it is stored, compact or with spaces, whole or its beginning."""
    for written in (_compact, _spaced):
        digest = _sha(written(request.body))
        yield digest
        yield digest[:16]


def _cassetteai(request: Request) -> Iterator[str]:
    """Hash messages and tools only; the model is not in it."""
    yield _sha(_spaced({"messages": request.body.get("messages"), "tools": request.body.get("tools") or []}))[:16]


def _cendor(request: Request) -> Iterator[str]:
    """Hash the cut-down request with its vendor, which is not in the body that was read."""
    for vendor in ("anthropic", "openai", "google", "mistral", "cohere"):
        yield _sha(_compact({"kind": "llm", "provider": vendor, **request.body}))


_REEL_LEAVES_OUT = (
    frozenset({"stream", "metadata"}),
    frozenset({"stream", "stream_options", "user", "safety_identifier", "metadata", "store", "service_tier"}),
    frozenset[str](),
)
"""By vendor: Anthropic, OpenAI, Gemini."""


def _reel(request: Request) -> Iterator[str]:
    """Hash the path and the body without what does not change the answer."""
    seed = f"v1\n{path(request.uri)}\n"
    for keys in _REEL_LEAVES_OUT:
        yield f"sha256:{_sha(seed + _compact(_without(request.body, keys)))}"


def _without(value: Plain, keys: frozenset[str]) -> Plain:
    if isinstance(value, dict):
        return {key: _without(item, keys) for key, item in value.items() if key not in keys}
    return [_without(item, keys) for item in value] if isinstance(value, list) else value


def _replex(request: Request) -> Iterator[str]:
    """Hash method, path and body; JSON inside its texts with sorted keys."""
    body = {key: value for key, value in request.body.items() if key not in {"request_id", "timestamp"}}
    asked = f"{request.method} {path(request.uri) or '/'}\n"
    yield f"sha256:{_sha(asked + _compact(_sorted_inside(body)))}"


def _sorted_inside(value: Plain) -> Plain:
    if isinstance(value, dict):
        return {key: _sorted_inside(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_sorted_inside(item) for item in value]
    text = value.strip() if isinstance(value, str) else ""
    if text[:1] in {"{", "["} and text[-1:] in {"}", "]"}:
        try:
            return _compact(json.loads(text))
        except (ValueError, RecursionError):
            return value
    return value


_RECIPES: Mapping[str, Callable[[Request], Iterator[str]]] = {
    "cassetteai": _cassetteai,
    "cendor": _cendor,
    "hash-files": _plain_hash,
    "keyed-jsonl": _plain_hash,
    "reel": _reel,
    "replex": _replex,
}
"""The hashes of cassetteai 0.1.0, cendor-cassette 1.1.1, reel-vcr 0.1.0 and replex 0.1.0, and of recorders that projects make for themselves."""

_FIXED = frozenset({"cassetteai", "reel"})
"""Recorders whose hash nobody can change."""

_ONE_ANSWER_A_KEY = frozenset({"keyed-jsonl"})
"""Formats whose replay keeps the entries by key: of two with one key, one is never played."""


def unplayed(recording: Recording) -> Iterator[Sighting]:
    """See answers that no replay can reach."""
    cassette = recording.cassette
    if cassette.format in _ONE_ANSWER_A_KEY:
        keys = [item.key for item in cassette.interactions if isinstance(item, Exchange)]
        if len(keys) > len({*keys}):
            yield Sighting(
                f"{len(keys) - len({*keys})} entries share the key of another one, and only one of them is played",
                key="twice",
            )
    if not cassette.ordered:
        lost = sum(map(_behind_a_lost_answer, recording.conversations))
        if lost:
            yield Sighting(
                f"{lost} answers follow one that another run overwrote: replay never asks for them", key="overwritten"
            )


def _behind_a_lost_answer(conversation: Trajectory) -> int:
    """Count the answers after one whose request is here, and which is itself known from a later history only."""
    lost = next((turn.turn for turn in conversation.turns if not turn.recorded and turn.tools is not None), None)
    return 0 if lost is None else sum(turn.recorded for turn in conversation.turns[lost:])


CHECKS = (
    Check("fingerprint-mismatch", "A request is not the one of its key", "error", recording=mismatches),
    Check("unplayed", "Answers that no replay reaches", "warning", recording=unplayed),
)
