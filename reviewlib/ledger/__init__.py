"""EDGE: the only writer. Keeps verdicts in git notes, so that they travel with the repository and touch no file of it.

``notes``     what stands in the notes, and how it is read
``writing``   how the ref moves: by compare-and-swap
``sharing``   push and fetch: the union of two ledgers
``transfer``  export and import: entries in a file

``refs/notes/cassette-review`` has a note on each judged content, with one JSON line per entry, and pins the judged contents, so that they
outlive their branch. What was read is kept for the process, by the commit of the notes: 100,000 entries take 1.5 to 3.5 s to read on a
busy machine, and 0.2 s again after one more; an index on disk could be stale, or forged.
"""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from reviewlib.collector import collector_paused
from reviewlib.errors import RepositoryError
from reviewlib.formats.content import blob_id
from reviewlib.ledger import sharing
from reviewlib.ledger.notes import (
    LARGEST_NOTE,
    NOTE,
    PINNED,
    REF,
    Notes,
    is_object_id,
    joined,
    line,
    note_names,
    parse,
    pin_names,
)
from reviewlib.ledger.sharing import Shared
from reviewlib.ledger.writing import commit, held, retried, tip_of
from reviewlib.model.cassette import File
from reviewlib.sources import LARGEST_FILE
from reviewlib.sources.command import Git, display_path
from reviewlib.sources.git import Repository
from reviewlib.sources.listing import tree_files
from reviewlib.verdicts import Entry, Reviewer

__all__ = ["REF", "Ledger", "Notes", "Shared"]


class _Loaded(NamedTuple):
    """What one commit of notes holds: each note by its object id, and all together."""

    tip: str
    parsed: Mapping[str, Notes]
    notes: Notes


