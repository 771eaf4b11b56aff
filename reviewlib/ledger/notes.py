"""What the notes hold: their names in the tree, their lines, and what can be read of them.

A ledger is written by whoever may push, so every line is somebody else's: what is no entry is passed over and counted.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from pydantic import ValidationError

from reviewlib.verdicts import VERSION, Entry

REF = "refs/notes/cassette-review"

LARGEST_NOTE = 64 * 1024 * 1024
"""Bytes of one note that are read; about 90,000 entries on one content."""

LARGEST_LINE = 256 * 1024
"""Bytes of one entry. A verdict has about 700."""

_DEEPEST = 64
"""Folders in the path of a pinned file."""

NOTE = re.compile(rb"(?:[0-9a-f]{2}/)*[0-9a-f]+")
_OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_VERSION = re.compile(rb'"v"\s*:\s*(\d{1,9})\b')


class Notes(NamedTuple):
    """What the ledger holds: its entries, by time and id, and what it holds beside them.

    ``skipped``: lines that are no entries. ``newer``: entries that a later version of this tool wrote, in a form that this one does not
    know. ``clashing``: entries whose id another, different entry has; none of the two shadows the other.
    """

    entries: tuple[Entry, ...] = ()
    skipped: int = 0
    newer: int = 0
    clashing: int = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say in sentences what should make a reader careful; empty for a sound ledger."""
        told = (
            (self.skipped, "that could not be read, passed over"),
            (self.newer, "that a newer version of cassette-review wrote, passed over; upgrade to see more"),
            (self.clashing, "with an id that another entry has, written by hand"),
        )
        return tuple(
            f"the ledger holds {count:,} line{'s' if count > 1 else ''} {what}" for count, what in told if count
        )


def parse(note: bytes | None) -> Notes:
    """Read the entries of a note's lines; None is a note that could not be loaded. Lines are split at newlines only: JSON text may hold U+2028."""
    if note is None:
        return Notes(skipped=1)
    entries: list[Entry] = []
    skipped = newer = 0
    for line in note.split(b"\n"):
        if not line.strip():
            continue
        entry = _entry(line)
        if entry is not None:
            entries.append(entry)
        elif _is_newer(line):
            newer += 1
        else:
            skipped += 1
    return Notes(tuple(entries), skipped, newer)


def joined(notes: Iterable[Notes]) -> Notes:
    """Put the entries of all notes in one order. Equal lines are one entry; different entries of one id stay two."""
    unique: dict[str, Entry] = {}
    clashing: dict[tuple[str, str], Entry] = {}
    skipped = newer = 0
    for note in notes:
        skipped += note.skipped
        newer += note.newer
        for entry in note.entries:
            if unique.setdefault(entry.id, entry) != entry:
                clashing[entry.id, entry.model_dump_json()] = entry
    everything = [*unique.values(), *clashing.values()]
    return Notes(tuple(sorted(everything, key=_order)), skipped, newer, len(clashing))


def line(entry: Entry) -> bytes:
    """Write an entry as a line of a note, without its newline."""
    return entry.model_dump_json(exclude_defaults=True).encode()


def note_names(subject: str) -> tuple[bytes, ...]:
    """Give the names that a note on an object may have, our own choice first: git regroups notes as they grow.

    Raises:
        ValueError: the subject is no object id.

    """
    known = _checked(subject)
    return tuple(name.encode() for name in (f"{known[:2]}/{known[2:]}", known, f"{known[:2]}/{known[2:4]}/{known[4:]}"))


PINNED = re.compile(rb"(?:^|/)content-([0-9a-f]{40}|[0-9a-f]{64})(?:/|$)")
"""What stands in the path of a pin, and in that of each file of a pinned tree: the id of the content."""


def pin_names(content: str) -> tuple[bytes, bytes]:
    """Give the names that a pinned content may have. The first is ours, one of 256 folders; the second is how they were first kept.

    One folder of all pins is written anew with each verdict: 800 verdicts left 21 MB of loose objects, and 8 MB with these folders
    (0.7 MB after ``git gc`` in either case). Git's own ``notes append`` and ``notes merge`` leave both forms as they are.
    ``content`` is an object id, or that of a tree with ``/`` and the path of a file in it.

    Raises:
        ValueError: it does not begin with an object id, or the path is none.

    """
    content_id, _, path = content.partition("/")
    pinned = f"content-{_checked(content_id)}"
    if "/" in content:
        parts = path.split("/")
        if len(parts) > _DEEPEST or any(part.lower() in {"", ".", "..", ".git"} or "\0" in part for part in parts):
            raise ValueError(f"{path[:80]!r} is no path of a pinned file")
        pinned = f"{pinned}/{path}"
    name = pinned.encode("utf-8", "surrogateescape")
    return b"content-%s/%s" % (content_id[:2].encode(), name), name


def is_object_id(text: str) -> bool:
    """Whether a text is the id of an object of either format."""
    return _OBJECT.fullmatch(text) is not None


def _checked(oid: str) -> str:
    if not is_object_id(oid):
        raise ValueError(f"{oid[:80]!r} is no object id")
    return oid


def _entry(line: bytes) -> Entry | None:
    if len(line) > LARGEST_LINE:
        return None
    try:
        entry = Entry.model_validate_json(line)
    except ValidationError:
        return None
    return entry if entry.v == VERSION else None


def _is_newer(line: bytes) -> bool:
    found = _VERSION.search(line[:LARGEST_LINE])
    return found is not None and line.lstrip().startswith(b"{") and int(found[1]) > VERSION


def _order(entry: Entry) -> tuple[object, ...]:
    return entry.at, entry.id, entry.reviewer.email, entry.verdict or entry.kind
