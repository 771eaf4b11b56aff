"""Budgets: of each a recording that is beyond it, and one that just is not; and what is not known is said."""

import json
from decimal import Decimal

import pytest

from reviewlib.checks import suite_findings
from reviewlib.checks.check import Given
from reviewlib.policy import Budget, Policy, Rule
from tests.checks.cassettes import DONE, READ, TODAY, TOOLS, A, cassette, compared, findings

# Three answers of 1,000 and 100 tokens, at $3 and $15 for a million: 3,300 tokens, $0.0135.
RUN = (READ, READ, DONE)
TWICE = (READ, READ, READ, READ, READ, DONE)
SILENT = A("Done.", tokens=None)

ABSOLUTE = {
    "tokens": ("token-budget", {"tokens": 3299}, {"tokens": 3300}, "3,300 tokens, where the budget is 3,299 tokens"),
    "input": (
        "token-budget",
        {"input_tokens": 2999},
        {"input_tokens": 3000},
        "3,000 input tokens, where the budget is 2,999 input tokens",
    ),
    "output": (
        "token-budget",
        {"output_tokens": 0},
        {"output_tokens": 300},
        "300 output tokens, where the budget is 0 output tokens",
    ),
    "cost": (
        "cost-budget",
        {"cost": Decimal("0.0134")},
        {"cost": Decimal("0.0135")},
        "$0.0135 at the prices of 2026-11-01, where the budget is $0.0134",
    ),
}
GROWTH = {
    "tokens": (
        "token-budget",
        {"token_growth": 0.99},
        {"token_growth": 1.0},
        "3,300 tokens became 6,600 tokens (+100%), where the budget allows +99%",
    ),
    "cost": (
        "cost-budget",
        {"cost_growth": 0.99},
        {"cost_growth": 1.0},
        "$0.0135 became $0.027 at the prices of 2026-11-01 (+100%), where the budget allows +99%",
    ),
}


def within(**budget):
    return Policy(rules=(Rule(budget=Budget(**budget)),))


def suite(*pairs, **budget):
    return [
        (item.code, item.severity, item.message)
        for item in suite_findings(pairs, Given(Policy(suite=Budget(**budget)), TODAY))
        if item.code.endswith("budget")
    ]


@pytest.mark.parametrize("case", ABSOLUTE)
def test_a_recording_beyond_its_budget_is_told_with_both_figures(case):
    code, broken, kept, sentence = ABSOLUTE[case]
    (found,) = findings(None, cassette(*RUN), code, within(**broken))
    assert (found.message, found.severity, found.since) == (sentence, "error", "new")
    assert findings(None, cassette(*RUN), code, within(**kept)) == []


@pytest.mark.parametrize("case", GROWTH)
def test_growth_is_judged_against_the_baseline(case):
    code, broken, kept, sentence = GROWTH[case]
    one, other = cassette(*RUN), cassette(*TWICE, run="b")
    (found,) = findings(one, other, code, within(**broken))
    assert (found.message, found.severity, found.since) == (sentence, "error", "new")
    assert findings(one, other, code, within(**kept)) == []
    assert findings(other, one, code, within(**broken)) == []
    assert findings(None, other, code, within(**broken)) == []


def test_a_run_that_was_recorded_behind_the_old_one_has_not_grown_by_it():
    old, new = cassette(*RUN), json.loads(cassette(*RUN, run="b", tools=TOOLS[:1]))
    appended = json.loads(old)
    appended["interactions"] += new["interactions"]
    one, both = old, json.dumps(appended)
    assert findings(one, both, "appended") != []
    assert findings(one, both, "token-budget", within(token_growth=0.1)) == []
    assert findings(one, both, "token-budget", within(tokens=3300)) != []


def test_a_budget_holds_for_the_paths_of_its_rule_alone():
    other = Policy(rules=(Rule(paths=("evals/**",), budget=Budget(tokens=1)),))
    assert findings(None, cassette(*RUN), "token-budget", other) == []


def test_a_recording_made_anew_that_is_beyond_its_budget_is_new_even_where_the_baseline_was():
    one, other = cassette(*RUN), cassette(*TWICE, run="b")
    assert [item.since for item in findings(one, other, "token-budget", within(tokens=1))] == ["new", "gone"]
    assert [item.since for item in findings(one, cassette(*RUN, run="b"), "token-budget", within(tokens=1))] == [
        "known"
    ]