class Ledger:
    """The verdicts of one repository. Reading is cached by content; an instance may be shared by threads."""

    def __init__(self, repository: Repository) -> None:
        self._git: Git = repository.git
        self._read: dict[str, _Loaded] = {}

    def head(self) -> str | None:
        """Name the commit of the notes; None where there are none. It changes with every entry, and costs one git call."""
        return tip_of(self._git)

    def entries(self) -> tuple[Entry, ...]:
        """All entries, by time and id."""
        return self.read().entries

    def read(self, head: str | None = None) -> Notes:
        """All entries, and how many lines could not be read. Only notes that are new since the last call are parsed.

        ``head`` is the commit of the notes for who has just asked for it; else it is asked for here.
        """
        return self._notes(REF, head)

    def append(self, entries: Sequence[Entry], contents: Mapping[str, bytes]) -> None:
        """Add entries in one step: all of them, or none. One that is there already, line by line, is not added again.

        ``contents`` are the judged contents by id (of a cassette that is a folder: by the id of its tree, ``/`` and the path
        in it; see ``verdicts.contents``). Those that the ledger does not hold yet are pinned.

        Raises:
            LedgerError: the repository cannot be written, or other writers (or a left-over lock) did not let go in time.

        """
        if not entries:
            return
        last = entries[-1]
        what = f"{last.verdict or last.kind} {last.pair.path}" if len(entries) == 1 else f"{len(entries)} entries"
        self._add(entries, contents, last.reviewer, what)

    def adopt(self, entries: Sequence[Entry], contents: Mapping[str, bytes], who: Reviewer) -> None:
        """Add entries of other reviewers, brought by ``who``. Raises as ``append``."""
        if entries:
            self._add(entries, contents, who, f"import {len(entries)} entries")

    def pinned(self, content: str, path: str) -> tuple[File, ...]:
        """Load a judged content as the files that it was read from, ``path`` first; empty where it is not at hand.

        An id names exactly one content, so it does not matter who pinned it.
        """
        kind = self._git.attempt("cat-file", "-t", content).out.strip() if is_object_id(content) else b""
        if kind == b"blob":
            files = {path: content}
        elif kind == b"tree":
            listed = {display_path(name): oid for name, oid in tree_files(self._git, content).items()}
            # A cassette with sidecars is the tree of the folder it lies in; else it is a folder itself.
            folder = posixpath.dirname(path) if posixpath.basename(path) in listed else path
            files = {posixpath.join(folder, name): oid for name, oid in listed.items()}
        else:
            return ()
        blobs = self._git.blobs(files.values(), LARGEST_FILE)
        return tuple(
            File(path=name, blob=oid, data=blobs[oid].data or b"", missing=blobs[oid].reason or None)
            for name, oid in sorted(files.items(), key=lambda item: (item[0] != path, item[0]))
        )

    def judged(self, entries: Iterable[Entry]) -> dict[str, tuple[tuple[str, bytes], ...]]:
        """Load the contents that entries are about, as far as they are pinned: by content id, the paths in it (one empty path for a single
        file) and their bytes. What was not pinned held a secret, whether or not the repository has it: an export leaves the machine.
        """
        pins = self._pins()
        judged = (content for entry in entries for content in (entry.pair.baseline, entry.pair.head) if content)
        ids = dict.fromkeys(content for content in judged if content in pins)
        loaded = {content: self.pinned(content, "") for content in ids}
        return {
            content: tuple((file.path, file.data) for file in files)
            for content, files in loaded.items()
            if files and not any(file.missing for file in files)
        }

    def _pins(self) -> frozenset[str]:
        tip = self.head()
        names = tree_files(self._git, tip) if tip is not None else ()
        return frozenset(found[1].decode() for name in names if (found := PINNED.search(name)))

    def unpushed(self, remote: str | None = None) -> int:
        """Count the entries that were not on a remote when it was last asked. Without any remote there is nowhere to push: 0."""
        return len(self.outgoing(remote)) if sharing.has_remotes(self._git) else 0

    def outgoing(self, remote: str | None = None) -> tuple[Entry, ...]:
        """Give the entries that were not on a remote when it was last asked; all of them where it never was, or where there is none."""
        if remote is None and not sharing.has_remotes(self._git):
            return self.entries()
        known = self._ids(sharing.tracking_ref(sharing.remote_of(self._git, remote)))
        return tuple(entry for entry in self.entries() if entry.id not in known)

    def fetch(self, remote: str | None = None) -> Shared:
        """Take in the entries of a remote.

        Raises:
            LedgerError: there is no such remote, it does not answer, or this repository cannot be written.

        """
        return sharing.fetch(self._git, sharing.remote_of(self._git, remote), self._ids)

    def push(self, remote: str | None = None) -> Shared:
        """Take in the entries of a remote, and give it ours. Raises as ``fetch``, and where the remote refuses."""
        return sharing.push(self._git, sharing.remote_of(self._git, remote), self._ids)

    def _ids(self, ref: str) -> frozenset[str]:
        return frozenset(entry.id for entry in self._notes(ref).entries)

    def _notes(self, ref: str, tip: str | None = None) -> Notes:
        tip = tip or tip_of(self._git, ref)
        if tip is None:
            return Notes()
        cached = self._read.get(ref)
        if cached is None or cached.tip != tip:
            cached = self._load(tip)
            self._read[ref] = cached
        return cached.notes

    def _load(self, tip: str) -> "_Loaded":
        """Read the notes of a commit; those that any ref had when it was last read are not parsed again."""
        oids = [oid for name, oid in tree_files(self._git, tip).items() if NOTE.fullmatch(name)]
        known = {oid: note for loaded in tuple(self._read.values()) for oid, note in loaded.parsed.items()}
        blobs = self._git.blobs((oid for oid in oids if oid not in known), LARGEST_NOTE)
        with collector_paused():  # of 100,000 entries the collector took 3.3 of 3.7 s
            parsed = {oid: known[oid] if oid in known else parse(blobs[oid].data) for oid in oids}
            return _Loaded(tip, parsed, joined(parsed.values()))

    def _add(self, entries: Sequence[Entry], contents: Mapping[str, bytes], who: Reviewer, what: str) -> None:
        retried(self._git, "the verdict was not recorded", lambda: self._try(entries, contents, who, what))

    def _try(self, entries: Sequence[Entry], contents: Mapping[str, bytes], who: Reviewer, what: str) -> str | None:
        """Write everything on top of what is there now. None: done. Otherwise git's complaint about a race that was lost."""
        tip = tip_of(self._git)
        pins = {pin_names(content): data for content, data in contents.items()}
        subjects = {entry.subject: note_names(entry.subject) for entry in entries}
        there = held(self._git, tip, [name for names in (*subjects.values(), *pins) for name in names])
        notes = _lengthened(self._git, subjects, entries, there)
        if not notes:
            return None
        files: dict[bytes, bytes | str] = dict(notes)
        files.update((names[0], data) for names, data in pins.items() if not there.keys() & set(names))
        moved = commit(self._git, (tip,) if tip else (), files, who, what)
        if moved.lost is None and not there.keys() & notes.keys():
            self._extend(tip, moved.tip, notes.values())
        return moved.lost

    def _extend(self, before: str | None, tip: str, added: Iterable[bytes]) -> None:
        """Know what was just written without reading it back, which takes three git calls: new notes, on top of what is known."""
        known = _Loaded("", {}, Notes()) if before is None else self._read.get(REF)
        if known is None or known.tip != (before or ""):
            return
        parsed = {**known.parsed, **{blob_id(note, len(tip)): parse(note) for note in added}}
        with collector_paused():
            self._read[REF] = _Loaded(tip, parsed, joined(parsed.values()))


def _lengthened(
    git: Git, subjects: Mapping[str, Sequence[bytes]], entries: Sequence[Entry], there: Mapping[bytes, str]
) -> dict[bytes, bytes]:
    """Make the new content of each note that gets a line, under the name the note has already."""
    lines: dict[str, list[bytes]] = {}
    for entry in entries:
        lines.setdefault(entry.subject, []).append(line(entry))
    names = {subject: next((name for name in some if name in there), some[0]) for subject, some in subjects.items()}
    blobs = git.blobs((there[name] for name in names.values() if name in there), LARGEST_NOTE)
    changed = {}
    for subject, added in lines.items():
        name = names[subject]
        before = blobs[there[name]].data if name in there else b""
        if before is None:
            raise RepositoryError(f"the note on {subject} is not at hand: {blobs[there[name]].reason}")
        known = set(before.split(b"\n"))
        fresh = [each for each in dict.fromkeys(added) if each not in known]
        if fresh:
            changed[name] = b"".join(
                (before, b"" if before.endswith(b"\n") or not before else b"\n", *(each + b"\n" for each in fresh))
            )
    return changed
