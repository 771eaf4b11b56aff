"""The bridge to the pipeline: a review is made once for each content of the two sides, the verdicts are joined on every run."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import streamlit as st

from dashboard import alike, present, rows
from dashboard.standings import Standings, standings
from reviewlib import pipeline
from reviewlib.errors import RepositoryError, UsageError
from reviewlib.ledger import Ledger, Notes
from reviewlib.model.cassette import File
from reviewlib.model.review import Pair, Review
from reviewlib.policy import DEFAULT_POLICY, Policy
from reviewlib.policy_change import PolicyChange, with_policy_change
from reviewlib.serve import LaunchSpec, current_spec
from reviewlib.sources import Snapshot, directory
from reviewlib.sources.git import Repository
from reviewlib.sources.revisions import both, parse
from reviewlib.summary import state_of
from reviewlib.verdicts import PairState


class Taken(NamedTuple):
    """Both sides, the rules of review where they changed, and the keys of those who wrote what is under review."""

    snapshot: Snapshot
    change: PolicyChange | None = None
    authors: frozenset[str] = frozenset()


class Source(NamedTuple):
    """The repository, what names the content of both sides, the policy, and how to read them with the change of rules and the authors."""

    repository: Repository | None
    key: str
    policy: Policy
    take: Callable[[], Taken]


@dataclass(frozen=True)
class Read:
    """What one content of the two sides gives; shared by all sessions, so nothing in it is ever changed.

    ``prices_at`` is when costs were looked up, ``authors`` are the keys of those who wrote what is under review.
    """

    snapshot: Snapshot
    policy: Policy
    review: Review
    prices_at: datetime
    authors: frozenset[str] = frozenset()

    @cached_property
    def pairs(self) -> Mapping[str, Pair]:
        """The pairs by path."""
        return {pair.path: pair for pair in self.review.pairs}

    @cached_property
    def by_risk(self) -> tuple[Pair, ...]:
        """The pairs as the queue shows them: riskiest first, groups together."""
        return rows.by_risk(self.review)

    @cached_property
    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        """The rows of the queue by path, without what verdicts change."""
        shared = rows.groups(self.review)
        return {
            pair.path: asdict(rows.row(pair, shared[pair.path].signature if pair.path in shared else ""))
            for pair in self.review.pairs
        }

    @cached_property
    def kinds(self) -> Mapping[str, tuple[str, ...]]:
        """What each pair is about, by path."""
        return {pair.path: alike.kinds(pair) for pair in self.review.pairs}

    @cached_property
    def codes(self) -> Mapping[str, int]:
        """How many pairs have a new finding of each code."""
        return present.codes(self.review)

    @cached_property
    def haystacks(self) -> Mapping[str, str]:
        """What the search looks at, by path."""
        return {pair.path: present.haystack(pair) for pair in self.review.pairs}


@dataclass(frozen=True)
class Desk:
    """What lies on the table in this run: the review, where each pair stands, and the repository that verdicts go to.

    ``repository`` is None where two folders outside any repository are compared. ``ledger_head`` is the commit that the ledger was read at.
    """

    read: Read
    standings: Standings
    repository: Repository | None
    title: str = ""
    ledger_head: str | None = None

    @property
    def review(self) -> Review:
        """The comparison."""
        return self.read.review

    @property
    def states(self) -> Mapping[str, PairState]:
        """Where each pair stands, by path."""
        return self.standings.states

    def pair(self, path: str) -> Pair | None:
        """The pair of this path, if it is in the review."""
        return self.read.pairs.get(path)

    def state(self, pair: Pair) -> PairState:
        """Where a pair stands."""
        return self.states.get(pair.path) or PairState(state=state_of(pair, self.states))

    def files(self, pair: Pair) -> tuple[tuple[File, ...], tuple[File, ...]]:
        """The files that both sides of a pair were read from; several where a cassette is a folder."""
        snapshot = self.read.snapshot
        return _belonging(snapshot.baseline_files, pair.baseline_path), _belonging(snapshot.head_files, pair.head_path)


def desk() -> Desk:
    """Read what the dashboard was opened on. Raises a ``ReviewError`` where that is not possible."""
    spec = current_spec()
    source = _resolved(spec)
    key = f"{source.key} {source.policy.digest}"
    read = _read(key, source.take, source.policy)
    notes = ledger_of(source.repository)
    head = None if notes is None else notes.head()
    return Desk(read, _standings(key, head, notes, read), source.repository, spec.title, head)


def ledger_of(repository: Repository | None) -> Ledger | None:
    """Where verdicts are kept; None outside a repository."""
    return None if repository is None else ledger(repository, str(repository.root))


def repository_of(spec: LaunchSpec) -> Repository:
    """The repository the dashboard was opened on. Raises ``RepositoryError`` where there is none."""
    if spec.repository is None:
        raise RepositoryError("The dashboard was opened on two folders, without a repository.")
    return _opened(spec.repository)


@st.cache_resource(max_entries=2, ttl=60.0, show_spinner=False)
def _opened(path: Path) -> Repository:
    """A value without open handles, so it is shared; opening it takes three git calls."""
    return Repository.open(path)


_FRESH = 0.4
"""Seconds in which the sides are not resolved again: one press of a key asks twice, and each git call takes 2 to 6 ms."""


class _Resolved(NamedTuple):
    """The sides as they were resolved last: when, and the commits that their names meant then (None where these do not say all)."""

    at: float
    commits: tuple[str, str] | None
    source: Source


_latest: dict[LaunchSpec, _Resolved] = {}


def _resolved(spec: LaunchSpec) -> Source:
    known = _latest.get(spec)
    if known is not None and monotonic() - known.at < _FRESH:
        return known.source
    commits = _commits(spec)
    # What two commits have in common, and the policy of one of them, stay what they are: three git calls less a key.
    source = known.source if known is not None and commits and commits == known.commits else _source(spec)
    _latest[spec] = _Resolved(monotonic(), commits, source)
    return source


def _commits(spec: LaunchSpec) -> tuple[str, str] | None:
    """The commits that the names of both sides mean; None where a side is the working tree, a folder, or not there."""
    if spec.repository is None or spec.baseline_dir is not None or not spec.revisions:
        return None
    wanted = parse(spec.revisions)
    return None if wanted.head is None else both(repository_of(spec).git, wanted.baseline, wanted.head)


def _source(spec: LaunchSpec) -> Source:
    if spec.baseline_dir is not None and spec.head_dir is not None:
        return _folders(spec, spec.baseline_dir, spec.head_dir)
    if spec.baseline_dir is not None or spec.head_dir is not None:
        raise UsageError("Two folders are compared with --baseline-dir DIR --head-dir DIR; one of them is missing.")
    repository = repository_of(spec)
    comparison = repository.compare(spec.revisions)
    policy = repository.policy(comparison)

    def take() -> Taken:
        return Taken(
            repository.snapshot(comparison, policy, spec.paths, everything=spec.everything),
            repository.policy_change(comparison, policy),
            repository.authors(comparison),
        )

    return Source(repository, comparison.key, policy, take)


def _folders(spec: LaunchSpec, baseline: Path, head: Path) -> Source:
    repository: Repository | None = None
    policy = DEFAULT_POLICY
    with suppress(RepositoryError):  # two folders need no repository; without one there is nowhere to keep verdicts
        around = repository_of(spec)
        policy = around.policy(around.compare("HEAD..HEAD"))
        repository = around
    key = directory.compare(baseline, head).key
    root = None if repository is None else repository.root
    return Source(repository, key, policy, lambda: Taken(directory.snapshot(baseline, head, policy, root)))


@st.cache_resource(max_entries=2, show_spinner="Reading the cassettes of both sides …")
def _read(key: str, _take: Callable[[], Taken], _policy: Policy) -> Read:  # noqa: ARG001 - the key is what is cached by
    taken = _take()
    now = datetime.now(UTC)
    review, snapshot = with_policy_change(pipeline.review(taken.snapshot, _policy, now), taken.snapshot, taken.change)
    return Read(snapshot=snapshot, policy=_policy, review=review, prices_at=now, authors=taken.authors)


@st.cache_resource(max_entries=2, show_spinner=False)
def ledger(_repository: Repository, root: str) -> Ledger:  # noqa: ARG001 - the root is what is cached by
    """The ledger of a repository; it parses each note once."""
    return Ledger(_repository)


_stood: dict[str, Standings] = {}
"""What the ledger said last, by what the standings are of."""


@st.cache_resource(max_entries=4, show_spinner=False)
def _standings(key: str, head: str | None, _ledger: Ledger | None, _read: Read) -> Standings:
    """Where each pair stands. Kept by the notes commit id: only a run after somebody's verdict reads the ledger."""
    notes = Notes() if _ledger is None or head is None else _ledger.read(head)
    made = standings(
        _read.review,
        notes.entries,
        _read.policy,
        _read.authors,
        warnings=notes.warnings,
        before=known if (known := _stood.get(key)) is not None and known.review is _read.review else None,
    )
    _stood.clear()  # of another comparison nothing is needed again
    _stood[key] = made
    return made


def _belonging(files: tuple[File, ...], path: str | None) -> tuple[File, ...]:
    if path is None:
        return ()
    own = tuple(file for file in files if file.path == path)
    return own or tuple(file for file in files if file.path.startswith(f"{path.rstrip('/')}/"))
