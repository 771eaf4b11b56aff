"""Push and fetch: two clones and a bare remote always end up with the union."""

import random
import re
import threading
from pathlib import Path

import pytest

from reviewlib.errors import LedgerError
from reviewlib.ledger import REF, Ledger, sharing
from reviewlib.ledger.notes import NOTE
from tests.repositories import CASSETTE, Built, build, clone, repo
from tests.test_ledger import BLOB, entry

__all__ = ["repo"]


class Team:
    """Two clones of a bare remote."""

    def __init__(self, first: Built, folder: Path, *options: str) -> None:
        self.remote = clone(first, folder / "remote", "--bare", *options)
        self.ada = clone(self.remote, folder / "ada")
        self.grace = clone(self.remote, folder / "grace")

    def book(self, built: Built) -> Ledger:
        return Ledger(built.open())


@pytest.fixture
def team(repo: Built, tmp_path: Path) -> Team:
    repo.commit({CASSETTE: "base"})
    return Team(repo, tmp_path)


def ids(built: Built) -> list[str]:
    return [one.id for one in Ledger(built.open()).entries()]


def test_what_one_pushes_the_other_fetches(team: Team):
    team.book(team.ada).append([entry(1), entry(2, "ab" * 20)], {BLOB: b"x", "ab" * 20: b"y"})
    assert team.book(team.ada).push()[2:] == (0, 2)
    assert team.book(team.grace).fetch()[2:] == (2, 0)
    assert ids(team.grace) == ids(team.remote) == ["ada-0001", "ada-0002"]
    assert team.ada.git("rev-parse", REF) == team.grace.git("rev-parse", REF), "nothing to unite, nothing to commit"
    assert team.book(team.ada).push()[2:] == (0, 0)


def test_two_that_reviewed_apart_end_up_with_the_union(team: Team):
    team.book(team.ada).append([entry(1), entry(3, "ab" * 20)], {BLOB: b"ada", "ab" * 20: b"pin of ada"})
    team.book(team.grace).append(
        [entry(2, who="grace"), entry(4, "cd" * 20, who="grace")], {"cd" * 20: b"pin of grace"}
    )
    assert team.book(team.ada).push()[2:] == (0, 2)
    assert team.book(team.grace).push()[2:] == (2, 2)
    assert team.book(team.ada).push()[2:] == (2, 0)
    expected = ["ada-0001", "grace-0002", "ada-0003", "grace-0004"]
    assert ids(team.ada) == ids(team.grace) == ids(team.remote) == expected
    names = team.remote.git("ls-tree", "-r", "--name-only", REF)
    assert set(re.findall(r"content-([0-9a-f]{40})", names)) == {BLOB, "ab" * 20, "cd" * 20}
    assert len([name for name in names.split() if NOTE.fullmatch(name.encode())]) == 3
    for built in (team.ada, team.grace, team.remote):
        assert "error" not in built.git("fsck", "--strict", "--no-dangling")


def test_lines_of_one_note_are_there_once(team: Team):
    team.book(team.ada).append([entry(1)], {})
    team.book(team.grace).append([entry(1)], {})
    team.book(team.grace).append([entry(2, who="grace")], {})
    team.book(team.ada).push()
    team.book(team.grace).push()
    assert team.remote.git("show", f"{REF}:{BLOB[:2]}/{BLOB[2:]}").count('"id"') == 2


@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_verdicts_pushes_and_fetches_gives_the_union(team: Team, seed: int):
    chance = random.Random(seed)
    written = set()
    people = {"ada": team.ada, "grace": team.grace}
    for number in range(25):
        who = chance.choice(sorted(people))
        book = team.book(people[who])
        match chance.choice(["say", "say", "push", "fetch"]):
            case "say":
                subject = f"{chance.randrange(4):040x}"
                book.append([entry(number, subject, who=who)], {subject: b"judged"})
                written.add(f"{who}-{number:04}")
            case "push":
                book.push()
            case "fetch":
                book.fetch()
    for built in (team.ada, team.grace, team.ada):
        team.book(built).push()
    assert set(ids(team.ada)) == set(ids(team.grace)) == set(ids(team.remote)) == written
    assert team.book(team.ada).unpushed() == team.book(team.grace).unpushed() == 0


