import threading
from pathlib import Path

import pytest

from reviewlib.errors import PolicyError, RepositoryError, UsageError
from reviewlib.policy import DEFAULT_GLOBS, DEFAULT_POLICY
from reviewlib.sources.command import Git
from reviewlib.sources.git import Repository
from tests.repositories import CASSETTE, FOLDER, Built, build, clone, contents, forked, names, repo, snapshot

__all__ = ["forked", "repo"]

ODD_NAMES = [
    "plain.json",
    "test_flow[eu].yaml",
    "with space.yaml",
    'with "quotes".yaml',
    "it's.yaml",
    "new\nline.yaml",
    "tab\tand\\backslash.yaml",
    "ünïcode-日本.yaml",
    ":(glob)**.yaml",
    "-rf.yaml",
    "*.yaml",
    "no_extension",
]


# What is loaded


def test_added_removed_and_modified_cassettes_stand_on_their_sides(repo: Built):
    repo.commit({f"{FOLDER}/same.json": "0", f"{FOLDER}/changed.json": "1", f"{FOLDER}/gone.json": "2"})
    repo.commit(
        {f"{FOLDER}/changed.json": "3", f"{FOLDER}/gone.json": None, f"{FOLDER}/new.json": "4", "src/x.py": "5"}
    )
    shot = snapshot(repo, "HEAD~1..HEAD")
    assert contents(shot.baseline_files) == {"changed.json": b"1", "gone.json": b"2"}
    assert contents(shot.head_files) == {"changed.json": b"3", "new.json": b"4"}
    assert shot.skipped == 1


@pytest.mark.parametrize("committed", [True, False])
def test_any_file_name_is_read(repo: Built, committed):
    repo.commit({f"{FOLDER}/{name}": f"before {name}" for name in ODD_NAMES[::2]})
    repo.write({f"{FOLDER}/{name}": f"after {name}" for name in ODD_NAMES})
    if committed:
        repo.commit()
    shot = snapshot(repo, "HEAD~1..HEAD" if committed else "HEAD")
    assert contents(shot.head_files) == {name: f"after {name}".encode() for name in ODD_NAMES}
    assert contents(shot.baseline_files) == {name: f"before {name}".encode() for name in ODD_NAMES[::2]}


@pytest.mark.parametrize("committed", [True, False])
def test_a_name_that_is_no_utf8_is_shown_in_hex(repo: Built, committed):
    repo.commit()
    repo.write({f"{FOLDER}/caf".encode() + b"\xe9.json": "body"})
    if committed:
        repo.commit()
    shot = snapshot(repo, "HEAD~1..HEAD" if committed else "HEAD")
    assert contents(shot.head_files) == {"caf\\xe9.json": b"body"}
    assert repo.open().file(f"{FOLDER}/caf\\xe9.json")[0].data == b"body"


def test_attributes_that_hide_a_diff_hide_nothing_here(repo: Built):
    repo.commit({".gitattributes": "*.json -diff linguist-generated\n*.yaml binary\n", CASSETTE: "base"})
    repo.commit({CASSETTE: "head"})
    assert contents(snapshot(repo, "HEAD~1..HEAD").head_files) == {"test_refund/test_flow.json": b"head"}


def test_a_rename_is_two_files_here(repo: Built):
    repo.git("config", "diff.renames", "copies")
    repo.commit({f"{FOLDER}/old.json": "long enough to be similar\n" * 20})
    repo.git("mv", f"{FOLDER}/old.json", f"{FOLDER}/new.json")
    repo.commit()
    shot = snapshot(repo, "HEAD~1..HEAD")
    assert (names(shot.baseline_files), names(shot.head_files)) == (["old.json"], ["new.json"])


def test_symbolic_links_submodules_and_mode_changes_are_no_cassettes(repo: Built):
    repo.commit({f"{FOLDER}/a.json": "a", f"{FOLDER}/b.json": "b"})
    (repo.root / FOLDER / "link.json").symlink_to("/etc/passwd")
    (repo.root / FOLDER / "a.json").chmod(0o755)
    build(repo.root / FOLDER / "nested").commit({"c.json": "c"})
    assert names(snapshot(repo, "HEAD").head_files) == []
    repo.git("-c", "advice.addEmbeddedRepo=false", "add", "--all")
    repo.commit()
    shot = snapshot(repo, "HEAD~1..HEAD")
    assert (names(shot.baseline_files), names(shot.head_files), shot.skipped) == ([], [], 0)


