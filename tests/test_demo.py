from datetime import UTC, datetime
from pathlib import Path

import pytest

from reviewlib import paths, pipeline
from reviewlib.demo import BRANCH, REVIEWER, build_demo
from reviewlib.errors import UsageError
from reviewlib.policy import DEFAULT_POLICY
from reviewlib.sources.git import Repository
from tests.repositories import ISOLATED, Built

LATER = datetime(2040, 6, 1, tzinfo=UTC)


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    for name, value in ISOLATED.items():
        monkeypatch.setenv(name, value)
    build_demo(tmp_path / "demo")
    return Built(tmp_path / "demo")


def laid_out(side: str) -> set[str]:
    """The files of one side of every scenario, by their path below it."""
    return {
        path.relative_to(scenario / side).as_posix()
        for scenario in paths.samples_dir().iterdir()
        for path in (scenario / side).rglob("*")
        if path.is_file()
    }


def test_each_branch_holds_one_side_of_every_scenario(demo: Built):
    for branch, side in (("main", "baseline"), (BRANCH, "head")):
        listed = set(demo.git("ls-tree", "-r", "-z", "--name-only", branch).split("\0")) - {""}
        assert listed == laid_out(side) | {"pyproject.toml"}
    assert demo.git("status", "--porcelain") == ""


def test_its_commits_are_the_same_everywhere(demo: Built, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.name")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "Somebody Else")
    other = build_demo(tmp_path / "again")
    assert Built(other.path).git("rev-parse", "main", BRANCH) == demo.git("rev-parse", "main", BRANCH)


def test_it_opens_on_its_re_record(demo: Built):
    repository = Repository.open(demo.root)
    comparison = repository.compare(f"main...{BRANCH}")
    policy = repository.policy(comparison)
    shot = repository.snapshot(comparison, policy)
    assert len(shot.head_files) >= 12
    assert (shot.skipped, repository.reviewer().name) == (0, REVIEWER[0])
    command = policy.record_command_for("tests/cassettes/test_refunds/test_damaged_item[eu].yaml")
    assert command == "uv run pytest 'tests/test_refunds.py::test_damaged_item[eu]' --record-mode=rewrite"


def test_with_nothing_said_it_opens_on_the_same(demo: Built):
    repository = Repository.open(demo.root)
    assert repository.compare(None).key == repository.compare(f"main...{BRANCH}").key


def test_it_says_the_same_whatever_day_it_is(demo: Built):
    """A provider's calendar would tell another story each time that one of its models retires."""
    repository = Repository.open(demo.root)
    comparison = repository.compare(f"main...{BRANCH}")
    policy = repository.policy(comparison)
    shot = repository.snapshot(comparison, policy)
    told = [pipeline.review(shot, policy, datetime(year, 6, 1, tzinfo=UTC)) for year in (2026, 2027, 2040)]
    assert told[0] == told[1] == told[2]
    assert "retired-model" in {
        finding.code for pair in pipeline.review(shot, DEFAULT_POLICY, LATER).pairs for finding in pair.findings
    }, "it is the policy that keeps them out"


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path):
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(UsageError, match="is not empty"):
        build_demo(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_samples_and_app_are_found_beside_the_package_and_inside_a_wheel(tmp_path: Path, monkeypatch):
    assert (paths.samples_dir() / "README.md").is_file()
    assert (paths.app_dir() / "main.py").is_file()
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path / "site-packages" / "reviewlib")
    assert paths.samples_dir() == tmp_path / "site-packages" / "reviewlib" / "_samples"
    assert paths.app_dir() == tmp_path / "site-packages" / "reviewlib" / "_app"
