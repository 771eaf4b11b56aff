"""Which cassette the address names, and where it is read from; over a real repository."""

import subprocess

import pytest
from dashboard import load, look

from reviewlib.model.trajectory import Recording
from reviewlib.serve import LaunchSpec
from tests.app.test_load import PATH, cassette, git, opened, write


@pytest.mark.parametrize(
    "asked",
    [
        look.Look(),
        look.Look(path="a [x] & b?.yaml", place="main", sight="history"),
        look.Look(path="a", sight="miss", request=3),
        look.Look(path="a", sight="compare", other_path="b", other_place="v1.0~2", step="h5", find="refund 39"),
    ],
)
def test_a_look_survives_its_address(asked):
    assert look.Look.of(asked.params()) == asked


@pytest.mark.parametrize("number", ["", "-1", "x", "9" * 5_000])
def test_a_number_that_is_none_asks_for_no_request(number):
    assert look.Look.of({"path": "a", "request": number}).request == 0


@pytest.mark.parametrize(("side", "place"), [("baseline", look.BASELINE), ("head", look.HEAD), ("", look.HEAD)])
def test_a_link_from_the_review_still_opens(side, place):
    asked = look.Look.of({"pair": "a.yaml", "side": side, "view": "hologram"})
    assert (asked.path, asked.place, asked.sight) == ("a.yaml", place, "conversation")


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Three versions of one cassette, and a fourth in the working tree."""
    folder = tmp_path / "repository"
    write(folder, cassette("open"))
    git(folder, "init", "-b", "main")
    git(folder, "config", "user.name", "Mona Reviewer")
    git(folder, "config", "user.email", "mona@example.org")
    for status in ("open", "closed", "lost"):
        write(folder, cassette(status))
        git(folder, "add", ".")
        git(folder, "commit", "-m", f"Record {status}")
    write(folder, cassette("found"))
    monkeypatch.setattr(load, "_FRESH", 0.0)
    opened(monkeypatch, LaunchSpec(repository=folder, revisions="HEAD~1"))
    return folder


def status(found):
    assert isinstance(found.recording, Recording)
    return found.recording.conversations[0].calls[0].arguments["status"]


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (look.HEAD, "found"),
        (look.BASELINE, "closed"),
        (look.WORKTREE, "found"),
        ("HEAD", "lost"),
        ("HEAD~2", "open"),
        ("main", "lost"),
    ],
)
def test_a_cassette_is_read_at_any_place(place, expected):
    found = look.find(load.desk(), PATH, place)
    assert status(found) == expected
    assert found.files[0].path == PATH


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("path", "place", "words"),
    [(PATH, "mian", "no revision 'mian'; near it are main"), ("tests/x.json", "HEAD", "no file")],
)
def test_what_is_not_there_is_a_sentence(path, place, words):
    assert words in look.found_or_sentence(load.desk(), path, place)


def test_outside_a_repository_only_the_pairs_can_be_opened(tmp_path, monkeypatch):
    for name in ("open", "closed"):
        write(tmp_path / name, cassette(name))
    opened(monkeypatch, LaunchSpec(repository=tmp_path, baseline_dir=tmp_path / "open", head_dir=tmp_path / "closed"))
    desk = load.desk()
    assert status(look.find(desk, PATH, look.HEAD)) == "closed"
    assert "outside any repository" in look.found_or_sentence(desk, PATH, "HEAD")


def test_the_history_names_who_recorded_when_the_newest_first(repository):
    found = load.desk().repository.versions(PATH, ("HEAD",))
    assert [version.subject for version in found] == ["Record lost", "Record closed", "Record open"]
    assert {version.author for version in found} == {"Mona Reviewer"}
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, capture_output=True, text=True, check=True)
    assert found[0].commit == head.stdout.strip()
    assert found[0].at.tzinfo is not None


@pytest.mark.usefixtures("repository")
def test_a_path_that_was_never_committed_has_no_history():
    assert load.desk().repository.versions("nowhere.json", ("HEAD",)) == ()
