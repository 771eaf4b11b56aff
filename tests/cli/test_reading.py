"""``diff`` and ``show`` on a real repository."""

import json
import re

import pytest

from tests.cli.cassettes import ORDER, REFUND, cassette


@pytest.mark.usefixtures("project")
def test_diff_tells_the_decisive_values_and_counts_the_noise(run):
    code, out, err = run("diff", "main...HEAD")
    assert (code, err) == (0, "")
    assert "2 changed cassettes: 1 behaviour · 1 identical" in out
    assert re.search(rf"{re.escape(REFUND)}\s+issue_refund\.amount 39 → 390", out)
    assert "identical (1)" in out
    assert "1 other changed file not taken for cassettes" in out


BESIDE = ("conftest.py", "README.md", "replay.go", "server.mjs", ".gitattributes", ".DS_Store")


def test_sources_and_documents_beside_cassettes_are_no_broken_cassettes_and_stop_no_gate(project, run):
    project.write({f"tests/cassettes/{name}": "x = 1\n" for name in BESIDE})
    code, out, _ = run("diff", "HEAD")
    assert (code, "unreadable" in out) == (0, False)
    assert f"{len(BESIDE)} other changed files not taken for cassettes" in out
    assert run("check", "HEAD")[0] == 0
    project.write({"tests/cassettes/broken.yaml": "x = 1\n"})
    assert "unreadable (1)" in run("diff", "HEAD")[1], "anything else there that cannot be read is told"
    assert run("check", "HEAD")[0] == 1


def test_a_source_file_that_holds_a_cassette_is_one(project, run):
    project.write({"tests/cassettes/told.md": cassette()})
    assert "1 changed cassette: 1 behaviour" in run("diff", "HEAD")[1]


@pytest.mark.parametrize("revisions", ["main...HEAD", "main..HEAD", "main...branch", "HEAD~1..HEAD", "HEAD~1"])
@pytest.mark.usefixtures("project")
def test_every_form_of_revisions_gives_the_same_comparison(run, revisions):
    assert "issue_refund.amount 39 → 390" in run("diff", revisions)[1]


def test_without_revisions_a_changed_working_tree_is_compared_and_else_the_branch(project, run):
    assert run("diff")[1].startswith("main ")
    project.write({ORDER: cassette(5)})
    code, out, _ = run("diff")
    assert (code, "→ worktree" in out, "issue_refund.amount 39 → 5" in out, "390" in out) == (0, True, True, False)


@pytest.mark.usefixtures("project")
def test_with_paths_the_changes_are_shown_with_their_consequences_folded(run):
    code, out, _ = run("diff", "main...HEAD", "--", REFUND)
    assert code == 0
    assert "1 changed cassette: 1 behaviour" in out
    assert "    - issue_refund.amount 39 → 390\n        amount: 39 → 390\n" in out
    assert "consequence" in out


@pytest.mark.parametrize(
    ("folder", "path"),
    [
        (".", "tests"),
        (".", "."),
        (".", "./tests/cassettes/"),
        ("tests", "cassettes/test_refund/test_refund.yaml"),
        ("tests", f"../{REFUND}"),
        ("tests", REFUND),
    ],
)
def test_a_path_is_seen_from_the_working_directory_or_from_the_top(project, run, monkeypatch, folder, path):
    monkeypatch.chdir(project.root / folder)
    assert "issue_refund.amount 39 → 390" in run("diff", "main...HEAD", "--", path)[1]


