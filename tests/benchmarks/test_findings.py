"""What the checks say of real recordings, and that it stays so."""

from collections import Counter

import pytest

from reviewlib.checks import BY_POLICY, CHECKS
from tests.benchmarks.findings import compared, shares, table
from tests.benchmarks.judgements import JUDGEMENTS
from tests.corpus import needs_corpus

pytestmark = needs_corpus

ERRORS = {
    ("public", "recorded-failure"): 3,
    ("public", "renamed-model"): 21,
    ("recorders", "dropped-guard"): 69,
    ("samples", "recorded-failure"): 11,
    ("samples", "secret"): 1,
}
"""By part and code, the pairs with a new error. A person looked at all of them."""


@pytest.fixture(scope="module")
def found():
    return list(compared())


def test_the_errors_are_those_that_a_person_agreed_to(found):
    pairs = {
        (item.part, item.name, path, seen.code)
        for item in found
        for path, seen in item.seen
        if (seen.severity, seen.since) == ("error", "new")
    }
    assert Counter((part, code) for part, _, _, code in pairs) == ERRORS


def test_whatever_errs_on_the_corpus_was_judged(found):
    severe = {seen.code for item in found for _, seen in item.seen if seen.severity == "error"}
    assert severe <= JUDGEMENTS.keys()
    assert {check.code for check in CHECKS} >= JUDGEMENTS.keys()


def test_without_rules_nothing_is_judged_by_them(found):
    assert {seen.code for item in found for _, seen in item.seen} & BY_POLICY == set()


def test_the_table_has_a_line_for_every_check(found):
    lines = [line for line in table(found).splitlines() if line.startswith("| `")]
    assert [line.split("`")[1] for line in lines] == [check.code for check in CHECKS]
    assert "| `renamed-model` | error | 21 (21) |" in table(found)


def test_judging_takes_less_than_half_the_time_of_reading(found):
    reading, judging = shares(found, rounds=1)
    assert judging < reading / 2
