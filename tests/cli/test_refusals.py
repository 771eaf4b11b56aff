"""Whatever goes wrong is one sentence and exit code 2."""

import pytest

from reviewlib import cli
from reviewlib.errors import UsageError
from tests.cli.cassettes import REFUND, cassette
from tests.repositories import build


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dif"], "diff"),
        (["diff", "--formt", "json"], "--formt"),
        (["diff", "--format", "xml"], "xml"),
        (["diff", "main", "HEAD"], "HEAD"),
        (["diff", "nowhere...HEAD"], "nowhere"),
        (["diff", "--upload-pack=x"], "--upload-pack"),
        (["diff", "main...HEAD", "--", "tests/cassettes/test_refund/test_refun.yaml"], "test_refund.yaml"),
        (["diff", "main...HEAD", "--", "/etc/passwd"], "outside the repository"),
        (["diff", REFUND], f"paths stand after --: `-- {REFUND}`"),
        (["diff", "--repo", "/nowhere"], "/nowhere"),
        (["diff", "--baseline-dir", "."], "--head-dir is missing"),
        (["diff", "--head-dir", "."], "--baseline-dir is missing"),
        (["diff", "--baseline-dir", "no", "--head-dir", "."], "no is no folder"),
        (["diff", "main", "--baseline-dir", ".", "--head-dir", "."], "leave one of them out"),
        (["show"], "--path"),
        (["show", "nothing.yaml"], "nothing.yaml"),
        (["show", REFUND, "--ref", "nowhere"], "nowhere"),
        (
            ["show", "tests/cassettes"],
            "tests/cassettes holds 2 cassettes, such as tests/cassettes/test_refund/test_order.yaml",
        ),
        (["approve", "main...HEAD"], "approve needs the cassettes after --"),
        (["flag", "main...HEAD", "--", "nothing.yaml"], "No changed cassette is at nothing.yaml"),
        (["approve", "HEAD..HEAD", "--", "."], "No cassette changed"),
        (["check", "main...HEAD", "--", REFUND], "--path"),
        (["open", "main...HEAD", "--pr", "7"], "leave one of them out"),
        (["open", "nowhere"], "nowhere"),
        (["open", "--port", "many"], "many"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
@pytest.mark.usefixtures("project")
def test_wrong_use_is_one_sentence_and_exit_2(run, words, said):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert said in err


def test_no_repository_is_one_sentence(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    for words in (
        ["diff"],
        ["check"],
        ["show", "x"],
        ["open"],
        ["reviews", "list"],
        ["policy"],
        ["approve", "--", "x"],
    ):
        code, _, err = run(*words)
        assert (code, "git repository" in err) == (2, True)


def test_an_empty_repository_has_nothing_to_say(tmp_path, run, monkeypatch):
    build(tmp_path)
    monkeypatch.chdir(tmp_path)
    code, out, err = run("diff")
    assert code in {0, 2}
    assert out or err


def test_a_broken_policy_is_one_sentence(project, run):
    project.git("checkout", "--quiet", "main")
    project.commit({"cassette-review.toml": 'require_aproval = ["request"]\n'})
    project.commit({REFUND: cassette(1)})
    code, _, err = run("check", "HEAD~1..HEAD")
    assert (code, "require_approval" in err) == (2, True)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyboardInterrupt(), "Interrupted."),
        (BrokenPipeError(), "The output was closed"),
        (PermissionError(13, "Permission denied", "x"), "The system refused: [Errno 13] Permission denied: 'x'."),
        (UsageError("two\nlines \x1b[31m"), "two lines \\x1b[31m"),
        (ZeroDivisionError("by zero"), "This is a bug in cassette-review (ZeroDivisionError: by zero)."),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
@pytest.mark.usefixtures("project")
def test_whatever_happens_ends_in_one_sentence(run, monkeypatch, error, said):
    def fail(*_args, **_more):
        raise error

    monkeypatch.setattr("reviewlib.pipeline.review", fail)
    code, _, err = run("check", "main...HEAD")
    assert (code, said in err) == (2, True)


@pytest.mark.usefixtures("project")
def test_a_bug_shows_its_traceback_when_asked(monkeypatch):
    monkeypatch.setenv("CASSETTE_REVIEW_TRACEBACK", "1")
    monkeypatch.setattr("reviewlib.pipeline.review", lambda *_args, **_more: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        cli.run(["diff", "main...HEAD"])