def test_a_file_that_became_a_link_was_removed(repo: Built):
    repo.commit({CASSETTE: "real"})
    (repo.root / CASSETTE).unlink()
    (repo.root / CASSETTE).symlink_to("/etc/passwd")
    shot = snapshot(repo, "HEAD")
    assert (names(shot.baseline_files), shot.head_files) == (["test_refund/test_flow.json"], ())


def test_a_bare_repository_compares_commits_and_has_no_working_tree(forked: Built, tmp_path: Path):
    bare = clone(forked, tmp_path / "bare.git", "--bare")
    assert names(snapshot(bare, "main...feature").head_files) == ["test_refund/test_flow.json"]
    with pytest.raises(RepositoryError, match=r"bare and has no working tree; name two revisions: main\.\.HEAD"):
        bare.open().compare("main")
    assert bare.open().file(CASSETTE)[0].data == b"feature"


def test_a_linked_working_tree_is_read_like_any_other(forked: Built, tmp_path: Path):
    forked.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "main")
    linked = Built(tmp_path / "linked")
    linked.write({CASSETTE: "changed there"})
    shot = snapshot(linked)
    assert (shot.head.label, contents(shot.head_files)) == (
        "worktree",
        {"test_refund/test_flow.json": b"changed there"},
    )


def test_a_folder_inside_the_repository_opens_all_of_it(forked: Built):
    assert Repository.open(forked.root / FOLDER).root == forked.root.resolve()


# Missing objects


def test_a_partial_clone_degrades_one_file_at_a_time_and_stays_off_the_network(repo: Built, tmp_path: Path):
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit({f"{FOLDER}/{name}.json": f"before {name}" for name in "abc"})
    repo.commit({f"{FOLDER}/{name}.json": f"after {name}" for name in "abc"})
    copy = clone(repo, tmp_path / "copy", "--filter=blob:none")
    shot = snapshot(copy, "HEAD~1..HEAD")
    assert [file.missing is not None for file in shot.baseline_files] == [True, True, True]
    assert contents(shot.head_files) == {f"{name}.json": f"after {name}".encode() for name in "abc"}
    assert "\n" not in str(shot.baseline_files[0].missing)


def test_a_corrupt_object_does_not_hide_the_others(repo: Built):
    repo.commit({f"{FOLDER}/{name}.json": f"before {name}" for name in "abc"})
    repo.commit({f"{FOLDER}/{name}.json": f"after {name}" for name in "abc"})
    oid = repo.git("rev-parse", f"HEAD:{FOLDER}/b.json")
    loose = repo.root / ".git" / "objects" / oid[:2] / oid[2:]
    loose.chmod(0o644)
    loose.write_bytes(b"rubbish")
    shot = snapshot(repo, "HEAD~1..HEAD")
    assert contents(shot.head_files) == {"a.json": b"after a", "b.json": b"", "c.json": b"after c"}
    assert shot.head_files[1].missing


def test_a_committed_file_beyond_the_limit_is_missing_with_its_size(repo: Built, monkeypatch):
    monkeypatch.setattr("reviewlib.sources.git.LARGEST_FILE", 10)
    repo.commit()
    repo.commit({f"{FOLDER}/a.json": "a", f"{FOLDER}/large.json": "x" * 11})
    shot = snapshot(repo, "HEAD~1..HEAD")
    assert [file.missing for file in shot.head_files] == [None, "it has 11 bytes, and files are read up to 10"]


# What is chosen


def test_everything_looks_at_readable_types_beyond_the_globs(repo: Built):
    repo.commit()
    repo.commit(
        {
            "a.json": "1",
            "deep/b.yaml.gz": "2",
            "c.py": "3",
            "d.png": "4",
            "plain": "5",
            ".hidden": "6",
            "big": "x" * 2_000_000,
        }
    )
    assert snapshot(repo, "HEAD~1..HEAD").skipped == 7
    shot = snapshot(repo, "HEAD~1..HEAD", everything=True)
    assert names(shot.head_files) == [".hidden", "a.json", "deep/b.yaml.gz", "plain"]
    assert shot.skipped == 3


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["tests/cassettes/test_flow[eu].yaml"], ["test_flow[eu].yaml"]),
        (["tests/cassettes/*.yaml"], ["*.yaml"]),
        (["tests"], ["*.yaml", "-rf.yaml", "test_flow[eu].yaml"]),
        (["tests/", "other.json"], ["*.yaml", "-rf.yaml", "other.json", "test_flow[eu].yaml"]),
        (["other.json"], ["other.json"]),
        (["unchanged.json"], []),
    ],
)
def test_paths_are_taken_literally_whatever_the_globs_say(repo: Built, paths, expected):
    repo.commit({"unchanged.json": "same"})
    repo.commit(
        {"other.json": "1", **{f"{FOLDER}/{name}": "x" for name in ("test_flow[eu].yaml", "*.yaml", "-rf.yaml")}}
    )
    assert sorted(names(snapshot(repo, "HEAD~1..HEAD", paths=paths).head_files)) == expected


