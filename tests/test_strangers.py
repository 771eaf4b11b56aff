"""Cassettes that have nothing to do with one another, compared: whatever differs is told, and every step is shown once."""

import random
from datetime import UTC, datetime
from itertools import product

import pytest

from reviewlib.diff import diff
from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import Cassette, File
from reviewlib.pipeline import compare
from reviewlib.policy import Policy
from reviewlib.trajectory import read_recording
from tests.corpus import CORPUS
from tests.samples import SAMPLES

AT = datetime(2026, 11, 1, tzinfo=UTC)
COMPARED = 400


@pytest.fixture(scope="module")
def recordings():
    found = []
    for folder in (SAMPLES, CORPUS / "public", CORPUS / "samples"):
        paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
        files = [
            File(path=str(path), blob=f"{number:040x}", data=path.read_bytes()) for number, path in enumerate(paths)
        ]
        found += [read_recording(item) for item in read_cassettes(files) if isinstance(item, Cassette)]
    return [item for item in found if item.conversations]


@pytest.fixture(scope="module")
def strangers(recordings):
    chance = random.Random(7)
    pairs = [(chance.choice(recordings), chance.choice(recordings)) for _ in range(COMPARED)]
    return [(one, other, diff(one, other, 0.1)) for one, other in pairs]


def test_every_step_of_both_sides_is_shown_exactly_once(strangers):
    for one, other, found in strangers:
        if found.leftovers:
            continue
        for side, recording in (("baseline", one), ("head", other)):
            shown = sorted(getattr(row, side) for row in found.rows if getattr(row, side))
            assert shown == [
                (number, step.index) for number, item in enumerate(recording.conversations) for step in item.steps
            ]


def test_a_cause_stands_before_what_follows_from_it(strangers):
    for _, _, found in strangers:
        assert all(change.cause is None or change.cause < number for number, change in enumerate(found.changes))


def test_what_a_change_names_exists(strangers):
    for one, other, found in strangers:
        for change in found.changes:
            for recording, step in ((one, change.baseline_step), (other, change.head_step)):
                assert step is None or recording.conversations[step[0]].steps[step[1]].index == step[1]


def test_other_behaviour_never_goes_untold(recordings):
    chance = random.Random(11)
    told = {
        "arguments",
        "tool_added",
        "tool_removed",
        "tool_moved",
        "turns",
        "conversation_added",
        "conversation_removed",
    }
    for _ in range(COMPARED):
        one, other = chance.choice(recordings), chance.choice(recordings)
        pair = compare(one, other, Policy(), AT)
        calls = [
            sorted((call.tool, str(call.arguments)) for item in side.conversations for call in item.calls)
            for side in (one, other)
        ]
        if calls[0] != calls[1] and not pair.diff.leftovers:
            assert told & {change.kind for change in pair.diff.changes} or pair.diff.significance != "identical"


def test_a_cassette_does_not_differ_from_itself(recordings):
    for recording in recordings:
        found = diff(recording, recording, 0.0)
        assert found.changes == (), recording.cassette.path
        assert {row.relation for row in found.rows} <= {"same"}


def test_both_directions_tell_mirrored_changes(strangers):
    mirror = {"tool_added": "tool_removed", "tool_removed": "tool_added"}
    mirror |= {"conversation_added": "conversation_removed", "conversation_removed": "conversation_added"}
    for (one, other, found), _ in product(strangers[:100], range(1)):
        back = diff(other, one, 0.1)
        if found.leftovers or back.leftovers or len(one.conversations) > 1 or len(other.conversations) > 1:
            continue
        counts = [sorted(change.kind for change in item.changes if change.kind in mirror) for item in (found, back)]
        assert len(counts[0]) == len(counts[1])
