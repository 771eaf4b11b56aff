from pathlib import Path

import pytest

from tests.repositories import CASSETTE, FOLDER, Built, contents, forked, repo, snapshot

__all__ = ["forked", "repo"]


# The working tree


def test_the_working_tree_shows_untracked_staged_and_deleted_files_but_no_ignored_ones(repo: Built):
    repo.commit(
        {f"{FOLDER}/a.json": "a", f"{FOLDER}/b.json": "b", f"{FOLDER}/c.json": "c", ".gitignore": "*.log.json\n"}
    )
    repo.write(
        {f"{FOLDER}/a.json": "a2", f"{FOLDER}/b.json": None, f"{FOLDER}/new.json": "n", f"{FOLDER}/x.log.json": "x"}
    )
    repo.git("rm", "--quiet", "--cached", f"{FOLDER}/c.json")
    repo.write({f"{FOLDER}/staged.json": "s", f"{FOLDER}/c.json": "c2"})
    repo.git("add", f"{FOLDER}/staged.json")
    shot = snapshot(repo, "HEAD")
    assert contents(shot.baseline_files) == {"a.json": b"a", "b.json": b"b", "c.json": b"c"}
    assert contents(shot.head_files) == {"a.json": b"a2", "c.json": b"c2", "new.json": b"n", "staged.json": b"s"}


def test_an_unmerged_cassette_is_compared_as_it_lies_there(forked: Built):
    forked.git("checkout", "--quiet", "main")
    forked.commit({CASSETTE: "main's"})
    forked.git("merge", "feature", check=False)
    shot = snapshot(forked, "HEAD")
    assert contents(shot.baseline_files) == {"test_refund/test_flow.json": b"main's"}
    assert b"<<<<<<<" in shot.head_files[0].data


@pytest.mark.parametrize(
    ("attributes", "written"),
    [
        ("", "a\nb\n"),
        ("*.json text eol=crlf\n", "a\r\nb\r\n"),
        ("*.json text\n", "a\r\nb\n"),
        ("*.json ident\n", "$Id: x $"),
    ],
)
def test_ids_and_bytes_equal_those_after_the_commit(repo: Built, attributes, written):
    repo.commit({".gitattributes": attributes, CASSETTE: "before"})
    repo.write({CASSETTE: written, f"{FOLDER}/new\nname [1].json": written})
    before = snapshot(repo, "HEAD").head_files
    repo.commit()
    assert before == snapshot(repo, "HEAD~1..HEAD").head_files


def test_reading_the_working_tree_writes_nothing(repo: Built):
    repo.commit({CASSETTE: "before"})
    repo.write({CASSETTE: "after"})
    seen = {path: path.stat().st_mtime_ns for path in (repo.root / ".git").rglob("*")}
    snapshot(repo)
    assert {path: path.stat().st_mtime_ns for path in (repo.root / ".git").rglob("*")} == seen


def test_a_file_that_may_not_be_read_does_not_hide_the_others(repo: Built, monkeypatch):
    monkeypatch.setattr("reviewlib.sources.worktree.LARGEST_FILE", 10)
    repo.commit()
    repo.write({f"{FOLDER}/a.json": "a", f"{FOLDER}/large.json": "x" * 11, f"{FOLDER}/z.json": "z"})
    shot = snapshot(repo, "HEAD")
    assert contents(shot.head_files) == {"a.json": b"a", "large.json": b"", "z.json": b"z"}
    assert [file.missing for file in shot.head_files] == [None, "it has 11 bytes, and files are read up to 10", None]


# Nothing of the repository runs


def test_the_repositorys_configuration_runs_no_program(forked: Built, tmp_path: Path):
    marker = tmp_path / "ran"
    trap = tmp_path / "trap"
    trap.write_text(f'#!/bin/sh\necho "$0" >> {marker}\ncat\n')
    trap.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in ("post-index-change", "reference-transaction", "pre-auto-gc", "post-checkout"):
        (hooks / hook).symlink_to(trap)
    for key, value in {
        "core.fsmonitor": str(trap),
        "core.hooksPath": str(hooks),
        "core.pager": str(trap),
        "diff.external": str(trap),
        "diff.evil.textconv": str(trap),
        "diff.evil.command": str(trap),
        "filter.evil.clean": str(trap),
        "filter.evil.process": str(trap),
        "filter.evil.required": "true",
        "filter.a=b.clean": str(trap),
    }.items():
        forked.git("config", key, value)
    forked.write({".git/info/attributes": "*.json diff=evil filter=evil\n*.yaml filter=a=b\n", CASSETTE: "changed"})
    forked.write({f"{FOLDER}/new.yaml": "new"})
    assert contents(snapshot(forked).head_files) == {"new.yaml": b"new", "test_refund/test_flow.json": b"changed"}
    assert contents(snapshot(forked, "main...feature").head_files) == {"test_refund/test_flow.json": b"feature"}
    assert forked.open().file(CASSETTE)[0].data == b"changed"
    assert not marker.exists()
