"""What a review adds up to, and what the gate waits for."""

from decimal import Decimal
from typing import get_args

import pytest

from reviewlib.model.call import Usage
from reviewlib.model.change import SIGNIFICANCES
from reviewlib.model.review import State, Status, Totals
from reviewlib.summary import DECIDED, summarise, waiting
from reviewlib.verdicts import PairState
from tests.reviews import example, pair, review, states, totals


def test_every_significance_status_and_state_is_counted_also_at_zero():
    counted = summarise(review(), {})
    assert counted.significances == dict.fromkeys(SIGNIFICANCES, 0)
    assert counted.statuses == dict.fromkeys(get_args(Status), 0)
    assert counted.states == dict.fromkeys(get_args(State), 0)
    assert (counted.pairs, counted.unreadable, counted.order, counted.undecided) == (0, 0, (), 0)


def test_a_review_is_counted_by_significance_status_and_state():
    counted = summarise(
        example(), states(**{"tests/cassettes/refund.yaml": "flagged", "tests/cassettes/noise.yaml": "approved"})
    )
    assert counted.pairs == 8
    assert counted.significances == {"identical": 1, "cosmetic": 1, "request": 3, "behaviour": 2}
    assert counted.unreadable == 1
    assert counted.statuses["added"] == 1
    assert counted.states == dict.fromkeys(get_args(State), 0) | {"open": 6, "flagged": 1, "approved": 1}
    assert counted.undecided == 7


def test_the_counts_of_significances_and_unreadable_add_up_to_the_pairs():
    counted = summarise(example(), {})
    assert sum(counted.significances.values()) + counted.unreadable == counted.pairs
    assert sum(counted.states.values()) == sum(counted.statuses.values()) == counted.pairs


def test_usage_and_cost_are_summed_by_side_and_an_absent_side_counts_nothing():
    priced = pair(baseline_totals=totals(cost=Decimal(1)), head_totals=totals(cost=Decimal(2)))
    added = pair("new", baseline=None, baseline_totals=Totals(), head_totals=totals(cost=Decimal(3)))
    counted = summarise(review(priced, added), {})
    assert counted.baseline == totals(cost=Decimal(1))
    assert counted.head.cost == Decimal(5)
    assert counted.head.usage == Usage(input_tokens=2000, output_tokens=200)
    assert (counted.head.turns, counted.head.calls) == (2, 2)
    assert (counted.measured, counted.priced) == (2, 2)


@pytest.mark.parametrize(
    "unknown",
    [
        pair("other", head_totals=Totals(turns=1)),
        pair("other", baseline_totals=Totals(turns=1)),
        pair("other", None, head_totals=Totals()),
    ],
    ids=["head does not say", "baseline does not say", "head is unreadable"],
)
def test_both_sums_are_about_the_cassettes_that_know_their_usage_on_both_sides(unknown):
    known = pair(baseline_totals=totals(cost=Decimal(1)), head_totals=totals(2000, cost=Decimal(2)))
    counted = summarise(review(known, unknown), {})
    assert (counted.pairs, counted.measured, counted.priced) == (2, 1, 1)
    assert counted.baseline.usage == known.baseline_totals.usage
    assert counted.head.usage == known.head_totals.usage
    assert (counted.baseline.cost, counted.head.cost) == (1, 2)


def test_nothing_known_is_no_sum():
    counted = summarise(review(pair(baseline_totals=Totals(), head_totals=Totals())), {})
    assert (counted.head.usage, counted.head.cost, counted.measured, counted.priced) == (None, None, 0, 0)


def test_work_begins_with_what_nobody_has_decided_and_ends_with_what_is():
    names = ("approved", "flagged", "carried", "open", "blocked", "stale", "resolved", "also_open")
    known = states(**{name: name for name in names if name != "also_open"})
    assert summarise(review(*(pair(name) for name in names)), known).order == (
        "open",
        "blocked",
        "stale",
        "also_open",
        "flagged",
        "approved",
        "carried",
        "resolved",
    )


def test_pairs_that_are_equally_urgent_keep_the_order_of_the_review():
    names = ("c", "a", "b")
    assert summarise(review(*(pair(name) for name in names)), {}).order == names


@pytest.mark.parametrize(
    ("significance", "state", "reason"),
    [
        ("behaviour", "open", "open"),
        ("behaviour", "stale", "stale"),
        ("behaviour", "flagged", "flagged"),
        ("behaviour", "blocked", "blocked"),
        ("behaviour", "approved", None),
        ("behaviour", "carried", None),
        ("behaviour", "resolved", None),
        ("request", "open", None),
        ("request", "stale", None),
        ("cosmetic", "open", None),
        ("identical", "open", None),
        ("request", "flagged", "flagged"),
        ("cosmetic", "flagged", "flagged"),
        ("identical", "blocked", "blocked"),
        (None, "open", "unreadable"),
        (None, "stale", "unreadable"),
        (None, "approved", "unreadable"),
        (None, "flagged", "flagged"),
    ],
)
def test_the_gate_waits_by_significance_and_state(significance, state, reason):
    found = waiting(review(pair("x", significance)), states(x=state), ("behaviour",))
    assert [item.reason for item in found] == ([] if reason is None else [reason])


@pytest.mark.parametrize(
    ("require", "count"),
    [((), 1), (("behaviour",), 3), (("behaviour", "request"), 6), (SIGNIFICANCES, 8)],
)
def test_policy_says_which_significances_need_a_verdict(require, count):
    assert len(waiting(example(), {}, require)) == count


def test_what_the_gate_waits_for_carries_the_headline_and_comes_in_the_order_of_work():
    found = waiting(example(), {}, ("behaviour",))
    assert [item.path.rpartition("/")[2] for item in found] == ["broken.yaml", "refund.yaml", "new.yaml"]
    assert found[1].headline == "issue_refund.amount 39 → 390"
    assert found[0].significance is None


def test_every_state_either_passes_the_gate_or_names_a_reason():
    for state in get_args(State):
        passes = not waiting(review(pair("x", "behaviour")), states(x=state), SIGNIFICANCES)
        assert passes is (state in DECIDED), state


@pytest.mark.parametrize(
    ("state", "missing", "reason"), [("approved", 1, "approvals"), ("carried", 2, "approvals"), ("approved", 0, None)]
)
def test_the_gate_waits_for_missing_approvals_of_what_needs_them(state, missing, reason):
    known = {"x": PairState(state=state, missing=missing)}
    whole = review(pair("x", "behaviour"), pair("y", "identical"))
    found = waiting(whole, known, ("behaviour",))
    assert [item.reason for item in found] == ([] if reason is None else [reason])
    assert waiting(whole, known, ("request",)) == ()
    assert summarise(whole, known).undecided == (2 if missing else 1)


def test_what_the_gate_waits_for_has_both_names_of_a_renamed_cassette():
    (found,) = waiting(review(pair("new", baseline_path="old", status="renamed")), {}, ("behaviour",))
    assert found.paths == ("old", "new")