def test_a_repository_elsewhere_is_named_with_repo(project, run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert "issue_refund.amount" in run("diff", "main...HEAD", "--repo", str(project.root))[1]
    assert "issue_refund.amount" in run("diff", "main...HEAD", "--repo", str(project.root), "--", REFUND)[1]


def test_diff_as_json_is_the_contract(project, run):
    read = json.loads(run("diff", "main...HEAD", "--format", "json")[1])
    assert read["baseline"] == project.git("rev-parse", "main")
    assert read["head"] == project.git("rev-parse", "HEAD")
    assert (read["totals"]["pairs"], read["totals"]["behaviour"], read["totals"]["identical"]) == (2, 1, 1)
    one = read["pairs"][0]
    assert (one["path"], one["significance"], one["state"]) == (REFUND, "behaviour", "open")
    first = one["changes"][0]
    assert (first["kind"], first["tool"], first["cause"]) == ("arguments", "issue_refund", None)
    assert first["details"] == [{"path": "amount", "baseline": 39, "head": 390, "absent": None}]
    assert all(change["cause"] is not None for change in one["changes"][1:])


@pytest.mark.usefixtures("project")
def test_diff_as_markdown_is_a_table(run):
    out = run("diff", "main...HEAD", "--format", "markdown")[1]
    assert (
        "| behaviour | <code>tests/cassettes/test\\_refund/test\\_refund.yaml</code> | issue\\_refund.amount 39 → 390"
        in out
    )


@pytest.mark.usefixtures("project")
def test_no_cassettes_changed_is_a_sentence_and_a_success(run):
    assert run("diff", "HEAD..HEAD") == (0, run("diff", "HEAD..HEAD")[1], "")
    assert "No cassettes changed." in run("diff", "HEAD..HEAD")[1]
    assert run("check", "HEAD..HEAD")[0] == 0
    assert json.loads(run("diff", "HEAD..HEAD", "--format", "json")[1])["pairs"] == []


@pytest.fixture
def folders(isolated, tmp_path, monkeypatch):  # noqa: ARG001 - it has to come first
    """Two folders outside any repository; in the second a refund is of another amount, and another is noise."""
    for side, amount in (("old", 39), ("new", 390)):
        place = tmp_path / side / "cassettes"
        place.mkdir(parents=True)
        (place / "a.yaml").write_text(cassette(amount), encoding="utf-8")
        (place / "b.yaml").write_text(cassette(request_id=side), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return ("--baseline-dir", "old", "--head-dir", "new")


def test_two_folders_are_compared_without_a_repository(run, folders):
    code, out, _ = run("diff", *folders)
    assert (code, "issue_refund.amount 39 → 390" in out) == (0, True)
    code, out, _ = run("check", *folders)
    (shown,) = re.findall(r"see it: cassette-review (.*)", out)
    assert (code, shown.startswith("diff --baseline-dir old --head-dir new -- ")) == (1, True)
    out = run(*shown.split())[1]
    assert "1 changed cassette: 1 behaviour" in out
    assert "amount: 39 → 390" in out


def test_two_folders_outside_a_repository_take_no_verdict_and_no_wrong_path(run, folders):
    code, _, err = run("approve", *folders, "--", ".")
    assert (code, "git repository" in err) == (2, True)
    code, _, err = run("diff", *folders, "--", "nothing.yaml")
    assert (code, "nothing.yaml" in err) == (2, True)


def test_two_folders_inside_a_repository_take_verdicts(run, project, folders, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    inside = (*folders, "--repo", str(project.root))
    path = json.loads(run("diff", *inside, "--format", "json")[1])["pairs"][0]["path"]
    assert run("approve", *inside, "--", path)[0] == 0
    assert run("check", *inside)[0] == 0


@pytest.mark.usefixtures("project")
def test_show_tells_one_cassette_step_by_step(run):
    code, out, _ = run("show", REFUND)
    assert code == 0
    assert out.startswith(f"{REFUND} (worktree): ")
    for line in (
        "user      Refund order 1234.",
        'call-1    issue_refund {"order": "1234", "amount": 390}',
        "says      Done, refunded.",
    ):
        assert line in out


@pytest.mark.parametrize(("ref", "amount"), [(("--ref", "main"), 39), ((), 390)])
def test_show_reads_a_revision_or_the_working_tree(project, run, ref, amount):
    read = json.loads(run("show", REFUND, *ref, "--format", "json")[1])
    (conversation,) = read["conversations"]
    (call,) = [step for step in conversation["steps"] if step["kind"] == "tool_call"]
    assert (read["path"], read["ref"]) == (REFUND, ref[1] if ref else "worktree")
    assert read["blob"] == project.git("rev-parse", f"{ref[1] if ref else 'HEAD'}:{REFUND}")
    assert call["arguments"]["amount"] == amount
    assert conversation["tools"] == ["issue_refund"]


def test_show_takes_a_path_that_looks_like_an_option_after_the_dashes(project, run):
    project.write({"cassettes/-x.yaml": cassette(7)})
    assert '"amount": 7' in run("show", "--", "cassettes/-x.yaml")[1]


def test_show_of_a_broken_cassette_says_where_reading_stopped(project, run):
    project.write({REFUND: '{"interactions": ['})
    code, out, _ = run("show", REFUND)
    assert (code, "unreadable at " in out) == (0, True)
    assert json.loads(run("show", REFUND, "--format", "json")[1])["unreadable"]["reason"]


def test_what_is_said_of_all_pairs_together_is_not_said_of_those_that_changed_since_a_verdict(project, run):
    project.git("checkout", "--quiet", "main")
    project.commit({"cassette-review.toml": "[suite]\ntokens = 100\n"})
    project.git("checkout", "--quiet", "branch")
    run("approve", "main..branch", "--", REFUND)
    project.commit({REFUND: cassette(391)})
    assert "error: all cassettes of the comparison: " in run("diff", "main..branch")[1]
    out = run("diff", "main..branch", "--since-verdict")[1]
    assert out.startswith("as judged → branch")
    assert "all cassettes" not in out
