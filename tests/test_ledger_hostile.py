"""A ledger is written by whoever may push: it degrades with a warning, and stays fast."""

import json
import time
from datetime import UTC, datetime, timedelta

import pytest

from reviewlib.ledger import REF, Ledger, Notes
from reviewlib.ledger.notes import LARGEST_LINE, note_names, parse, pin_names
from reviewlib.model.review import Review, Side
from reviewlib.verdicts import Entry, PairContent, Reviewer, Trajectories, TrajectoryDigests, states
from tests.repositories import Built, repo
from tests.test_ledger import BLOB, entry
from tests.test_verdicts import pair

__all__ = ["repo"]


def line(one: Entry, **more: object) -> bytes:
    return json.dumps(json.loads(one.model_dump_json()) | more).encode()


def write(built: Built, notes: dict[str, bytes]) -> None:
    """Write notes as anybody can, without the ledger."""
    stream = [f"commit {REF}\ncommitter x <x> 1 +0000\ndata 0\n".encode()]
    for name, data in notes.items():
        stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(data), data))
    built.git("fast-import", "--quiet", "--force", stdin=b"".join(stream))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", (0, 0, 0)),
        (b"\n\n  \n", (0, 0, 0)),
        (b"not json", (0, 1, 0)),
        (b"[]\n{}\nnull\n1", (0, 4, 0)),
        (b"\x00\xff\xfe", (0, 1, 0)),
        (b"[" * 100_000, (0, 1, 0)),
        (line(entry(1))[:-1], (0, 1, 0)),
        (line(entry(1)), (1, 0, 0)),
        (line(entry(1), mood="sunny"), (1, 0, 0)),
        (line(entry(1), v=2), (0, 0, 1)),
        (line(entry(1), v=99, kind="seance", reviewer=7), (0, 0, 1)),
        (b'{"v": 2}', (0, 0, 1)),
        (b'not json "v": 2', (0, 1, 0)),
        (line(entry(1), v=0), (0, 1, 0)),
        (line(entry(1), v="2"), (0, 1, 0)),
        (line(entry(1), kind="seance"), (0, 1, 0)),
        (line(entry(1), verdict="maybe"), (0, 1, 0)),
        (line(entry(1), at="yesterday"), (0, 1, 0)),
        (line(entry(1), at="2026-05-04T12:00:00"), (0, 1, 0)),
        (line(entry(1), comment="x" * LARGEST_LINE), (0, 1, 0)),
        (line(entry(1), comment="\ud800"), (0, 1, 0)),
        (line(entry(1), pair=None), (0, 1, 0)),
        (line(entry(1)).replace(b"\n", b"") + b"\r\n" + line(entry(2)), (2, 0, 0)),
    ],
)
def test_a_line_is_an_entry_or_is_counted(text, expected):
    read = parse(text)
    assert (len(read.entries), read.skipped, read.newer) == expected


def test_a_note_that_cannot_be_loaded_is_counted():
    assert parse(None) == Notes(skipped=1)


@pytest.mark.parametrize("subject", ["", "x", "../../etc", "-rf", "a" * 39, "A" * 40, "a" * 41, f"{'a' * 40}\n"])
def test_a_note_is_only_ever_on_an_object(subject):
    with pytest.raises(ValueError, match="no object id"):
        note_names(subject)
    with pytest.raises(ValueError, match="no object id"):
        pin_names(f"{subject}/x.json")


@pytest.mark.parametrize(
    "path", ["", "../x", "a/../b", "/x", "a//b", ".git/config", "a/.GIT/x", "a\0b", "a/" * 70 + "b"]
)
def test_a_pinned_file_has_a_plain_path(path):
    with pytest.raises(ValueError, match="is no path"):
        pin_names(f"{BLOB}/{path}")


def test_an_entry_cannot_shadow_another_by_its_id(repo: Built):
    """Whoever may push may write any name, but not make a flag disappear by an entry of the same id."""
    flag = entry(1).model_copy(update={"verdict": "flag"})
    forged = entry(1, who="mallory").model_copy(update={"id": flag.id})
    write(repo, {f"{BLOB[:2]}/{BLOB[2:]}": line(flag) + b"\n" + line(forged), "00" * 20: line(forged)})
    read = Ledger(repo.open()).read()
    assert {(one.reviewer.name, one.verdict) for one in read.entries} == {("Ada", "flag"), ("Mallory", "approve")}
    assert read.clashing == 1
    assert any("id that another entry has" in warning for warning in read.warnings)


