"""Checks of when a recording was made, and with which prompt: whether it still says something about today."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from reviewlib.checks.check import Check, Given, Sighting
from reviewlib.diff.requests import HASHED
from reviewlib.model.cassette import Exchange, Response
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import Recording

_DAY = 86_400
_CREATED = re.compile(r'"created(?:_at)?":\s*(1[5-9]\d{8}|2\d{9})\b')
"""A moment in seconds, as OpenAI's streams repeat it in every event."""

_FIRST = 4_000
"""Characters of a stream in which it is looked for."""

_LAST = 32_503_680_000
"""The year 3000; what is beyond is no moment that anything was recorded at."""


def recorded_at(recording: Recording) -> float | None:
    """Tell when the newest answer was recorded, in seconds since the epoch; None where nothing in the cassette says so.

    The recorder's own time goes first, then the ``Date`` headers, then what the answers call their moment of creation.
    """
    exchanges = [item for item in recording.cassette.interactions if isinstance(item, Exchange)]
    own = [moment for item in exchanges if (moment := _moment(item.recorded_at)) is not None]
    noted = max(own, default=_moment(recording.cassette.recorded_at))
    if noted is not None:
        return noted
    answers = [item.response for item in exchanges if item.response is not None]
    dated = [moment for answer in answers if (moment := _date(answer.headers.get("date"))) is not None]
    created = dated or [moment for answer in answers if (moment := _created(answer)) is not None]
    return max(created, default=None)


def _moment(seconds: float | None) -> float | None:
    """Take a number for a moment, if it can be one."""
    return seconds if seconds is not None and 0 <= seconds < _LAST else None


def _date(header: str | None) -> float | None:
    try:
        return None if header is None else _moment(parsedate_to_datetime(header).timestamp())
    except (ValueError, OverflowError):
        return None


def _created(answer: Response) -> float | None:
    body: Plain = answer.chunks[0] if answer.chunks else answer.body
    if isinstance(body, dict):
        value = body.get("created", body.get("created_at"))
        return float(value) if isinstance(value, int | float) and 1.5e9 <= value < 3e9 else None
    found = _CREATED.search(body[:_FIRST]) if isinstance(body, str) else None
    return float(found[1]) if found else None


def stale(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See recordings that are older than the project's schedule allows; git's date counts where the cassette has none."""
    path = recording.path
    days = given.policy.hygiene.stale_after(path)
    if days is None:
        return
    origin = given.around.origin(path)
    moment = recorded_at(recording)
    made = moment if moment is not None else None if origin is None else _moment(origin.at)
    if made is None:
        return
    age = int((given.today.timestamp() - made) // _DAY)
    if age > days:
        day = datetime.fromtimestamp(made, UTC).date()
        how = "recorded" if moment is not None else "committed"
        yield Sighting(f"{how} on {day}, {age} days ago: it is to be recorded anew after {days}")


def template_drift(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See recordings made with another text of the prompt file than the one that stands beside them."""
    prompt = given.policy.hygiene.template(recording.path)
    now = given.around.prompts.get(prompt) if prompt is not None else None
    if now is None:
        return
    recorded = {
        str(turn.parameters[HASHED]): None
        for conversation in recording.conversations
        for turn in conversation.turns
        if turn.parameters is not None and HASHED in turn.parameters
    }
    if recorded and now not in recorded:
        then = next(iter(recorded))
        yield Sighting(
            f"recorded with {prompt} as {then[:12]}, and the file is {now[:12]} now: the prompt was edited since",
            key=now,
        )


CHECKS = (
    Check("template-drift", "The prompt file is another than was recorded", "error", ruled=template_drift),
    Check("stale", "Recorded too long ago", "warning", ruled=stale),
)
