import json
import multiprocessing
import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reviewlib.errors import LedgerError
from reviewlib.ledger import REF, Ledger, Notes, writing
from reviewlib.sources.command import Git
from reviewlib.sources.git import Repository
from reviewlib.verdicts import Entry, PairContent, Reviewer, Trajectories, TrajectoryDigests
from tests.repositories import CASSETTE, Built, clone, repo

__all__ = ["repo"]

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
BLOB = "1f" * 20
UNKNOWN = TrajectoryDigests()


def entry(number: int, subject: str = BLOB, comment: str = "", who: str = "ada") -> Entry:
    return Entry(
        id=f"{who}-{number:04}",
        kind="verdict",
        verdict="approve",
        pair=PairContent(baseline=None, head=subject, path=CASSETTE),
        trajectory=Trajectories(baseline=UNKNOWN, head=UNKNOWN),
        normaliser=1,
        reviewer=Reviewer(name=who.title(), email=f"{who}@example.org"),
        at=NOON + timedelta(seconds=number),
        comment=comment,
    )


def ledger(built: Built) -> Ledger:
    return Ledger(built.open())


@pytest.fixture
def noted(repo: Built) -> Built:
    repo.commit({CASSETTE: "base"})
    return repo


def test_a_repository_without_notes_has_an_empty_ledger(noted: Built):
    assert (ledger(noted).head(), ledger(noted).read()) == (None, Notes())
    ledger(noted).append((), {"x": b"nothing to say about it"})
    assert ledger(noted).head() is None


def test_entries_come_back_as_they_were_by_time(noted: Built):
    written = [entry(2, comment='line\nbreak, U+2028 \u2028, "quotes", <script>, ünï'), entry(1), entry(3, "ab" * 20)]
    for one in written:
        ledger(noted).append([one], {})
    assert ledger(noted).entries() == tuple(sorted(written, key=lambda one: one.at))


def test_several_entries_are_one_step(noted: Built):
    ledger(noted).append([entry(number, f"{number:040x}") for number in range(5)], {})
    assert noted.git("rev-list", "--count", REF) == "1"
    assert len(ledger(noted).entries()) == 5


def test_head_moves_with_every_entry(noted: Built):
    seen = set()
    for number in range(3):
        ledger(noted).append([entry(number)], {})
        seen.add(ledger(noted).head())
    assert len(seen) == 3


def test_what_was_written_is_known_as_if_it_had_been_read(noted: Built):
    written = ledger(noted)
    for number, subject in enumerate((BLOB, "ab" * 20, BLOB, "cd" * 20)):  # the third lengthens a note that is there
        written.append([entry(number, subject)], {subject: b"judged"})
        assert written.read() == ledger(noted).read()


def test_what_is_new_is_not_read_back(noted: Built, monkeypatch: pytest.MonkeyPatch):
    written = ledger(noted)
    written.append([entry(1)], {})
    asked: list[str] = []
    attempt = Git.attempt
    monkeypatch.setattr(
        Git, "attempt", lambda self, *words, **more: asked.append(words[0]) or attempt(self, *words, **more)
    )
    written.append([entry(2, "ab" * 20)], {})
    assert asked == ["rev-parse", "ls-tree", "fast-import"]
    assert len(written.read(written.head()).entries) == 2
    assert asked[3:] == ["rev-parse"]


def test_what_another_wrote_in_between_is_read(noted: Built):
    written = ledger(noted)
    written.append([entry(1)], {})
    ledger(noted).append([entry(2, "ab" * 20)], {})
    written.append([entry(3, "cd" * 20)], {})
    assert [one.id for one in written.entries()] == ["ada-0001", "ada-0002", "ada-0003"]


def test_an_unborn_repository_takes_verdicts(repo: Built):
    ledger(repo).append([entry(1)], {})
    assert ledger(repo).entries() == (entry(1),)


def test_git_itself_reads_the_notes(noted: Built):
    blob = noted.git("rev-parse", f"HEAD:{CASSETTE}")
    ledger(noted).append([entry(1, blob), entry(2, blob)], {blob: b"base"})
    assert noted.git("notes", f"--ref={REF}", "list").split()[1::2] == [blob]
    shown = noted.git("notes", f"--ref={REF}", "show", blob).splitlines()
    assert [json.loads(line)["id"] for line in shown if line] == ["ada-0001", "ada-0002"]


@pytest.mark.parametrize("fanned", ["ab/" + "cd" * 19, "abcd" * 10, "ab/cd/" + "ef" * 18])
def test_a_note_is_found_and_extended_wherever_git_put_it(noted: Built, fanned):
    subject = fanned.replace("/", "")
    note = noted.git("hash-object", "-w", "--stdin", stdin=entry(1, subject).model_dump_json().encode())
    noted.git("read-tree", "--empty", GIT_INDEX_FILE="notes-index")
    noted.git("update-index", "--add", "--cacheinfo", f"100644,{note},{fanned}", GIT_INDEX_FILE="notes-index")
    commit = noted.git("commit-tree", noted.git("write-tree", GIT_INDEX_FILE="notes-index"), "-m", "notes")
    noted.git("update-ref", REF, commit)
    ledger(noted).append([entry(2, subject)], {})
    assert [one.id for one in ledger(noted).entries()] == ["ada-0001", "ada-0002"]
    assert noted.git("ls-tree", "-r", "--name-only", REF) == fanned


