"""Checks of one recording by itself."""

import re
from collections.abc import Iterator

from reviewlib.checks.check import Check, Sighting
from reviewlib.model.trajectory import Failure, Recording
from reviewlib.model_names import family

_NUMBER = re.compile(r"\d+")
_VENDOR = re.compile(r"[a-z]+")


def recorded_failures(recording: Recording) -> Iterator[Sighting]:
    """See calls of the model that ended in an error, and that nothing retried."""
    for number, conversation in enumerate(recording.conversations):
        for step in conversation.steps:
            if isinstance(step, Failure):
                status = f"HTTP {step.http_status}" if step.http_status else "an error"
                yield Sighting(f"{status} was recorded in place of an answer", (number, step.index), status)


def retries(recording: Recording) -> Iterator[Sighting]:
    """See answers that came only after failed tries."""
    for number, conversation in enumerate(recording.conversations):
        for turn in conversation.turns:
            if turn.attempts:
                statuses = ", ".join(str(attempt.http_status or "error") for attempt in turn.attempts)
                step = (number, turn.first) if turn.first < turn.end else None
                yield Sighting(f"answered after {len(turn.attempts)} failed tries ({statuses})", step, statuses)


def model_mismatches(recording: Recording) -> Iterator[Sighting]:
    """See answers of another version of a model than was asked for: an edited request, or a retired model that is redirected."""
    seen: set[tuple[str, str]] = set()
    for conversation in recording.conversations:
        for turn in conversation.turns:
            pair = turn.requested_model, turn.model
            if pair[0] and pair[1] and (pair[0], pair[1]) not in seen and _other_version(pair[0], pair[1]):
                seen.add((pair[0], pair[1]))
                yield Sighting(f"{pair[0]} was asked for, and {pair[1]} answered", key=f"{pair[0]} {pair[1]}")


def _other_version(requested: str, served: str) -> bool:
    """Tell versions of one vendor's models apart; names without a common vendor word (a deployment, a router) say nothing."""
    names = family(requested), family(served)
    vendors = [_VENDOR.match(name.rsplit("/", 1)[-1]) for name in names]
    numbers = [_NUMBER.findall(name) for name in names]
    shortest = min(len(numbers[0]), len(numbers[1]))
    return (
        all(vendors)
        and vendors[0].group() == vendors[1].group()  # type: ignore[union-attr]
        and shortest > 0
        and numbers[0][:shortest] != numbers[1][:shortest]
    )


def nothing_recorded(recording: Recording) -> Iterator[Sighting]:
    """See cassettes without a single interaction."""
    if not recording.cassette.interactions:
        yield Sighting("nothing was recorded")


def orphans(recording: Recording) -> Iterator[Sighting]:
    """See results without a call, and tool runs that no answer asked for."""
    for sentence in recording.orphans:
        yield Sighting(sentence, key=sentence)


CHECKS = (
    Check("recorded-failure", "A failure was recorded", "error", recording=recorded_failures),
    Check("model-mismatch", "Another model answered than was asked for", "warning", recording=model_mismatches),
    Check("orphan-result", "A result without a call", "warning", recording=orphans),
    Check("nothing-recorded", "Nothing was recorded", "warning", recording=nothing_recorded),
    Check("retried", "Answered after failed tries", "info", recording=retries),
)