def test_a_path_on_neither_side_is_answered_with_near_ones(repo: Built):
    repo.commit()
    repo.commit({CASSETTE: "x"})
    with pytest.raises(UsageError, match=r"near it are tests/cassettes/test_refund/test_flow\.json"):
        snapshot(repo, "HEAD~1..HEAD", paths=["tests/cassettes/test_refund/test_flwo.json"])


HASHES = [f"{number:016x}" for number in range(4)]


@pytest.mark.parametrize("committed", [True, False])
def test_the_unchanged_rest_of_a_hash_named_folder_is_loaded_on_both_sides(repo: Built, committed):
    folder = f"{FOLDER}/suite"
    repo.commit({f"{folder}/{name}.json": name for name in HASHES[:3]} | {f"{FOLDER}/{HASHES[0]}.json": "elsewhere"})
    repo.write({f"{folder}/{HASHES[0]}.json": None, f"{folder}/{HASHES[3]}.json": "new"})
    if committed:
        repo.commit()
    shot = snapshot(repo, "HEAD~1..HEAD" if committed else "HEAD")
    assert names(shot.baseline_files) == [f"suite/{name}.json" for name in HASHES[:3]]
    assert names(shot.head_files) == [f"suite/{name}.json" for name in HASHES[1:]]


@pytest.mark.parametrize("committed", [True, False])
def test_unchanged_sidecars_come_with_each_changed_cassette(repo: Built, committed):
    blobs = {f"{FOLDER}/{name}.cassette.blobs/{'0' * 64}.bin": b"\0" for name in ("one", "two", "three")}
    first = {f"{FOLDER}/{name}.cassette.json": "base" for name in ("one", "two", "three")}
    repo.commit(blobs | first | {f"{FOLDER}/one.cassette.blobs/notes.txt": "not one"})
    repo.write({f"{FOLDER}/one.cassette.json": "head", f"{FOLDER}/two.cassette.json": "head"})
    if committed:
        repo.commit()
    shot = snapshot(repo, "HEAD~1..HEAD" if committed else "HEAD")
    for side in (shot.baseline_files, shot.head_files):
        assert [name.rpartition("/")[2] for name in names(side)] == [
            f"{'0' * 64}.bin",
            "one.cassette.json",
            f"{'0' * 64}.bin",
            "two.cassette.json",
        ]


@pytest.mark.parametrize("committed", [True, False])
def test_sidecars_are_those_of_each_side(repo: Built, committed):
    """Only the baseline's folders are listed: what changed, came and went there leads to the head's."""
    cassette = f"{FOLDER}/one.cassette.json"
    changed, gone, new = (f"{FOLDER}/one.cassette.blobs/{digit * 64}.bin" for digit in "abc")
    repo.commit({cassette: "base", changed: b"\0", gone: b"\0"})
    repo.write({cassette: "head", changed: b"\1", gone: None, new: b"\2"})
    if committed:
        repo.commit()
    shot = snapshot(repo, "HEAD~1..HEAD" if committed else "HEAD")
    assert {file.path: file.data for file in shot.baseline_files} == {cassette: b"base", changed: b"\0", gone: b"\0"}
    assert {file.path: file.data for file in shot.head_files} == {cassette: b"head", changed: b"\1", new: b"\2"}


# One file


def test_one_file_is_read_from_a_revision_and_from_the_working_tree(forked: Built):
    forked.write({CASSETTE: "now"})
    repository = forked.open()
    assert [repository.file(CASSETTE, ref)[0].data for ref in ("main", "feature", None)] == [
        b"base",
        b"feature",
        b"now",
    ]


def test_a_folder_gives_all_its_files_and_an_unknown_one_near_names(forked: Built):
    repository = forked.open()
    assert [file.path for file in repository.file("tests/cassettes", "main")] == [CASSETTE]
    with pytest.raises(RepositoryError, match=r"near it are"):
        repository.file("tests/cassettes/test_refund/test_flow.jsn")
    with pytest.raises(RepositoryError, match=r"there is no revision 'nope'"):
        repository.file(CASSETTE, "nope")


def test_a_file_comes_with_its_companions_itself_first(repo: Built):
    repo.commit({f"{FOLDER}/{name}.json": name for name in HASHES})
    assert names(repo.open().file(f"{FOLDER}/{HASHES[2]}.json", "HEAD")) == [
        f"{HASHES[index]}.json" for index in (2, 0, 1, 3)
    ]


