"""The commands that write to the ledger, and the one that lists it."""

import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Annotated, TypeAlias
from uuid import uuid4

from cyclopts import Parameter

from reviewlib.cli.comparing import Compared, Paths, Place, Sides, chosen, compare, printed
from reviewlib.errors import RefusedVerdict, UsageError
from reviewlib.ledger import Ledger
from reviewlib.model.review import Pair
from reviewlib.report.neutral import one_line
from reviewlib.sources.git import Repository
from reviewlib.verdicts import Entry, Reviewer, Verdict, refusal, verdict_entry, withdraw_entry

_PLACE = Place()
_HERE = Sides()

Comment: TypeAlias = Annotated[str, Parameter(help="A sentence that is kept with the verdict.")]


def approve(revisions: str | None = None, /, *, path: Paths = (), comment: Comment = "", sides: Sides = _HERE) -> None:
    """Approve exactly what the cassettes hold now.

    Parameters
    ----------
    revisions
        A...B, A..B, A, or nothing.
    path
        The cassettes or folders; `-- .` is all that changed.
    comment
        A sentence that is kept with the verdict.
    sides
        Where the two sides come from.

    """
    _decide("approve", revisions, path, comment, sides)


def flag(revisions: str | None = None, /, *, path: Paths = (), comment: Comment = "", sides: Sides = _HERE) -> None:
    """Flag cassettes: what they hold now must not be merged.

    Parameters
    ----------
    revisions
        A...B, A..B, A, or nothing.
    path
        The cassettes or folders.
    comment
        What is wrong, for the author.
    sides
        Where the two sides come from.

    """
    flagged = _decide("flag", revisions, path, comment, sides)
    for pair in flagged:
        if pair.record_command is not None:
            printed(f"  record {one_line(pair.path)} anew: {one_line(pair.record_command)}\n")


def withdraw(revisions: str | None = None, /, *, path: Paths = (), comment: Comment = "", sides: Sides = _HERE) -> None:
    """Take your own verdicts on what the cassettes hold now back.

    Parameters
    ----------
    revisions
        A...B, A..B, A, or nothing.
    path
        The cassettes or folders.
    comment
        Why.
    sides
        Where the two sides come from.

    """
    compared, repository, pairs = _picked("withdraw", revisions, path, sides)
    reviewer = repository.reviewer()
    mine = tuple(pair for pair in pairs if _has_said(compared, pair, reviewer))
    if not mine:
        raise UsageError(
            f"{reviewer.name} <{reviewer.email}> has no verdict on {', '.join(pair.path for pair in pairs)}."
        )

    def entry(pair: Pair, entry_id: str, bulk: str | None) -> Entry:
        return withdraw_entry(
            pair, reviewer, comment, at=datetime.now(UTC), entry_id=entry_id, policy=compared.policy, bulk=bulk
        )

    _record(compared, repository, mine, entry)
    _told("withdrew the verdict on", mine)


def list_reviews(*, place: Place = _PLACE) -> None:
    """List all verdicts and comments, oldest first.

    Parameters
    ----------
    place
        Where the repository is.

    """
    notes = Ledger(place.repository()).read()
    printed("".join(f"{_entry_line(entry)}\n" for entry in notes.entries) or "No verdicts yet.\n")
    if notes.skipped:
        sys.stderr.write(
            f"cassette-review: {notes.skipped} lines of the ledger could not be read, and were passed over.\n"
        )


def _decide(
    verdict: Verdict, revisions: str | None, paths: tuple[str, ...], comment: str, sides: Sides
) -> tuple[Pair, ...]:
    compared, repository, pairs = _picked(verdict, revisions, paths, sides)
    refused = next((why for pair in pairs if (why := refusal(pair, pair.digest, verdict)) is not None), None)
    if refused is not None:
        raise RefusedVerdict(f"{refused}. Nothing was recorded.")
    reviewer = repository.reviewer()

    def entry(pair: Pair, entry_id: str, bulk: str | None) -> Entry:
        return verdict_entry(
            pair, verdict, reviewer, comment, at=datetime.now(UTC), entry_id=entry_id, policy=compared.policy, bulk=bulk
        )

    _record(compared, repository, pairs, entry)
    _told("approved" if verdict == "approve" else "flagged", pairs)
    return pairs


def _picked(
    verb: str, revisions: str | None, paths: tuple[str, ...], sides: Sides
) -> tuple[Compared, Repository, tuple[Pair, ...]]:
    """Review everything, and pick. A narrowed review could pair a renamed cassette with nothing, and judge another content."""
    if not paths:
        raise UsageError(
            f"{verb} needs the cassettes after --: `cassette-review {verb} -- PATH`, or `-- .` for all that changed."
        )
    compared = compare(revisions, sides)
    if compared.repository is None:
        raise UsageError("Verdicts are kept in a git repository, and there is none here; name one with --repo DIR.")
    return compared, compared.repository, chosen(compared, paths, sides)


def _record(
    compared: Compared,
    repository: Repository,
    pairs: tuple[Pair, ...],
    entry: Callable[[Pair, str, str | None], Entry],
) -> None:
    """Write one entry a pair in one step, and pin what was judged. Several pairs share a bulk id."""
    bulk = uuid4().hex if len(pairs) > 1 else None
    Ledger(repository).append([entry(pair, uuid4().hex, bulk) for pair in pairs], dict(_contents(compared, pairs)))


def _contents(compared: Compared, pairs: tuple[Pair, ...]) -> Iterable[tuple[str, bytes]]:
    snapshot = compared.snapshot
    for pair in pairs:
        for path, files in ((pair.baseline_path, snapshot.baseline_files), (pair.head_path, snapshot.head_files)):
            if path is None:
                continue
            for file in files:
                if file.missing is None and (file.path == path or file.path.startswith(f"{path}/")):
                    yield file.blob, file.data


def _has_said(compared: Compared, pair: Pair, reviewer: Reviewer) -> bool:
    """Whether the reviewer's latest word on exactly this content is a verdict."""
    known = compared.states.get(pair.path)
    words = [
        entry.kind
        for entry in (known.entries if known else ())
        if entry.reviewer.key == reviewer.key and entry.kind != "comment"
    ]
    return words[-1:] == ["verdict"]


def _told(done: str, pairs: tuple[Pair, ...]) -> None:
    printed("".join(f"{done} {one_line(pair.path)}: {one_line(pair.headline)}\n" for pair in pairs))


def _entry_line(entry: Entry) -> str:
    what = entry.verdict or entry.kind
    comment = f": {one_line(entry.comment)}" if entry.comment else ""
    automated = " (automated)" if entry.agent else ""
    who = one_line(f"{entry.reviewer.name} <{entry.reviewer.email}>")
    return f"{entry.at:%Y-%m-%d %H:%M} {what} {one_line(entry.pair.path)} by {who}{automated}{comment}"
