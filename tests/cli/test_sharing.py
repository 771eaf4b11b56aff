"""The ledger as a whole: list, push, fetch, export, import."""

import pytest

from reviewlib.ledger import Ledger
from reviewlib.verdicts import Anchor
from tests.cli.cassettes import ORDER, REFUND, cassette
from tests.repositories import Built, clone


@pytest.fixture
def shared(project: Built, tmp_path) -> Built:
    """The project with a bare remote."""
    remote = clone(project, tmp_path / "remote", "--bare")
    project.git("remote", "add", "origin", str(remote.root))
    return remote


@pytest.fixture
def colleague(shared: Built, tmp_path, project: Built) -> Built:  # noqa: ARG001 - it has to be there
    copy = clone(shared, tmp_path / "colleague")
    copy.git("checkout", "--quiet", "branch")
    copy.git("branch", "--force", "main", "origin/main")
    return copy


def test_what_one_pushes_opens_the_gate_of_the_other(run, colleague, monkeypatch):
    run("approve", "main...HEAD", "--", REFUND)
    code, out, _ = run("reviews", "push")
    assert (code, out.splitlines()[0]) == (0, "0 entries received from origin; 1 entry pushed.")
    assert "A forge checks branches, not notes; start the check of the pull request again" in out
    assert run("reviews", "push")[1] == "0 entries received from origin; 0 entries pushed.\n"
    monkeypatch.chdir(colleague.root)
    assert run("check", "main...HEAD")[0] == 1
    assert run("reviews", "fetch")[1] == "1 entry received from origin; 0 entries not pushed yet.\n"
    assert run("check", "main...HEAD")[0] == 0
    run("flag", "main...HEAD", "--", ORDER)
    assert run("reviews", "fetch", "origin")[1] == "0 entries received from origin; 1 entry not pushed yet.\n"


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("words", [("push",), ("fetch",), ("push", "nowhere"), ("fetch", "--", "x")])
def test_without_a_remote_there_is_one_sentence(run, words):
    code, out, err = run("reviews", *words)
    assert (code, out) == (2, "")
    assert err


def named(project: Built, command: str, branch: str = "main") -> None:
    project.git("checkout", "--quiet", branch)
    project.commit({"cassette-review.toml": f"rerun_command = '{command}'\n"})
    project.git("checkout", "--quiet", "branch")


@pytest.mark.usefixtures("shared")
def test_the_command_that_policy_names_is_run(run, project):
    named(project, "echo again {branch} {commit} > rerun.txt")
    run("approve", "main...HEAD", "--", REFUND)
    out = run("reviews", "push", "--no-rerun")[1]
    commit = project.git("rev-parse", "HEAD")
    assert f"Start the check again: echo again branch {commit} > rerun.txt\n" in out
    assert not (project.root / "rerun.txt").exists()
    run("flag", "main...HEAD", "--", ORDER)
    assert run("reviews", "push")[0] == 0
    assert (project.root / "rerun.txt").read_text() == f"again branch {commit}\n"


@pytest.mark.usefixtures("shared")
def test_a_command_that_only_the_branch_names_is_not_run(run, project):
    named(project, "touch rerun.txt", "branch")
    run("approve", "main...HEAD", "--", REFUND)
    assert run("reviews", "push")[0] == 0
    assert not (project.root / "rerun.txt").exists()


@pytest.mark.usefixtures("shared")
def test_a_command_that_fails_is_told_and_the_verdicts_are_pushed(run, project):
    named(project, "exit 3")
    run("approve", "main...HEAD", "--", REFUND)
    code, _, err = run("reviews", "push")
    assert (code, "the verdicts are pushed; the policy's rerun_command ended with exit code 3" in err) == (2, True)
    assert run("reviews", "push")[1].endswith("0 entries pushed.\n")


def test_a_reviewer_without_the_right_to_push_exports_and_a_maintainer_imports(
    run, colleague, project, monkeypatch, tmp_path
):
    file = str(tmp_path / "reviews.jsonl")
    monkeypatch.chdir(colleague.root)
    run("flag", "main...HEAD", "--comment", "ten times as much", "--", REFUND)
    assert run("reviews", "export", file) == (0, f"1 entry written to {file}.\n", "")
    code, _, err = run("reviews", "export", file)
    assert (code, "File exists" in err) == (2, True)
    monkeypatch.chdir(project.root)
    code, out, _ = run("reviews", "import", file)
    assert (code, out) == (0, "1 entry imported, 0 were there already.\n  1 by Grace <grace@example.org>\n")
    assert "why: flagged by Grace: ten times as much" in run("check", "main...HEAD")[1]
    assert run("reviews", "import", file)[1] == "0 entries imported, 1 were there already.\n"
    monkeypatch.chdir(colleague.root)
    run("reviews", "push")
    code, _, err = run("reviews", "export", f"{file}.2")
    assert (code, "nothing to export" in err) == (2, True)
    assert run("reviews", "export", "--all", f"{file}.2")[0] == 0


def test_what_a_file_may_not_add_is_said(run, project, tmp_path):  # noqa: ARG001
    run("approve", "main...HEAD", "--", REFUND)
    file = tmp_path / "reviews.jsonl"
    run("reviews", "export", str(file))
    run("withdraw", "main...HEAD", "--", REFUND)
    text = file.read_text().replace('"approve"', '"flag"')
    file.write_text(f"{text}garbage\n")
    code, out, err = run("reviews", "import", str(file))
    assert (code, out) == (0, "0 entries imported, 0 were there already.\n")
    assert err.splitlines() == [
        "cassette-review: 1 entry of the file refused: in your own name, about no content, or with the id of another entry.",
        "cassette-review: 1 line of the file could not be read, or held something else than they said.",
    ]


@pytest.mark.parametrize("content", ["", "not ours\n", '{"schema": "x"}\n'])
@pytest.mark.usefixtures("project")
def test_another_file_is_not_imported(run, tmp_path, content):
    file = tmp_path / "reviews.jsonl"
    file.write_text(content)
    assert run("reviews", "import", str(file))[0] == 2
    assert run("reviews", "import", str(tmp_path / "none"))[0] == 2


def test_a_remark_on_a_step_is_listed_with_the_step_as_people_count(run, project):
    assert run("flag", "main...HEAD", "--comment", "why?", "--", REFUND)[0] == 0
    ledger = Ledger(project.open())
    (entry,) = ledger.entries()
    anchor = Anchor(side="head", step=(0, 3))
    remark = {"id": "remark", "kind": "comment", "verdict": None, "comment": "here", "step": anchor}
    ledger.append([entry.model_copy(update=remark)], {})
    assert "here" in (line := run("reviews", "list")[1].splitlines()[-1])
    assert f" comment {REFUND} at step 4 of the head by Ada" in line


def test_the_list_says_by_cassette_where_it_stands_and_what_was_said(run, project):
    run("approve", "main...HEAD", "--comment", "agreed", "--", REFUND)
    project.commit({REFUND: cassette(391)})
    run("flag", "main...HEAD", "--comment", "again?", "--", REFUND)
    lines = run("reviews", "list", "main...HEAD")[1].splitlines()
    assert lines[0] == f"flagged {REFUND}: flagged by Ada (who wrote the change): again?"
    assert lines[1].endswith("approve by Ada <ada@example.org>: agreed (on other content)")
    assert lines[2].endswith("flag by Ada <ada@example.org>: again?")
    assert lines[3] == f"open {ORDER}"
    assert run("reviews", "list", "HEAD..HEAD")[1] == "No cassettes changed.\n"
