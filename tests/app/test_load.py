"""The bridge to the pipeline, over real repositories and folders."""

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
import streamlit as st
from dashboard import load

from reviewlib.errors import RepositoryError, UsageError
from reviewlib.serve import LaunchSpec
from reviewlib.sources import command
from reviewlib.verdicts import verdict_entry

PATH = "tests/cassettes/test_order.json"


def cassette(status):
    """A run in the format of a list of fingerprints: a call, then an answer."""
    call = {"type": "tool_use", "id": "toolu_1", "name": "get_order", "input": {"status": status}}
    parts = ([call], "tool_use"), ([{"type": "text", "text": "Done."}], "end_turn")
    answers = [
        {"id": f"msg_{n}", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": why}
        for n, (content, why) in enumerate(parts)
    ]
    return json.dumps([{"fp": f"{n:064x}", "response": answer} for n, answer in enumerate(answers)])


def git(folder, *words):
    subprocess.run(["git", "-c", "commit.gpgsign=false", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(autouse=True)
def fresh_cache(monkeypatch):
    st.cache_resource.clear()
    monkeypatch.setattr(load, "_FRESH", 0.0)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """One cassette at HEAD, recorded anew in the working tree."""
    folder = tmp_path / "repository"
    write(folder, cassette("open"))
    git(folder, "init", "-b", "main")
    git(folder, "config", "user.name", "Mona Reviewer")
    git(folder, "config", "user.email", "mona@example.org")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "Record")
    write(folder, cassette("closed"))
    opened(monkeypatch, LaunchSpec(repository=folder, title="Mine"))
    return folder


def write(folder: Path, text: str) -> None:
    file = folder / PATH
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def opened(monkeypatch, spec):
    monkeypatch.setenv("CASSETTE_REVIEW_SPEC", spec.model_dump_json())


@pytest.mark.usefixtures("repository")
def test_a_review_is_made_once_for_each_content():
    first, second = load.desk(), load.desk()
    assert first.read is second.read
    assert first.title == "Mine"
    assert [pair.headline for pair in first.review.pairs] == ["get_order.status open → closed"]


def test_content_that_moves_is_read_anew(repository):
    before = load.desk().pair(PATH)
    write(repository, cassette("cancelled"))
    after = load.desk().pair(PATH)
    assert after.digest != before.digest
    assert "open → cancelled" in after.headline


@pytest.mark.usefixtures("repository")
def test_a_verdict_is_joined_on_the_next_run():
    desk = load.desk()
    pair = desk.pair(PATH)
    assert desk.state(pair).state == "open"
    entry = verdict_entry(pair, "approve", desk.repository.reviewer(), at=datetime.now(UTC), entry_id="1")
    files = [file for side in desk.files(pair) for file in side]
    load.ledger(desk.repository, str(desk.repository.root)).append([entry], {file.blob: file.data for file in files})
    joined = load.desk()
    assert joined.read is desk.read
    assert joined.state(pair).state == "approved"
    assert [who.name for who in joined.state(pair).by] == ["Mona Reviewer"]


@pytest.mark.usefixtures("repository")
def test_the_files_of_both_sides_are_at_hand():
    desk = load.desk()
    baseline, head = desk.files(desk.pair(PATH))
    assert [b"open" in baseline[0].data, b"closed" in head[0].data] == [True, True]


def test_two_folders_need_no_repository(tmp_path, monkeypatch):
    for name, status in (("before", "open"), ("after", "closed")):
        write(tmp_path / name, cassette(status))
    spec = LaunchSpec(repository=tmp_path, baseline_dir=tmp_path / "before", head_dir=tmp_path / "after")
    opened(monkeypatch, spec)
    desk = load.desk()
    assert desk.repository is None
    assert [pair.headline for pair in desk.review.pairs] == ["get_order.status open → closed"]
    write(tmp_path / "after", cassette("cancelled"))
    assert [pair.headline for pair in load.desk().review.pairs] == ["get_order.status open → cancelled"]


def test_two_folders_inside_a_repository_keep_verdicts_there(repository, tmp_path, monkeypatch):
    write(tmp_path / "nightly", cassette("cancelled"))
    opened(monkeypatch, LaunchSpec(repository=repository, baseline_dir=repository, head_dir=tmp_path / "nightly"))
    assert load.desk().repository.root == repository.resolve()


def test_one_folder_is_not_enough(tmp_path, monkeypatch):
    opened(monkeypatch, LaunchSpec(repository=tmp_path, head_dir=tmp_path))
    with pytest.raises(UsageError, match="one of them is missing"):
        load.desk()


@pytest.mark.parametrize("spec", [LaunchSpec(), LaunchSpec(repository=Path("/nowhere/at/all"))])
def test_without_a_repository_there_is_a_sentence(spec, monkeypatch):
    opened(monkeypatch, spec)
    with pytest.raises(RepositoryError):
        load.desk()


@pytest.fixture
def branches(repository, monkeypatch):
    """The cassette of two branches; what they are compared as is named, and the calls of git are listed."""
    git(repository, "checkout", "-b", "work")
    git(repository, "commit", "-am", "Record again")
    opened(monkeypatch, LaunchSpec(repository=repository, revisions="main...work"))
    load.desk()
    asked = []
    attempt = command.Git.attempt
    monkeypatch.setattr(
        command.Git, "attempt", lambda self, *words, **more: asked.append(words[0]) or attempt(self, *words, **more)
    )
    return repository, asked


def test_two_branches_that_stand_still_cost_two_git_calls_a_run(branches):
    _, asked = branches
    load.desk()
    assert asked == ["rev-parse", "rev-parse"]  # what the branches mean, and the commit of the ledger


def test_a_branch_that_moves_is_noticed(branches):
    repository, _ = branches
    before = load.desk().pair(PATH)
    write(repository, cassette("cancelled"))
    git(repository, "commit", "-am", "Once more")
    assert load.desk().pair(PATH).digest != before.digest


def test_a_branch_that_is_gone_is_a_sentence(branches):
    repository, _ = branches
    git(repository, "checkout", "main")
    git(repository, "branch", "-D", "work")
    with pytest.raises(RepositoryError, match="there is no revision 'work'"):
        load.desk()


def last_recording():
    desk = load.desk()
    return desk.repository.last_recording(desk.read.policy)


def test_the_last_commit_that_changed_a_cassette_is_found(repository):
    git(repository, "commit", "-am", "Record again")
    recorded = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, capture_output=True, text=True, check=True)
    (repository / "notes.txt").write_text("no cassette")
    git(repository, "add", ".")
    git(repository, "commit", "-m", "Something else")
    assert recorded.stdout.startswith(last_recording())


@pytest.mark.usefixtures("repository")
def test_a_first_commit_has_nothing_before_it_to_compare_with():
    assert last_recording() is None


def test_a_recording_whose_name_git_would_quote_is_found(repository):
    name = "tests/cassettes/zurück \u2026 a b.yaml"
    (repository / name).write_bytes((repository / PATH).read_bytes())
    git(repository, "add", ".")
    git(repository, "commit", "-m", "Record one more", "--", name)
    recorded = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, capture_output=True, text=True, check=True)
    assert recorded.stdout.startswith(last_recording() or "none")
