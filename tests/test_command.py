import pytest

from reviewlib.errors import RepositoryError
from reviewlib.sources.command import display_path, quote_path, refusal
from tests.repositories import CASSETTE, Built, repo

__all__ = ["repo"]


@pytest.mark.parametrize(
    ("complaint", "words"),
    [
        ("fatal: not a git repository (or any of the parent directories): .git", "name one with --repo DIR"),
        (
            "fatal: detected dubious ownership in repository at '/srv/a b's'\nTo add an exception …",
            """git config --global --add safe.directory '/srv/a b'"'"'s'""",
        ),
        ("warning: something\nfatal: bad object HEAD\nhint: try", "git show refused: bad object HEAD"),
        ("error: disk full", "git show refused: disk full"),
        ("", "git show refused: no reason given"),
    ],
)
def test_a_complaint_of_git_becomes_one_sentence(complaint, words):
    assert words in refusal(complaint, "show")
    assert "\n" not in refusal(complaint, "show")


@pytest.mark.parametrize(
    "name", [b"plain", b"a b", b'"', b"\\", b"a\nb", b"a\tb", b"\xe9", "日本".encode(), bytes(range(1, 256))]
)
def test_any_name_passes_gits_line_protocol(repo: Built, name):
    name = name.replace(b"/", b"")
    repo.write({name: "body"})
    oid = repo.open().git.line("hash-object", "--stdin-paths", stdin=quote_path(name) + b"\n")
    assert oid == repo.git("hash-object", "--stdin", stdin=b"body")


def test_a_name_that_is_no_utf8_is_shown_in_hex():
    assert display_path(b"caf\xe9") == "caf\\xe9"
    assert display_path("café".encode()) == "café"


def test_objects_come_back_by_id_and_missing_ones_with_a_reason(repo: Built):
    repo.commit({CASSETTE: b"line\n\x00binary\n", "empty": b""})
    here = [repo.git("rev-parse", f"HEAD:{name}") for name in (CASSETTE, "empty")]
    found = repo.open().git.blobs([*here, "1" * 40, here[0]], 100)
    assert [found[oid].data for oid in here] == [b"line\n\x00binary\n", b""]
    assert (found["1" * 40].data, found["1" * 40].reason) == (None, "its content is not in this clone")
    assert repo.open().git.blobs([], 100) == {}


def test_a_command_that_fails_is_one_sentence(repo: Built):
    with pytest.raises(RepositoryError, match=r"git ls-tree refused: Not a valid object name nope"):
        repo.open().git.run("ls-tree", "nope")


def test_settings_in_the_environment_are_kept_beside_ours(repo: Built, monkeypatch):
    repo.git("config", "filter.evil.clean", "false")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.name")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "From Outside")
    git = repo.open().git
    assert git.line("config", "user.name") == "From Outside"
    assert git.line("config", "filter.evil.clean") == ""


def test_git_lfs_may_run(repo: Built):
    repo.git("config", "filter.lfs.clean", "git-lfs clean -- %f")
    assert repo.open().git.line("config", "filter.lfs.clean") == "git-lfs clean -- %f"
