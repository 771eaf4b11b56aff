"""A desk without a repository behind it: a hand-made review, and a ledger that is a list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dashboard import load
from dashboard.standings import standings

from reviewlib.errors import LedgerError
from reviewlib.ledger import Shared
from reviewlib.model.cassette import File
from reviewlib.model.review import Review
from reviewlib.policy import DEFAULT_POLICY, Policy
from reviewlib.sources import Snapshot
from reviewlib.verdicts import Entry, Reviewer
from tests.app.reviews import AT

ME = Reviewer(name="Mona Reviewer", email="mona@example.org")


@dataclass
class FakeLedger:
    """Keeps entries in memory. ``complaint`` makes it refuse, as a repository that cannot be written does; ``waiting`` are not pushed."""

    written: list[Entry] = field(default_factory=list)
    contents: dict[str, bytes] = field(default_factory=dict)
    complaint: str = ""
    waiting: int = 0
    pushed: int = 0

    def head(self) -> str:
        return str(len(self.written))

    def entries(self) -> tuple[Entry, ...]:
        return tuple(self.written)

    def append(self, entries: Sequence[Entry], contents: Mapping[str, bytes]) -> None:
        if self.complaint:
            raise LedgerError(self.complaint)
        self.written += entries
        self.contents |= contents

    def pinned(self, content: str, path: str) -> tuple[File, ...]:
        found = self.contents.get(content)
        return () if found is None else (File(path=path, blob=content, data=found),)

    def unpushed(self) -> int:
        return self.waiting

    def push(self) -> Shared:
        if self.complaint:
            raise LedgerError(self.complaint)
        self.pushed += 1
        self.waiting = 0
        return Shared("origin", "git@gitlab.example.org:agents", 0, 3)


@dataclass
class FakeRepository:
    """``recorded`` is the last commit that recorded something."""

    root: Path = Path("/nowhere")
    me: Reviewer = ME
    recorded: str | None = None

    def last_recording(self, policy: Policy) -> str | None:
        assert isinstance(policy, Policy)
        return self.recorded

    def reviewer(self) -> Reviewer:
        return self.me

    def shared_policy(self) -> Policy:
        return DEFAULT_POLICY

    def branch(self) -> str:
        return "re-record"

    def head_commit(self) -> str:
        return "2" * 40


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
        known = standings(self.review, self.ledger.written)
        head = None if self.repository is None else self.ledger.head()
        return load.Desk(read=read, standings=known, repository=self.repository, title="Refunds", ledger_head=head)

    def install(self, patch) -> None:
        """Put this table where the pages look, with ``monkeypatch`` or anything that has its ``setattr``."""
        patch.setattr(load, "desk", self.desk)
        patch.setattr(load, "ledger", lambda *_: self.ledger)
        patch.setattr(load, "ledger_of", lambda repository: None if repository is None else self.ledger)


def _file(path: str) -> File:
    return File(
        path=path,
        blob="b" * 40,
        data=f"interactions: []  # {path}\nauthorization: Bearer sk-secret-1234567890abcdef\n".encode(),
    )
