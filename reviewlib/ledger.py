"""EDGE: the only writer. Keeps verdicts in git notes, so that they travel with the repository and touch no file of it.

``refs/notes/cassette-review`` has a note on each judged content, with one JSON line per entry, and pins the judged contents as
``content-<id>``, so that they outlive their branch. Git's own ``notes append`` lost 58 of 100 entries of four concurrent writers;
here the ref moves by compare-and-swap, and a writer that lost the race starts again from what the winner wrote.
"""

import os
import random
import re
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from reviewlib.errors import LedgerError, RepositoryError
from reviewlib.sources.command import Git, quote_path, refusal
from reviewlib.sources.git import Repository
from reviewlib.sources.listing import tree_files
from reviewlib.verdicts import Entry

REF = "refs/notes/cassette-review"

PATIENCE = 30.0
"""Seconds that a writer keeps trying. Of 100 entries by four writers at once, half took 0.06 s and the slowest 2.1 s."""

_LARGEST_NOTE = 16 * 1024 * 1024
_NOTE = re.compile(rb"(?:[0-9a-f]{2}/)*[0-9a-f]+")
_LOST = ("but expected", "reference already exists", "unable to resolve reference")


class Notes(NamedTuple):
    """What the ledger holds: its entries, by time and id, and the number of lines that are none."""

    entries: tuple[Entry, ...]
    skipped: int


class Ledger:
    """The verdicts of one repository. Reading is cached by content; an instance may be shared by threads."""

    def __init__(self, repository: Repository) -> None:
        self._git = repository.git
        self._latest: tuple[str | None, Notes] = (None, Notes((), 0))
        self._parsed: dict[str, Notes] = {}

    def head(self) -> str | None:
        """Name the commit of the notes; None where there are none. It changes with every entry, and costs one git call."""
        found = self._git.attempt("rev-parse", "--verify", "--quiet", REF)
        return found.out.decode().strip() if found.code == 0 else None

    def entries(self) -> tuple[Entry, ...]:
        """All entries, by time and id."""
        return self.read().entries

    def read(self) -> Notes:
        """All entries, and how many lines could not be read. Only notes that are new since the last call are parsed."""
        tip = self.head()
        if tip is None:
            return Notes((), 0)
        cached, notes = self._latest
        if cached != tip:
            notes = self._read(tip)
            self._latest = (tip, notes)
        return notes

    def append(self, entries: Sequence[Entry], contents: Mapping[str, bytes]) -> None:
        """Add entries in one step: all of them, or none.

        ``contents`` are the judged contents by id; those the ledger does not hold yet are pinned.

        Raises:
            LedgerError: the repository cannot be written, or other writers (or a left-over lock) did not let go in time.

        """
        if not entries:
            return
        give_up = time.monotonic() + PATIENCE
        for attempt in range(10_000):
            try:
                lost = self._try(entries, contents)
            except RepositoryError as error:
                raise LedgerError(f"the verdict was not recorded, the repository cannot be written: {error}") from error
            if lost is None:
                return
            lock = _lock(self._git, lost)
            if time.monotonic() > give_up or (lock is not None and lock.age > PATIENCE):
                raise LedgerError(f"the verdict was not recorded: {_held_up(lock)}")
            time.sleep(random.uniform(0, min(0.25, 0.01 * 2 ** min(attempt, 5))))  # noqa: S311 - spreads the writers, guards nothing

    def _read(self, tip: str) -> Notes:
        notes = [oid for name, oid in tree_files(self._git, tip).items() if _NOTE.fullmatch(name)]
        blobs = self._git.blobs((oid for oid in notes if oid not in self._parsed), _LARGEST_NOTE)
        self._parsed.update((oid, _parse(blob.data)) for oid, blob in blobs.items())
        found = [self._parsed[oid] for oid in notes]
        unique = {entry.id: entry for note in found for entry in note.entries}
        ordered = sorted(unique.values(), key=lambda entry: (entry.at, entry.id))
        return Notes(tuple(ordered), sum(note.skipped for note in found))

    def _try(self, entries: Sequence[Entry], contents: Mapping[str, bytes]) -> str | None:
        """Write everything on top of what is there now. None: done. Otherwise git's complaint about a race that was lost."""
        tip = self.head()
        held = tree_files(self._git, tip) if tip else {}
        with tempfile.TemporaryDirectory(prefix="cassette-review-") as scratch:
            files = {**self._changed_notes(held, entries), **_missing_pins(held, contents)}
            tree = _write_tree(self._git, Path(scratch), tip, files)
        commit = self._commit(tree, tip, entries[-1], len(entries))
        old = tip or "0" * len(commit)
        moved = self._git.attempt("update-ref", "-m", "cassette-review: verdict", REF, commit, old)
        if moved.code == 0:
            return None
        if any(sign in moved.complaint for sign in (*_LOST, ".lock': File exists")):
            return moved.complaint
        raise RepositoryError(refusal(moved.complaint, "update-ref"))

    def _changed_notes(self, held: Mapping[bytes, str], entries: Sequence[Entry]) -> dict[bytes, bytes]:
        """Make the new content of each note that gets a line, under the name the note has already."""
        lines: dict[str, list[bytes]] = {}
        for entry in entries:
            lines.setdefault(entry.subject, []).append(entry.model_dump_json(exclude_defaults=True).encode() + b"\n")
        names = {name.replace(b"/", b"").decode(): name for name in held if _NOTE.fullmatch(name)}
        blobs = self._git.blobs((held[names[subject]] for subject in lines if subject in names), _LARGEST_NOTE)
        changed = {}
        for subject, added in lines.items():
            name = names.get(subject, f"{subject[:2]}/{subject[2:]}".encode())
            before = blobs[held[name]].data if name in held else b""
            if before is None:
                raise RepositoryError(f"the note on {subject} is not at hand: {blobs[held[name]].reason}")
            changed[name] = b"".join((before, b"" if before.endswith(b"\n") or not before else b"\n", *added))
        return changed

    def _commit(self, tree: str, tip: str | None, entry: Entry, count: int) -> str:
        who = entry.reviewer
        writing = self._git.with_environment(
            GIT_AUTHOR_NAME=who.name or "reviewer",
            GIT_AUTHOR_EMAIL=who.email,
            GIT_COMMITTER_NAME=who.name or "reviewer",
            GIT_COMMITTER_EMAIL=who.email,
        )
        what = f"{entry.verdict or entry.kind} {entry.pair.path}" if count == 1 else f"{count} entries"
        return writing.line("commit-tree", tree, *(("-p", tip) if tip else ()), "-m", f"cassette-review: {what}")


