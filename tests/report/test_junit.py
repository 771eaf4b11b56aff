"""JUnit XML, read by two parsers that are not ours."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.model.change import Diff
from reviewlib.model.review import Finding
from reviewlib.report import junit
from reviewlib.summary import summarise, waiting
from reviewlib.verdicts import Entry, PairState
from tests.report.hostile import HOSTILE, hostile_review
from tests.report.test_gate import COMMANDS
from tests.reviews import AMOUNT, AMOUNT_RESULT, PROMPT, example, pair, review, states

REFUND = "tests/cassettes/refund.yaml"
FLAG = Entry.model_validate_json(
    '{"id":"1","kind":"verdict","verdict":"flag","pair":{"baseline":null,"head":null,"path":"x"},"comment":"ten times as much",'
    '"trajectory":{"baseline":{},"head":{}},"normaliser":1,"reviewer":{"name":"Ada","email":"a"},"at":"2026-05-04T12:00Z"}'
)


def printed(what, known=None, require=("behaviour",)):
    known = known or {}
    return junit.render(what, known, summarise(what, known), waiting(what, known, require), COMMANDS)


def cases(what, known=None, require=("behaviour",)):
    return {case.get("file"): case for case in ET.fromstring(printed(what, known, require)).iter("testcase")}


def test_every_pair_is_a_test_case_that_fails_where_the_gate_waits():
    found = cases(example())
    assert len(found) == 8
    failed = {
        path: case.find("failure").get("type") for path, case in found.items() if case.find("failure") is not None
    }
    assert failed == {
        "tests/cassettes/broken.yaml": "unreadable",
        REFUND: "open",
        "tests/cassettes/new.yaml": "open",
    }


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("open", "open"),
        ("stale", "stale"),
        ("flagged", "flagged"),
        ("blocked", "blocked"),
        ("approved", None),
        ("carried", None),
        ("resolved", None),
    ],
)
def test_what_the_ledger_says_decides(state, reason):
    (case,) = cases(review(pair(REFUND, "behaviour", (AMOUNT,))), states(**{REFUND: state})).values()
    failure = case.find("failure")
    assert (None if failure is None else failure.get("type")) == reason
    if reason is None:
        assert f"behaviour, {state}: issue_refund.amount 39 → 390" in case.find("system-out").text


@pytest.mark.parametrize(
    ("significance", "require", "fails"),
    [
        ("request", ("behaviour",), False),
        ("request", ("behaviour", "request"), True),
        ("cosmetic", ("behaviour",), False),
    ],
)
def test_the_policy_says_which_significance_needs_somebody(significance, require, fails):
    (case,) = cases(review(pair("x", significance)), {}, require).values()
    assert (case.find("failure") is not None) is fails


def test_a_failure_has_the_reason_the_headline_the_findings_the_changes_and_the_commands():
    finding = Finding(code="recorded-failure", severity="error", message="HTTP 404 was recorded")
    one = review(pair(REFUND, "behaviour", (AMOUNT, AMOUNT_RESULT), findings=(finding,)))
    known = {REFUND: PairState(state="flagged", entries=(FLAG,), by=(FLAG.reviewer,))}
    failure = cases(one, known)[REFUND].find("failure")
    assert failure.get("message") == "flagged: issue_refund.amount 39 → 390"
    assert failure.text.splitlines() == [
        "behaviour, flagged: issue_refund.amount 39 → 390",
        "why: flagged by Ada: ten times as much",
        "error recorded-failure (new): HTTP 404 was recorded",
        "- issue_refund.amount 39 → 390 (1 consequence: result)",
        "see it: cassette-review diff -- tests/cassettes/refund.yaml",
        "open it: cassette-review open --pr 7 -- tests/cassettes/refund.yaml",
    ]


def test_a_case_is_named_by_its_file_and_folder_so_that_its_history_survives_a_change_of_significance():
    (case,) = cases(review(pair(REFUND))).values()
    assert (case.get("classname"), case.get("name")) == ("tests/cassettes", "refund.yaml")
    (case,) = cases(review(pair("refund.yaml"))).values()
    assert (case.get("classname"), case.get("name")) == ("cassettes", "refund.yaml")


def test_changes_beyond_a_hundred_are_counted():
    many = tuple(PROMPT for _ in range(130))
    one = pair("x", "behaviour").model_copy(update={"diff": Diff(changes=many, rows=(), significance="behaviour")})
    (case,) = cases(review(one)).values()
    lines = case.find("failure").text.splitlines()
    assert lines.count("- system prompt edited") == 100
    assert "- and 30 more changes" in lines


def test_nothing_changed_is_an_empty_suite():
    suite = ET.fromstring(printed(review())).find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), len(suite)) == ("0", "0", 0)


def test_a_parser_that_is_not_ours_counts_the_same():
    parser = pytest.importorskip("junitparser", reason="junitparser is not installed")
    (suite,) = parser.JUnitXml.fromstring(printed(example()).encode())
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (8, 3, 0, 0)
    assert suite.name == "main (cccccccccc) → worktree"
    first = next(iter(suite))
    assert isinstance(first.result[0], parser.Failure)


def test_new_errors_are_the_first_tests_and_a_parser_that_is_not_ours_counts_them():
    parser = pytest.importorskip("junitparser", reason="junitparser is not installed")
    failed = Finding(code="recorded-failure", severity="error", message="HTTP 404 was recorded")
    one = review(pair("a", findings=(failed,)), pair("b", "identical"), pair("c", findings=(failed,)))
    (suite,) = parser.JUnitXml.fromstring(printed(one).encode())
    assert (suite.tests, suite.failures, suite.errors) == (4, 2, 1)
    first = next(iter(suite))
    assert (first.name, first.classname) == ("recorded-failure", "cassette-review")
    assert isinstance(first.result[0], parser.Error)
    assert first.result[0].message == "HTTP 404 was recorded, new in 2 of 3 cassettes (recorded-failure)"
    assert first.result[0].text == "a\nc"


def test_recorded_text_stays_text():
    word = f"{HOSTILE}</failure><testcase name='x'/>]]>&amp;\ufffe\uffff"
    root = ET.fromstring(printed(hostile_review(word)).encode())
    assert [case[0].tag for case in root.iter("testcase")] == ["error", "failure"]
    assert "</failure><testcase name='x'/>]]>&amp;" in root.find(".//error").get("message")
    text = root.find(".//failure").text
    assert "</failure><testcase name='x'/>]]>&amp;" in text
    for spelled in ("\\x1b[2J", "\\u202e", "\\ud800", "\\ufffe", "\\uffff"):
        assert spelled in text


@given(st.text(min_size=1))
def test_any_text_gives_xml(text):
    assert ET.fromstring(printed(hostile_review(text)).encode()).tag == "testsuites"
