import os
import subprocess
import sys
from pathlib import Path

import pytest

from reviewlib.errors import RepositoryError
from reviewlib.sources.git import Repository
from reviewlib.sources.revisions import both, resolve_both
from tests.repositories import CASSETTE, Built, clone, forked, names, repo, snapshot

__all__ = ["forked", "repo"]


def refused(built: Built, revisions: str | None = None) -> str:
    with pytest.raises(RepositoryError) as caught:
        built.open().compare(revisions)
    return str(caught.value)


# Which sides


@pytest.mark.parametrize(
    ("revisions", "baseline", "head"),
    [
        ("main...feature", "main~1", "feature"),
        ("main..feature", "main", "feature"),
        ("main...", "main~1", "feature"),
        ("..feature", "feature", "feature"),
        ("main", "main", None),
        ("HEAD", "feature", None),
        (None, "main~1", "feature"),
        ("", "main~1", "feature"),
    ],
)
def test_revisions_are_resolved_once_to_commit_ids(forked: Built, revisions, baseline, head):
    comparison = forked.open().compare(revisions)
    assert comparison.baseline.commit == forked.git("rev-parse", baseline)
    assert comparison.head.commit == (forked.git("rev-parse", head) if head else None)
    assert comparison.head.label == (comparison.head.commit or "worktree")


def test_nothing_means_the_working_tree_where_a_cassette_differs_there(forked: Built):
    forked.write({CASSETTE: "recorded just now"})
    comparison = forked.open().compare(None)
    assert (comparison.baseline.commit, comparison.head.label) == (forked.git("rev-parse", "HEAD"), "worktree")


def test_a_touched_cassette_with_the_same_bytes_does_not_differ(forked: Built):
    os.utime(forked.root / CASSETTE, (1, 1))
    assert forked.open().compare(None).head.commit == forked.git("rev-parse", "feature")
    assert snapshot(forked, "HEAD").head_files == ()


def test_other_changes_in_the_working_tree_do_not_count_as_cassettes(forked: Built):
    forked.write({"notes.txt": "unrelated"})
    assert forked.open().compare(None).head.commit is not None


def test_the_remotes_default_branch_goes_before_local_ones(forked: Built, tmp_path: Path):
    forked.git("checkout", "--quiet", "main")
    forked.git("branch", "--quiet", "--move", "main", "trunk")
    copy = clone(forked, tmp_path / "copy")
    copy.git("checkout", "--quiet", "-b", "main", "origin/feature")
    assert copy.open().compare(None).baseline.commit == forked.git("rev-parse", "trunk~1")


def test_an_unborn_head_is_compared_as_an_empty_side(repo: Built):
    repo.write({CASSETTE: "first"})
    shot = snapshot(repo)
    assert (shot.baseline_files, names(shot.head_files)) == ((), ["test_refund/test_flow.json"])


def test_the_key_of_a_working_tree_moves_with_its_content(repo: Built):
    repo.commit({CASSETTE: "base"})
    keys = {repo.open().compare("HEAD").key}
    for text in ("one", "two", "three"):
        repo.write({CASSETTE: text})
        keys.add(repo.open().compare("HEAD").key)
    assert len(keys) == 4


# What is refused, and with what words


def test_two_revisions_are_no_pair_of_commits_where_one_is_not_there(forked: Built):
    git = forked.open().git
    assert both(git, "main", "feature") == resolve_both(git, "main", "feature")
    assert [both(git, *sides) for sides in (("main", "gone"), ("gone", "main"), ("--all", "main"))] == [None] * 3


def test_an_unknown_revision_is_answered_with_near_ones(forked: Built):
    assert "near it are feature" in refused(forked, "main...featrue")


def test_a_branch_that_only_the_remote_has_is_named(forked: Built, tmp_path: Path):
    copy = clone(forked, tmp_path / "copy")
    assert "near it are origin/main" in refused(copy, "main...HEAD")


@pytest.mark.parametrize("revision", ["--output=x", "-h", "--all", ":/x", "HEAD:README.md", "a b", "x\ny"])
def test_a_revision_is_never_an_option_nor_anything_but_a_commit(forked: Built, revision):
    assert "there is no revision" in refused(forked, revision)
    assert not (forked.root / "x").exists()


