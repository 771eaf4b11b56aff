"""The proof of a diff: the baseline, edited as the diff says, is head; without any one of its changes it is not."""

import random

import pytest

from reviewlib.diff import diff
from reviewlib.diff.apply import apply
from reviewlib.diff.form import form_of
from reviewlib.diff.patch import PatchError
from reviewlib.model.call import ToolSchema
from reviewlib.pairing import pair_cassettes
from reviewlib.values import canonical, same
from tests.stories import edited, recorded, story
from tests.test_untold import folders, read
from tests.trajectories import C, T, call, recording, trajectory

STRANGERS = 400
STORIES = 300


def failures(one, other):
    """What is wrong with the diff of two recordings, as a proof; nothing, if all is well."""
    found, head = diff(one, other, 0.1), form_of(other.conversations)
    wrong = [f"untold: {edit}" for edit in found.silent if not edit.reason]
    if not same(apply(one, found), head):
        wrong.append("the round trip does not end at head")
    for number, change in enumerate(found.changes):
        rest = found.model_copy(update={"changes": (*found.changes[:number], *found.changes[number + 1 :])})
        if reaches(one, rest, head):
            wrong.append(f"head is reached without {change}")
    return wrong


def reaches(one, found, head):
    try:
        return same(apply(one, found), head)
    except PatchError:
        return False


@pytest.mark.parametrize(("base", "head"), folders(), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_re_record_makes_the_round_trip_both_ways_and_needs_each_of_its_changes(base, head):
    for one, other in pair_cassettes(read(base), read(head)):
        if one is not None and other is not None:
            assert failures(one, other) == [], one.cassette.path
            assert failures(other, one) == [], one.cassette.path


def test_strangers_make_the_round_trip_both_ways_and_need_each_of_their_changes():
    everything = [item for pair in folders() for folder in pair for item in read(folder) if item.conversations]
    chance = random.Random(3)
    for _ in range(STRANGERS):
        one, other = chance.choice(everything), chance.choice(everything)
        assert failures(one, other) == [], (one.cassette.path, other.cassette.path)
        assert failures(other, one) == [], (one.cassette.path, other.cassette.path)


@pytest.mark.parametrize("seed", range(STORIES))
def test_made_up_runs_make_the_round_trip_both_ways_and_need_each_of_their_changes(seed):
    chance = random.Random(seed)
    stories = [story(chance) for _ in range(chance.choice([1, 1, 1, 2, 3]))]
    heads = [edited(item, chance) for item in stories] + [story(chance)] * (chance.random() < 0.2)
    chance.shuffle(heads)
    one, other = recorded(stories, chance), recorded(heads, chance)
    assert failures(one, other) == []
    assert failures(other, one) == []
    assert failures(one, one) == []


@pytest.mark.parametrize("seed", range(STORIES // 10))
def test_nothing_is_done_where_nothing_differs(seed):
    chance = random.Random(seed)
    one = recorded([story(chance), story(chance)], chance)
    found = diff(one, one, 0.1)
    assert (found.changes, found.silent) == ((), ())


def test_the_canonical_form_holds_nothing_volatile():
    calls = [C("b", {"x": 1, "y": 2.0}, 1.0), C("a", {}, 2)]
    one = trajectory(T(calls, thinking="hm"), parameters={"seed": None})
    other = trajectory(T([C("a", {}, 2.0), C("b", {"y": 2, "x": 1}, 1)]), parameters={})
    assert same(form_of([one]), form_of([other]))
    assert same(form_of([one, trajectory(call("z"))]), form_of([trajectory(call("z")), other]))


OTHER = {
    "arguments": (T([C("a", {"x": "1"}, 2)]),),
    "a result": (T([C("a", {"x": 1}, "2")]),),
    "a missing result": (T([C("a", {"x": 1})]),),
    "text in place of arguments": (T([C("a", {"x": 1}, 2, raw='{"x": 1}')]),),
    "an error": (T([C("a", {"x": 1}, 2, is_error=True)]),),
    "words": (T([C("a", {"x": 1}, 2)], text="x"),),
    "a stop reason": (T([C("a", {"x": 1}, 2)], stop="max_tokens"),),
    "a turn": (T([C("a", {"x": 1}, 2)]), T()),
    "a model": (T([C("a", {"x": 1}, 2)], model="x"),),
    "usage": (T([C("a", {"x": 1}, 2)], usage=(1, 1)),),
}


@pytest.mark.parametrize("what", OTHER)
def test_the_canonical_form_holds(what):
    base = trajectory(T([C("a", {"x": 1}, 2)]))
    assert not same(form_of([base]), form_of([trajectory(*OTHER[what])]))


LONG = {"items": list(range(500))}


def test_details_beyond_those_that_are_listed_are_applied_too():
    one = recording(trajectory(call("a", LONG, LONG)))
    other = recording(
        trajectory(call("a", {"items": [str(n) for n in range(500)]}, {"items": [-n for n in range(500)]}))
    )
    found = diff(one, other, 0.1)
    assert all(len(change.details) < 300 and change.unlisted for change in found.changes)
    assert failures(one, other) == []


def test_what_is_not_recorded_or_stands_in_for_something_is_applied_and_told_by_no_change():
    one = recording(trajectory(call("a", {"key": "k-12"}, 5, is_error=None), parameters={"t": 1}))
    other = recording(
        trajectory(call("a", {"key": "[REDACTED]"}, is_error=False), system=None), not_recorded=("system_prompt",)
    )
    found = diff(one, other, 0.1)
    assert found.changes == ()
    assert {(edit.field or edit.details[0].path, edit.reason) for edit in found.silent} == {
        ("arguments", "placeholder"),
        ("result", "unknown"),
        ("is_error", "unknown"),
        ("parameters", "unknown"),
        ("system_prompts", "unknown"),
    }
    assert failures(one, other) == []


def test_an_added_tool_is_carried_with_its_whole_schema():
    added = ToolSchema(name="b", description="Find.", schema_={"type": "object"})
    one, other = (recording(trajectory(call("a"), tools=tools)) for tools in ((), (added,)))
    found = diff(one, other, 0.1)
    assert "Find." in canonical(apply(one, found))


def test_a_diff_of_another_baseline_is_refused():
    one, other = recording(trajectory(call("a", {"x": 1}))), recording(trajectory(call("a", {"x": 2})))
    stranger = recording(trajectory(call("a", {"x": 3})))
    with pytest.raises(PatchError, match="is 3, not 1"):
        apply(stranger, diff(one, other, 0.1))
    with pytest.raises(PatchError, match="conversations"):
        apply(recording(trajectory(call("a")), trajectory(call("b"))), diff(one, other, 0.1))


def test_a_turn_that_goes_while_a_call_of_it_does_not_is_refused():
    one, other = recording(trajectory(call("a"), call("b"))), recording(trajectory(call("a")))
    found = diff(one, other, 0.1)
    (removed,) = found.changes
    half = removed.model_copy(update={"edits": tuple(edit for edit in removed.edits if edit.what == "turn")})
    with pytest.raises(PatchError, match="what becomes of its calls"):
        apply(one, found.model_copy(update={"changes": (half,)}))
