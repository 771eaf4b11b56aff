"""The command that starts the check anew after a push."""

import pytest

from reviewlib.policy import DEFAULT_POLICY, Policy
from reviewlib.rerun import Rerun, rerun, rerun_hint


@pytest.mark.parametrize(
    ("address", "branch", "expected"),
    [
        ("git@github.com:a/b.git", "fix it", "gh run rerun \"$(gh run list --branch 'fix it' --limit 1 --json databaseId --jq '.[0].databaseId')\""),
        ("https://github.example.org/a/b", "x", "gh run rerun \"$(gh run list --branch x --limit 1 --json databaseId --jq '.[0].databaseId')\""),
        ("ssh://git@gitlab.com:2222/a/b.git", "$(x)", "glab ci run --branch '$(x)'"),
        ("gitlab.example.org:a/b", "x", "glab ci run --branch x"),
        ("https://codeberg.org/a/b", "x", None),
        ("https://example.org/github.com/b", "x", None),
        ("/srv/github/b.git", "x", None),
        ("", "x", None),
        ("git@github.com:a/b.git", None, None),
    ],
)  # fmt: skip
def test_the_forge_is_known_by_its_host(address, branch, expected):
    assert rerun_hint(address, branch) == expected


def test_the_policys_command_comes_before_the_forges():
    named = Policy(rerun_command="again --ref {branch} --at {commit}")
    assert rerun(named, "git@github.com:a/b.git", "fix it", "1f3a") == Rerun(
        "again --ref 'fix it' --at 1f3a", by_policy=True
    )
    assert rerun(named, "", None, None).command == "again --ref HEAD --at ''"
    assert rerun(DEFAULT_POLICY, "gitlab.com:a/b", "x", "1f3a") == Rerun("glab ci run --branch x")


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (Rerun("make again", by_policy=True), "Start the check again: make again"),
        (Rerun("glab ci run"), "A forge checks branches, not notes; start the check again: glab ci run"),
        (Rerun(None), "A forge checks branches, not notes; start the check of the pull request again"),
    ],
)
def test_it_is_said_in_a_sentence(known, said):
    assert known.sentence == said