def test_git_notes_append_and_ours_take_turns(noted: Built):
    blob = noted.git("rev-parse", f"HEAD:{CASSETTE}")
    ledger(noted).append([entry(1, blob)], {blob: b"base"})
    noted.git("notes", f"--ref={REF}", "append", "-m", entry(2, blob).model_dump_json(), blob)
    ledger(noted).append([entry(3, blob)], {})
    assert [one.id for one in ledger(noted).entries()] == ["ada-0001", "ada-0002", "ada-0003"]
    assert f"content-{blob[:2]}/content-{blob}" in noted.git("ls-tree", "-r", "--name-only", REF)


def test_lines_that_are_no_entries_are_counted_and_kept(noted: Built):
    blob = noted.git("rev-parse", f"HEAD:{CASSETTE}")
    naive = json.loads(entry(1).model_dump_json()) | {"at": "2026-05-04T12:00:00"}
    rubbish = ["not json", "{}", json.dumps(naive), "\x00\xff", "[" * 5000]
    noted.git("notes", f"--ref={REF}", "add", "-F", "-", blob, stdin="\n".join(rubbish).encode())
    ledger(noted).append([entry(1, blob)], {})
    assert (ledger(noted).entries(), ledger(noted).read().skipped) == ((entry(1, blob),), 5)
    assert "not json" in noted.git("notes", f"--ref={REF}", "show", blob)


def test_the_normaliser_is_written_down_whatever_it_is(noted: Built):
    ledger(noted).append([entry(1)], {})
    assert json.loads(noted.git("show", f"{REF}:{BLOB[:2]}/{BLOB[2:]}"))["normaliser"] == 1


def test_fields_of_a_later_version_are_passed_over_and_stay(noted: Built):
    blob = noted.git("rev-parse", f"HEAD:{CASSETTE}")
    later = json.loads(entry(1, blob).model_dump_json()) | {"mood": "sunny"}
    noted.git("notes", f"--ref={REF}", "add", "-m", json.dumps(later), blob)
    ledger(noted).append([entry(2, blob)], {})
    assert ledger(noted).entries() == (entry(1, blob), entry(2, blob))
    assert "sunny" in noted.git("notes", f"--ref={REF}", "show", blob)


def test_contents_are_pinned_once_and_survive_their_branch(noted: Built):
    noted.write({CASSETTE: "only in the working tree"})
    file = noted.open().file(CASSETTE)[0]
    ledger(noted).append([entry(1, file.blob)], {file.blob: file.data})
    ledger(noted).append([entry(2, file.blob)], {file.blob: file.data})
    noted.git("reflog", "expire", "--expire=now", "--all")
    noted.git("gc", "--quiet", "--prune=now")
    assert noted.git("cat-file", "blob", file.blob) == "only in the working tree"
    assert noted.git("ls-tree", "-r", "--name-only", REF).count(f"content-{file.blob}") == 1


def test_nothing_but_the_notes_moves(noted: Built):
    noted.write({CASSETTE: "changed", "untracked": "x"})
    before = noted.git("status", "--porcelain"), noted.git("for-each-ref", "refs/heads"), noted.git("stash", "list")
    index = (noted.root / ".git" / "index").read_bytes()
    ledger(noted).append([entry(1)], {BLOB: b"x"})
    assert (
        noted.git("status", "--porcelain"),
        noted.git("for-each-ref", "refs/heads"),
        noted.git("stash", "list"),
    ) == before
    assert (noted.root / ".git" / "index").read_bytes() == index


def test_the_commit_of_a_note_names_the_reviewer_and_needs_no_identity_of_git(noted: Built):
    noted.git("config", "--unset", "user.name")
    noted.git("config", "--unset", "user.email")
    ledger(noted).append([entry(1, who="grace")], {})
    assert (
        noted.git("log", "-1", "--format=%an <%ae> %s", REF)
        == f"Grace <grace@example.org> cassette-review: approve {CASSETTE}"
    )


@pytest.mark.parametrize("option", [(), ("--bare",)])
def test_a_clone_or_a_bare_repository_takes_verdicts_too(noted: Built, tmp_path: Path, option):
    copy = clone(noted, tmp_path / "copy", *option)
    ledger(copy).append([entry(1)], {})
    assert ledger(copy).entries() == (entry(1),)


