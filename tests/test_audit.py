"""All cassettes of one side, judged by themselves."""

import json
from datetime import UTC, datetime

import jsonschema
import pytest

from reviewlib.audit import audit
from reviewlib.model.review import Side
from reviewlib.policy import Budget, Hygiene, Policy
from reviewlib.report import audit as report
from reviewlib.report.schema import schema_text
from reviewlib.sources import Snapshot
from tests.checks.judging import file
from tests.cli.cassettes import answer, interaction

TODAY = datetime(2026, 11, 30, tzinfo=UTC)
ASKED = [{"role": "user", "content": "Refund order 1234."}]


def cassette(name, status=200, run=1, model="claude-sonnet-4-20250514"):
    said = {**answer({"type": "text", "text": "Done."}, stop="end_turn"), "id": f"msg_{run:024}", "model": model}
    got = said if status == 200 else {"type": "error", "error": {"type": "not_found_error", "message": "model"}}
    return file(
        {"version": 1, "interactions": [interaction(ASKED, got, "Be kind.", status)]}, f"tests/cassettes/{name}"
    )


GOOD, OTHER = cassette("good.yaml"), cassette("other.yaml", run=2)
FAILED, COPY = cassette("failed.yaml", 404), cassette("copy.yaml")
BROKEN = file(b"{", "tests/cassettes/broken.json")


def judged(*files, policy=None):
    side = Side(label="c" * 40, commit="c" * 40, revision="main")
    shot = Snapshot(baseline=Side(label="nothing"), head=side, baseline_files=(), head_files=files)
    return audit(shot, policy or Policy(), TODAY)


def codes(found):
    return {item.path.rpartition("/")[2]: [finding.code for finding in item.findings] for item in found.cassettes}


def test_what_is_wrong_with_one_cassette_is_seen_without_any_comparison():
    found = judged(GOOD, FAILED)
    assert codes(found)["failed.yaml"][0] == "recorded-failure"
    assert codes(found)["good.yaml"] == ["retired-model", "unpinned-sampling"]
    assert {finding.since for item in found.cassettes for finding in item.findings} == {"new"}


@pytest.mark.parametrize(
    ("files", "fails"),
    [((), False), ((GOOD,), False), ((GOOD, FAILED), True), ((GOOD, BROKEN), True)],
    ids=["nothing", "warnings", "an error", "unreadable"],
)
def test_an_audit_fails_for_errors_and_for_what_cannot_be_read(files, fails):
    found = judged(*files)
    assert found.fails is fails
    assert json.loads(report.render_json(found))["passed"] is not fails


def test_the_policy_says_what_an_error_is():
    assert judged(FAILED, policy=Policy(severities={"recorded-failure": "warning"})).fails is False
    assert judged(GOOD, policy=Policy(severities={"retired-model": "error"})).fails is True
    stale = Policy(hygiene=Hygiene(retired_models={}, largest_bytes=1), severities={"huge": "error"})
    assert codes(judged(GOOD, policy=stale))["good.yaml"] == ["huge", "retired-model", "unpinned-sampling"]


def test_what_all_have_in_common_is_judged_too():
    found = judged(GOOD, COPY, policy=Policy(severities={"duplicate": "error"}))
    assert [(item.code, item.severity) for item in found.findings] == [("duplicate", "error")]
    assert found.fails
    assert not judged(GOOD, OTHER, policy=Policy(severities={"duplicate": "error"})).findings


def test_tokens_and_cost_are_added_up_beside_their_budgets():
    policy = Policy(suite=Budget(tokens=1000, cost=1))
    text = report.render(judged(GOOD, OTHER, policy=policy))
    assert "tokens: 240 of 1,000\n" in text
    assert "cost: $0.0012 of $1\n" in text
    unknown = report.render(judged(GOOD, FAILED, cassette("odd.yaml", model="no-model"), policy=policy))
    assert "(known of " in unknown


def test_the_text_names_the_cassettes_under_each_finding_the_severest_first():
    text = report.render(judged(GOOD, OTHER, FAILED, BROKEN))
    head, *rest = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert head == "main on 2026-11-30: 4 cassettes, 2 cassettes to mend"
    assert [line.partition(":")[0] for line in rest] == [
        "tokens",
        "cost",
        "unreadable (1 cassette)",
        "error recorded-failure (1 cassette)",
        "warning retired-model (3 cassettes)",
        "info",
    ]
    assert "  tests/cassettes/failed.yaml: HTTP 404 was recorded in place of an answer\n" in text
    assert "  tests/cassettes/broken.json: decode: " in text


def test_of_many_cassettes_ten_are_named_and_what_is_info_is_counted():
    many = [cassette(f"{number}.yaml", run=number) for number in range(13)]
    text = report.render(judged(*many, policy=Policy(hygiene=Hygiene(largest_bytes=1))))
    assert "warning retired-model (13 cassettes)\n" in text
    assert "  and 3 more; --format json names them all\n" in text
    assert "\ninfo: 13 cassettes unpinned-sampling · 13 cassettes huge\n" in text
    assert len(json.loads(report.render_json(judged(*many)))["cassettes"]) == 13


def test_where_no_cassette_is_the_text_says_where_they_were_looked_for():
    assert "0 cassettes, nothing to mend\nNo file is where the policy's `cassettes` globs say" in report.render(
        judged()
    )


def test_the_json_is_as_its_schema_says():
    schema = json.loads(schema_text("audit"))
    for found in (judged(), judged(GOOD, FAILED, BROKEN, policy=Policy(suite=Budget(tokens=9, cost=1)))):
        jsonschema.validate(json.loads(report.render_json(found)), schema)


def test_recorded_text_cannot_steer_the_terminal():
    hostile = cassette("evil\x1b[2J.yaml", 404)
    assert "\x1b" not in report.render(judged(hostile)) + report.render_json(judged(hostile))
