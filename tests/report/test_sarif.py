"""SARIF 2.1.0, held against models that are generated from the standard's schema, and against what forges need of it."""

import json
import re
from pathlib import Path
from typing import get_args
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.checks import CHECKS
from reviewlib.model.review import Finding
from reviewlib.report import sarif
from reviewlib.summary import Reason, summarise, waiting
from reviewlib.verdicts import PairState
from tests.report.hostile import HOSTILE, hostile_review
from tests.report.test_gate import COMMANDS
from tests.report.test_junit import FLAG
from tests.reviews import AMOUNT, example, pair, review, states

DOCS = Path(__file__).parents[2] / "docs"
REFUND = "tests/cassettes/refund.yaml"
FAILURE = Finding(code="recorded-failure", severity="error", message="HTTP 404 was recorded", step=(0, 3))


def printed(what, known=None, docs=None, require=("behaviour",)):
    known = known or {}
    return sarif.render(
        what, known, summarise(what, known), waiting(what, known, require), COMMANDS, sarif.Tool("1.2.3", docs)
    )


def run(what, known=None, **more):
    log = json.loads(printed(what, known, **more))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    return log["runs"][0]


def results(what, known=None, **more):
    return run(what, known, **more)["results"]


def rules(what=None, **more):
    return {rule["id"]: rule for rule in run(what or review(), **more)["tool"]["driver"]["rules"]}


HOLDING_ALL = review(
    *example().pairs,
    pair("tests/cassettes/with blank é.yaml", "behaviour", (AMOUNT,), findings=(FAILURE,)),
    pair("x", "behaviour", findings=(FAILURE.model_copy(update={"since": "known", "severity": "info", "step": None}),)),
    findings=(Finding(code="cost-budget", severity="error", message="$5.10, where the budget is $5"),),
)


@pytest.mark.parametrize("docs", [None, "https://example.org/docs"])
@pytest.mark.parametrize("what", [review(), example(), HOLDING_ALL], ids=["empty", "example", "all"])
def test_a_log_is_what_the_schema_of_the_standard_says(what, docs):
    model = pytest.importorskip("pydantic_sarif.model", reason="pydantic-sarif is not installed")
    known = states(x="approved", **{REFUND: "flagged"})
    log = model.StaticAnalysisResultsFormatSarifVersion210JsonSchema
    log.model_validate_json(printed(what, known, docs))


FIELDS = {
    "log": {"$schema", "version", "runs"},
    "run": {"tool", "automationDetails", "columnKind", "results"},
    "driver": {"name", "version", "rules"},
    "rule": {"id", "shortDescription", "fullDescription", "help", "helpUri", "defaultConfiguration"},
    "result": {
        "ruleId",
        "ruleIndex",
        "level",
        "message",
        "locations",
        "partialFingerprints",
        "baselineState",
        "suppressions",
    },
    "location": {"physicalLocation", "logicalLocations"},
}


def test_no_object_has_a_field_that_the_standard_does_not_know():
    """The schema of the standard closes every object; this holds without any package."""
    log = json.loads(printed(HOLDING_ALL, states(x="approved"), "https://example.org"))
    (only,) = log["runs"]
    found = {
        "log": set(log),
        "run": set(only),
        "driver": set(only["tool"]["driver"]),
        "rule": {key for rule in only["tool"]["driver"]["rules"] for key in rule},
        "result": {key for result in only["results"] for key in result},
        "location": {key for result in only["results"] for place in result["locations"] for key in place},
    }
    assert found == FIELDS
    assert {result["level"] for result in only["results"]} <= {"none", "note", "warning", "error"}
    assert {result["baselineState"] for result in only["results"]} <= {"new", "unchanged", "updated", "absent"}


def test_every_check_and_every_reason_of_the_gate_is_a_rule():
    assert set(rules()) == {*(f"gate-{reason}" for reason in get_args(Reason)), *(check.code for check in CHECKS)}


