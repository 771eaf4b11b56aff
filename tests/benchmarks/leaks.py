"""How long looking for secrets takes, by itself and as a share of a review.

``uv run python -m tests.benchmarks.leaks`` writes the figures into docs/benchmarks.md.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median

from reviewlib import pipeline
from reviewlib.leaks.guard import guard, shelves
from reviewlib.leaks.scanner import scan
from reviewlib.model.cassette import File
from reviewlib.model.review import Side
from reviewlib.model.trajectory import Recording
from reviewlib.policy import DEFAULT_POLICY
from reviewlib.providers import forget
from reviewlib.sources import Snapshot
from tests.benchmarks.reading import files
from tests.benchmarks.written import write

ROUNDS = 5
AT = datetime(2026, 11, 30, tzinfo=UTC)


def guarding(found: list[File]) -> tuple[float, int, int]:
    """Seconds that all recordings of these files take, their bytes, and how many hold a secret."""
    read, held = pipeline.read(found), shelves(found)
    tuple(scan("the rules are compiled before the clock starts"))
    guarded: list[object] = []

    def work() -> None:
        guarded[:] = [guard(item, held.get(item.cassette.path, ())) for item in read if isinstance(item, Recording)]

    spent = seconds(work)
    return spent, sum(len(file.data) for file in found), sum(bool(getattr(item, "leaks", ())) for item in guarded)


def reviewing(found: list[File]) -> float:
    """Seconds that a review takes in which every one of these files is new, secrets included."""
    everything = Snapshot(baseline=Side(label="a"), head=Side(label="b"), baseline_files=(), head_files=tuple(found))

    def work() -> None:
        forget()
        pipeline.review(everything, DEFAULT_POLICY, AT)

    return seconds(work)


def seconds(work: Callable[[], None]) -> float:
    """The median of the processor times of some rounds."""
    spent = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return median(spent)


def table() -> str:
    """Measure, and write the figures as Markdown."""
    found = files()
    guarded, size, holding = guarding(found)
    whole = reviewing(found)
    return (
        f"{len(found):,} files, {size / 1e6:.1f} MB; medians of {ROUNDS} rounds. {holding} of the cassettes holds a secret.\n\n"
        "| work | processor time |\n|---|---|\n"
        f"| look for secrets in every cassette, and mask them | {guarded:.2f} s ({size / guarded / 1e6:.0f} MB/s) |\n"
        f"| a review in which every cassette is new, with that | {whole:.2f} s |\n"
        f"| share | {guarded / whole:.0%} |\n"
    )


if __name__ == "__main__":
    print(figures := table())
    write("leaks", figures)
