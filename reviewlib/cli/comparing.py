"""What the commands share: the options that name two sides, and the way from them to a review with its verdicts."""

import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from reviewlib import pipeline
from reviewlib.errors import RepositoryError, UsageError
from reviewlib.ledger import Ledger
from reviewlib.model.review import Pair, Review
from reviewlib.policy import DEFAULT_POLICY, Policy
from reviewlib.policy_change import with_policy_change
from reviewlib.report.commands import Commands
from reviewlib.report.neutral import log_safe
from reviewlib.sources import Comparison, Snapshot, directory
from reviewlib.sources.git import Repository
from reviewlib.summary import Summary, Waiting, summarise
from reviewlib.verdicts import Entry, PairState, states

Paths: TypeAlias = Annotated[tuple[str, ...], Parameter(name="--path", help="Cassettes or folders; also after --.")]


@Parameter(name="*")
@dataclass(frozen=True)
class Place:
    """Where the repository is.

    Parameters
    ----------
    repo
        A folder of the repository; its working directory is the default.

    """

    repo: Path | None = None

    def repository(self) -> Repository:
        """Open the repository that was named, or the one of the working directory."""
        return Repository.open(self.repo or Path.cwd())


@Parameter(name="*")
@dataclass(frozen=True)
class Sides(Place):
    """Where the two sides come from, beyond REVISIONS.

    Parameters
    ----------
    repo
        A folder of the repository; its working directory is the default.
    baseline_dir
        A folder that stands for the baseline; needs --head-dir.
    head_dir
        A folder that stands for the head, such as one that a nightly job recorded into; needs --baseline-dir.
    everything
        Look at every changed file of a readable type, not only where the policy says that cassettes are.

    """

    baseline_dir: Path | None = None
    head_dir: Path | None = None
    everything: Annotated[bool, Parameter(name="--all")] = False

    def words(self) -> tuple[str, ...]:
        """Repeat the options as one would type them again."""
        named = (("--repo", self.repo), ("--baseline-dir", self.baseline_dir), ("--head-dir", self.head_dir))
        typed = (word for option, folder in named if folder is not None for word in (option, str(folder)))
        return (*typed, *(("--all",) if self.everything else ()))


@dataclass(frozen=True)
class Compared:
    """A review with the verdicts on it. ``repository`` and ``ledger`` are None where two folders outside any were compared."""

    review: Review
    states: Mapping[str, PairState]
    summary: Summary
    policy: Policy
    snapshot: Snapshot
    repository: Repository | None
    ledger: Ledger | None


def compare(revisions: str | None, sides: Sides, paths: tuple[str, ...] = ()) -> Compared:
    """Read both sides, and join the ledger. ``paths`` narrows what is read, so that one cassette costs no more than itself."""
    authors: frozenset[str] = frozenset()
    change = None
    if sides.baseline_dir is not None or sides.head_dir is not None:
        repository, policy, snapshot = _folders(revisions, sides)
        snapshot = _narrowed(snapshot, paths, _place(repository, sides)) if paths else snapshot
    else:
        repository = sides.repository()
        comparison = resolved(repository, revisions)
        policy = repository.policy(comparison)
        wanted = tuple(in_repository(path, repository, sides) for path in paths)
        snapshot = repository.snapshot(comparison, policy, paths=wanted, everything=sides.everything)
        authors = repository.authors(comparison)
        change = repository.policy_change(comparison, policy)
        change = change if change and (not wanted or any(_lies_in(path, change.pair.path) for path in wanted)) else None
    review = pipeline.review(snapshot, policy, prices_at=datetime.now(UTC))
    review, snapshot = with_policy_change(review, snapshot, change)
    ledger = None if repository is None else Ledger(repository)
    known = states(_entries(ledger), review, policy, authors)
    return Compared(review, known, summarise(review, known), policy, snapshot, repository, ledger)


def _entries(ledger: Ledger | None) -> tuple[Entry, ...]:
    """Read the ledger. What is wrong with it is said, and ends nothing."""
    if ledger is None:
        return ()
    notes = ledger.read()
    for warning in notes.warnings:
        sys.stderr.write(f"cassette-review: {warning}.\n")
    return notes.entries


def chosen(compared: Compared, paths: tuple[str, ...], sides: Sides) -> tuple[Pair, ...]:
    """Find the pairs that the paths name, as cassettes or as folders. Raises ``UsageError`` for a path that names none."""
    found: dict[str, Pair] = {}
    for path in paths:
        if compared.repository is None or sides.baseline_dir is not None:
            wanted = _meanings(path, _place(compared.repository, sides))
        else:
            wanted = (in_repository(path, compared.repository, sides),)
        members = [
            pair
            for pair in compared.review.pairs
            if any(_lies_in(each, pair.head_path, pair.baseline_path) for each in wanted)
        ]
        if not members:
            raise UsageError(_no_such_cassette(path, compared.review))
        found.update((pair.path, pair) for pair in members)
    return tuple(found.values())


def resolved(repository: Repository, revisions: str | None) -> Comparison:
    """Resolve REVISIONS. A path in their place is the most common slip, and gets its own sentence."""
    try:
        return repository.compare(revisions)
    except RepositoryError as error:
        if revisions is None or not Path(revisions).exists():
            raise
        raise UsageError(f"{revisions} is a path, and paths stand after --: `-- {shlex.quote(revisions)}`.") from error