def test_what_an_answer_does_not_say_is_unknown_and_the_rest_is_judged():
    partly = cassette(READ, SILENT)
    (found,) = findings(None, partly, "unjudged-budget", within(tokens=5000))
    assert found.message == "1 of 2 answers do not say how many tokens they took"
    assert findings(None, partly, "token-budget", within(tokens=5000)) == []
    (found,) = findings(None, partly, "token-budget", within(tokens=1000))
    assert found.message == "at least 1,100 tokens, where the budget is 1,000 tokens"


def test_growth_is_not_judged_where_a_side_does_not_say_all():
    one, other = cassette(READ, SILENT), cassette(*TWICE, run="b")
    assert findings(one, other, "token-budget", within(token_growth=0)) == []
    assert findings(one, other, "unjudged-budget", within(token_growth=0)) != []


def test_a_model_without_a_price_costs_an_unknown_amount_and_never_nothing():
    unknown = cassette(*RUN, model="acme-large-3")
    assert findings(None, unknown, "cost-budget", within(cost=1)) == []
    (found,) = findings(None, unknown, "unjudged-budget", within(cost=1))
    assert found.message == "3 of 3 answers have no known price on 2026-11-01 (acme-large-3)"
    assert found.severity == "warning"
    assert findings(None, unknown, "unjudged-budget", within(tokens=1)) == []


def test_without_a_budget_nothing_is_unjudged():
    assert findings(None, cassette(READ, SILENT, model="acme-large-3"), "unjudged-budget") == []
    assert suite(compared(None, cassette(READ, SILENT))) == []


def test_the_suite_adds_up_the_heads_of_all_pairs():
    pairs = [
        compared(cassette(*RUN), cassette(*RUN, run="b")),
        compared(None, cassette(*RUN), path="cassettes/new.yaml"),
    ]
    assert suite(*pairs, tokens=6600, cost=Decimal("0.027")) == []
    assert suite(*pairs, tokens=6599, cost=Decimal("0.02")) == [
        ("token-budget", "error", "all cassettes of the comparison: 6,600 tokens, where the budget is 6,599 tokens"),
        (
            "cost-budget",
            "error",
            "all cassettes of the comparison: $0.027 at the prices of 2026-11-01, where the budget is $0.02",
        ),
    ]


def test_a_cassette_that_was_removed_takes_nothing_and_hides_nothing():
    pairs = [compared(None, cassette(*RUN)), compared(cassette(*RUN), None, path="old.yaml")]
    ((_, _, message),) = suite(*pairs, tokens=10)
    assert message == "all cassettes of the comparison: 3,300 tokens, where the budget is 10 tokens"


def test_the_suite_grows_by_the_cassettes_that_are_on_both_sides():
    grown = compared(cassette(*RUN), cassette(*TWICE, run="b"))
    added, removed = compared(None, cassette(*TWICE), path="new.yaml"), compared(cassette(*RUN), None, path="old.yaml")
    assert suite(grown, added, removed, token_growth=1.0, cost_growth=1.0) == []
    ((code, _, message),) = suite(grown, added, removed, token_growth=0.5)
    assert code == "token-budget"
    assert (
        message == "all cassettes on both sides: 3,300 tokens became 6,600 tokens (+100%), where the budget allows +50%"
    )


def test_a_suite_says_how_many_cassettes_could_not_be_judged():
    known, silent = compared(None, cassette(*RUN)), compared(None, cassette(READ, SILENT), path="silent.yaml")
    unreadable = compared(None, "{", path="tests/cassettes/broken.yaml")
    assert suite(known, silent, unreadable, tokens=100_000, cost=1) == [
        ("unjudged-budget", "warning", "2 of 3 cassettes do not say how many tokens they took"),
        ("unjudged-budget", "warning", "2 of 3 cassettes have no known price on 2026-11-01"),
    ]
    ((code, _, message),) = suite(known, silent, tokens=10)[:1]
    assert (code, message) == (
        "token-budget",
        "all cassettes of the comparison: at least 3,300 tokens, where the budget is 10 tokens",
    )
