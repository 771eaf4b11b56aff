"""How long reading takes, as a multiple of what the parsers alone take for the same files.

``uv run python -m tests.benchmarks.reading`` writes the figures into docs/benchmarks.md. The floor is PyYAML's C loader for YAML, orjson for JSON and each line of
JSONL, and for what neither can read, splitting the bytes into lines.
"""

import gc
import gzip
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from statistics import median

import orjson
import yaml

from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import File
from reviewlib.pipeline import read
from reviewlib.providers import forget
from tests.benchmarks.written import write
from tests.corpus import CORPUS

ROUNDS = 9


def files() -> list[File]:
    """Every file of the corpus."""
    paths = sorted(path for path in CORPUS.rglob("*") if path.is_file())
    return [File(path=str(path), blob=f"{number:040x}", data=path.read_bytes()) for number, path in enumerate(paths)]


def floor(data: bytes) -> None:
    """Parse a file with the parser that it was written for, and do nothing else."""
    raw = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    start = raw.lstrip()[:1]
    if start in {b"{", b"["}:
        with suppress(orjson.JSONDecodeError):
            orjson.loads(raw)
            return
        with suppress(orjson.JSONDecodeError):
            for line in raw.split(b"\n"):
                if line.strip():
                    orjson.loads(line)
            return
    with suppress(yaml.YAMLError, UnicodeDecodeError):
        yaml.load(raw, Loader=yaml.CSafeLoader)
        return
    raw.split(b"\n")


def floors(found: Sequence[File]) -> None:
    """Parse files, and do nothing else."""
    for file in found:
        floor(file.data)


def seconds(work: Callable[[Sequence[File]], object], found: Sequence[File]) -> float:
    """The processor time that some work takes from cold, as in a process of its own; what it returns is freed after the clock has stopped.

    Reading freezes what it read, and a collector with less to walk over makes the parsers alone faster, too (1.5 s in place of 2.0).
    """
    gc.unfreeze()
    gc.collect()
    forget()
    start = time.process_time()
    held = work(found)
    spent = time.process_time() - start
    del held
    return spent


def ratios(found: Sequence[File], rounds: int = ROUNDS) -> tuple[float, float, float]:
    """Medians: seconds of the parsers alone, and how many times that it takes to read up to cassettes, and up to trajectories.

    Each round measures all three one after the other, so that a machine that is busy is busy for all.
    """
    measured = [[seconds(work, found) for work in (floors, read_cassettes, read)] for _ in range(rounds)]
    alone, cassettes, trajectories = zip(*measured, strict=True)
    return (
        median(alone),
        median(spent / least for spent, least in zip(cassettes, alone, strict=True)),
        median(spent / least for spent, least in zip(trajectories, alone, strict=True)),
    )


def table() -> str:
    """Measure, and write the figures as Markdown."""
    found = files()
    alone, cassettes, trajectories = ratios(found)
    size = sum(len(file.data) for file in found) / 1e6
    return (
        f"{len(found):,} files, {size:.1f} MB; medians of {ROUNDS} rounds.\n\n"
        "| work | processor time, as a multiple |\n|---|---|\n"
        f"| the parsers alone ({alone:.2f} s) | 1.00 |\n"
        f"| read up to cassettes | {cassettes:.2f} |\n"
        f"| read up to trajectories | {trajectories:.2f} |\n"
    )


if __name__ == "__main__":
    print(figures := table())
    write("reading", figures)
