"""``audit`` on a real repository."""

import json

import pytest

from tests.cli.cassettes import ORDER, REFUND, answer, cassette, interaction

FAILED = json.dumps(
    {
        "version": 1,
        "interactions": [
            interaction([{"role": "user", "content": "Hi"}], {"error": {"message": "no such model"}}, "Be kind.", 404)
        ],
    }
)


@pytest.mark.usefixtures("project")
def test_without_an_error_the_audit_succeeds(run):
    code, out, err = run("audit")
    assert (code, err) == (0, "")
    assert out.startswith("worktree on 20")
    assert ": 2 cassettes, nothing to mend\ntokens: 480\n" in out


def test_a_failure_that_no_pull_request_touches_fails_the_audit(project, run):
    project.commit({ORDER: FAILED})
    project.commit({"README.md": "Later."})
    assert run("check", "HEAD~1..HEAD")[0] == 0
    code, out, _ = run("audit")
    assert code == 1
    assert f"  {ORDER}: HTTP 404 was recorded in place of an answer\n" in out


def test_a_revision_is_audited_by_its_own_policy_and_the_working_tree_by_the_one_there(project, run):
    project.commit({ORDER: FAILED})
    project.write({"pyproject.toml": '[tool.cassette-review.severities]\nrecorded-failure = "info"\n'})
    assert run("audit", "--ref", "main")[0] == 0
    assert run("audit", "--ref", "branch")[0] == 1
    assert run("audit")[0] == 0
    assert run("audit", "--ref", "main")[1].startswith("main on 20")


def test_paths_narrow_the_audit_as_they_are_typed(project, run, monkeypatch):
    project.commit({ORDER: FAILED})
    assert run("audit", "--", REFUND)[0] == 0
    assert run("audit", "--", ORDER)[0] == 1
    monkeypatch.chdir(project.root / "tests")
    assert run("audit", "--", "cassettes")[0] == 1


def test_the_json_is_for_a_script(project, run):
    project.commit({ORDER: FAILED})
    code, out, _ = run("audit", "--format", "json")
    found = json.loads(out)
    assert (code, found["schema"], found["passed"]) == (1, "cassette-review/audit/1", False)
    assert {item["path"] for item in found["cassettes"]} == {ORDER, REFUND}


def test_a_prompt_that_was_edited_behind_its_cassettes_is_found(project, run):
    sent = {"model": "m-1", "messages": [{"role": "user", "content": "Hi"}], "template_sha": "0" * 64}
    line = json.dumps({"key": "0" * 64, "recorded_at": 1, "request": sent, "response": answer()})
    policy = '[tool.cassette-review.hygiene.templates]\n"**/*.jsonl" = "prompts/hi.md"\n'
    project.commit({"tests/cassettes/hi.jsonl": line, "prompts/hi.md": "Say hi.", "pyproject.toml": policy})
    code, out, _ = run("audit", "--", "tests/cassettes/hi.jsonl")
    assert code == 1
    assert (
        "error template-drift (1 cassette)\n  tests/cassettes/hi.jsonl: recorded with prompts/hi.md as 000000000000, and"
        in out
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--ref", "mian"), "mian"),
        (("--", "tests/cassettes/test_refund/test_refnud.yaml"), "near it are"),
        (("--", "../elsewhere"), "outside"),
    ],
)
@pytest.mark.usefixtures("project")
def test_wrong_use_is_one_sentence_and_exit_2(run, words, said):
    code, out, err = run("audit", *words)
    assert (code, out) == (2, "")
    assert said in err


def test_a_broken_policy_is_refused(project, run):
    project.write({"pyproject.toml": "[tool.cassette-review.hygiene]\nstale = 3\n"})
    code, _, err = run("audit")
    assert code == 2
    assert "unknown key 'hygiene.stale'" in err
    project.write({"pyproject.toml": None, REFUND: cassette(5)})
    assert run("audit")[0] == 0
