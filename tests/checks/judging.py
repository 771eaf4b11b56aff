"""How a check is asked about recordings that are made by hand."""

import hashlib
import json
from datetime import UTC, datetime

from reviewlib.checks import findings
from reviewlib.checks.check import Given
from reviewlib.diff import diff
from reviewlib.model.cassette import Exchange, File, Request, Response
from reviewlib.model.surroundings import UNKNOWN
from reviewlib.pipeline import read
from reviewlib.policy import Hygiene, Policy
from tests.trajectories import recording, trajectory

TODAY = datetime(2026, 11, 30, tzinfo=UTC)


def made(*turns, run="a", path="tests/cassettes/test.yaml", changes=None, uri=None, recorded_at=None, **settings):
    """One conversation as a recording; its answers have ids as Anthropic gives them. ``changes`` are facts of single turns, by number."""
    story = trajectory(*turns, **settings)
    numbered = tuple(
        turn.model_copy(update={"response_id": issued(f"{run}-{turn.turn}"), **(changes or {}).get(turn.turn, {})})
        for turn in story.turns
    )
    whole = recording(story.model_copy(update={"turns": numbered}), path=path)
    exchanges = tuple(
        Exchange(
            index=turn.interaction, request=Request(uri=uri), response=Response(status=200), recorded_at=recorded_at
        )
        for turn in numbered
    )
    return whole.model_copy(update={"cassette": whole.cassette.model_copy(update={"interactions": exchanges})})


def issued(seed):
    """An id as Anthropic gives one."""
    return f"msg_{hashlib.sha256(seed.encode()).hexdigest()[:24]}"


def given(around=UNKNOWN, before=UNKNOWN, today=TODAY, **hygiene):
    return Given(Policy(hygiene=Hygiene(**hygiene)), today, around, before)


def told(code, baseline, head, what=None):
    """What one check says of a pair: since when, and in which words."""
    changed = diff(baseline, head, 0.2) if baseline and head else None
    return [
        (item.since, item.message) for item in findings(baseline, head, changed, what or given()) if item.code == code
    ]


def since(code, baseline, head, what=None):
    return [when for when, _ in told(code, baseline, head, what)]


def file(value, path="tests/cassettes/test.json"):
    """A file as a source gives it."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return File(path=path, blob=hashlib.sha1(data, usedforsecurity=False).hexdigest(), data=data)


def loaded(value, path="tests/cassettes/test.json"):
    """The only cassette of a file."""
    (found,) = read([file(value, path)])
    return found