# Policy and person


def test_the_baselines_policy_judges(repo: Built):
    repo.commit({"pyproject.toml": '[tool.cassette-review]\ncassettes = ["golden/**"]\n'})
    repo.commit({"pyproject.toml": '[tool.cassette-review]\ncassettes = ["nothing/**"]\n', "golden/a.json": "1"})
    repository = repo.open()
    comparison = repository.compare("HEAD~1..HEAD")
    assert repository.policy(comparison).cassettes == ("golden/**",)
    assert [file.path for file in repository.snapshot(comparison, repository.policy(comparison)).head_files] == [
        "golden/a.json"
    ]


def test_the_working_tree_is_judged_by_the_policy_of_head(repo: Built):
    repo.commit()
    assert repo.open().policy(repo.open().compare("HEAD")).cassettes == DEFAULT_GLOBS
    repo.commit({"cassette-review.toml": 'cassettes = ["golden/**"]\n'})
    repo.write({"cassette-review.toml": 'cassettes = ["nothing/**"]\n', "golden/a.json": "1"})
    assert repo.open().policy(repo.open().compare("HEAD~1")).cassettes == ("golden/**",)
    assert [file.path for file in snapshot(repo).head_files] == ["golden/a.json"]


def test_a_policy_that_cannot_be_read_says_so(repo: Built):
    repo.commit({"cassette-review.toml": "cassettes = ["})
    with pytest.raises(PolicyError, match="no valid TOML"):
        repo.open().policy(repo.open().compare("HEAD..HEAD"))


def test_an_unborn_repository_has_the_default_policy(repo: Built):
    assert repo.open().policy(repo.open().compare("HEAD")) == DEFAULT_POLICY


def test_the_reviewer_is_who_git_says(repo: Built):
    assert repo.open().reviewer().name == "Ada"
    repo.git("config", "--unset", "user.name")
    with pytest.raises(RepositoryError, match=r"git config user\.name"):
        repo.open().reviewer()


# Many readers


def test_threads_that_share_a_repository_read_their_own_blobs(repo: Built):
    repo.commit({f"{FOLDER}/{number}.json": f"before {number}" for number in range(60)})
    repo.commit({f"{FOLDER}/{number}.json": f"after {number}" for number in range(60)})
    repository = repo.open()
    comparison = repository.compare("HEAD~1..HEAD")
    wrong: list[str] = []

    def read() -> None:
        for _ in range(5):
            shot = repository.snapshot(comparison, DEFAULT_POLICY)
            expected = {f"{number}.json": f"after {number}".encode() for number in range(60)}
            wrong.extend([] if contents(shot.head_files) == expected else ["wrong"])

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.fixture
def told(monkeypatch):
    """How many bytes each git command gave, once a test has cleared what came before."""
    given: list[int] = []
    attempt = Git.attempt

    def measured(self, *arguments, **options):
        outcome = attempt(self, *arguments, **options)
        given.append(len(outcome.out))
        return outcome

    monkeypatch.setattr(Git, "attempt", measured)
    return given


def test_cost_follows_the_change_and_not_the_repository(repo: Built, told: list[int]):
    repo.commit({f"{FOLDER}/{number}.json": f"{number}" for number in range(2000)})
    repo.commit({f"{FOLDER}/1.json": "changed"})
    repository = repo.open()
    told.clear()
    assert names(repository.snapshot(repository.compare("HEAD~1..HEAD"), DEFAULT_POLICY).head_files) == ["1.json"]
    assert len(told) <= 6, "both sides, what differs, the files beside it, sizes, contents, who wrote it"
    assert sum(told) < 1000


def test_more_changed_files_take_no_more_commands(repo: Built, told: list[int]):
    repo.commit({f"{FOLDER}/{number % 20}/{number}.yaml": f"{number}" for number in range(200)})
    repo.commit({f"{FOLDER}/{number % 20}/{number}.yaml": "changed" for number in range(200)})
    repo.write({f"{FOLDER}/{number % 20}/{number}.yaml": "again" for number in range(200)})
    repository = repo.open()
    counts = []
    for revisions, paths in (("HEAD~1..HEAD", ()), ("HEAD", ()), ("HEAD", (f"{FOLDER}/3/3.yaml",))):
        told.clear()
        repository.snapshot(repository.compare(revisions), DEFAULT_POLICY, paths)
        counts.append(len(told))
    assert counts[0] <= 6
    assert counts[1] == counts[2]
