"""The bridge to the pipeline: a review is made once for each content of the two sides, the verdicts are joined on every run."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard import present, rows
from reviewlib import pipeline
from reviewlib.errors import RepositoryError, UsageError
from reviewlib.ledger import Ledger
from reviewlib.model.cassette import File
from reviewlib.model.review import Pair, Review
from reviewlib.policy import DEFAULT_POLICY, Policy
from reviewlib.serve import LaunchSpec, current_spec
from reviewlib.sources import Snapshot, directory
from reviewlib.sources.git import Repository
from reviewlib.summary import state_of
from reviewlib.verdicts import PairState, states


@dataclass(frozen=True)
class Read:
    """What one content of the two sides gives; shared by all sessions, so nothing in it is ever changed.

    ``prices_at`` is when costs were looked up.
    """

    snapshot: Snapshot
    policy: Policy
    review: Review
    prices_at: datetime

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
    def haystacks(self) -> Mapping[str, str]:
        """What the search looks at, by path."""
        return {pair.path: present.haystack(pair) for pair in self.review.pairs}

    @cached_property
    def causes(self) -> tuple[present.Cause, ...]:
        """The request changes that several pairs share."""
        return present.shared_causes(self.review)


@dataclass(frozen=True)
class Desk:
    """What lies on the table in this run: the review, where each pair stands, and the repository that verdicts go to.

    ``repository`` is None where two folders outside any repository are compared.
    """

    read: Read
    states: Mapping[str, PairState]
    repository: Repository | None
    title: str = ""

    @property
    def review(self) -> Review:
        """The comparison."""
        return self.read.review

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
    repository, key, policy, take = _source(spec)
    read = _read(f"{key} {policy.digest}", take, policy)
    notes = None if repository is None else ledger(repository, str(repository.root))
    known = _states(f"{key} {policy.digest}", None if notes is None else notes.head(), notes, read)
    return Desk(read=read, states=known, repository=repository, title=spec.title)


def repository_of(spec: LaunchSpec) -> Repository:
    """The repository the dashboard was opened on. Raises ``RepositoryError`` where there is none."""
    if spec.repository is None:
        raise RepositoryError("The dashboard was opened on two folders, without a repository.")
    return Repository.open(spec.repository)


def _source(spec: LaunchSpec) -> tuple[Repository | None, str, Policy, Callable[[], Snapshot]]:
    """The repository, what names the content of both sides, the policy, and how to read them."""
    if spec.baseline_dir is not None and spec.head_dir is not None:
        return _folders(spec, spec.baseline_dir, spec.head_dir)
    if spec.baseline_dir is not None or spec.head_dir is not None:
        raise UsageError("Two folders are compared with --baseline-dir DIR --head-dir DIR; one of them is missing.")
    repository = repository_of(spec)
    comparison = repository.compare(spec.revisions)
    policy = repository.policy(comparison)
    take = partial(repository.snapshot, comparison, policy, spec.paths, everything=spec.everything)
    return repository, comparison.key, policy, take


def _folders(
    spec: LaunchSpec, baseline: Path, head: Path
) -> tuple[Repository | None, str, Policy, Callable[[], Snapshot]]:
    repository: Repository | None = None
    policy = DEFAULT_POLICY
    with suppress(RepositoryError):  # two folders need no repository; without one there is nowhere to keep verdicts
        around = repository_of(spec)
        policy = around.policy(around.compare("HEAD..HEAD"))
        repository = around
    return (
        repository,
        directory.compare(baseline, head).key,
        policy,
        partial(directory.snapshot, baseline, head, policy),
    )


@st.cache_resource(max_entries=2, show_spinner="Reading the cassettes of both sides …")
def _read(key: str, _take: Callable[[], Snapshot], _policy: Policy) -> Read:  # noqa: ARG001 - the key is what is cached by
    snapshot = _take()
    now = datetime.now(UTC)
    review = pipeline.review(snapshot, _policy, now)
    return Read(snapshot=snapshot, policy=_policy, review=review, prices_at=now)


@st.cache_resource(max_entries=2, show_spinner=False)
def ledger(_repository: Repository, root: str) -> Ledger:  # noqa: ARG001 - the root is what is cached by
    """The ledger of a repository; it parses each note once."""
    return Ledger(_repository)


@st.cache_resource(max_entries=4, show_spinner=False)
def _states(key: str, head: str | None, _ledger: Ledger | None, _read: Read) -> dict[str, PairState]:  # noqa: ARG001 - as above
    """Kept by the notes commit id: a run after somebody's verdict reads it, any other run reads nothing."""
    entries = () if _ledger is None or head is None else _ledger.entries()
    return states(entries, _read.review, _read.policy)


def _belonging(files: tuple[File, ...], path: str | None) -> tuple[File, ...]:
    if path is None:
        return ()
    own = tuple(file for file in files if file.path == path)
    return own or tuple(file for file in files if file.path.startswith(f"{path.rstrip('/')}/"))
