"""``check``, and the verdicts that open it."""

import re
import tomllib

import pytest

from tests.cli.cassettes import ORDER, REFUND, cassette


@pytest.mark.usefixtures("project")
def test_the_gate_is_closed_until_the_behaviour_is_approved(run):
    code, out, _ = run("check", "main...HEAD")
    assert code == 1
    assert "1 cassette of 2 changed needs a person." in out
    assert f"open: {REFUND}\n  issue_refund.amount 39 → 390" in out
    (shown,) = re.findall(r"see it: cassette-review (.*)", out)
    assert "amount: 39 → 390" in run(*shown.split())[1]

    code, out, _ = run("approve", "main...HEAD", "--comment", "agreed with finance", "--", REFUND)
    assert (code, out.startswith(f"approved {REFUND}: issue_refund.amount 39 → 390")) == (0, True)
    code, out, _ = run("check", "main...HEAD")
    assert (code, "2 changed cassettes, nothing needs a person." in out) == (0, True)
    assert "[approved]" in run("diff", "main...HEAD")[1]


def test_an_approval_of_the_working_tree_holds_after_the_commit(project, run):
    project.write({ORDER: cassette(5)})
    assert run("approve", "HEAD", "--", ORDER)[0] == 0
    project.commit()
    assert run("check", "HEAD~1..HEAD")[0] == 0


@pytest.mark.usefixtures("project")
def test_a_flag_closes_the_gate_and_a_withdrawal_opens_the_question_again(run):
    run("approve", "main...HEAD", "--", REFUND)
    code, out, _ = run("flag", "main...HEAD", "--comment", "ten times as much", "--", REFUND)
    assert (code, out.startswith(f"flagged {REFUND}")) == (0, True)
    code, out, _ = run("check", "main...HEAD")
    assert (code, f"flagged: {REFUND}" in out) == (1, True)
    code, out, _ = run("withdraw", "main...HEAD", "--", REFUND)
    assert (code, out.startswith(f"withdrew the verdict on {REFUND}")) == (0, True)
    assert f"open: {REFUND}" in run("check", "main...HEAD")[1]
    code, _, err = run("withdraw", "main...HEAD", "--", REFUND)
    assert (code, "Ada <ada@example.org> has no verdict on" in err) == (2, True)


def test_an_approval_does_not_hold_for_other_content(project, run):
    run("approve", "main...HEAD", "--", REFUND)
    project.commit({REFUND: cassette(3900)})
    code, out, _ = run("check", "main...HEAD")
    assert (code, f"stale: {REFUND}" in out) == (1, True)


def test_a_flag_names_the_command_that_records_the_cassette_anew(project, run):
    project.git("checkout", "--quiet", "main")
    project.commit({"cassette-review.toml": 'record_command = "pytest {test} --record-mode=rewrite"\n'})
    project.commit({REFUND: cassette(1)})
    out = run("flag", "HEAD~1..HEAD", "--", REFUND)[1]
    assert f"record {REFUND} anew: pytest tests/test_refund.py::test_refund --record-mode=rewrite" in out


def test_the_policy_of_the_baseline_says_what_needs_a_verdict(project, run):
    project.git("checkout", "--quiet", "main")
    project.commit({"cassette-review.toml": 'require_approval = ["request", "behaviour"]\n'})
    project.commit({REFUND: cassette(system="You are a kind agent.")})
    assert run("check", "HEAD~1..HEAD")[0] == 1
    code, out, _ = run("check", "HEAD~2..HEAD")
    assert (code, "1 change of 2 needs a person." in out, "open: cassette-review.toml" in out) == (1, True, True)
    printed = run("policy", "HEAD~1..HEAD")[1]
    assert tomllib.loads(printed)["require_approval"] == ["request", "behaviour"]
    assert 'require_approval = ["request", "behaviour"]  # cassette-review.toml' in printed
    assert "usage_tolerance = 0.2  # default" in printed
    assert "# record_command is not set" in printed


@pytest.mark.usefixtures("project")
def test_report_only_says_the_same_and_succeeds(run):
    _, closed, _ = run("check", "main...HEAD")
    assert run("check", "main...HEAD", "--report-only") == (0, closed, "")


@pytest.mark.parametrize(("word", "mark"), [("json", '"passed": false'), ("markdown", "| open |")])
@pytest.mark.usefixtures("project")
def test_the_gate_speaks_other_formats_too(run, word, mark):
    code, out, _ = run("check", "main...HEAD", "--format", word)
    assert (code, mark in out) == (1, True)


def test_an_unreadable_cassette_closes_the_gate_and_can_be_flagged_but_not_approved(project, run):
    project.commit({ORDER: '{"interactions": ['})
    code, out, _ = run("check", "main...HEAD")
    assert (code, f"unreadable: {ORDER}" in out) == (1, True)
    code, _, err = run("approve", "main...HEAD", "--", ORDER)
    assert (code, "can be flagged" in err) == (2, True)
    assert run("flag", "main...HEAD", "--", ORDER)[0] == 0


def test_one_refused_cassette_refuses_the_whole_command(project, run):
    project.commit({ORDER: '{"interactions": ['})
    assert run("approve", "main...HEAD", "--", ".")[0] == 2
    assert run("reviews", "list")[1] == "No verdicts yet.\n"


@pytest.mark.parametrize(("path", "content"), [(ORDER, None), ("tests/cassettes/test_new/test_new.yaml", cassette(1))])
def test_added_and_removed_cassettes_need_a_verdict_too(project, run, path, content):
    project.commit({path: content})
    code, out, _ = run("check", "HEAD~1..HEAD")
    assert (code, f"open: {path}\n" in out) == (1, True)
    assert run("approve", "HEAD~1..HEAD", "--", path)[0] == 0
    assert run("check", "HEAD~1..HEAD")[0] == 0


@pytest.mark.usefixtures("project")
def test_the_ledger_lists_who_said_what_when(run):
    run("approve", "main...HEAD", "--comment", "fine\nwith me", "--", "tests")
    out = run("reviews", "list")[1]
    assert re.search(
        rf"^\d{{4}}-\d\d-\d\d \d\d:\d\d approve {re.escape(REFUND)} by Ada <ada@example.org> \(bulk [0-9a-f]{{32}}\): fine with me$",
        out,
        re.MULTILINE,
    )
    assert len(out.splitlines()) == 2


def test_a_repository_that_cannot_be_written_reads_and_refuses_a_verdict(project, run):
    (project.root / ".git" / "refs" / "notes").write_text("in the way")  # permissions would not hold root back
    assert run("check", "main...HEAD")[0] == 1
    code, _, err = run("approve", "main...HEAD", "--", REFUND)
    assert (code, "the verdict was not recorded" in err) == (2, True)
