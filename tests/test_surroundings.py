"""What git tells of cassettes beyond their bytes: who committed them, and the prompt files beside them."""

import hashlib
from pathlib import Path

import pytest

from reviewlib.errors import UsageError
from reviewlib.model.surroundings import UNKNOWN
from reviewlib.policy import Hygiene, Policy
from reviewlib.sources import LARGEST_UNNAMED
from reviewlib.sources.command import Git
from tests.repositories import CASSETTE, FOLDER, Built, build

ROBOT = {"GIT_AUTHOR_NAME": "renovate[bot]", "GIT_AUTHOR_EMAIL": "bot@example.com"}
PROMPT = "prompts/refund.md"
TEMPLATES = Policy(hygiene=Hygiene(templates={"tests/**": PROMPT}))


@pytest.fixture
def repo(tmp_path):
    return build((tmp_path / "repo").resolve())


def commit_as_robot(repo: Built, files):
    repo.write(files)
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "-m", "recorded", GIT_AUTHOR_DATE="2026-06-03T00:00:00Z", **ROBOT)


def around(repo: Built, revisions="main~1..main", policy=TEMPLATES):
    repository = repo.open()
    return repository.snapshot(repository.compare(revisions), policy)


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_author_of_the_newest_commit_between_both_sides_is_the_origin(repo):
    repo.commit({CASSETTE: "1", f"{FOLDER}/other.json": "1"})
    repo.commit({CASSETTE: "2"})
    commit_as_robot(repo, {CASSETTE: "3"})
    repo.commit({f"{FOLDER}/other.json": "2"})
    found = around(repo, "main~3..main").around
    assert {path: origin.name for path, origin in found.origins.items()} == {
        CASSETTE: "renovate[bot]",
        f"{FOLDER}/other.json": "Ada",
    }
    assert (found.origins[CASSETTE].email, found.origins[CASSETTE].at) == ("bot@example.com", 1_780_444_800.0)
    assert around(repo, "main~1..main").around.origins.keys() == {f"{FOLDER}/other.json"}


def test_names_are_read_whatever_bytes_they_hold(repo):
    odd = f"{FOLDER}/new\nline ü \x01[x].json"
    repo.commit({CASSETTE: "1"})
    repo.commit({odd: "1", CASSETTE: "2"})
    assert around(repo).around.origins.keys() == {odd, CASSETTE}


def test_a_merge_is_not_whoever_recorded(repo):
    repo.commit({CASSETTE: "1"})
    repo.git("checkout", "--quiet", "-b", "branch")
    commit_as_robot(repo, {CASSETTE: "2"})
    repo.git("checkout", "--quiet", "main")
    repo.commit({"README.md": "x"})
    repo.git("merge", "--quiet", "--no-edit", "branch")
    assert around(repo, "main~1..main").around.origins[CASSETTE].name == "renovate[bot]"


def test_of_the_working_tree_nobody_is_known_and_no_log_is_read(repo):
    repo.commit({CASSETTE: "1"})
    repo.write({CASSETTE: "2"})
    assert around(repo, "HEAD").around.origins == {}


@pytest.mark.parametrize(
    ("policy", "logs"),
    [
        (Policy(), 1),
        (Policy(severities={"recorded-by-automation": "off"}), 0),
        (Policy(severities={"recorded-by-automation": "off"}, hygiene=Hygiene(stale_after_days=9)), 1),
    ],
    ids=["always", "turned off", "needed for ages"],
)
def test_one_log_is_read_for_any_number_of_files_and_none_where_nobody_asks(repo, monkeypatch, policy, logs):
    repo.commit({f"{FOLDER}/{number}.json": "1" for number in range(30)})
    repo.commit({f"{FOLDER}/{number}.json": "2" for number in range(30)})
    repository = repo.open()
    comparison = repository.compare("main~1..main")
    commands = []
    attempt = Git.attempt
    monkeypatch.setattr(
        Git, "attempt", lambda self, *words, **more: commands.append(words[0]) or attempt(self, *words, **more)
    )
    repository.snapshot(comparison, policy)
    assert commands.count("log") == logs


def test_the_prompt_file_of_each_side_is_known_by_its_sha(repo):
    repo.commit({CASSETTE: "1", PROMPT: "Be kind."})
    repo.commit({CASSETTE: "2", PROMPT: "Be quick."})
    found = around(repo)
    assert (found.before.prompts, found.around.prompts) == ({PROMPT: sha("Be kind.")}, {PROMPT: sha("Be quick.")})
    assert around(repo, policy=Policy()).around.prompts == {}
    repo.write({PROMPT: "Be slow."})
    assert around(repo, "HEAD").around.prompts == {PROMPT: sha("Be slow.")}


def test_a_prompt_that_is_not_there_or_not_inside_is_not_known(repo, tmp_path):
    (tmp_path / "secret.md").write_text("secret")
    repo.commit({CASSETTE: "1"})
    (repo.root / "link.md").symlink_to(tmp_path / "secret.md")
    for place in ("prompts/none.md", "link.md", "tests"):
        policy = Policy(hygiene=Hygiene(templates={"**": place}))
        assert around(repo, "HEAD", policy).around.prompts == {}, place


def test_a_whole_side_is_loaded_with_its_own_policy(repo):
    repo.commit({CASSETTE: "1", "pyproject.toml": "[tool.cassette-review]\nmin_approvals = 2\n", "README.md": "x"})
    repo.commit({CASSETTE: "2", f"{FOLDER}/other.json": "1", "pyproject.toml": None})
    repo.write({CASSETTE: "3"})
    repository = repo.open()

    def contents(ref, paths=()):
        return {Path(file.path).name: file.data for file in repository.whole(ref, Policy(), paths).head_files}

    assert contents(None) == {"test_flow.json": b"3", "other.json": b"1"}
    assert contents("main") == {"test_flow.json": b"2", "other.json": b"1"}
    assert contents("main~1") == {"test_flow.json": b"1"}
    assert contents(None, (f"{FOLDER}/other.json",)) == {"other.json": b"1"}
    assert [repository.own_policy(ref).min_approvals for ref in (None, "main", "main~1")] == [1, 1, 2]
    with pytest.raises(
        UsageError, match=r"there is no file '.*othre.json' in the working tree; near it are .*other.json"
    ):
        contents(None, (f"{FOLDER}/othre.json",))


def test_a_look_at_everything_finds_readable_files_outside_the_globs_but_no_large_ones_without_a_suffix(repo):
    repo.commit({CASSETTE: "1", "golden/run.json": "2", "tool": "x" * (LARGEST_UNNAMED + 1), "tale": "3", "a.py": "4"})
    shot = repo.open().whole(None, Policy(), everything=True)
    assert [file.path for file in shot.head_files] == ["golden/run.json", "tale", CASSETTE]


def test_for_ages_the_whole_history_of_a_side_is_asked_and_otherwise_none(repo):
    commit_as_robot(repo, {CASSETTE: "1"})
    repo.commit({"README.md": "x"})
    repository = repo.open()
    assert repository.whole(None, Policy()).around == UNKNOWN
    for ref in (None, "main"):
        found = repository.whole(ref, Policy(hygiene=Hygiene(stale_after_days=9))).around
        assert found.origins[CASSETTE].at == 1_780_444_800.0


def test_a_repository_without_commits_can_be_audited(repo):
    repo.write({CASSETTE: "1"})
    shot = repo.open().whole(None, Policy(hygiene=Hygiene(stale_after_days=9)))
    assert ([file.path for file in shot.head_files], shot.around.origins) == ([CASSETTE], {})
