"""Checks of one recording by itself."""

import re
from collections.abc import Iterator

from reviewlib.checks.check import Check, Sighting
from reviewlib.model.trajectory import Failure, Recording
from reviewlib.model_names import family

_NUMBER = re.compile(r"\d+o?")  # a gpt-4o is no gpt-4.1
_VENDOR = re.compile(r"[a-z]+")


def recorded_failures(recording: Recording) -> Iterator[Sighting]:
    """See calls of the model that ended in an error, and that nothing retried."""
    for number, conversation in enumerate(recording.conversations):
        for step in conversation.steps:
            if isinstance(step, Failure):
                status = _status(step.http_status)
                yield Sighting(f"{status} was recorded in place of an answer", (number, step.index), status)


def _status(status: int | None) -> str:
    """Name a failure by its status; a body or a stream may tell of an error under a good one."""
    if not status:
        return "an error"
    return f"HTTP {status}" if status >= 300 else f"an error under status {status}"


def retries(recording: Recording) -> Iterator[Sighting]:
    """See answers that came only after failed tries."""
    for number, conversation in enumerate(recording.conversations):
        for turn in conversation.turns:
            if turn.attempts:
                statuses = [str(attempt.http_status or "error") for attempt in turn.attempts]
                step = (number, turn.first) if turn.first < turn.end else None
                tries = "1 failed try" if len(statuses) == 1 else f"{len(statuses)} failed tries"
                message = f"answered after {tries} ({', '.join(statuses)})"
                yield Sighting(message, step, ", ".join(sorted({*statuses})))  # fewer tries than before are not new


def model_mismatches(recording: Recording) -> Iterator[Sighting]:
    """See answers of another version of a model than was asked for: an edited request, or a retired model that is redirected."""
    turns = (turn for conversation in recording.conversations for turn in conversation.turns)
    for asked, served in dict.fromkeys((turn.requested_model, turn.model) for turn in turns):
        if asked and served and asked != served and _other_version(asked, served):
            yield Sighting(f"{asked} was asked for, and {served} answered", key=f"{asked} {served}")


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
