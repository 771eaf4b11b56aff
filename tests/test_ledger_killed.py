"""Writers that are killed at any moment, and started again: nothing that was acknowledged is lost, and nothing is there twice."""

import multiprocessing
import os
import random
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from reviewlib.ledger import REF, Ledger
from reviewlib.sources.git import Repository
from reviewlib.verdicts import Entry, PairContent, Reviewer, Trajectories, TrajectoryDigests
from tests.repositories import Built, repo

__all__ = ["repo"]

WRITERS, EACH = 8, 63
UNKNOWN = TrajectoryDigests()


def entry(who: str, number: int) -> Entry:
    return Entry(
        id=f"{who}-{number:03}",
        kind="verdict",
        verdict="approve",
        pair=PairContent(baseline=None, head=f"{number % 20:040x}", path="a.json"),
        trajectory=Trajectories(baseline=UNKNOWN, head=UNKNOWN),
        normaliser=1,
        reviewer=Reviewer(name=who, email=f"{who}@example.org"),
        at=datetime(2026, 5, 4, tzinfo=UTC) + timedelta(seconds=number),
    )


def write(root: str, who: str, acknowledged: str) -> None:
    """Append what is not acknowledged yet, one entry at a time; each is acknowledged once the ledger has it."""
    os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")
    ledger = Ledger(Repository.open(Path(root)))
    done = set(Path(acknowledged).read_text().split()) if Path(acknowledged).exists() else set()
    with Path(acknowledged).open("a") as log:
        for number in range(EACH):
            if f"{who}-{number:03}" in done:
                continue
            ledger.append([entry(who, number)], {f"{number % 20:040x}": b"judged"})
            log.write(f"{who}-{number:03}\n")
            log.flush()


def test_five_hundred_entries_of_eight_writers_that_are_killed_at_random(repo: Built, tmp_path: Path):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.test_ledger_killed"])
    chance = random.Random(5)
    logs = {f"w{number}": tmp_path / f"w{number}" for number in range(WRITERS)}

    def started(who: str) -> multiprocessing.process.BaseProcess:
        process = context.Process(target=write, args=(str(repo.root), who, str(logs[who])))
        process.start()
        return process

    running = {who: started(who) for who in logs}
    kills, deadline = 0, time.monotonic() + 90
    while running and time.monotonic() < deadline:
        time.sleep(chance.uniform(0.02, 0.4))
        for who, process in list(running.items()):
            if process.exitcode == 0:
                del running[who]
        alive = sorted(running)
        if alive and kills < 40:
            victim = chance.choice(alive)
            running[victim].kill()
            running[victim].join()
            kills += 1
            running[victim] = started(victim)
        for who, process in list(running.items()):
            assert process.exitcode in {None, 0}, f"{who} failed by itself"
    assert not running, "writers are not done"
    assert kills >= 10

    time.sleep(0.5)  # git processes of a killed writer end by themselves
    acknowledged = [line for log in logs.values() for line in log.read_text().split()]
    assert len(set(acknowledged)) == WRITERS * EACH == 504
    notes = Ledger(repo.open()).read()
    assert sorted(one.id for one in notes.entries) == sorted(set(acknowledged))
    assert notes.warnings == ()
    lines = [
        repo.git("show", f"{REF}:{name}")
        for name in repo.git("ls-tree", "-r", "--name-only", REF).split()
        if "content" not in name
    ]
    assert sum(text.count('"id"') for text in lines) == 504, "no line is there twice"
    assert "error" not in repo.git("fsck", "--strict", "--no-dangling")
    assert not list((repo.root / ".git").rglob("*.lock"))
