"""A project with a branch that was recorded anew, and a way to run commands in it."""

import re

import pytest

from reviewlib import cli
from tests.cli.cassettes import ORDER, REFUND, cassette
from tests.repositories import ISOLATED, build


@pytest.fixture
def isolated(monkeypatch):
    """No configuration of whoever runs the tests."""
    for name in ("GIT_DIR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ISOLATED.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def project(isolated, tmp_path, monkeypatch):  # noqa: ARG001 - it has to come first
    """On main a recorded refund and an order; on the branch the refund is of another amount, and the order is noise."""
    made = build((tmp_path / "project").resolve())
    made.commit({REFUND: cassette(), ORDER: cassette(), "README.md": "A shop."})
    made.git("checkout", "--quiet", "-b", "branch")
    made.commit({REFUND: cassette(390), ORDER: cassette(request_id="req_2"), "README.md": "The shop."})
    monkeypatch.chdir(made.root)
    return made


@pytest.fixture
def run(capsys):
    """Run a command; give its exit code, standard output and standard error."""

    def command(*words):
        code = cli.run(words)
        printed = capsys.readouterr()
        assert "Traceback" not in printed.out + printed.err
        if code == 2:
            assert re.fullmatch(r"cassette-review: [^\n]+\n", printed.err), printed.err
        return code, printed.out, printed.err

    return command
