"""``open`` and ``demo``: what they would serve."""

import socket
from pathlib import Path

import pytest

from reviewlib.cli import dashboard
from tests.repositories import Built


@pytest.fixture
def served(monkeypatch):
    """Catch what would be served."""
    calls = []

    def serve(spec, port=None, *, open_browser=True):
        calls.append((spec, port, open_browser, spec.repository is not None and (spec.repository / ".git").exists()))

    monkeypatch.setattr(dashboard, "serve", serve)
    return calls


def test_open_serves_the_comparison_that_was_named(project, run, served):
    assert run("open", "main...HEAD", "--port", "9000", "--no-browser", "--all")[0] == 0
    ((spec, port, browser, _),) = served
    assert (spec.repository, spec.revisions, spec.everything) == (project.root, "main...HEAD", True)
    assert (port, browser) == (9000, False)


def test_open_takes_the_cassettes_after_the_dashes(project, run, served, monkeypatch):
    monkeypatch.chdir(project.root / "tests")
    assert run("open", "main...HEAD", "--", "cassettes")[0] == 0
    ((spec, *_),) = served
    assert spec.paths == ("tests/cassettes",)


@pytest.mark.usefixtures("project")
def test_open_without_words_opens_the_browser_on_a_free_port(run, served):
    assert run("open")[0] == 0
    ((spec, port, browser, _),) = served
    assert (spec.revisions, port, browser) == (None, None, True)


def test_open_takes_two_folders(tmp_path, run, served, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert run("open", "--baseline-dir", "a", "--head-dir", "b")[0] == 0
    ((spec, *_),) = served
    assert (spec.baseline_dir, spec.head_dir) == (Path("a"), Path("b"))


def test_open_fetches_a_pull_request(project, run, served, tmp_path):
    origin = tmp_path / "origin.git"
    project.git("clone", "--quiet", "--bare", str(project.root), str(origin))
    Built(origin).git("update-ref", "refs/pull/7/head", "branch")
    Built(origin).git("symbolic-ref", "HEAD", "refs/heads/main")
    project.git("remote", "add", "origin", str(origin))
    project.git("checkout", "--quiet", "main")
    before = project.git("status", "--porcelain", "--branch")
    assert run("open", "--pr", "7")[0] == 0
    ((spec, *_),) = served
    assert "..." in spec.revisions
    assert "issue_refund.amount 39 → 390" in run("diff", spec.revisions)[1]
    assert project.git("status", "--porcelain", "--branch") == before


@pytest.mark.usefixtures("project")
def test_a_pull_request_that_is_not_there_is_one_sentence(run, served):
    assert run("open", "--pr", "7")[0] == 2
    assert served == []


def test_demo_serves_a_repository_that_it_built_and_removes_it(run, served):
    code, out, _ = run("demo", "--no-browser", "--port", "0")
    assert code == 0
    ((spec, port, browser, was_there),) = served
    assert (port, browser, was_there) == (0, False, True)
    assert "..." in spec.revisions
    assert str(spec.repository) in out
    assert not spec.repository.exists()


@pytest.mark.usefixtures("project")
def test_a_port_in_use_is_one_sentence(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, err = run("open", "main...HEAD", "--port", str(port), "--no-browser")
    assert (code, f"{port} is in use" in err) == (2, True)
