from pathlib import Path

import pytest

from reviewlib.errors import UsageError
from reviewlib.policy import DEFAULT_POLICY, Policy
from reviewlib.sources import directory
from tests.repositories import Built, repo

__all__ = ["repo"]


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Built, Built]:
    """Two folders, without git."""
    for side in ("baseline", "head"):
        (tmp_path / side).mkdir()
    return Built(tmp_path / "baseline"), Built(tmp_path / "head")


def compared(
    sides: tuple[Built, Built], policy: Policy = DEFAULT_POLICY
) -> tuple[dict[str, bytes], dict[str, bytes], int]:
    shot = directory.snapshot(sides[0].root, sides[1].root, policy)
    both = ({file.path: file.data for file in files} for files in (shot.baseline_files, shot.head_files))
    return (*both, shot.skipped)


def test_folders_are_compared_by_path_and_content(sides):
    sides[0].write({"a.json": "1", "deep/b [x].yaml": "2", "gone.json": "3", "script.py": "4"})
    sides[1].write({"a.json": "1", "deep/b [x].yaml": "5", "new.json": "6", "script.py": "7"})
    assert compared(sides) == (
        {"deep/b [x].yaml": b"2", "gone.json": b"3"},
        {"deep/b [x].yaml": b"5", "new.json": b"6"},
        1,
    )


def test_the_policy_names_files_of_other_types(sides):
    sides[1].write({"golden/a.bin": "1", "b.bin": "2"})
    assert compared(sides, Policy(cassettes=("golden/**",))) == ({}, {"golden/a.bin": b"1"}, 1)


def test_links_and_the_folders_of_tools_are_not_entered(sides):
    sides[1].write({".git/a.json": "1", "node_modules/b.json": "2", "c.json": "3"})
    (sides[1].root / "link.json").symlink_to(sides[1].root / "c.json")
    (sides[1].root / "loop").symlink_to(sides[1].root)
    assert compared(sides) == ({}, {"c.json": b"3"}, 0)


def test_a_name_that_is_no_utf8_is_shown_in_hex(sides):
    sides[1].write({b"caf\xe9.json": "1"})
    assert compared(sides)[1] == {"caf\\xe9.json": b"1"}


def test_ids_are_those_of_git(sides, repo: Built):
    sides[1].write({"a.json": "some bytes"})
    shot = directory.snapshot(sides[0].root, sides[1].root, DEFAULT_POLICY)
    assert shot.head_files[0].blob == repo.git("hash-object", "--stdin", stdin=b"some bytes")


def test_sides_are_labelled_with_their_folders_and_the_key_follows_their_content(sides):
    keys = set()
    for text in ("1", "22", "333"):
        sides[1].write({"a.json": text})
        comparison = directory.compare(sides[0].root, sides[1].root)
        keys.add(comparison.key)
    assert (comparison.baseline.label, comparison.head.commit) == (str(sides[0].root), None)
    assert len(keys) == 3


def test_the_rest_of_a_hash_named_folder_comes_along(sides):
    names = [f"suite/{number:016x}.json" for number in range(3)]
    sides[0].write(dict.fromkeys(names[:2], "same"))
    sides[1].write(dict.fromkeys(names, "same"))
    assert [list(side) for side in compared(sides)[:2]] == [names[:2], names]


def test_a_file_beyond_the_limit_is_missing_and_hides_no_other(sides, monkeypatch):
    monkeypatch.setattr(directory, "LARGEST_FILE", 10)
    sides[1].write({"a.json": "1", "large.json": "x" * 11})
    shot = directory.snapshot(sides[0].root, sides[1].root, DEFAULT_POLICY)
    assert [bool(file.missing) for file in shot.head_files] == [False, True]


def test_a_folder_that_is_not_there_says_so(sides):
    with pytest.raises(UsageError, match="there is no folder"):
        directory.snapshot(sides[0].root, sides[1].root / "absent", DEFAULT_POLICY)


def test_one_file_comes_with_its_companions_itself_first(sides):
    names = [f"suite/{number:016x}.json" for number in range(3)]
    sides[0].write({name: name for name in names})
    assert [file.path for file in directory.files(sides[0].root, names[1])] == [names[1], names[0], names[2]]
    with pytest.raises(UsageError, match="there is no file 'x'"):
        directory.files(sides[0].root, "x")


def test_a_folder_of_a_repository_calls_its_files_as_the_repository_does(tmp_path, repo):
    repo.commit({"tests/cassettes/a.yaml": "old"})
    (tmp_path / "scratch").mkdir()
    (tmp_path / "scratch" / "a.yaml").write_text("new")
    (tmp_path / "scratch" / "b.odd").write_text("new")
    policy = Policy(cassettes=("tests/cassettes/*.odd",))
    folders = repo.root / "tests/cassettes", tmp_path / "scratch"
    shot = directory.snapshot(*folders, policy, repo.open().root)
    assert [file.path for file in shot.baseline_files] == ["tests/cassettes/a.yaml"]
    assert [file.path for file in shot.head_files] == ["tests/cassettes/a.yaml", "tests/cassettes/b.odd"]
    outside = directory.snapshot(tmp_path / "scratch", folders[0], policy, repo.open().root)
    assert [file.path for file in outside.head_files] == ["a.yaml"]
    assert directory.place_in(repo.root, repo.root) == ""