def test_both_pushing_at_once_lose_nothing(team: Team):
    """Each writes and pushes five times while the other does: a lost race is fetched, united and pushed again."""
    failures: list[BaseException] = []

    def work(built: Built, who: str) -> None:
        try:
            for number in range(5):
                team.book(built).append([entry(number, who=who)], {BLOB: who.encode()})
                team.book(built).push()
        except LedgerError as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=each) for each in ((team.ada, "ada"), (team.grace, "grace"))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    assert sorted(ids(team.remote)) == sorted(f"{who}-{number:04}" for who in ("ada", "grace") for number in range(5))


def test_entries_that_are_not_pushed_are_counted(team: Team):
    book = team.book(team.ada)
    assert book.unpushed() == 0
    book.append([entry(1)], {})
    assert book.unpushed() == 1
    book.push()
    book.append([entry(2)], {})
    assert [one.id for one in book.outgoing()] == ["ada-0002"]
    team.book(team.grace).push()
    assert team.book(team.grace).unpushed() == 0


def test_without_a_remote_nothing_waits_to_be_pushed(repo: Built):
    book = Ledger(repo.open())
    book.append([entry(1)], {})
    assert (book.unpushed(), len(book.outgoing())) == (0, 1)
    with pytest.raises(LedgerError, match="no remote to share verdicts with; git remote add origin URL"):
        book.push()


def test_a_remote_is_chosen_by_name_or_is_the_one_where_reviewers_meet(team: Team, tmp_path: Path):
    git = team.ada.open().git
    assert sharing.remote_of(git, None) == "origin"
    team.ada.git("remote", "add", "upstream", str(tmp_path / "remote"))
    assert sharing.remote_of(git, None) == "upstream"
    assert sharing.remote_of(git, "origin") == "origin"
    with pytest.raises(LedgerError, match="no remote 'orign'; there are origin, upstream"):
        sharing.remote_of(git, "orign")


@pytest.mark.parametrize("name", ["a.b", "team/fork", "x..y", "ünï"])
def test_every_remotes_ledger_has_a_ref_of_its_own_that_git_takes(name, repo: Built):
    repo.commit({CASSETTE: "base"})
    repo.git("update-ref", sharing.tracking_ref(name), "HEAD")
    assert sharing.tracking_ref(name).startswith("refs/cassette-review/")


def test_a_refusal_of_the_remote_is_one_sentence_with_what_to_do(team: Team):
    hook = team.remote.root / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'only maintainers push notes' >&2\nexit 1\n")
    hook.chmod(0o755)
    team.book(team.ada).append([entry(1)], {})
    with pytest.raises(LedgerError) as caught:
        team.book(team.ada).push()
    told = str(caught.value)
    assert (
        "the remote 'origin' did not take the verdicts: pre-receive hook declined; only maintainers push notes" in told
    )
    assert "reviews export FILE" in told
    assert "\n" not in told
    assert team.book(team.ada).unpushed() == 1


def test_a_remote_that_does_not_answer_is_one_sentence(team: Team, tmp_path: Path):
    team.ada.git("remote", "set-url", "origin", str(tmp_path / "nowhere"))
    team.book(team.ada).append([entry(1)], {})
    for act in (team.book(team.ada).push, team.book(team.ada).fetch):
        with pytest.raises(LedgerError, match="the verdicts of the remote 'origin' could not be fetched: ") as caught:
            act()
        assert "\n" not in str(caught.value)


