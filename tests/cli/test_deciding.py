"""Verdicts from the shell: groups, bulk, automation, other reviewers' flags."""

import json
import re

import pytest

from reviewlib.cli import comparing
from tests.cli.cassettes import ORDER, REFUND, cassette
from tests.repositories import Built, build

MORE = "tests/cassettes/test_refund/test_more.yaml"


@pytest.fixture
def alike(project: Built) -> Built:
    """Three cassettes: two changed alike, one otherwise."""
    project.git("checkout", "--quiet", "main")
    project.commit({MORE: cassette()})
    project.git("checkout", "--quiet", "branch")
    project.git("merge", "--quiet", "main")
    project.commit({REFUND: cassette(390), MORE: cassette(390), ORDER: cassette(40)})
    return project


@pytest.fixture
def signature(alike: Built, run) -> str:  # noqa: ARG001 - the repository has to be there
    (group,) = json.loads(run("diff", "main...HEAD", "--format", "json")[1])["groups"]
    assert group["pairs"] == [MORE, REFUND]
    return group["signature"]


def state(run, path: str) -> dict:
    pairs = json.loads(run("diff", "main...HEAD", "--format", "json")[1])["pairs"]
    return next(pair for pair in pairs if pair["path"] == path)


def approve_as(built: Built, run, who: str, *words: str) -> int:
    built.git("config", "user.name", who.title())
    built.git("config", "user.email", f"{who}@example.org")
    code = run(*words)[0]
    built.git("config", "user.name", "Ada")
    built.git("config", "user.email", "ada@example.org")
    return code


def test_a_group_is_decided_by_its_signature_or_the_beginning_of_it(run, signature):
    assert f"(--group {signature})" in run("diff", "main...HEAD")[1]
    code, out, _ = run("approve", "main...HEAD", "--group", signature[:8])
    assert (code, out.count("approved tests/")) == (0, 2)
    assert [state(run, path)["state"] for path in (REFUND, MORE, ORDER)] == ["approved", "approved", "open"]


def test_members_that_are_pulled_out_are_not_touched(run, signature):
    run("approve", "main...HEAD", "--group", signature, "--without", MORE)
    assert [state(run, path)["state"] for path in (REFUND, MORE)] == ["approved", "open"]


def test_a_group_action_is_undone_as_a_whole_or_one_by_one(run, signature, alike):
    out = run("flag", "main...HEAD", "--group", signature, "--comment", "ten times as much")[1]
    (undo,) = re.findall(r"Take all of it back: cassette-review (.*)", out)
    run("withdraw", "main...HEAD", "--", MORE)
    assert [state(run, path)["state"] for path in (REFUND, MORE)] == ["flagged", "open"]
    alike.commit({REFUND: cassette(391)})
    code, out, _ = run(*undo.split())
    assert (code, out.splitlines()) == (0, [f"withdrew the verdict on {REFUND}"])
    assert state(run, REFUND)["state"] == "open", "nothing is left of it, on whatever content"
    code, _, err = run(*undo.split())
    assert (code, "it is taken back" in err) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("approve", "main...HEAD"), "approve needs the cassettes after --"),
        (("approve", "main...HEAD", "--group", "zz"), "no group begins with 'zz'; there are "),
        (("approve", "main...HEAD", "--group", ""), "no group begins with ''"),
        (("approve", "main...HEAD", "--without", MORE, "--", MORE), "--without takes all of it out"),
        (
            ("withdraw", "--bulk", "nothing"),
            "Nothing of Ada stands in the group action 'nothing'; reviews list shows the ids.",
        ),
        (("withdraw", "main...HEAD", "--of", "grace@example.org", "--", REFUND), "with a reason that stays visible"),
        (("withdraw", "main...HEAD", "--of", "grace@example.org", "--comment", "x", "--", REFUND), "has no flag on"),
        (("withdraw", "main...HEAD", "--of", "Ada@example.org", "--comment", "x", "--", REFUND), "is your own address"),
    ],
)
@pytest.mark.usefixtures("alike")
def test_wrong_use_is_one_sentence(run, words, said):
    code, out, err = run(*words)
    assert (code, out, said in err) == (2, "", True), err