def test_extreme_times_are_ordered_like_any_other(repo: Built):
    times = (
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "2026-01-01T00:00:00Z",
        "0001-01-01T00:00:00-23:59",
    )
    write(repo, {BLOB: b"\n".join(line(entry(number), at=at) for number, at in enumerate(times))})
    read = Ledger(repo.open()).entries()
    assert [one.id for one in read] == ["ada-0000", "ada-0003", "ada-0002", "ada-0001"]


def test_names_and_paths_are_text_whatever_they_hold(repo: Built):
    forged = line(entry(1), reviewer={"name": "x\x1b[2J\n> <y@z>", "email": "a>\nb"})
    write(repo, {BLOB: forged})
    book = Ledger(repo.open())
    (one,) = book.entries()
    book.append([one.model_copy(update={"id": "again"})], {})
    assert len(book.entries()) == 2
    assert "error" not in repo.git("fsck", "--strict", "--no-dangling")


def test_other_files_in_the_notes_tree_are_let_be(repo: Built):
    write(
        repo,
        {
            "README": b"hello",
            "zz/odd": b"x",
            f"content-{BLOB}": b"pinned as in the first version",
            BLOB: line(entry(1)),
        },
    )
    book = Ledger(repo.open())
    book.append([entry(2)], {BLOB: b"pinned as in the first version"})
    assert [one.id for one in book.entries()] == ["ada-0001", "ada-0002"]
    names = repo.git("ls-tree", "-r", "--name-only", REF).split()
    assert set(names) == {"README", "zz/odd", f"content-{BLOB}", BLOB}, (
        "a pin under its first name is not written again"
    )


@pytest.fixture(scope="module")
def crowd() -> dict[str, bytes]:
    """100,000 entries on 5,000 contents, with some garbage among them."""
    digests = TrajectoryDigests(behaviour="b" * 64, request="c" * 64)
    notes: dict[str, bytes] = {}
    for number in range(5_000):
        subject = f"{number:040x}"
        one = Entry(
            id="0" * 32,
            kind="verdict",
            verdict="approve",
            pair=PairContent(baseline="1" * 40, head=subject, path=f"tests/cassettes/test_{number}/test_flow.yaml"),
            trajectory=Trajectories(baseline=digests, head=digests),
            normaliser=1,
            reviewer=Reviewer(name="Ada Lovelace", email="ada@example.org"),
            at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number),
        )
        text = one.model_dump_json(exclude_defaults=True).encode()
        lines = [text.replace(b"0" * 32, f"{number * 20 + copy:032x}".encode(), 1) for copy in range(20)]
        notes[f"{subject[:2]}/{subject[2:]}"] = b"\n".join([*lines, b"garbage"])
    return notes


def test_a_hundred_thousand_entries_are_read_in_six_seconds_and_two_when_known(repo: Built, crowd: dict[str, bytes]):
    write(repo, crowd)
    book = Ledger(repo.open())
    start = time.monotonic()
    read = book.read()
    cold = time.monotonic() - start
    assert (len(read.entries), read.skipped) == (100_000, 5_000)
    start = time.monotonic()
    assert book.read() is read
    unchanged = time.monotonic() - start

    start = time.monotonic()
    book.append([entry(1)], {BLOB: b"judged"})
    written = time.monotonic() - start
    start = time.monotonic()
    assert len(book.entries()) == 100_001
    warm = time.monotonic() - start

    pairs = tuple(pair(path=f"tests/cassettes/test_{number}/test_flow.yaml") for number in range(500))
    review = Review(baseline=Side(label="b"), head=Side(label="h"), pairs=pairs, groups=())
    start = time.monotonic()
    assert len(states(book.entries(), review)) == 500
    joined = time.monotonic() - start
    told = f"{cold=:.2f} {unchanged=:.3f} {warm=:.2f} {written=:.2f} {joined=:.2f}"
    print(told)
    assert cold < 6, told
    assert max(unchanged, warm, written, joined) < 2, told
