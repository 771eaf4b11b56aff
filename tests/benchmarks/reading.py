"""How long reading takes, as a multiple of what the parsers alone take for the same files.

``uv run python -m tests.benchmarks.reading`` prints the ratio. The floor is PyYAML's C loader for YAML, orjson for JSON and each line of JSONL, and for what
neither can read, splitting the bytes into lines.
"""

import gc
import gzip
import time
from collections.abc import Callable
from contextlib import suppress

import orjson
import yaml

from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import File
from reviewlib.pipeline import read
from reviewlib.providers._memory import forget_all
from tests.corpus import CORPUS

ROUNDS = 3


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


def cassettes(found: list[File]) -> None:
    """Read files up to cassettes."""
    read_cassettes(found)


def recordings(found: list[File]) -> None:
    """Read files up to trajectories, as a review does."""
    read(found)


def floors(found: list[File]) -> None:
    """Parse files, and do nothing else."""
    for file in found:
        floor(file.data)


def seconds(work: Callable[[list[File]], None], found: list[File]) -> float:
    """The least processor time of a few rounds."""
    times = []
    for _ in range(ROUNDS):
        gc.collect()
        forget_all()
        start = time.process_time()
        work(found)
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    found = files()
    base = seconds(floors, found)
    print(f"{len(found)} files, {sum(len(file.data) for file in found) / 1e6:.1f} MB; parsers alone {base:.2f} s")
    for name, work in (("cassettes", cassettes), ("trajectories", recordings)):
        print(f"up to {name}: {seconds(work, found) / base:.2f} times that")


if __name__ == "__main__":
    main()
