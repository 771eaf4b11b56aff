"""How the ledger's ref moves: by compare-and-swap, in one ``git fast-import`` that writes the contents, the trees and the commit.

Git's own ``notes append`` lost 58 of 100 entries of four concurrent writers. ``fast-import`` moves a ref only from the commit that it read, to one
that contains it; a writer that lost the race starts again from what the winner wrote.
"""

import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from reviewlib.errors import LedgerError, RepositoryError
from reviewlib.ledger.notes import REF
from reviewlib.sources.command import Git, quote_path, refusal
from reviewlib.verdicts import Reviewer

PATIENCE = 30.0
"""Seconds that a writer keeps trying."""

_LOST = ("does not contain", "but expected", "reference already exists", "unable to resolve reference")
_NAMED_AT_ONCE = 200
"""Names that are asked for one by one; for more of them the whole tree is listed."""


class Moved(NamedTuple):
    """Where the ref stands by our own hand, or (``lost``) git's complaint about a race that somebody else won."""

    tip: str = ""
    lost: str | None = None


def tip_of(git: Git, ref: str = REF) -> str | None:
    """Name the commit of a ref; None where there is none."""
    found = git.attempt("rev-parse", "--verify", "--quiet", ref)
    return found.out.decode().strip() if found.code == 0 else None


def held(git: Git, tip: str | None, names: Sequence[bytes]) -> dict[bytes, str]:
    """List which of these names the ledger has, files and folders, with their object ids. The cost follows the names, not the ledger."""
    if tip is None or not names:
        return {}
    few = len(names) <= _NAMED_AT_ONCE
    options = () if few else ("-r", "-t")
    paths = [name.decode("utf-8", "surrogateescape") for name in names] if few else []
    listing = git.run("ls-tree", "-z", "--full-tree", *options, tip, "--", *paths)
    found = {}
    wanted = set(names)
    for record in filter(None, listing.split(b"\0")):
        fields, name = record.split(b"\t", 1)
        if name in wanted:
            found[name] = fields.split()[2].decode()
    return found


def commit(
    git: Git,
    parents: Sequence[str],
    files: Mapping[bytes, bytes | str],
    who: Reviewer,
    subject: str,
) -> Moved:
    """Write files on top of the first parent, and move the ref there from it.

    A file is its bytes, or the id of an object that the repository has.

    Raises:
        RepositoryError: git cannot write here.

    """
    outcome = git.attempt("fast-import", "--quiet", "--done", stdin=b"".join(_stream(parents, files, who, subject)))
    if outcome.code == 0:
        return Moved(tip=outcome.out.decode().strip())
    if any(sign in outcome.complaint for sign in (*_LOST, ".lock': File exists")):
        return Moved(lost=outcome.complaint)
    raise RepositoryError(refusal(outcome.complaint, "fast-import"))


def forward(git: Git, ref: str, new: str, old: str | None) -> str | None:
    """Move a ref by compare-and-swap. None: done; else git's complaint about a lost race."""
    moved = git.attempt("update-ref", "-m", "cassette-review: fetch", ref, new, old or "0" * len(new))
    if moved.code == 0:
        return None
    if any(sign in moved.complaint for sign in (*_LOST, ".lock': File exists")):
        return moved.complaint
    raise RepositoryError(refusal(moved.complaint, "update-ref"))


def retried(git: Git, what: str, attempt: Callable[[], str | None]) -> None:
    """Try until the race is won. ``what`` was not done is said when it cannot be.

    Raises:
        LedgerError: the repository cannot be written, or other writers (or a left-over lock) did not let go in time.

    """
    give_up = time.monotonic() + PATIENCE
    for count in range(10_000):
        try:
            lost = attempt()
        except RepositoryError as error:
            raise LedgerError(f"{what}, the repository cannot be written: {error}") from error
        if lost is None:
            return
        lock = _lock(git, lost)
        if time.monotonic() > give_up or (lock is not None and lock.age > PATIENCE):
            raise LedgerError(f"{what}: {_held_up(lock)}")
        time.sleep(random.uniform(0, min(1.0, 0.03 * 2 ** min(count, 6))))  # noqa: S311 - spreads the writers, guards nothing


def _stream(parents: Sequence[str], files: Mapping[bytes, bytes | str], who: Reviewer, subject: str) -> Iterator[bytes]:
    """Write what ``git fast-import`` reads."""
    signed = b"%s <%s> now\n" % (_ident(who.name) or b"reviewer", _ident(who.email))
    message = " ".join(f"cassette-review: {subject}".split()).encode("utf-8", "replace")
    yield b"feature date-format=now\nfeature get-mark\n"
    yield b"commit %s\nmark :1\nauthor %scommitter %s" % (REF.encode(), signed, signed)
    yield b"data %d\n%s\n" % (len(message), message)
    for word, parent in zip(("from", "merge"), parents, strict=False):
        yield b"%s %s\n" % (word.encode(), parent.encode())
    for name, content in files.items():
        if isinstance(content, str):
            yield b"M 100644 %s %s\n" % (content.encode(), quote_path(name))
        else:
            yield b"M 100644 inline %s\ndata %d\n" % (quote_path(name), len(content))
            yield content
            yield b"\n"
    yield b"get-mark :1\ndone\n"


def _ident(text: str) -> bytes:
    """Write a name as git takes it: without angle brackets, control characters and outer spaces."""
    return re.sub(r"[<>\x00-\x1f\x7f]", "", text).strip().encode("utf-8", "replace")


class _Lock(NamedTuple):
    """A lock file that kept the ref from moving, and its age in seconds."""

    path: Path
    age: float


def _lock(git: Git, complaint: str) -> _Lock | None:
    found = re.search(r"Unable to create '(.+?\.lock)': File exists", complaint)
    if not found:
        return None
    path = git.directory / found[1]
    try:
        return _Lock(path, time.time() - path.stat().st_mtime)
    except OSError:
        return None


def _held_up(lock: _Lock | None) -> str:
    """Say why the ref did not move. A lock is named with its age, and is not removed: its owner may be at work."""
    if lock is None:
        return f"other reviewers were writing for {PATIENCE:.0f} seconds; try again"
    return (
        f"{lock.path} has been there for {lock.age:.0f} seconds; if no git process is running, remove it and try again"
    )
