"""The sample scenarios: the files of both sides, and what a review of them must say."""

import hashlib
from pathlib import Path
from typing import Literal

from reviewlib.model.cassette import File
from reviewlib.model.change import ChangeKind, Significance
from reviewlib.model.frozen import Frozen
from reviewlib.model.review import Side, Status
from reviewlib.sources import Snapshot

SAMPLES = Path(__file__).parents[1] / "sample_cassettes"


class ExpectedChange(Frozen):
    """A change that must be reported. ``cause`` is False for one that follows from an earlier change of the pair."""

    kind: ChangeKind
    cause: bool
    tool: str | None = None


class ExpectedPair(Frozen):
    """A pair that must be reported: all its causes, some of its consequences, and words of its headline."""

    path: str
    status: Status
    significance: Significance | None
    changes: tuple[ExpectedChange, ...]
    headline_contains: tuple[str, ...]


class Expected(Frozen):
    """The whole of an ``expected.json``. ``format`` is the adapter that reads the scenario's cassettes."""

    story: str
    format: Literal["vcrpy", "fp-list", "hash-files", "name-hash-map", "keyed-jsonl", "agentreplay"]
    pairs: tuple[ExpectedPair, ...]


class Scenario(Frozen):
    """One folder of ``sample_cassettes``. The files of both sides are at repository-relative paths, sorted."""

    name: str
    expected: Expected
    baseline: tuple[File, ...]
    head: tuple[File, ...]

    @property
    def snapshot(self) -> Snapshot:
        """The two sides as a source would give them."""
        return Snapshot(
            baseline=Side(label="baseline"), head=Side(label="head"), baseline_files=self.baseline, head_files=self.head
        )


def _scenario(folder: Path) -> Scenario:
    return Scenario(
        name=folder.name,
        expected=Expected.model_validate_json((folder / "expected.json").read_bytes()),
        baseline=_files(folder / "baseline"),
        head=_files(folder / "head"),
    )


def _files(side: Path) -> tuple[File, ...]:
    paths = sorted((path for path in side.rglob("*") if path.is_file()), key=lambda path: path.as_posix())
    return tuple(_file(path, side) for path in paths)


def _file(path: Path, side: Path) -> File:
    data = path.read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    return File(path=path.relative_to(side).as_posix(), blob=blob, data=data)


SCENARIOS = tuple(_scenario(folder) for folder in sorted(SAMPLES.iterdir()) if folder.is_dir())
"""All scenarios, by name."""

UNREADABLE = "escalation-truncated"
"""The scenario whose head holds a file that ends in the middle of a string."""
