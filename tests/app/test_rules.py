"""Rules of review that change in the branch, over a real repository: in the dashboard and at the gate they are one and the same pair."""

import json

import pytest
import streamlit as st
from dashboard import load, state
from streamlit.testing.v1 import AppTest

from reviewlib import cli
from reviewlib.serve import LaunchSpec
from tests.app.test_pages import MAIN, press, text
from tests.cli.cassettes import REFUND, cassette
from tests.repositories import ISOLATED, build

RULES = "cassette-review.toml"


@pytest.fixture
def branch(tmp_path, monkeypatch):
    """A branch that records a refund anew, and asks for approvals of less."""
    for name, value in ISOLATED.items():
        monkeypatch.setenv(name, value)
    made = build(tmp_path / "project")
    made.commit({REFUND: cassette(), "README.md": "A shop."})
    made.git("checkout", "--quiet", "-b", "branch")
    made.commit({REFUND: cassette(390), RULES: 'require_approval = ["request"]\n'})
    st.cache_resource.clear()
    monkeypatch.setattr(load, "_FRESH", 0.0)
    monkeypatch.setattr(state, "SETTLE_SECONDS", 0.0)
    spec = LaunchSpec(repository=made.root, revisions="main...HEAD")
    monkeypatch.setenv("CASSETTE_REVIEW_SPEC", spec.model_dump_json())
    monkeypatch.chdir(made.root)
    return made


def opened(path=""):
    app = AppTest.from_file(str(MAIN), default_timeout=20)
    if path:
        app.query_params["pair"] = path
    app.run()
    assert not app.exception
    return app


def waiting(capsys):
    """What the gate waits for, in its order."""
    code = cli.run(["check", "main...HEAD", "--format", "json"])
    found = [item["path"] for item in json.loads(capsys.readouterr().out)["waiting"]]
    assert code == (1 if found else 0)
    return found


@pytest.mark.usefixtures("branch")
def test_changed_rules_are_approved_and_taken_back_in_the_dashboard_and_the_gate_follows(capsys):
    assert waiting(capsys) == [RULES, REFUND], "the rules that changed are said first"
    rules = opened(RULES)
    assert "rules of review: require_approval" in text(rules)
    assert "1 of 2" in text(rules)
    press(rules, "Approve")
    assert waiting(capsys) == [REFUND], "the rules of the baseline count, whatever the branch asks for"
    press(opened(REFUND), "Approve")
    assert waiting(capsys) == []
    press(rules, "Undo")
    assert waiting(capsys) == [RULES]
    assert cli.run(["approve", "main...HEAD", "--", RULES]) == 0
    capsys.readouterr()
    assert waiting(capsys) == []
    assert "approved by Ada" in text(opened(RULES))


def test_the_author_of_the_branch_does_not_approve_it_where_the_rules_say_so(branch, capsys):
    branch.git("checkout", "--quiet", "main")
    branch.commit({RULES: "self_approval = false\n"})
    branch.git("checkout", "--quiet", "branch")
    branch.git("merge", "--quiet", "-s", "ours", "-m", "Take main in", "main")
    press(opened(REFUND), "Approve")
    assert REFUND in waiting(capsys)
    assert "approved by Ada, who wrote the change: by the policy that does not count" in text(opened(REFUND))
    branch.git("config", "user.email", "grace@example.org")
    branch.git("config", "user.name", "Grace")
    st.cache_resource.clear()
    press(opened(REFUND), "Approve")
    assert REFUND not in waiting(capsys)
