"""Export and import: a file from a stranger adds what it may, and nothing else."""

import base64
import hashlib
import json

import pytest

from reviewlib.errors import UsageError
from reviewlib.formats.content import tree_id
from reviewlib.ledger import Ledger, Notes, transfer
from reviewlib.verdicts import Entry, Reviewer
from tests.repositories import CASSETTE, Built, build, repo
from tests.test_ledger import entry

__all__ = ["repo"]

MAINTAINER = Reviewer(name="Max", email="max@example.org")


def blob(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


JUDGED = blob(b"judged")
FOLDER = tree_id([("a.json", blob(b"a")), ("deep/b.json", blob(b"b"))])


def packed(*entries: Entry, **contents: object) -> bytes:
    return b"".join(transfer.exported(entries, contents))


def content_line(content: str, files: dict[str, bytes]) -> bytes:
    encoded = {path: base64.b64encode(data).decode() for path, data in files.items()}
    return json.dumps({"content": content, "files": encoded}, separators=(",", ":")).encode() + b"\n"


def one(number: int = 1, subject: str = JUDGED, **more: object) -> Entry:
    return entry(number, subject).model_copy(update=more)


def test_what_was_exported_comes_in_with_its_contents():
    data = packed(
        one(1), one(2, FOLDER), **{JUDGED: [("", b"judged")], FOLDER: [("a.json", b"a"), ("deep/b.json", b"b")]}
    )
    found = transfer.brought(data, Notes(), MAINTAINER)
    assert found.entries == (one(1), one(2, FOLDER))
    assert found.contents == {JUDGED: b"judged", f"{FOLDER}/a.json": b"a", f"{FOLDER}/deep/b.json": b"b"}
    assert (found.known, found.refused, found.skipped) == (0, (), 0)


def test_what_is_there_already_is_counted():
    found = transfer.brought(packed(one(1), one(2)), Notes(entries=(one(1),)), MAINTAINER)
    assert (found.entries, found.known) == ((one(2),), 1)


@pytest.mark.parametrize(
    "forged",
    [
        one(1, verdict="flag"),
        one(1, comment="changed"),
        one(2, reviewer=MAINTAINER),
        one(2, reviewer=Reviewer(name="Somebody", email="MAX@example.org")),
        one(2, pair=one().pair.model_copy(update={"head": None})),
        one(2, pair=one().pair.model_copy(update={"head": "../../x"})),
        one(2, pair=one().pair.model_copy(update={"baseline": "-rf"})),
    ],
    ids=[
        "a verdict turned",
        "a comment changed",
        "in my name",
        "in my address",
        "about nothing",
        "a path",
        "an option",
    ],
)
def test_an_entry_that_it_may_not_add_is_refused(forged: Entry):
    found = transfer.brought(packed(forged), Notes(entries=(one(1),)), MAINTAINER)
    assert (found.entries, found.refused) == ((), (forged,))


def test_an_id_that_the_file_has_twice_is_taken_once():
    found = transfer.brought(packed(one(1), one(1, comment="other"), one(1)), Notes(), MAINTAINER)
    assert (found.entries, found.known, len(found.refused)) == ((one(1),), 1, 1)


@pytest.mark.parametrize(
    "lie",
    [
        content_line(JUDGED, {"": b"something else"}),
        content_line(FOLDER, {"a.json": b"a"}),
        content_line(FOLDER, {"a.json": b"a", "deep/b.json": b"c"}),
        content_line(JUDGED, {"../x": b"judged"}),
        content_line(JUDGED, {"": b"judged", "x": b"y"}),
        content_line(JUDGED, {}),
        content_line("../../x", {"": b"judged"}),
        content_line(JUDGED, {"a/" * 5000 + "b": b"judged"}),
        b'{"content":"%s","files":{"":"no base64 !"}}\n' % JUDGED.encode(),
        b'{"content":"%s","files":{"":7}}\n' % JUDGED.encode(),
        b'{"content":\n',
        b"garbage\n",
        b"[" * 100_000 + b"\n",
        json.dumps(json.loads(one(3).model_dump_json()) | {"v": 9}).encode() + b"\n",
    ],
)
def test_a_line_that_lies_or_cannot_be_read_is_counted(lie: bytes):
    found = transfer.brought(packed(one(1)) + lie, Notes(), MAINTAINER)
    assert (found.entries, found.contents, found.skipped) == ((one(1),), {}, 1)


def test_contents_that_no_entry_is_about_are_left_out():
    data = packed(one(1), **{blob(b"a"): [("", b"a")], JUDGED: [("", b"judged")]})
    assert transfer.brought(data, Notes(), MAINTAINER).contents == {JUDGED: b"judged"}


@pytest.mark.parametrize(
    "data", [b"", b"{}\n", b"not at all", b'{"schema": "cassette-review/diff/1"}\n', b"\xff" * 100]
)
def test_another_file_is_refused(data: bytes):
    with pytest.raises(UsageError, match="no file that cassette-review reviews export wrote"):
        transfer.brought(data, Notes(), MAINTAINER)


def test_what_the_ledger_does_not_pin_is_not_exported_though_the_repository_has_it(repo: Built):
    """A cassette that holds a secret is judged, and never pinned."""
    repo.commit({CASSETTE: "base", "secret.json": "hush"})
    kept, hushed = blob(b"base"), blob(b"hush")
    ledger = Ledger(repo.open())
    ledger.append([entry(1, kept), entry(2, hushed)], {kept: b"base"})
    assert list(ledger.judged(ledger.entries())) == [kept]
    data = b"".join(transfer.exported(ledger.entries(), ledger.judged(ledger.entries())))
    assert base64.b64encode(b"hush") not in data


def test_from_one_ledger_to_another(repo: Built, tmp_path):
    """A reviewer without the right to push exports; whoever imports has the entries, and what they were about."""
    repo.commit({CASSETTE: "base"})
    other = build(tmp_path / "other")
    subject = blob(b"base")
    source, target = Ledger(repo.open()), Ledger(other.open())
    source.append([entry(1, subject), entry(2, subject)], {subject: b"base"})
    data = b"".join(transfer.exported(source.outgoing(), source.judged(source.outgoing())))
    for expected in (2, 0):
        found = transfer.brought(data, target.read(), MAINTAINER)
        assert len(found.entries) == expected
        target.adopt(found.entries, found.contents, MAINTAINER)
    assert target.entries() == source.entries()
    assert target.pinned(subject, CASSETTE)[0].data == b"base"
    assert (
        other.git("log", "-1", "--format=%an %s", "refs/notes/cassette-review")
        == "Max cassette-review: import 2 entries"
    )
