"""Failed calls: those that a success of the same request followed become attempts of it, the others stay."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from reviewlib.model.call import ModelCall, ModelRequest
from reviewlib.model.trajectory import Attempt
from reviewlib.values import canonical


@dataclass(frozen=True, slots=True)
class Move:
    """One model call with the failed tries before it."""

    call: ModelCall
    attempts: tuple[Attempt, ...] = ()


def failure(call: ModelCall) -> str | None:
    """Return the provider's message where the call ended in an error or outside of 2xx, None where it did not."""
    if call.response is not None and call.response.error is not None:
        return call.response.error
    if call.http_status is not None and call.http_status >= 300:
        return f"HTTP {call.http_status}"
    return None


def finished(call: ModelCall) -> bool:
    """Tell whether the agent has nothing left to do after this answer: it was not cut, and calls no tool of the harness."""
    response = call.response
    if response is None or not response.complete or failure(call) is not None:
        return False
    if response.stop_reason in {"max_tokens", "pause_turn", "error"}:
        return False
    return not any(part.kind == "call" and not part.server_side for part in response.parts)


def fold_retries(calls: Sequence[ModelCall]) -> tuple[Move, ...]:
    """Join every failure to the next success of the same canonical request; a failure that has none stays a move."""
    failures = [failure(call) for call in calls]
    if not any(text is not None for text in failures):  # nearly every cassette: spare the hashing of whole requests
        return tuple(Move(call) for call in calls)
    success: dict[bytes, int] = {}
    answered_by: dict[int, int] = {}
    for index in range(len(calls) - 1, -1, -1):
        request = calls[index].request
        if request is None:
            continue
        key = _request_key(request)
        if failures[index] is None:
            success[key] = index
        elif key in success:
            answered_by[index] = success[key]
    attempts: dict[int, list[Attempt]] = {}
    for index in sorted(answered_by):
        call = calls[index]
        tried = Attempt(interaction=call.interaction, http_status=call.http_status, text=failures[index] or "")
        attempts.setdefault(answered_by[index], []).append(tried)
    return tuple(
        Move(call, tuple(attempts.get(index, ()))) for index, call in enumerate(calls) if index not in answered_by
    )


def _request_key(request: ModelRequest) -> bytes:
    """Digest of everything sent but the stream flag: a retry may give up streaming."""
    return blake2b(canonical(request.model_dump(exclude={"stream"})).encode(), digest_size=16).digest()
