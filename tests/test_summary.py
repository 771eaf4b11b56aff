"""What a review adds up to, and what the gate waits for."""

from decimal import Decimal
from typing import get_args

import pytest

from reviewlib.model.call import Usage
from reviewlib.model.change import SIGNIFICANCES
from reviewlib.model.review import Finding, State, Status, Totals
from reviewlib.summary import DECIDED, is_shut, summarise, waiting
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


# Findings


def seen(code="recorded-failure", severity="error", message="HTTP 404 was recorded", since="new"):
    return Finding(code=code, severity=severity, message=message, since=since)


def test_what_a_check_says_of_several_pairs_is_put_together_by_its_sentences():
    one, other = seen(), seen(message="HTTP 401 was recorded")
    found = summarise(
        review(pair("a", findings=(one, one)), pair("b", findings=(one, other)), pair("c"), pair("d", findings=(one,))),
        {},
    ).findings
    (item,) = found
    assert item.messages == (("HTTP 404 was recorded", 3), ("HTTP 401 was recorded", 1))
    assert item.pairs == ("a", "b", "d")
    assert item.decided == 0


def test_new_errors_come_first_and_then_what_most_pairs_have_and_what_is_gone_is_last():
    rare, often = seen("secret"), seen("renamed-model")
    findings = (often, seen("retried", "info"), seen("model-mismatch", "warning"), seen("loop", since="gone"))
    found = summarise(review(pair("a", findings=(*findings, rare)), pair("b", findings=findings)), {}).findings
    assert [item.code for item in found] == ["renamed-model", "secret", "model-mismatch", "retried", "loop"]


def test_what_was_there_before_is_no_news():
    assert summarise(review(pair("a", findings=(seen(since="known"),))), {}).findings == ()


def test_an_error_stands_first_until_every_pair_that_has_it_is_decided():
    one = review(pair("a", findings=(seen(),)), pair("b", findings=(seen(),)))
    for known, decided, errors in (
        ({}, 0, 1),
        (states(a="approved"), 1, 1),
        (states(a="approved", b="flagged"), 1, 1),
        (states(a="approved", b="approved"), 2, 0),
    ):
        counted = summarise(one, known)
        assert (counted.findings[0].decided, len(counted.errors)) == (decided, errors)


def test_warnings_and_what_is_gone_are_no_errors_to_begin_with():
    findings = (seen(severity="warning"), seen("loop", since="gone"))
    assert summarise(review(pair("a", findings=findings)), {}).errors == ()


def test_an_error_of_all_pairs_together_shuts_the_gate_and_one_of_a_pair_until_the_pair_is_decided():
    together = review(pair("a", "identical"), findings=(seen("cost-budget"),))
    assert [item.code for item in summarise(together, states(a="approved")).errors] == ["cost-budget"]
    assert is_shut(summarise(together, {}), ())
    lesser = review(pair("a", "identical"), findings=(seen("cost-budget", "warning"),))
    assert not is_shut(summarise(lesser, {}), ())
    both = review(pair("a", "identical", findings=(seen("cost-budget"),)), findings=(seen("cost-budget"),))
    assert [item.pairs for item in summarise(both, {}).errors] == [("a",), ()]
    assert is_shut(summarise(both, states(a="approved")), ())
    of_a_pair = review(pair("a", "cosmetic", findings=(seen(),)))
    accepted = states(a="approved")
    assert is_shut(summarise(of_a_pair, {}), waiting(of_a_pair, {}, ("behaviour",)))
    assert not is_shut(summarise(of_a_pair, accepted), waiting(of_a_pair, accepted, ("behaviour",)))


# Findings and the gate


@pytest.mark.parametrize(
    ("finding", "state", "missing", "reason"),
    [
        (seen(), "open", 0, "finding"),
        (seen(), "stale", 0, "finding"),
        (seen(), "approved", 0, None),
        (seen(), "carried", 0, None),
        (seen(), "resolved", 0, None),
        (seen(), "approved", 1, "approvals"),
        (seen(), "flagged", 0, "flagged"),
        (seen(), "blocked", 0, "blocked"),
        (seen(since="known"), "open", 0, None),
        (seen(since="gone"), "open", 0, None),
        (seen(severity="warning"), "open", 0, None),
    ],
)
@pytest.mark.parametrize("significance", ["identical", "cosmetic", "request"])
def test_a_new_error_needs_a_person_whatever_changed(significance, finding, state, missing, reason):
    known = {"x": PairState(state=state, missing=missing)}
    found = waiting(review(pair("x", significance, findings=(finding,))), known, ("behaviour",))
    assert [item.reason for item in found] == ([] if reason is None else [reason])


def test_a_pair_that_needs_a_verdict_anyway_keeps_its_reason():
    whole = review(pair("x", "behaviour", findings=(seen(),)), pair("y", None, findings=(seen(),)))
    assert [item.reason for item in waiting(whole, {}, ("behaviour",))] == ["open", "unreadable"]


def test_a_pair_that_waits_for_a_finding_says_which_and_what_the_ledger_says():
    other = seen("forbidden-tool", message="delete_order was called")
    (found,) = waiting(review(pair("x", "cosmetic", findings=(seen(), other, other))), {}, ("behaviour",))
    assert found.why == "recorded-failure: HTTP 404 was recorded; forbidden-tool: delete_order was called"


def test_breaches_are_new_errors_of_the_projects_own_rules_that_nobody_accepted():
    broken, dear = seen("forbidden-tool"), seen("cost-budget")
    pairs = (pair("a", findings=(broken, seen())), pair("b", findings=(seen("order", since="known"),)))
    together = review(*pairs, findings=(dear, seen("duplicate")))
    codes = {item.code for item in summarise(together, {}).breaches}
    assert codes == {"cost-budget", "forbidden-tool"}
    accepted = summarise(together, states(a="approved")).breaches
    assert [item.code for item in accepted] == ["cost-budget"]


@pytest.mark.parametrize("finding", [seen("forbidden-tool", "warning"), seen("unjudged-budget"), seen("secret")])
def test_what_the_policy_calls_no_error_or_no_rule_is_no_breach(finding):
    assert summarise(review(pair("a", findings=(finding,))), {}).breaches == ()
