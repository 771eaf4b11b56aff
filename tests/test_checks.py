"""For every finding: a recording, or a pair, that has it, and one that nearly has it."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reviewlib.checks import CHECKS, findings, refuse_unknown
from reviewlib.checks.check import Given
from reviewlib.diff import diff
from reviewlib.errors import PolicyError
from reviewlib.model.call import ToolSchema
from reviewlib.model.cassette import Exchange, Request
from reviewlib.model.trajectory import Attempt
from reviewlib.policy import Policy
from tests.trajectories import T, call, recording, trajectory

DOCS = Path(__file__).parents[1] / "docs" / "findings.md"
GET = call("get_order", {"order_id": "4471"}, {"total": 39.0})
DONE = T(text="Done.")
HELLO = (GET, DONE)


def recorded(*turns, run="a", provider="anthropic", host="api.example.com", attempts=(), **settings):
    """One conversation as a recording: its answers have ids of their own."""
    story = trajectory(*turns, **settings)
    made = tuple(
        turn.model_copy(update={"response_id": f"{run}-{turn.turn}", "provider": provider, "attempts": attempts})
        for turn in story.turns
    )
    exchanges = tuple(
        Exchange(index=turn.interaction, request=Request(uri=f"https://{host}/v1"), response=None) for turn in made
    )
    whole = recording(story.model_copy(update={"turns": made}))
    return whole.model_copy(update={"cassette": whole.cassette.model_copy(update={"interactions": exchanges})})


def given(**severities):
    codes = {code.replace("_", "-"): setting for code, setting in severities.items()}
    return Given(Policy(severities=codes), datetime(2026, 11, 1, tzinfo=UTC))


def told(one, other, **severities):
    return [(item.code, item.since) for item in findings(one, other, diff(one, other, 0.1), given(**severities))]


TRIED = (Attempt(interaction=0, http_status=529, text="overloaded"),)
FAILED = (T(failure="no such model", status=404),)

PAIRS = {
    "a failure that is new": (recorded(*HELLO), recorded(*FAILED, run="b"), [("recorded-failure", "new")]),
    "a failure that was there": (recorded(*FAILED), recorded(*FAILED, run="b"), [("recorded-failure", "known")]),
    "a failure that is gone": (recorded(*FAILED), recorded(*HELLO, run="b"), [("recorded-failure", "gone")]),
    "a tool that fails is no failed call": (
        recorded(GET, DONE),
        recorded(call("get_order", {"order_id": "4471"}, "no", is_error=True), DONE, run="b"),
        [],
    ),
    "a retry gained": (recorded(*HELLO), recorded(*HELLO, run="b", attempts=TRIED), [("retried", "new")] * 2),
    "a retry kept": (recorded(DONE, attempts=TRIED), recorded(DONE, run="b", attempts=TRIED), [("retried", "known")]),
    "fewer tries": (
        recorded(DONE, attempts=TRIED * 9),
        recorded(DONE, run="b", attempts=TRIED),
        [("retried", "known")],
    ),
    "a re-record": (recorded(*HELLO), recorded(*HELLO, run="b"), []),
    "another version answered": (
        recorded(*HELLO),
        recorded(T(text="x", requested="gemini-3.5-flash", model="gemini-2.0-flash"), run="b"),
        [("model-mismatch", "new")],
    ),
    "a 4.1 answered for a 4o": (
        recorded(*HELLO),
        recorded(T(text="x", requested="gpt-4o", model="gpt-4.1-2025-04-14"), run="b"),
        [("model-mismatch", "new")],
    ),
    "a snapshot answered": (
        recorded(*HELLO),
        recorded(T(text="x", requested="gpt-5", model="gpt-5-2025-08-07"), run="b"),
        [],
    ),
    "a deployment's name says nothing": (
        recorded(*HELLO),
        recorded(T(text="x", requested="my-deployment-3", model="gpt-4o"), run="b"),
        [],
    ),
    "a renamed model": (recorded(*HELLO), recorded(*HELLO, model="model-2"), [("renamed-model", "new")]),
    "a model recorded anew": (recorded(*HELLO), recorded(*HELLO, model="model-2", run="b"), []),
    "an edited answer": (recorded(*HELLO), recorded(GET, T(text="Edited.")), [("edited-in-place", "new")]),
    "an edited prompt": (recorded(*HELLO), recorded(*HELLO, system="Other."), [("requests-edited", "new")]),
    "a prompt recorded anew": (recorded(*HELLO), recorded(*HELLO, system="Other.", run="b"), []),
    "another endpoint": (
        recorded(*HELLO),
        recorded(*HELLO, run="b", provider="openai_chat"),
        [("moved-endpoint", "new")],
    ),
    "another host": (
        recorded(*HELLO),
        recorded(*HELLO, run="b", host="gateway.example.com"),
        [("moved-endpoint", "new")],
    ),
    "answers taken out": (recorded(*HELLO), recorded(GET), [("trimmed", "new")]),
    "the same recording written anew": (recorded(*HELLO), recorded(*HELLO), [("no-effect", "new")]),
}


@pytest.mark.parametrize("case", PAIRS)
def test_a_pair_has_exactly_the_findings_that_it_should(case):
    one, other, expected = PAIRS[case]
    assert told(one, other) == expected


def test_a_run_recorded_behind_the_old_one_is_appended():
    old, new = recorded(*HELLO), recorded(GET, T(text="Ready."), run="b", system="Other.")
    both = old.model_copy(update={"conversations": (*old.conversations, *new.conversations)})
    assert told(old, both) == [("appended", "new")]


CHECK = call("check_policy", {"order_id": "4471"}, {"ok": True})
REFUND = call("issue_refund", {"order_id": "4471"}, {"ok": True})
FINAL = (ToolSchema(name="issue_refund", description="Issue the refund. Irreversible."),)
HARMLESS = (ToolSchema(name="issue_refund", description="Issue the refund."),)

GUARDS = {
    "a check that is gone": ((GET, CHECK, REFUND), (GET, REFUND), FINAL, True),
    "a check that comes too late": ((CHECK, REFUND, GET), (REFUND, CHECK, GET), FINAL, True),
    "a call that can be undone": ((GET, CHECK, REFUND), (GET, REFUND), HARMLESS, False),
    "a call that is gone, too": ((GET, CHECK, REFUND), (GET,), FINAL, False),
    "a check that is still made earlier": ((CHECK, GET, CHECK, REFUND), (CHECK, GET, REFUND), FINAL, False),
    "a call that guards nothing": ((CHECK, REFUND, GET), (CHECK, REFUND), FINAL, False),
}


@pytest.mark.parametrize("case", GUARDS)
def test_a_dropped_check_before_an_irreversible_call_is_told_as_such(case):
    before, after, tools, seen = GUARDS[case]
    one, other = recorded(*before, DONE, tools=tools), recorded(*after, DONE, tools=tools, run="b")
    assert ("dropped-guard" in [code for code, _ in told(one, other)]) is seen


def test_an_empty_cassette_says_that_nothing_was_recorded():
    assert told(recording(), recording()) == [("nothing-recorded", "known")]
    assert told(None, recording()) == [("nothing-recorded", "new")]


def test_a_cassette_that_was_written_by_hand_may_be_edited_by_hand():
    def synthetic(whole):
        return whole.model_copy(update={"cassette": whole.cassette.model_copy(update={"synthetic": True})})

    for edited in (
        recorded(*HELLO, model="model-2"),
        recorded(GET, T(text="Edited.")),
        recorded(*HELLO, system="Other."),
    ):
        assert told(synthetic(recorded(*HELLO)), synthetic(edited)) == []


def test_a_result_without_its_call_is_told():
    assert told(recorded(*HELLO), recorded(*HELLO, run="b").model_copy(update={"orphans": ("a result for x",)})) == [
        ("orphan-result", "new")
    ]


def test_what_is_new_and_severe_stands_first():
    one = recorded(*FAILED)
    other = recorded(T(text="x", requested="gemini-2.5", model="gemini-2.0"), run="b", provider="openai_chat")
    assert told(one, other) == [("model-mismatch", "new"), ("moved-endpoint", "new"), ("recorded-failure", "gone")]


def test_the_policy_sets_severities_and_turns_checks_off():
    one, other = recorded(*HELLO), recorded(*FAILED, run="b")
    assert [item.severity for item in findings(one, other, None, given(recorded_failure="info"))] == ["info"]
    assert findings(one, other, None, given(recorded_failure="off")) == ()


def test_an_unknown_code_in_the_policy_is_refused_with_the_nearest():
    refuse_unknown(Policy(severities={"retried": "off"}, blocking=("retried",)))
    with pytest.raises(PolicyError, match=r"sets a severity for 'recorded-failures'.*near it is 'recorded-failure'"):
        refuse_unknown(Policy(severities={"recorded-failures": "off"}))
    with pytest.raises(PolicyError, match=r"blocks on 'orphan-results'.*near it is 'orphan-result'"):
        refuse_unknown(Policy(blocking=("retried", "orphan-results")))


def test_every_check_has_its_page_and_every_page_its_check():
    text = DOCS.read_text(encoding="utf-8")
    sections = re.findall(r"^## (.+)\n\n\*(.+)\* · (\w+)\.", text, re.MULTILINE)
    assert sections == [(check.code, check.title, check.severity) for check in CHECKS]


def test_every_check_looks_at_something():
    assert all((check.recording, check.ruled, check.pair, check.suite) != (None,) * 4 for check in CHECKS)