def test_the_group_action_of_another_is_not_taken_back(run, signature, alike):
    assert approve_as(alike, run, "grace", "approve", "main...HEAD", "--group", signature) == 0
    (bulk,) = set(re.findall(r"bulk ([0-9a-f]+)", run("reviews", "list")[1]))
    code, _, err = run("withdraw", "--bulk", bulk)
    assert (code, "it is of Grace" in err) == (2, True)


def test_a_script_names_what_it_has_looked_at_and_is_refused_when_that_has_moved(run, project):
    shown = state(run, REFUND)["digest"]
    project.commit({REFUND: cassette(391)})
    code, _, err = run("approve", "main...HEAD", "--digest", shown, "--", REFUND)
    assert (code, "has changed since it was shown; look at it again, then decide. Nothing was recorded." in err) == (
        2,
        True,
    )
    assert run("approve", "main...HEAD", "--digest", state(run, REFUND)["digest"], "--", REFUND)[0] == 0
    code, _, err = run("flag", "main...HEAD", "--digest", shown, "--", ".")
    assert (code, "--digest is about one cassette, and 2 are named" in err) == (2, True)


def test_anothers_flag_is_set_aside_with_a_reason_that_stays_visible(run, project):
    assert approve_as(project, run, "grace", "flag", "main...HEAD", "--comment", "too much", "--", REFUND) == 0
    assert "why: flagged by Grace: too much" in run("check", "main...HEAD")[1]
    reason = ("--of", "grace@example.org", "--comment", "finance agreed")
    code, out, _ = run("withdraw", "main...HEAD", *reason, "--", REFUND)
    assert (code, out.startswith("set the flag of grace@example.org aside on")) == (0, True)
    assert state(run, REFUND)["state"] == "open"
    listed = run("reviews", "list")[1]
    assert "(set aside): too much" in listed
    assert "finance agreed" in listed


# Automation


@pytest.mark.parametrize(("words", "variable"), [(("--agent",), ""), ((), "1"), ((), "true")])
def test_automation_says_so_by_an_option_or_by_its_environment(run, project, monkeypatch, words, variable):  # noqa: ARG001
    monkeypatch.setenv("CASSETTE_REVIEW_AGENT", variable)
    assert run("approve", "main...HEAD", *words, "--", REFUND)[0] == 0
    monkeypatch.delenv("CASSETTE_REVIEW_AGENT")
    found = state(run, REFUND)
    assert (found["state"], found["state_by"][0]["automated"]) == ("approved", True)
    assert "approved by Ada (automated, who wrote the change)" in found["state_why"]
    assert "(automated)" in run("reviews", "list")[1]


@pytest.mark.parametrize("variable", ["", "0", "false", "no"])
def test_a_person_does_not(run, project, monkeypatch, variable):  # noqa: ARG001
    monkeypatch.setenv("CASSETTE_REVIEW_AGENT", variable)
    run("approve", "main...HEAD", "--", REFUND)
    assert state(run, REFUND)["state_by"][0]["automated"] is False


def ruled(project: Built, rules: str) -> None:
    """Give main these rules, and put the branch on top of it."""
    project.git("checkout", "--quiet", "main")
    project.commit({"cassette-review.toml": rules})
    project.git("checkout", "--quiet", "branch")
    project.git("rebase", "--quiet", "main")


def test_policy_lets_automation_decide_nothing(run, project):
    ruled(project, 'agent_verdicts = "label"\n')
    assert run("approve", "main...HEAD", "--agent", "--", REFUND)[0] == 0
    code, out, _ = run("check", "main...HEAD")
    assert (code, "why: approved by Ada, which was automated: by the policy that does not count" in out) == (1, True)