def test_no_repository_says_what_to_do(tmp_path: Path):
    with pytest.raises(RepositoryError, match="this is no git repository; name one with --repo"):
        Repository.open(tmp_path)
    with pytest.raises(RepositoryError, match="there is no folder"):
        Repository.open(tmp_path / "absent")


def test_without_git_there_is_one_sentence(tmp_path: Path):
    script = f"""
from pathlib import Path
from reviewlib.errors import RepositoryError
from reviewlib.sources.git import Repository
try:
    Repository.open(Path({str(tmp_path)!r}))
except RepositoryError as error:
    print(error)
"""
    run = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": str(tmp_path)},
    )
    assert run.stdout == "git was not found; install it, or put it on the PATH\n"


def test_a_repository_of_another_owner_names_the_command_that_trusts_it(repo: Built, monkeypatch):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(RepositoryError) as caught:
        repo.open()
    assert f"git config --global --add safe.directory {repo.root}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unborn_head_has_no_revisions(repo: Built):
    assert "has no commit yet" in refused(repo, "main...HEAD")


@pytest.mark.parametrize("revisions", ["HEAD^1..HEAD", "origin/main...HEAD", None])
def test_a_shallow_clone_without_the_base_names_the_fix(forked: Built, tmp_path: Path, revisions):
    copy = clone(forked, tmp_path / "copy", "--depth=1", "--branch=feature")
    copy.git("fetch", "--quiet", "--depth=1", "origin", "+main:refs/remotes/origin/main")
    copy.git("remote", "set-head", "origin", "main")
    told = refused(copy, revisions)
    assert "fetch-depth: 2" in told
    assert "git fetch --deepen" in told


def test_a_merge_checkout_of_depth_two_compares_its_first_parent(forked: Built, tmp_path: Path):
    forked.git("checkout", "--quiet", "main")
    forked.git("merge", "--quiet", "--no-ff", "-m", "merge", "feature")
    copy = clone(forked, tmp_path / "copy", "--depth=2", "--branch=main")
    copy.git("checkout", "--quiet", "--detach")
    assert names(snapshot(copy, "HEAD^1..HEAD").head_files) == ["test_refund/test_flow.json"]


def test_branches_without_a_common_ancestor_say_so(repo: Built):
    repo.commit({CASSETTE: "base"})
    repo.git("checkout", "--quiet", "--orphan", "other")
    repo.commit({CASSETTE: "other"})
    assert "no common ancestor; compare them directly with two dots" in refused(repo, "main...other")


# Pull requests


@pytest.mark.parametrize("pattern", ["refs/pull/7/head", "refs/merge-requests/7/head"])
def test_a_pull_request_is_fetched_without_moving_anything(forked: Built, tmp_path: Path, pattern):
    forked.git("update-ref", pattern, "feature")
    forked.git("checkout", "--quiet", "main")
    forked.git("branch", "--quiet", "-D", "feature")
    copy = clone(forked, tmp_path / "copy")
    forked.commit({"README.md": "even later"})
    before = copy.git("for-each-ref"), copy.git("status", "--porcelain"), copy.git("rev-parse", "HEAD")
    revisions = copy.open().fetch_pull(7)
    assert names(snapshot(copy, revisions).head_files) == ["test_refund/test_flow.json"]
    after = (
        copy.git("for-each-ref", "refs/heads", "refs/remotes", "refs/tags"),
        copy.git("status", "--porcelain"),
        copy.git("rev-parse", "HEAD"),
    )
    assert after == before
    assert not (copy.root / ".git" / "FETCH_HEAD").exists()
    assert copy.git("rev-parse", "refs/cassette-review/pull/7") == forked.git("rev-parse", pattern)


def test_a_pull_request_that_is_not_there_is_one_sentence(forked: Built, tmp_path: Path):
    copy = clone(forked, tmp_path / "copy")
    with pytest.raises(
        RepositoryError, match=r"pull request 8 could not be fetched from the remote 'origin'"
    ) as caught:
        copy.open().fetch_pull(8)
    assert "\n" not in str(caught.value)
    with pytest.raises(RepositoryError, match="no remote"):
        forked.open().fetch_pull(8)
