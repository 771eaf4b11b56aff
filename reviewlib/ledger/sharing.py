"""Push and fetch: two ledgers become their union, whoever wrote in between.

Entries are only ever added, so the union needs no common ancestor and has no conflicts: of a note on both sides, the unique lines. It is made here, because
git's own ``notes merge`` (2.39) unites the lines in the same way and drops the contents that only the other side pinned.
"""

import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple
from urllib.parse import quote

from reviewlib.errors import LedgerError, RepositoryError
from reviewlib.ledger.notes import LARGEST_NOTE, NOTE, REF
from reviewlib.ledger.writing import commit, forward, retried, tip_of
from reviewlib.sources.command import Git, refusal
from reviewlib.sources.listing import tree_files
from reviewlib.verdicts import Reviewer

_TRIES = 20
"""How often a push starts again because somebody else pushed in between."""

_MERGER = Reviewer(name="cassette-review", email="")
_RACES = ("non-fast-forward", "fetch first", "failed to update ref", "cannot lock ref", "stale info", "but expected")
_FETCH = (
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-filter",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    "--refmap=",
)


class Shared(NamedTuple):
    """What an exchange with a remote did: its name, its address, and how many entries came and went."""

    remote: str
    address: str
    received: int
    sent: int


def has_remotes(git: Git) -> bool:
    """Whether there is anybody to share with."""
    return bool(git.run("remote").strip())


def remote_of(git: Git, name: str | None) -> str:
    """Choose the remote where reviewers meet: the one that is named, else a fork's upstream before its origin.

    Raises:
        LedgerError: there is none, or none of that name.

    """
    remotes = git.run("remote").decode(errors="replace").split()
    if name is not None and name not in remotes:
        known = f"there are {', '.join(remotes)}" if remotes else "this repository has none"
        raise LedgerError(f"there is no remote {name!r}; {known}")
    found = name or next((each for each in ("upstream", "origin", *remotes) if each in remotes), None)
    if found is None:
        raise LedgerError("this repository has no remote to share verdicts with; git remote add origin URL")
    return found


def tracking_ref(remote: str) -> str:
    """Name the private ref that keeps what a remote's ledger was when it was last asked."""
    return f"refs/cassette-review/remotes/{quote(remote, safe='').replace('.', '%2E')}"


def fetch(git: Git, remote: str, count: Callable[[str], frozenset[str]]) -> Shared:
    """Fetch a remote's ledger into a private ref, and unite ours with it. ``count`` gives the ids of the entries of a ref."""
    before = count(REF)
    _fetch(git, remote)
    retried(git, "the verdicts were not taken in", lambda: _unite(git, remote))
    return Shared(remote, _address(git, remote), len(count(REF) - before), 0)


def push(git: Git, remote: str, count: Callable[[str], frozenset[str]]) -> Shared:
    """Fetch, unite, push; again where somebody pushed in between."""
    received = 0
    for _ in range(_TRIES):
        received += fetch(git, remote, count).received
        ours, theirs = tip_of(git), tip_of(git, tracking_ref(remote))
        sent = len(count(REF) - count(tracking_ref(remote)))
        if ours is None or ours == theirs:
            return Shared(remote, _address(git, remote), received, 0)
        complaint = _push(git, remote, ours)
        if complaint is None:
            forward(git, tracking_ref(remote), ours, theirs)
            return Shared(remote, _address(git, remote), received, sent)
        if not any(sign in complaint for sign in _RACES):
            raise LedgerError(
                f"the remote {remote!r} did not take the verdicts: {_reason(complaint)}; without the right to push, "
                "cassette-review reviews export FILE writes them for somebody who has it"
            )
    raise LedgerError(f"others pushed verdicts to {remote!r} {_TRIES} times in between; try again")


def united(git: Git, ours: str, theirs: str) -> dict[bytes, bytes | str]:
    """Give what the tree of ``ours`` lacks of ``theirs``: lines of notes under the names they have in ours, and pinned contents.

    Raises:
        RepositoryError: a note of both sides cannot be loaded, so that its lines would be lost.

    """
    here, there = tree_files(git, ours), tree_files(git, theirs)
    names = {name.replace(b"/", b""): name for name in here if NOTE.fullmatch(name)}
    missing: dict[bytes, bytes | str] = {}
    both: list[tuple[bytes, str, str]] = []
    for name, oid in there.items():
        own = names.get(name.replace(b"/", b"")) if NOTE.fullmatch(name) else (name if name in here else None)
        if own is None:
            missing[name] = oid
        elif NOTE.fullmatch(name) and here[own] != oid:
            both.append((own, here[own], oid))
    blobs = git.blobs(chain.from_iterable(pair for _, *pair in both), LARGEST_NOTE)
    for name, one, other in both:
        lines = [_lines(blobs[oid].data, blobs[oid].reason, name) for oid in (one, other)]
        if set(lines[1]) - set(lines[0]):
            missing[name] = b"".join(each + b"\n" for each in sorted({*lines[0], *lines[1]}))
    return missing


def _unite(git: Git, remote: str) -> str | None:
    ours, theirs = tip_of(git), tip_of(git, tracking_ref(remote))
    if theirs is None or theirs == ours or (ours is not None and _contains(git, ours, theirs)):
        return None
    if ours is None or _contains(git, theirs, ours):
        return forward(git, REF, theirs, ours)
    return commit(git, (ours, theirs), united(git, ours, theirs), _MERGER, f"unite with {remote}").lost


def _contains(git: Git, commit_id: str, ancestor: str) -> bool:
    return git.attempt("merge-base", "--is-ancestor", ancestor, commit_id).code == 0


def _fetch(git: Git, remote: str) -> None:
    ref = tracking_ref(remote)
    outcome = git.attempt(*_FETCH, "--end-of-options", remote, f"+{REF}:{ref}", online=True)
    if outcome.code == 0:
        return
    if "couldn't find remote ref" in outcome.complaint:
        git.attempt("update-ref", "-d", ref)
        return
    raise LedgerError(f"the verdicts of the remote {remote!r} could not be fetched: {_reason(outcome.complaint)}")


def _push(git: Git, remote: str, tip: str) -> str | None:
    words = ("push", "--quiet", "--no-verify", "--recurse-submodules=no", "--no-follow-tags", "--end-of-options")
    outcome = git.attempt(*words, remote, f"{tip}:{REF}", online=True)
    return None if outcome.code == 0 else outcome.complaint or "no reason given"


def _lines(data: bytes | None, reason: str, name: bytes) -> Sequence[bytes]:
    if data is None:
        raise RepositoryError(f"the note {name.decode()} is not at hand: {reason}")
    return [each for each in data.split(b"\n") if each.strip()]


def _reason(complaint: str) -> str:
    """Pick the words of a remote's refusal that tell most: what its hook said, or the first line of git's own."""
    refused = re.search(r"! \[remote rejected\].*\((.+)\)", complaint)
    said = [line.removeprefix("remote:").strip() for line in complaint.splitlines() if line.startswith("remote:")]
    told = [each for each in (refused[1] if refused else "", *said[:1]) if each]
    return "; ".join(told) if told else refusal(complaint, "push").removeprefix("git push refused: ")


def _address(git: Git, remote: str) -> str:
    return git.attempt("remote", "get-url", "--end-of-options", remote).out.decode(errors="replace").strip()