def test_policy_refuses_automation(run, project):
    ruled(project, 'agent_verdicts = "refuse"\n')
    code, _, err = run("approve", "main...HEAD", "--agent", "--", REFUND)
    assert (code, 'agent_verdicts = "refuse"' in err) == (2, True)
    assert run("reviews", "list")[1] == "No verdicts yet.\n"
    assert run("approve", "main...HEAD", "--", REFUND)[0] == 0


# The gate


def test_an_author_does_not_approve_alone_where_policy_says_so(run, project):
    ruled(project, "self_approval = false\n")
    run("approve", "main...HEAD", "--", REFUND)
    code, out, _ = run("check", "main...HEAD")
    assert (code, "why: approved by Ada, who wrote the change: by the policy that does not count" in out) == (1, True)
    assert approve_as(project, run, "grace", "approve", "main...HEAD", "--", REFUND) == 0
    assert run("check", "main...HEAD")[0] == 0


def test_the_gate_counts_approvals(run, project):
    ruled(project, "min_approvals = 2\n")
    run("approve", "main...HEAD", "--", REFUND)
    code, out, _ = run("check", "main...HEAD")
    assert code == 1
    assert f"approvals: {REFUND}" in out
    assert "why: approved by Ada (who wrote the change); 1 more approval needed" in out
    approve_as(project, run, "grace", "approve", "main...HEAD", "--", REFUND)
    assert run("check", "main...HEAD")[0] == 0


def test_rules_that_the_branch_loosens_are_said_first_and_take_a_verdict(run, project):
    project.commit({"cassette-review.toml": "require_approval = []\n"})
    code, out, _ = run("check", "main...HEAD")
    assert code == 1
    assert out.index("open: cassette-review.toml") < out.index(f"open: {REFUND}")
    assert 'rules of review: require_approval ["behaviour"] → []' in out
    assert "1 changed cassette" not in run("diff", "main...HEAD")[1]
    assert "2 changed cassettes and the rules of review: 2 behaviour" in run("diff", "main...HEAD")[1]
    assert run("approve", "main...HEAD", "--", REFUND)[0] == 0
    assert run("check", "main...HEAD")[0] == 1
    assert run("approve", "main...HEAD", "--", "cassette-review.toml")[0] == 0
    assert run("check", "main...HEAD")[0] == 0
    assert run("withdraw", "main...HEAD", "--", "cassette-review.toml")[0] == 0
    assert run("check", "main...HEAD")[0] == 1
    assert run("approve", "main...HEAD", "--", "cassette-review.toml")[0] == 0
    assert run("check", "main...HEAD")[0] == 0
    assert "rules of review" in run("diff", "main...HEAD", "--", "cassette-review.toml")[1]
    assert "rules of review" not in run("diff", "main...HEAD", "--", REFUND)[1]


def test_a_stale_approval_is_shown_by_what_changed_since(run, project):
    run("approve", "main...HEAD", "--", REFUND)
    project.commit({REFUND: cassette(391)})
    out = run("check", "main...HEAD")[1]
    assert "why: approved by Ada on " in out
    (shown,) = re.findall(r"see it: cassette-review (.*)", out)
    assert shown == f"diff main...HEAD --since-verdict -- {REFUND}"
    told = run(*shown.split())[1]
    assert told.startswith("as judged → HEAD")
    assert "issue_refund.amount 390 → 391" in told
    assert "amount 39 →" not in told


@pytest.mark.usefixtures("project")
def test_without_earlier_verdicts_nothing_changed_since(run):
    code, out, _ = run("diff", "main...HEAD", "--since-verdict")
    assert (code, "No cassettes changed." in out) == (0, True)


