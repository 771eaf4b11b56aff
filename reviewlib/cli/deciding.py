"""The commands that say something about cassettes: ``approve``, ``flag`` and ``withdraw``."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypedDict
from uuid import uuid4

from cyclopts import Parameter

from reviewlib.cli.comparing import Compared, Paths, Sides, chosen, command_line, compare, printed
from reviewlib.errors import RefusedVerdict, UsageError
from reviewlib.ledger import Ledger
from reviewlib.model.review import Pair
from reviewlib.report.neutral import one_line
from reviewlib.sources.git import Repository
from reviewlib.verdicts import (
    Entry,
    Fate,
    Reviewer,
    Verdict,
    contents,
    fates,
    refusal,
    undo_entry,
    verdict_entry,
    withdraw_entry,
)

_HERE = Sides()

AGENT = "CASSETTE_REVIEW_AGENT"
"""The variable that marks everything that a process submits as automated, whatever it types."""


@Parameter(name="*")
@dataclass(frozen=True)
class Choice:
    """Which cassettes are meant, and who speaks.

    Parameters
    ----------
    path
        The cassettes or folders; `-- .` is all that changed.
    group
        The cassettes that changed alike, by the signature that diff prints (its beginning is enough).
    without
        A cassette or folder that is left out.
    agent
        Mark it as submitted by automation; CASSETTE_REVIEW_AGENT=1 does so, too.
    digest
        What the one cassette held when it was looked at, as `diff --format json` says; refused if it has moved since.

    """

    path: Paths = ()
    group: str | None = None
    without: tuple[str, ...] = ()
    agent: bool = False
    digest: str | None = None

    def is_automated(self) -> bool:
        """Whether automation speaks here."""
        return self.agent or os.environ.get(AGENT, "").strip().lower() not in {"", "0", "false", "no"}


_NOTHING = Choice()


def approve(
    revisions: str | None = None, /, *, comment: str = "", choice: Choice = _NOTHING, sides: Sides = _HERE
) -> None:
    """Approve exactly what the cassettes hold now.

    Parameters
    ----------
    revisions
        A...B, A..B, A, or nothing.
    comment
        A sentence that is kept with the verdict.
    choice
        Which cassettes.
    sides
        Where the two sides come from.

    """
    _decide("approve", revisions, choice, comment, sides)


def flag(
    revisions: str | None = None, /, *, comment: str = "", choice: Choice = _NOTHING, sides: Sides = _HERE
) -> None:
    """Flag cassettes: what they hold now must not be merged.

    Parameters
    ----------
    revisions
        A...B, A..B, A, or nothing.
    comment
        What is wrong, for the author.
    choice
        Which cassettes.
    sides
        Where the two sides come from.

    """
    flagged = _decide("flag", revisions, choice, comment, sides)
    for pair in flagged:
        if pair.record_command is not None:
            printed(f"  record {one_line(pair.path)} anew: {one_line(pair.record_command)}\n")


def withdraw(
    revisions: str | None = None,
    /,
    *,
    comment: str = "",
    bulk: str | None = None,
    of: str | None = None,
    choice: Choice = _NOTHING,
    sides: Sides = _HERE,
) -> None:
    """Take your own verdicts back, or set another reviewer's flag aside.

    Parameters
    ----------
    revisions
        A...B, A..B, A, or nothing.
    comment
        Why; it is needed where a flag of somebody else is set aside, and stays visible.
    bulk
        The id of a group action, all of which is taken back, wherever its cassettes have moved since.
    of
        The mail address of the reviewer whose flags are set aside.
    choice
        Which cassettes.
    sides
        Where the two sides come from.

    """
    if bulk is not None:
        _withdraw_bulk(bulk, comment, choice, sides)
        return
    compared, repository, ledger, pairs = _picked("withdraw", revisions, choice, sides)
    reviewer = repository.reviewer()
    if of is not None:
        _set_aside(compared, ledger, pairs, reviewer, of, comment, choice)
        return
    mine = tuple(pair for pair in pairs if _standing(compared, pair, reviewer.key))
    if not mine:
        raise UsageError(
            f"{reviewer.name} <{reviewer.email}> has no verdict on {', '.join(pair.path for pair in pairs)}."
        )
    automated = choice.is_automated()

    def entry(pair: Pair, bulk_id: str | None) -> Entry:
        return withdraw_entry(
            pair, reviewer, comment, policy=compared.policy, bulk=bulk_id, agent=automated, **_stamp()
        )

    _record(compared, ledger, mine, entry)
    _told("withdrew the verdict on", mine)


def _decide(verdict: Verdict, revisions: str | None, choice: Choice, comment: str, sides: Sides) -> tuple[Pair, ...]:
    compared, repository, ledger, pairs = _picked(verdict, revisions, choice, sides)
    automated = choice.is_automated()
    if choice.digest is not None and len(pairs) != 1:
        raise UsageError(f"--digest is about one cassette, and {len(pairs)} are named.")
    reasons = (
        refusal(pair, choice.digest or pair.digest, verdict, agent=automated, policy=compared.policy) for pair in pairs
    )
    refused = next((why for why in reasons if why is not None), None)
    if refused is not None:
        raise RefusedVerdict(f"{refused}. Nothing was recorded.")
    reviewer = repository.reviewer()

    def entry(pair: Pair, bulk_id: str | None) -> Entry:
        return verdict_entry(
            pair, verdict, reviewer, comment, policy=compared.policy, bulk=bulk_id, agent=automated, **_stamp()
        )

    bulk = _record(compared, ledger, pairs, entry)
    _told("approved" if verdict == "approve" else "flagged", pairs)
    if bulk is not None:
        printed(f"Take all of it back: {command_line(None, Sides(sides.repo), 'withdraw', '--bulk', bulk)}\n")
    return pairs


def _withdraw_bulk(bulk: str, comment: str, choice: Choice, sides: Sides) -> None:
    """Take back what still stands of a group action, on the contents that it was about."""
    repository = sides.repository()
    ledger, reviewer = Ledger(repository), repository.reviewer()
    members = [
        (entry, fate) for entry, fate in fates(ledger.entries()) if entry.bulk == bulk and entry.kind == "verdict"
    ]
    mine = [entry for entry, fate in members if entry.reviewer.key == reviewer.key and fate != "withdrawn"]
    if not mine:
        raise UsageError(
            f"Nothing of {reviewer.name} stands in the group action {bulk!r}; {_whose(members, reviewer)}."
        )
    action, automated = uuid4().hex, choice.is_automated()
    ledger.append(
        [undo_entry(entry, reviewer, comment, bulk=action, agent=automated, **_stamp()) for entry in mine], {}
    )
    printed("".join(f"withdrew the verdict on {one_line(entry.pair.path)}\n" for entry in mine))


def _whose(members: Sequence[tuple[Entry, Fate]], reviewer: Reviewer) -> str:
    """Say why there is nothing to take back of a group action."""
    if not members:
        return "reviews list shows the ids"
    others = sorted({entry.reviewer.name for entry, _ in members if entry.reviewer.key != reviewer.key})
    return f"it is of {', '.join(others)}" if others else "it is taken back"


def _set_aside(
    compared: Compared,
    ledger: Ledger,
    pairs: Sequence[Pair],
    reviewer: Reviewer,
    of: str,
    comment: str,
    choice: Choice,
) -> None:
    if not comment.strip():
        raise UsageError("A flag of somebody else is set aside with a reason that stays visible: --comment 'why'.")
    if choice.is_automated():
        raise RefusedVerdict("Only a person sets a flag aside. Nothing was recorded.")
    if of.casefold() == reviewer.key:
        raise UsageError(f"{of} is your own address; leave --of out to take your own flag back.")
    found = [
        (pair, entry) for pair in pairs for entry in _standing(compared, pair, of.casefold()) if entry.verdict == "flag"
    ]
    if not found:
        raise UsageError(f"{of} has no flag on {', '.join(pair.path for pair in pairs)}.")
    bulk = uuid4().hex if len(found) > 1 else None
    ledger.append([undo_entry(flagged, reviewer, comment, bulk=bulk, **_stamp()) for _, flagged in found], {})
    _told(f"set the flag of {one_line(of)} aside on", tuple(pair for pair, _ in found))


def _picked(
    verb: str, revisions: str | None, choice: Choice, sides: Sides
) -> tuple[Compared, Repository, Ledger, tuple[Pair, ...]]:
    """Review everything, and pick. A narrowed review could pair a renamed cassette with nothing, and judge another content."""
    if not choice.path and choice.group is None:
        raise UsageError(
            f"{verb} needs the cassettes after --: `cassette-review {verb} -- PATH`, or `-- .` for all that changed; "
            "or --group SIGNATURE."
        )
    compared = compare(revisions, sides)
    if compared.repository is None or compared.ledger is None:
        raise UsageError("Verdicts are kept in a git repository, and there is none here; name one with --repo DIR.")
    found = {pair.path: pair for pair in chosen(compared, choice.path, sides)} if choice.path else {}
    found |= {} if choice.group is None else {pair.path: pair for pair in _group(compared, choice.group)}
    left = {pair.path for pair in chosen(compared, choice.without, sides)}
    pairs = tuple(pair for path, pair in found.items() if path not in left)
    if not pairs:
        raise UsageError("Nothing is left to decide on: --without takes all of it out.")
    return compared, compared.repository, compared.ledger, pairs


def _group(compared: Compared, signature: str) -> tuple[Pair, ...]:
    alike = {pair.signature for pair in compared.review.pairs if signature and pair.signature.startswith(signature)}
    if len(alike) != 1:
        known = ", ".join(group.signature for group in compared.review.groups[:3])
        what = f"{len(alike)} groups begin" if alike else "no group begins"
        raise UsageError(
            f"{what} with {signature!r}; {f'there are {known}' if known else 'no cassettes changed alike'}."
        )
    return tuple(pair for pair in compared.review.pairs if pair.signature in alike)


def _record(
    compared: Compared, ledger: Ledger, pairs: tuple[Pair, ...], entry: Callable[[Pair, str | None], Entry]
) -> str | None:
    """Write one entry a pair in one step, and pin what was judged. Several pairs share a bulk id, which is returned."""
    bulk = uuid4().hex if len(pairs) > 1 else None
    ledger.append([entry(pair, bulk) for pair in pairs], contents(pairs, compared.snapshot))
    return bulk


class _Stamp(TypedDict):
    at: datetime
    entry_id: str


def _stamp() -> _Stamp:
    return {"at": datetime.now(UTC), "entry_id": uuid4().hex}


def _standing(compared: Compared, pair: Pair, key: str) -> tuple[Entry, ...]:
    """List the verdicts of a reviewer that stand on exactly this content."""
    known = compared.states.get(pair.path)
    return tuple(
        entry for entry, fate in fates(known.entries if known else ()) if entry.reviewer.key == key and fate == "stands"
    )


def _told(done: str, pairs: tuple[Pair, ...]) -> None:
    printed("".join(f"{done} {one_line(pair.path)}: {one_line(pair.headline)}\n" for pair in pairs))
