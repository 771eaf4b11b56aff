"""Real git repositories for tests, made in a temporary folder, untouched by the configuration of whoever runs them."""

import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reviewlib.model.cassette import File
from reviewlib.sources import Snapshot
from reviewlib.sources.git import Repository

ISOLATED = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
"""Environment in which git sees no configuration but the repository's."""

FOLDER = "tests/cassettes"
CASSETTE = f"{FOLDER}/test_refund/test_flow.json"


@dataclass(frozen=True)
class Built:
    """A repository under construction."""

    root: Path

    def git(self, *arguments: str, stdin: bytes = b"", check: bool = True, **environment: str) -> str:
        """Run git here; its output without the last newline."""
        result = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            input=stdin,
            capture_output=True,
            check=False,
            env={**os.environ, **ISOLATED, **environment},
        )
        assert result.returncode == 0 or not check, result.stderr.decode()
        return result.stdout.decode().removesuffix("\n")

    def write(self, files: dict[str | bytes, bytes | str | None]) -> None:
        """Write files of the working tree; None deletes one."""
        for name, data in files.items():
            path = self.root / os.fsdecode(name)
            if data is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.encode() if isinstance(data, str) else data)

    def commit(self, files: dict[str | bytes, bytes | str | None] | None = None, message: str = "change") -> str:
        """Write files, commit everything, and give the commit's id."""
        self.write(files or {})
        self.git("add", "--all")
        at = (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=int(self.count()))).isoformat()
        self.git("commit", "--quiet", "--allow-empty", "-m", message, GIT_AUTHOR_DATE=at, GIT_COMMITTER_DATE=at)
        return self.git("rev-parse", "HEAD")

    def count(self) -> str:
        """The number of commits that HEAD has."""
        return self.git("rev-list", "--count", "HEAD", check=False) or "0"

    def open(self) -> Repository:
        """The repository as the product sees it."""
        return Repository.open(self.root)


def build(root: Path, *options: str) -> Built:
    """An empty repository on branch main, with a name set."""
    root.mkdir(parents=True, exist_ok=True)
    built = Built(root)
    built.git("init", "--quiet", "--initial-branch=main", *options)
    built.git("config", "user.name", "Ada")
    built.git("config", "user.email", "ada@example.org")
    return built


def clone(built: Built, target: Path, *options: str) -> Built:
    """A clone over the file protocol, so that depth and filters are honoured."""
    built.git("clone", "--quiet", *options, f"file://{built.root}", str(target))
    copy = Built(target)
    copy.git("config", "user.name", "Grace")
    copy.git("config", "user.email", "grace@example.org")
    return copy


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    """An empty repository on branch main."""
    for name, value in ISOLATED.items():
        monkeypatch.setenv(name, value)
    return build(tmp_path / "repo")


@pytest.fixture
def forked(repo: Built) -> Built:
    """A main that went on after a branch left it; the branch, named feature, is checked out."""
    repo.commit({CASSETTE: "base"})
    repo.git("checkout", "--quiet", "-b", "feature")
    repo.commit({CASSETTE: "feature"})
    repo.git("checkout", "--quiet", "main")
    repo.commit({"README.md": "later"})
    repo.git("checkout", "--quiet", "feature")
    return repo


def snapshot(built: Built, revisions: str | None = None, **options: object) -> Snapshot:
    """What the product loads for these revisions."""
    repository = built.open()
    comparison = repository.compare(revisions)
    return repository.snapshot(comparison, repository.policy(comparison), **options)


def names(files: tuple[File, ...]) -> list[str]:
    """The files' names below the cassettes' folder."""
    return [file.path.removeprefix(f"{FOLDER}/") for file in files]


def contents(files: tuple[File, ...]) -> dict[str, bytes]:
    """The files' bytes by the same names."""
    return {file.path.removeprefix(f"{FOLDER}/"): file.data for file in files}
