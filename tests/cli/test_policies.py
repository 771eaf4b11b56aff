"""``policy --init``: what it prints is a policy that the repository can be judged by."""

import json

import pytest

from reviewlib.policy import read_policy
from tests.cli.cassettes import ORDER, REFUND, cassette
from tests.planted import secret

FILE = "cassette-review.toml"


def test_a_first_policy_is_printed_and_nothing_is_written(project, run):
    project.write({"uv.lock": "", "package.json": json.dumps({"name": "shop"})})
    code, out, _ = run("policy", "--init")
    assert code == 0
    policy = read_policy(None, out)
    assert policy.cassettes == ("**/cassettes/**",)
    assert policy.record_command == "uv run pytest {test} --record-mode=rewrite"
    assert policy.suite.tokens == 480
    assert "# Tools that are called: issue_refund." in out
    assert not (project.root / FILE).exists()


def test_what_is_not_yet_committed_is_looked_at_too(project, run):
    project.write({"golden/run.json": cassette(1)})
    assert '"golden/**",  # 1 now' in run("policy", "--init")[1]


def test_a_secret_is_printed_nowhere(project, run):
    key = secret("doppler")
    project.write({REFUND: cassette().replace("issue_refund", key)})
    out = run("policy", "--init")[1]
    assert key not in out
    assert "[masked:" in out


def test_a_written_policy_judges_and_lets_pass_what_it_was_made_from(project, run):
    project.git("checkout", "--quiet", "main")
    code, out, _ = run("policy", "--init", "--write")
    assert (code, f"Written to {FILE}." in out) == (0, True)
    project.commit()
    project.git("checkout", "--quiet", "-B", "again")
    project.commit({ORDER: cassette(request_id="req_9")})
    code, out, _ = run("check", "main...again")
    assert (code, out.splitlines()[0].startswith("error")) == (0, False)
    project.commit({REFUND: cassette(390)})
    assert run("check", "main...again")[0] == 1
    assert 'require_approval = ["behaviour"]  # cassette-review.toml' in run("policy", "main...again")[1]


def test_a_policy_is_not_overwritten(project, run):
    project.write({FILE: "# mine\n"})
    code, _, err = run("policy", "--init", "--write")
    assert (code, "is not overwritten" in err) == (2, True)
    assert (project.root / FILE).read_text() == "# mine\n"


@pytest.mark.parametrize("table", ["[tool.cassette-review]\nmin_approvals = 2\n"])
def test_a_second_policy_is_not_written(project, run, table):
    project.commit({"pyproject.toml": table})
    code, _, err = run("policy", "--init", "--write")
    assert (code, "stands in pyproject.toml already" in err) == (2, True)
    assert run("policy", "--init")[0] == 0


def test_words_that_make_no_sense_together_are_refused(project, run):
    assert project
    for words, said in ((("--write",), "--init --write"), (("--init", "main...HEAD"), "leave main...HEAD out")):
        code, _, err = run("policy", *words)
        assert (code, said in err) == (2, True)


def test_a_bare_repository_is_read_and_not_written(project, run, tmp_path, monkeypatch):
    project.git("clone", "--quiet", "--bare", str(project.root), str(tmp_path / "bare.git"))
    monkeypatch.chdir(tmp_path / "bare.git")
    assert "issue_refund" in run("policy", "--init")[1]
    code, _, err = run("policy", "--init", "--write")
    assert (code, "bare" in err) == (2, True)
