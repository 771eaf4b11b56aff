"""An id that a tool made is no changed argument of the calls that take it; everything else that a result hands on is told."""

import pytest

from reviewlib.diff import diff
from tests.test_apply import failures
from tests.trajectories import C, T, call, recording, trajectory

UUIDS = "0b6f2d1e-91aa-4d1c-8a53-77f6b2f0c1d4", "e2a9c7f0-1f5b-4a6e-b8f3-5d0c9a41e6b7"


def run(made, taken, name="id", turns=2):
    """A run in which ``create`` gives something, and ``ship`` takes something."""
    create, ship = C("create", {"x": 1}, {name: made}), C("ship", {"what": taken}, {"ok": True})
    calls = (T([create]), T([ship])) if turns == 2 else (T([create, ship]),)
    return recording(trajectory(*calls, T(text="Done.")))


def told(one, other):
    assert failures(one, other) == []
    assert failures(other, one) == []
    return [(change.kind, change.tool) for change in diff(one, other, 0.1).changes]


RESULT, RESULT_OF_FIND = ("result", "create"), ("result", "find")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("id", ("ord_81f", "ord_99c")),
        ("orderId", ("7", "8")),
        ("order_id", (4471, 4472)),
        ("reference", UUIDS),
        ("reference", ("RMA-2026-0017", "RMA-2026-0018")),
    ],
)
def test_an_id_is_compared_by_where_it_came_from(name, values):
    one, other = (run(value, value, name) for value in values)
    assert told(one, other) == [RESULT]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("total", (39.0, 390.0)),
        ("total", (39, 390)),
        ("paid", ("39", "390")),
        ("plan", ("tier1", "tier2")),
        ("status", ("delivered", "lost")),
        ("when", ("2026-11-29", "2026-11-30")),
        ("id", (True, False)),
    ],
)
def test_what_is_no_id_is_told_as_a_consequence(name, values):
    one, other = (run(value, value, name) for value in values)
    assert told(one, other) == [RESULT, ("arguments", "ship")]


def test_another_id_than_the_result_gave_is_a_changed_argument():
    assert told(run("ord_81f", "ord_81f"), run("ord_99c", "ord_77a")) == [RESULT, ("arguments", "ship")]


def test_a_result_of_the_same_turn_is_not_earlier():
    one, other = (run(value, value, turns=1) for value in ("ord_81f", "ord_99c"))
    assert ("arguments", "ship") in told(one, other)


def test_the_id_of_another_tool_or_field_explains_nothing():
    one = recording(trajectory(call("a", {}, {"id": "n-1", "parent": "n-7"}), call("drop", {"what": "n-1"})))
    other = recording(trajectory(call("a", {}, {"id": "n-7", "parent": "n-1"}), call("drop", {"what": "n-1"})))
    assert told(one, other) == [("result", "a")]
    aimed = recording(trajectory(call("a", {}, {"id": "n-1", "parent": "n-7"}), call("drop", {"what": "n-7"})))
    assert told(one, aimed) == [("arguments", "drop")]


def test_an_id_that_the_model_chose_is_its_own_though_the_result_repeats_it():
    one, other = (
        recording(trajectory(call("find", {"id": name}, {"id": name}), call("ship", {"what": name}), T(text="Done.")))
        for name in ("ord_81f", "ord_99c")
    )
    assert told(one, other) == [("arguments", "find"), RESULT_OF_FIND, ("arguments", "ship")]


def test_an_id_that_was_made_from_a_made_id_has_an_origin_too():
    one, other = (
        recording(
            trajectory(
                call("create", {}, {"id": f"ord_{n}"}),
                call("ship", {"id": f"ord_{n}"}, {"tracking": f"TRK-{n}-0001"}),
                call("notify", {"about": f"TRK-{n}-0001"}),
            )
        )
        for n in (811, 992)
    )
    assert told(one, other) == [RESULT, ("result", "ship")]


def test_what_is_silent_for_its_origin_says_so():
    found = diff(run("ord_81f", "ord_81f"), run("ord_99c", "ord_99c"), 0.1)
    assert [(edit.reason, edit.details[0].path) for edit in found.silent] == [("origin", "what")]