def test_a_hook_of_the_clone_does_not_run(team: Team):
    hook = team.ada.root / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch hooked\nexit 1\n")
    hook.chmod(0o755)
    team.book(team.ada).append([entry(1)], {})
    team.book(team.ada).push()
    assert not (team.ada.root / "hooked").exists()
    assert ids(team.remote) == ["ada-0001"]


def test_only_the_ledger_moves_on_either_side(team: Team):
    team.ada.write({CASSETTE: "changed"})
    before = [built.git("for-each-ref", "refs/heads", "refs/tags", "refs/remotes") for built in (team.ada, team.remote)]
    team.book(team.ada).append([entry(1)], {})
    team.book(team.ada).push()
    after = [built.git("for-each-ref", "refs/heads", "refs/tags", "refs/remotes") for built in (team.ada, team.remote)]
    assert after == before
    assert team.remote.git("for-each-ref", "--format=%(refname)", "refs/notes", "refs/cassette-review") == REF
    assert team.ada.git("status", "--porcelain") == f"M {CASSETTE}".rjust(len(CASSETTE) + 3)


def test_a_remote_whose_ledger_was_deleted_gets_it_again(team: Team):
    team.book(team.ada).append([entry(1)], {})
    team.book(team.ada).push()
    team.remote.git("update-ref", "-d", REF)
    assert team.book(team.ada).push()[2:] == (0, 1)
    assert ids(team.remote) == ["ada-0001"]


def test_ledgers_without_a_common_ancestor_are_united_too(team: Team):
    team.book(team.ada).append([entry(1)], {})
    team.book(team.grace).append([entry(2, who="grace")], {})
    team.book(team.ada).push()
    team.book(team.grace).fetch()
    assert ids(team.grace) == ["ada-0001", "grace-0002"]
    assert len(team.grace.git("log", "-1", "--format=%P", REF).split()) == 2


def test_notes_that_git_itself_merged_go_on(team: Team):
    team.book(team.ada).append([entry(1)], {BLOB: b"one"})
    team.book(team.ada).push()
    team.book(team.grace).append([entry(2, who="grace")], {"cd" * 20: b"two"})
    team.grace.git("fetch", "--quiet", "origin", f"{REF}:refs/notes/theirs")
    strategy = ("-c", "notes.mergeStrategy=cat_sort_uniq")
    team.grace.git(*strategy, "notes", f"--ref={REF}", "merge", "--quiet", "refs/notes/theirs")
    team.book(team.grace).append([entry(3, who="grace")], {})
    team.book(team.grace).push()
    assert ids(team.remote) == ["ada-0001", "grace-0002", "grace-0003"]


def test_a_partial_clone_gets_whole_notes(team: Team, tmp_path: Path):
    team.remote.git("config", "uploadpack.allowFilter", "true")
    team.book(team.ada).append([entry(1)], {BLOB: b"judged"})
    team.book(team.ada).push()
    partial = clone(team.remote, tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    assert Ledger(partial.open()).fetch().received == 1
    assert ids(partial) == ["ada-0001"]


def test_a_repository_of_sha256_works_the_same(tmp_path: Path, repo: Built):  # noqa: ARG001 - isolates git
    team = Team(Built(seed_sha256(tmp_path)), tmp_path)
    subject = team.ada.git("rev-parse", f"HEAD:{CASSETTE}")
    assert len(subject) == 64
    for number in range(3):
        team.book(team.ada).append([entry(number, subject)], {subject: b"base"})
    team.book(team.grace).append([entry(9, subject, who="grace")], {})
    team.book(team.ada).push()
    team.book(team.grace).push()
    assert ids(team.remote) == ["ada-0000", "ada-0001", "ada-0002", "grace-0009"]
    assert team.book(team.grace).pinned(subject, CASSETTE)[0].data == b"base"
    assert "error" not in team.grace.git("fsck", "--strict", "--no-dangling")


def seed_sha256(folder: Path) -> Path:
    built = build(folder / "seed", "--object-format=sha256")
    built.commit({CASSETTE: "base"})
    return built.root
