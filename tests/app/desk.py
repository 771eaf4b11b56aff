"""A desk without a repository behind it: a hand-made review, and a ledger that is a list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dashboard import load

from reviewlib.errors import LedgerError
from reviewlib.model.cassette import File
from reviewlib.model.review import Review
from reviewlib.policy import DEFAULT_POLICY
from reviewlib.sources import Snapshot
from reviewlib.verdicts import Entry, Reviewer, states
from tests.app.reviews import AT

ME = Reviewer(name="Mona Reviewer", email="mona@example.org")


@dataclass
class FakeLedger:
    """Keeps entries in memory. ``complaint`` makes it refuse, as a repository that cannot be written does."""

    entries: list[Entry] = field(default_factory=list)
    contents: dict[str, bytes] = field(default_factory=dict)
    complaint: str = ""

    def append(self, entries: Sequence[Entry], contents: Mapping[str, bytes]) -> None:
        if self.complaint:
            raise LedgerError(self.complaint)
        self.entries += entries
        self.contents |= contents


@dataclass
class FakeRepository:
    root: Path = Path("/nowhere")
    me: Reviewer = ME

    def reviewer(self) -> Reviewer:
        return self.me


@dataclass
class Table:
    """What ``load`` is replaced with. The review may be exchanged, as a re-record does."""

    review: Review
    ledger: FakeLedger = field(default_factory=FakeLedger)
    repository: FakeRepository | None = field(default_factory=FakeRepository)

    def desk(self) -> load.Desk:
        snapshot = Snapshot(
            baseline=self.review.baseline,
            head=self.review.head,
            baseline_files=tuple(_file(pair.baseline_path) for pair in self.review.pairs if pair.baseline_path),
            head_files=tuple(_file(pair.head_path) for pair in self.review.pairs if pair.head_path),
        )
        read = load.Read(
            snapshot=snapshot,
            policy=DEFAULT_POLICY,
            review=self.review,
            prices_at=AT,
        )
        known = states(self.ledger.entries, self.review)
        return load.Desk(read=read, states=known, repository=self.repository, title="Refunds")

    def install(self, patch) -> None:
        """Put this table where the pages look, with ``monkeypatch`` or anything that has its ``setattr``."""
        patch.setattr(load, "desk", self.desk)
        patch.setattr(load, "ledger", lambda *_: self.ledger)


def _file(path: str) -> File:
    return File(
        path=path,
        blob="b" * 40,
        data=f"interactions: []  # {path}\nauthorization: Bearer sk-secret-1234567890abcdef\n".encode(),
    )