def _missing_pins(held: Mapping[bytes, str], contents: Mapping[str, bytes]) -> dict[bytes, bytes]:
    pins = {f"content-{oid}".encode(): data for oid, data in contents.items()}
    return {name: data for name, data in pins.items() if name not in held}


def _write_tree(git: Git, scratch: Path, tip: str | None, files: Mapping[bytes, bytes]) -> str:
    """Write the tree of ``tip`` with these files in it, made through an index of our own; the repository's is not touched."""
    paths = []
    for number, data in enumerate(files.values()):
        (scratch / str(number)).write_bytes(data)
        paths.append(quote_path(os.fsencode(scratch / str(number))) + b"\n")
    oids = git.run("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=b"".join(paths)).split()
    indexed = git.with_environment(GIT_INDEX_FILE=str(scratch / "index"))
    if tip:
        indexed.run("read-tree", tip)
    records = (b"100644 %b\t%b\0" % (oid, name) for name, oid in zip(files, oids, strict=True))
    indexed.run("update-index", "-z", "--index-info", stdin=b"".join(records))
    return indexed.line("write-tree", "--missing-ok")


def _parse(note: bytes | None) -> Notes:
    """Read the entries of a note's lines. Lines are split at newlines only: JSON text may hold U+2028."""
    entries: list[Entry] = []
    skipped = 0
    for line in (note or b"").split(b"\n"):
        if not line.strip():
            continue
        try:
            entries.append(Entry.model_validate_json(line))
        except ValidationError:
            skipped += 1
    return Notes(tuple(entries), skipped)


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