@pytest.mark.parametrize("rule", rules().values(), ids=rules())
def test_a_rule_leads_to_a_page_that_is_there(rule):
    page, anchor = re.search(r"docs/([\w.-]+)#([\w-]+)", rule["help"]["text"]).groups()
    headings = re.findall(r"^#+ (.+)$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert anchor in {heading.lower().replace(" ", "-") for heading in headings}
    assert "helpUri" not in rule


def test_help_is_a_link_where_the_documentation_has_an_address():
    found = rules(docs="https://example.org/docs/")
    assert found["recorded-failure"]["helpUri"] == "https://example.org/docs/findings.md#recorded-failure"
    assert "(https://example.org/docs/findings.md#recorded-failure)" in found["recorded-failure"]["help"]["markdown"]


def test_a_result_names_its_rule_by_place_too():
    only = run(HOLDING_ALL)
    listed = only["tool"]["driver"]["rules"]
    assert only["results"]
    assert all(listed[result["ruleIndex"]]["id"] == result["ruleId"] for result in only["results"])


@pytest.mark.parametrize(
    ("state", "rule", "level"),
    [
        ("open", "gate-open", "warning"),
        ("stale", "gate-stale", "warning"),
        ("flagged", "gate-flagged", "error"),
        ("blocked", "gate-blocked", "error"),
        ("approved", None, None),
        ("carried", None, None),
    ],
)
def test_an_undecided_change_is_a_result(state, rule, level):
    found = results(review(pair(REFUND, "behaviour", (AMOUNT,))), states(**{REFUND: state}))
    assert [(each["ruleId"], each["level"]) for each in found] == ([(rule, level)] if rule else [])
    if rule:
        assert found[0]["message"]["text"].startswith(f"{state}: issue_refund.amount 39 → 390")
        assert found[0]["message"]["text"].endswith(f"See it: cassette-review diff -- {REFUND}")


def test_a_cassette_that_cannot_be_read_is_a_result():
    assert [each["ruleId"] for each in results(review(pair("x", None)))] == ["gate-unreadable"]


@pytest.mark.parametrize(
    ("severity", "since", "shown"),
    [
        ("error", "new", ("error", "new")),
        ("warning", "new", ("warning", "new")),
        ("info", "known", ("note", "unchanged")),
        ("error", "gone", None),
    ],
)
def test_a_finding_is_a_result_until_it_is_gone(severity, since, shown):
    finding = FAILURE.model_copy(update={"severity": severity, "since": since})
    found = results(review(pair("x", "cosmetic", findings=(finding,))))
    assert [(each["level"], each["baselineState"]) for each in found] == ([shown] if shown else [])
    assert all(each["ruleId"] == "recorded-failure" for each in found)


def test_a_finding_names_its_file_and_its_step():
    (found,) = results(review(pair("a b/é#1.yaml", "cosmetic", findings=(FAILURE,))))
    (place,) = found["locations"]
    address = place["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[\w./%-]+", address)
    assert unquote(address) == "a b/é#1.yaml"
    assert place["physicalLocation"]["region"] == {"startLine": 1}
    assert place["logicalLocations"] == [{"name": "conversation 1, step 4"}]


def test_what_a_person_accepted_is_suppressed_with_the_reason():
    one = review(pair("x", "behaviour", findings=(FAILURE,)))
    approval = FLAG.model_copy(update={"verdict": "approve"})
    known = {"x": PairState(state="approved", entries=(approval,), by=(approval.reviewer,))}
    (found,) = results(one, known)
    assert found["suppressions"] == [{"kind": "external", "justification": "approved by Ada"}]
    flagged = results(one, states(x="flagged"))
    assert all("suppressions" not in each for each in flagged)


def test_new_errors_come_first_and_what_was_there_before_comes_last():
    known = FAILURE.model_copy(update={"since": "known"})
    one = review(
        pair("a", "behaviour", findings=(known,)),
        pair("b", "behaviour", findings=(FAILURE.model_copy(update={"code": "loop", "severity": "warning"}),)),
        pair("c", "behaviour", findings=(FAILURE,)),
        findings=(Finding(code="cost-budget", severity="error", message="too much"),),
    )
    found = [
        (each["ruleId"], each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for each in results(one)
    ]
    assert found == [
        ("recorded-failure", "c"),
        ("cost-budget", "a"),
        ("gate-open", "a"),
        ("gate-open", "b"),
        ("gate-open", "c"),
        ("recorded-failure", "a"),
        ("loop", "b"),
    ]


def test_a_finding_about_all_pairs_has_a_place_which_forges_ask_for():
    (found,) = results(
        review(pair("x", "identical"), findings=(Finding(code="cost-budget", severity="error", message="$6"),))
    )
    assert found["message"]["text"] == "All cassettes together: $6"
    assert found["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    assert results(review(findings=(Finding(code="cost-budget", severity="error", message="$6"),)))[0]["locations"]


def test_fingerprints_are_stable_and_tell_results_apart():
    first, again = results(HOLDING_ALL), results(HOLDING_ALL)
    prints = [json.dumps(each["partialFingerprints"]) for each in first]
    assert prints == [json.dumps(each["partialFingerprints"]) for each in again]
    assert len(set(prints)) == len(prints)


def test_recorded_text_stays_one_visible_line():
    (wait, finding) = results(hostile_review(HOSTILE))
    for each in (wait, finding):
        assert "\\x1b[2J" in each["message"]["text"]
        assert "\u202e" not in each["message"]["text"]
        assert "\n" not in each["message"]["text"]


@given(st.text(min_size=1))
def test_any_text_gives_json_that_can_be_encoded(text):
    assert json.loads(printed(hostile_review(text)).encode())["version"] == "2.1.0"