def test_two_clones_merge_without_a_conflict(noted: Built, tmp_path: Path):
    ledger(noted).append([entry(1)], {BLOB: b"one"})
    copy = clone(noted, tmp_path / "copy")
    copy.git("fetch", "--quiet", "origin", f"{REF}:{REF}")
    ledger(noted).append([entry(2), entry(4, "ab" * 20)], {"ab" * 20: b"two"})
    ledger(copy).append([entry(3, who="grace"), entry(5, "cd" * 20, who="grace")], {"cd" * 20: b"three"})
    copy.git("fetch", "--quiet", "origin", f"{REF}:refs/notes/theirs")
    copy.git(
        "-c", "notes.mergeStrategy=cat_sort_uniq", "notes", f"--ref={REF}", "merge", "--quiet", "refs/notes/theirs"
    )
    expected = ("ada-0001", "ada-0002", "grace-0003", "ada-0004", "grace-0005")
    assert tuple(one.id for one in ledger(copy).entries()) == expected
    ledger(copy).append([entry(6)], {})
    assert len(ledger(copy).entries()) == 6
    copy.git("fsck", "--strict")


def approve_many(root: str, who: str, count: int, path: str) -> None:
    os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
    for number in range(count):
        Ledger(Repository.open(Path(root))).append([entry(number, who=who)], {path: b"shared"})


def test_four_processes_at_once_lose_nothing(noted: Built):
    context = multiprocessing.get_context("spawn")
    who = ("ada", "grace", "edsger", "barbara")
    writers = [context.Process(target=approve_many, args=(str(noted.root), name, 25, BLOB)) for name in who]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0, 0]
    found = ledger(noted).entries()
    assert {one.id for one in found} == {f"{name}-{number:04}" for name in who for number in range(25)}
    assert len(found) == 100
    assert noted.git("fsck", "--strict", "--no-dangling") == ""
    assert noted.git("notes", f"--ref={REF}", "list").count("\n") == 0
    assert not list((noted.root / ".git").rglob("*.lock"))


def test_a_left_over_lock_is_named_at_once_with_its_age_and_stays(noted: Built):
    lock = noted.root / ".git" / f"{REF}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    start = time.time()
    os.utime(lock, (start - 3600, start - 3600))
    with pytest.raises(LedgerError, match=r"cassette-review\.lock has been there for 360\d seconds; if no git process"):
        ledger(noted).append([entry(1)], {})
    assert time.time() - start < 5
    assert lock.exists()
    lock.unlink()
    ledger(noted).append([entry(1)], {})
    assert ledger(noted).entries() == (entry(1),)


def test_a_writer_waits_for_a_fresh_lock_and_then_gives_up(noted: Built, monkeypatch):
    lock = noted.root / ".git" / f"{REF}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    threading.Timer(0.5, lock.unlink).start()
    ledger(noted).append([entry(1)], {})
    assert ledger(noted).entries() == (entry(1),)
    lock.touch()
    monkeypatch.setattr("reviewlib.ledger.writing.PATIENCE", 0.3)
    with pytest.raises(LedgerError, match="has been there for"):
        ledger(noted).append([entry(2)], {})


def test_a_lost_race_starts_again_from_what_the_winner_wrote(noted: Built, monkeypatch):
    attempts = []

    def beaten_once(*arguments):
        attempts.append(arguments)
        if len(attempts) == 1:
            ledger(noted).append([entry(7, who="grace")], {})
        return writing.commit(*arguments)

    monkeypatch.setattr("reviewlib.ledger.commit", beaten_once)
    ledger(noted).append([entry(1)], {})
    assert {one.id for one in ledger(noted).entries()} == {"grace-0007", "ada-0001"}
    assert len(attempts) == 3


def test_a_repository_that_cannot_be_written_reads_and_refuses_with_one_sentence(noted: Built):
    (noted.root / ".git" / "refs" / "notes").write_text("a file where a folder should be")
    assert ledger(noted).entries() == ()
    start = time.monotonic()
    with pytest.raises(LedgerError, match="the verdict was not recorded") as caught:
        ledger(noted).append([entry(1)], {BLOB: b"x"})
    assert time.monotonic() - start < 5
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_repository_refuses_with_one_sentence(noted: Built):
    folders = [noted.root / ".git", *(path for path in (noted.root / ".git").rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        with pytest.raises(LedgerError, match="cannot be written"):
            ledger(noted).append([entry(1)], {BLOB: b"x"})
    finally:
        for folder in folders:
            folder.chmod(0o755)


def test_reading_again_parses_only_what_is_new(noted: Built, monkeypatch):
    book = ledger(noted)
    book.append([entry(number, f"{number:040x}") for number in range(20)], {})
    book.read()
    ledger(noted).append([entry(99, "ab" * 20)], {})
    asked: list[int] = []
    read_blobs = Git.blobs

    def counted(self, oids, largest):
        wanted = list(oids)
        asked.append(len(wanted))
        return read_blobs(self, wanted, largest)

    monkeypatch.setattr(Git, "blobs", counted)
    assert len(book.read().entries) == 21
    assert book.read() is book.read()
    assert asked == [1]
