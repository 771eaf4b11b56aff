"""Entries in a file, for reviewers without the right to push: JSON lines that somebody who has it imports.

The first line names the form. Then come the judged contents, each once, as base64, and the entries as they stand in the ledger. A file from
a stranger is read as one: contents have to be what their ids say, and an id that the ledger knows with another entry is refused.
"""

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from reviewlib.errors import UsageError
from reviewlib.formats.content import blob_id, tree_id
from reviewlib.ledger.notes import Notes, is_object_id, line, parse, pin_names
from reviewlib.verdicts import Entry, Reviewer

FORM: Literal["cassette-review/reviews/1"] = "cassette-review/reviews/1"

LARGEST_IMPORT = 512 * 1024 * 1024
"""Bytes of a file that are imported."""


class _Content(BaseModel):
    """A judged content: ``files`` are its path (empty where it is one blob) and bytes."""

    model_config = ConfigDict(extra="ignore", strict=True)
    content: str
    files: dict[str, str]


class Brought(NamedTuple):
    """What a file adds to a ledger: entries, contents for ``Ledger.adopt``, and what was left out.

    ``known`` entries are in the ledger already, ``refused`` have an id that it knows with another entry, or are in the importer's own name;
    ``skipped`` lines could not be read, or hold contents that are not what their id says.
    """

    entries: tuple[Entry, ...]
    contents: Mapping[str, bytes]
    known: int
    refused: tuple[Entry, ...]
    skipped: int


def exported(entries: Iterable[Entry], contents: Mapping[str, Sequence[tuple[str, bytes]]]) -> Iterator[bytes]:
    """Write a file. ``contents`` are by content id: paths inside it (one empty path for a single file) and bytes."""
    yield b'{"schema": "%s"}\n' % FORM.encode()
    for content, files in contents.items():
        encoded = {path: base64.b64encode(data).decode() for path, data in files}
        yield _Content(content=content, files=encoded).model_dump_json().encode() + b"\n"
    for entry in entries:
        yield line(entry) + b"\n"


def brought(data: bytes, ledger: Notes, importer: Reviewer | None) -> Brought:
    """Read a file against what the ledger holds.

    Raises:
        UsageError: it is no file of this form.

    """
    first, _, rest = data.partition(b"\n")
    if f'"{FORM}"'.encode() not in first[:200]:
        raise UsageError("this is no file that cassette-review reviews export wrote")
    contents: dict[str, bytes] = {}
    entries: dict[str, Entry] = {}
    refused: list[Entry] = []
    known = skipped = 0
    there = {entry.id: entry for entry in ledger.entries}
    for each in rest.split(b"\n"):
        if each.lstrip().startswith(b'{"content"'):
            pins = _pins(each)
            skipped += not pins
            contents.update(pins)
            continue
        read = parse(each)
        skipped += read.skipped + read.newer
        for entry in read.entries:
            before = there.get(entry.id) or entries.get(entry.id)
            if before == entry:
                known += 1
            elif before is not None or not _is_acceptable(entry, importer):
                refused.append(entry)
            else:
                entries[entry.id] = entry
    judged = {content for entry in entries.values() for content in (entry.pair.baseline, entry.pair.head)}
    wanted = {name: data for name, data in contents.items() if name.partition("/")[0] in judged}
    return Brought(tuple(entries.values()), wanted, known, tuple(refused), skipped)


def _is_acceptable(entry: Entry, importer: Reviewer | None) -> bool:
    """Refuse what claims to be the importer's own, and what is about no object."""
    if importer is not None and entry.reviewer.key == importer.key:
        return False
    sides = [content for content in (entry.pair.baseline, entry.pair.head) if content is not None]
    return bool(sides) and all(is_object_id(content) for content in sides)


def _pins(each: bytes) -> dict[str, bytes]:
    """Read a content; empty where it is not what its id says."""
    try:
        read = _Content.model_validate_json(each)
        files = {path: base64.b64decode(data, validate=True) for path, data in read.files.items()}
        names = {path: f"{read.content}/{path}" if path else read.content for path in files}
        for name in names.values():
            pin_names(name)
    except (ValidationError, binascii.Error, ValueError):
        return {}
    blobs = {path: blob_id(data, len(read.content)) for path, data in files.items()}
    whole = blobs[""] if set(blobs) == {""} else tree_id(blobs.items()) if blobs and "" not in blobs else ""
    return {names[path]: data for path, data in files.items()} if whole == read.content else {}