def in_repository(path: str, repository: Repository, place: Place) -> str:
    """Say a typed path as the repository does. It is seen from the working directory, as git sees it; where nothing is there, from
    the repository's top, as reports print it. Raises ``UsageError`` for a path outside.
    """
    root = repository.root
    seen = Path(os.path.normpath(Path(os.path.realpath(place.repo or Path.cwd())) / path))
    from_top = Path(os.path.normpath(root / path))
    meanings = [meaning for meaning in (seen, from_top) if meaning.is_relative_to(root)]
    if not meanings:
        raise UsageError(f"{path} lies outside the repository at {root}.")
    there = next((meaning for meaning in meanings if os.path.lexists(meaning)), meanings[0])
    return there.relative_to(root).as_posix()


def command_line(revisions: str | None, sides: Sides, verb: str, *options: str, paths: Sequence[str] = ()) -> str:
    """Write a command as it is to be typed: ``cassette-review diff main...HEAD -- tests/cassettes/refund.yaml``."""
    typed = ["cassette-review", verb, *([revisions] if revisions else []), *sides.words(), *options]
    return shlex.join([*typed, *(("--", *paths) if paths else ())])


def commands(revisions: str | None, sides: Sides) -> Commands:
    """Make the commands that a report prints: what is typed here sees it again, and in a CI that runs for a pull request its number opens it
    in anybody's clone.
    """
    pull = pull_number(os.environ)
    elsewhere = ("--pr", str(pull)) if pull and sides.baseline_dir is None else ()
    there = None if elsewhere else revisions

    def see(item: Waiting) -> str:
        since = ("--since-verdict",) if item.reason == "stale" else ()
        return command_line(revisions, sides, "diff", *since, paths=item.paths)

    def reopen(item: Waiting) -> str:
        return command_line(there, sides, "open", *elsewhere, paths=item.paths)

    return Commands(see=see, open=reopen, review=command_line(there, sides, "open", *elsewhere))


def pull_number(environment: Mapping[str, str]) -> int | None:
    """Tell which pull request (merge request) a CI runs for: GitHub names its ref, GitLab its number."""
    named = re.fullmatch(r"refs/pull/(\d+)/(?:merge|head)", environment.get("GITHUB_REF", ""))
    number = named[1] if named else environment.get("CI_MERGE_REQUEST_IID", "")
    return int(number) if number.isdecimal() else None


def printed(text: str) -> None:
    """Write to standard output."""
    sys.stdout.write(log_safe(text))


def coloured() -> bool:
    """Whether standard output is a terminal that wants colour (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _folders(revisions: str | None, sides: Sides) -> tuple[Repository | None, Policy, Snapshot]:
    if sides.baseline_dir is None or sides.head_dir is None:
        missing = "--baseline-dir" if sides.baseline_dir is None else "--head-dir"
        raise UsageError(f"{missing} is missing: two folders are compared with --baseline-dir DIR --head-dir DIR.")
    if revisions is not None:
        raise UsageError(
            f"{revisions} cannot be compared together with --baseline-dir and --head-dir; leave one of them out."
        )
    for folder in (sides.baseline_dir, sides.head_dir):
        if not folder.is_dir():
            raise UsageError(f"{folder} is no folder.")
    try:
        repository = sides.repository()
        policy = repository.policy(repository.compare("HEAD..HEAD"))
    except RepositoryError:
        if sides.repo is not None:
            raise
        return None, DEFAULT_POLICY, directory.snapshot(sides.baseline_dir, sides.head_dir, DEFAULT_POLICY)
    return repository, policy, directory.snapshot(sides.baseline_dir, sides.head_dir, policy, repository.root)


def _place(repository: Repository | None, sides: Sides) -> str:
    """Say where the baseline's folder lies in the repository."""
    if repository is None or sides.baseline_dir is None:
        return ""
    return directory.place_in(repository.root, sides.baseline_dir)


def _meanings(path: str, place: str) -> tuple[str, ...]:
    """Say what a path may mean where two folders are compared: as a report prints it, or as it is seen from the top of either folder."""
    return (_tidy(path), _tidy(f"{place}{path}"))


def _narrowed(snapshot: Snapshot, paths: tuple[str, ...], place: str) -> Snapshot:
    """Keep the files of two folders that the paths name."""
    wanted = [meaning for path in paths for meaning in _meanings(path, place)]
    kept = {
        side: tuple(file for file in getattr(snapshot, side) if any(_lies_in(path, file.path) for path in wanted))
        for side in ("baseline_files", "head_files")
    }
    if not any(kept.values()):
        raise UsageError(
            f"Neither folder has a cassette at {', '.join(paths)}; paths are seen from the top of the folders."
        )
    return snapshot.model_copy(update=kept)


def _tidy(path: str) -> str:
    return Path(os.path.normpath(path)).as_posix()


def _lies_in(wanted: str, *sides: str | None) -> bool:
    return any(side is not None and (wanted in {".", side} or side.startswith(f"{wanted}/")) for side in sides)


def _no_such_cassette(path: str, review: Review) -> str:
    paths = [pair.path for pair in review.pairs]
    if not paths:
        return f"No cassette changed, so there is none at {path}."
    near = get_close_matches(path, paths, n=1, cutoff=0.3)
    hint = f"the nearest is {near[0]}" if near else f"the first of {len(paths)} is {paths[0]}"
    return f"No changed cassette is at {path}; {hint}."
