"""Nothing missed, nothing cried: every diff of the corpus and of the samples, both ways, and of strangers."""

import random
from functools import cache

import pytest

from reviewlib.diff import diff
from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import Cassette, File
from reviewlib.pairing import pair_cassettes
from reviewlib.trajectory import read_recording
from tests.corpus import CORPUS
from tests.samples import SAMPLES
from tests.trajectories import C, T, call, recording, trajectory
from tests.untold import cried, untold

STRANGERS = 300


def folders():
    found = [(path / "baseline", path / "head") for path in sorted(SAMPLES.iterdir()) if path.is_dir()]
    for area in ("public", "recorders"):
        area_path = CORPUS / area
        if area_path.is_dir():
            found += [(path / "base", path / "head") for path in sorted(area_path.iterdir()) if path.is_dir()]
    return found


@cache
def read(folder):
    paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    files = [
        File(path=path.relative_to(folder).as_posix(), blob=f"{number:040x}", data=path.read_bytes())
        for number, path in enumerate(paths)
    ]
    return tuple(read_recording(item) for item in read_cassettes(files) if isinstance(item, Cassette))


@pytest.mark.parametrize(("base", "head"), folders(), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_of_every_re_record_both_ways_all_that_differs_is_told_and_nothing_else(base, head):
    for one, other in pair_cassettes(read(base), read(head)):
        if one is None or other is None:
            continue
        for left, right in ((one, other), (other, one)):
            found = diff(left, right, 0.1)
            if not found.leftovers:
                assert untold(left, right, found) == [], left.cassette.path
                assert cried(left, right, found) == [], left.cassette.path


def test_of_strangers_all_that_differs_is_told_and_nothing_else():
    everything = [item for pair in folders() for folder in pair for item in read(folder) if item.conversations]
    chance = random.Random(5)
    for _ in range(STRANGERS):
        one, other = chance.choice(everything), chance.choice(everything)
        found = diff(one, other, 0.1)
        if not found.leftovers:
            assert untold(one, other, found) == [], (one.cassette.path, other.cassette.path)
            assert cried(one, other, found) == [], (one.cassette.path, other.cassette.path)


BASE = trajectory(call("a", {"x": 1}, {"r": 1}, is_error=False), T([C("b"), C("c")]), T(text="Done."))
HEADS = {
    "an argument": trajectory(call("a", {"x": 2}, {"r": 1}, is_error=False), T([C("b"), C("c")]), T(text="Done.")),
    "a result": trajectory(call("a", {"x": 1}, {"r": 2}, is_error=False), T([C("b"), C("c")]), T(text="Done.")),
    "an error": trajectory(call("a", {"x": 1}, {"r": 1}, is_error=True), T([C("b"), C("c")]), T(text="Done.")),
    "a call less": trajectory(call("a", {"x": 1}, {"r": 1}, is_error=False), T([C("b")]), T(text="Done.")),
    "a call more": trajectory(
        call("a", {"x": 1}, {"r": 1}, is_error=False), call("z"), T([C("b"), C("c")]), T(text="Done.")
    ),
    "other words": trajectory(call("a", {"x": 1}, {"r": 1}, is_error=False), T([C("b"), C("c")]), T(text="Ready.")),
    "other turns": trajectory(call("a", {"x": 1}, {"r": 1}, is_error=False), call("b"), call("c"), T(text="Done.")),
    "another order": trajectory(T([C("b"), C("c")]), call("a", {"x": 1}, {"r": 1}, is_error=False), T(text="Done.")),
    "another prompt": trajectory(
        call("a", {"x": 1}, {"r": 1}, is_error=False), T([C("b"), C("c")]), T(text="Done."), system="x"
    ),
}


@pytest.mark.parametrize("what", HEADS)
def test_a_difference_that_is_left_out_of_a_diff_is_found(what):
    one, other = recording(BASE), recording(HEADS[what])
    found = diff(one, other, 0.1)
    assert untold(one, other, found) == []
    silent = found.model_copy(
        update={
            "changes": (),
            "rows": tuple(
                row.model_copy(
                    update={"changes": (), "relation": "same" if row.baseline and row.head else row.relation}
                )
                for row in found.rows
            ),
        }
    )
    assert untold(one, other, silent)