def test_the_gate_decides_the_same_in_a_clone_that_only_fetched_the_notes(run, project, tmp_path, monkeypatch):
    run("approve", "main...HEAD", "--comment", "agreed", "--", REFUND)
    project.commit({ORDER: cassette(41)})
    here = run("check", "main...HEAD", "--format", "json")
    other = tmp_path / "ci"
    project.git("clone", "--quiet", f"file://{project.root}", str(other))
    ci = Built(other)
    ci.git("branch", "main", "origin/main")
    ci.git("fetch", "--quiet", "origin", "refs/notes/cassette-review:refs/notes/cassette-review")
    ci.git("remote", "remove", "origin")  # no network
    monkeypatch.chdir(other)
    there = run("check", "main...HEAD", "--format", "json")
    assert here == there
    assert here[0] == 1
    assert [item["path"] for item in json.loads(there[1])["waiting"]] == [ORDER]


def test_the_gate_decides_the_same_in_a_clone_of_one_commit_a_side(run, project, tmp_path, monkeypatch):
    """What a CI has: no history, no branches, no merge base, and of the notes the newest commit only."""
    run("approve", "main...HEAD", "--comment", "agreed", "--", REFUND)
    project.commit({ORDER: cassette(41)})
    here = run("check", "main..branch", "--format", "json")
    ci = build(tmp_path / "ci")
    ci.git("symbolic-ref", "HEAD", "refs/heads/nothing")
    ci.git("remote", "add", "origin", f"file://{project.root}")
    ci.git("fetch", "--quiet", "--depth=1", "origin", "main:refs/heads/main", "branch:refs/heads/branch")
    monkeypatch.chdir(ci.root)
    assert json.loads(run("check", "main..branch", "--format", "json")[1])["waiting"] != json.loads(here[1])["waiting"]
    ci.git("fetch", "--quiet", "--depth=1", "origin", "refs/notes/cassette-review:refs/notes/cassette-review")
    ci.git("remote", "remove", "origin")  # no network
    assert ci.git("rev-list", "--count", "--all") == "3", "one commit each of main, the branch and the notes"
    assert run("check", "main..branch", "--format", "json") == here
    assert [item["path"] for item in json.loads(here[1])["waiting"]] == [ORDER]


@pytest.mark.parametrize(
    ("environment", "number"),
    [
        ({"GITHUB_REF": "refs/pull/42/merge"}, 42),
        ({"GITHUB_REF": "refs/heads/main"}, None),
        ({"GITHUB_REF": "refs/pull/x/merge"}, None),
        ({"CI_MERGE_REQUEST_IID": "7"}, 7),
        ({"CI_MERGE_REQUEST_IID": "7; rm"}, None),
        ({}, None),
    ],
)
def test_a_ci_tells_which_pull_request_it_runs_for(environment, number):
    assert comparing.pull_number(environment) == number


@pytest.mark.usefixtures("project")
def test_reports_of_a_ci_name_the_command_that_opens_the_pull_request_anywhere(run, monkeypatch):
    monkeypatch.setenv("GITHUB_REF", "refs/pull/42/merge")
    assert f"open it: cassette-review open --pr 42 -- {REFUND}" in run("check", "main...HEAD")[1]
    assert "Open it: <code>cassette-review open --pr 42</code>" in run("diff", "main...HEAD", "--format", "markdown")[1]
    monkeypatch.delenv("GITHUB_REF")
    assert f"open it: cassette-review open main...HEAD -- {REFUND}" in run("check", "main...HEAD")[1]


def test_a_ledger_with_garbage_is_read_with_a_warning(run, project):
    run("approve", "main...HEAD", "--", REFUND)
    blob = project.git("rev-parse", f"HEAD:{REFUND}")
    project.git("notes", "--ref=cassette-review", "append", "-m", "garbage", blob)
    code, _, err = run("check", "main...HEAD")
    assert (code, err) == (
        0,
        "cassette-review: the ledger holds 1 line that could not be read, passed over.\n",
    )
