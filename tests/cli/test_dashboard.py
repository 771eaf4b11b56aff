"""``open`` and ``demo``: what they would serve."""

import socket
from pathlib import Path

import pytest

from reviewlib.cli import dashboard
from tests.repositories import Built

doors = []
"""Where each call of ``served`` would listen, and how people would sign in."""


@pytest.fixture
def served(monkeypatch):
    """Catch what would be served."""
    calls = []
    doors.clear()

    def serve(spec, port=None, *, host="127.0.0.1", login=None, open_browser=True):
        doors.append((host, login))
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


@pytest.fixture
def secrets_file(tmp_path):
    file = tmp_path / "secrets.toml"
    lines = [
        "[auth]",
        'redirect_uri = "https://review.example.org/oauth2callback"',
        f'cookie_secret = "{"k" * 40}"',
        'client_id = "c"',
        'client_secret = "c"',
        'server_metadata_url = "https://login.example.org/.well-known/openid-configuration"',
    ]
    file.write_text("\n".join(lines))
    return file


@pytest.mark.usefixtures("project")
def test_a_shared_server_knows_who_decides_and_who_reads(run, served, secrets_file):
    words = ("--allow", "example.org", "--allow", "ann@example.com", "--readers", "example.net")
    assert run("open", "main...HEAD", "--host", "0.0.0.0", "--login", str(secrets_file), *words)[0] == 0
    ((spec, _, browser, _),) = served
    assert (spec.allowed, spec.readers) == (("example.org", "ann@example.com"), ("example.net",))
    ((host, login),) = doors
    assert (host, login.origin, login.file, browser) == ("0.0.0.0", "https://review.example.org", secrets_file, False)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "build.example.org"])
def test_without_a_login_only_this_machine_is_served(run, served, host):
    code, _, err = run("open", "main...HEAD", "--host", host)
    assert (code, served) == (2, [])
    assert f"--host {host} can be reached from other machines" in err
    assert "--login FILE" in err
    assert run("open", "main...HEAD", "--host", host, "--unsafe-no-login", "--no-browser")[0] == 0
    assert doors == [(host, None)]


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--allow", "example.org"), "--allow and --readers need a login"),
        (("--readers", "example.org"), "--allow and --readers need a login"),
        (("--login", "FILE"), "lets nobody in without a list"),
        (("--login", "FILE", "--allow", "*.example.org"), "'*.example.org' is neither a mail address nor a domain"),
        (("--login", "FILE", "--allow", "ann@"), "'ann@' is neither"),
        (("--login", "FILE", "--readers", "a@b@c"), "'a@b@c' is neither"),
        (("--login", "FILE", "--allow", "a.org,b.org"), "'a.org,b.org' is neither"),
        (("--login", "FILE", "--allow", "example.org", "--unsafe-no-login"), "exclude each other"),
        (("--login", "nowhere.toml", "--allow", "example.org"), "nowhere.toml cannot be read"),
    ],
)
def test_a_door_that_cannot_be_meant_is_one_sentence(run, served, secrets_file, words, said):
    code, _, err = run("open", "main...HEAD", *(str(secrets_file) if word == "FILE" else word for word in words))
    assert (code, served) == (2, [])
    assert said in err
    assert len(err.splitlines()) == 1
