"""How long comparing takes, as a multiple of reading the same cassettes, and the slowest pair.

``uv run python -m tests.benchmarks.diffing`` writes the figures into docs/benchmarks.md.
"""

import gc
import time

from reviewlib.diff import diff
from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import Cassette, File
from reviewlib.model.trajectory import Recording
from reviewlib.pairing import pair_cassettes
from reviewlib.trajectory import read_recording
from tests.benchmarks.written import write
from tests.corpus import CORPUS

ROUNDS = 3


def sides() -> list[tuple[list[File], list[File]]]:
    """The files of both sides of every re-record of the corpus."""
    folders = [
        folder for area in ("public", "recorders") for folder in sorted((CORPUS / area).iterdir()) if folder.is_dir()
    ]
    return [(_files(folder, "base"), _files(folder, "head")) for folder in folders]


def _files(folder, side):
    paths = sorted(path for path in (folder / side).rglob("*") if path.is_file())
    return [
        File(path=path.relative_to(folder / side).as_posix(), blob=f"{number:040x}", data=path.read_bytes())
        for number, path in enumerate(paths)
    ]


def read(files: list[File]) -> list[Recording]:
    """Read one side up to trajectories."""
    return [read_recording(item) for item in read_cassettes(files) if isinstance(item, Cassette)]


def measured() -> tuple[float, float, float, int]:
    """Seconds of processor time for reading and for comparing, the slowest pair, and the number of pairs; the best of a few rounds."""
    found = sides()
    reading, comparing, slowest, count = [], [], [], 0
    for _ in range(ROUNDS):
        gc.collect()
        start = time.process_time()
        readings = [(read(one), read(other)) for one, other in found]
        reading.append(time.process_time() - start)
        pairs = [pair for one, other in readings for pair in pair_cassettes(one, other)]
        gc.collect()
        times = []
        for one, other in pairs:
            start = time.process_time()
            diff(one, other, 0.1)  # type: ignore[arg-type]
            times.append(time.process_time() - start)
        comparing.append(sum(times))
        slowest.append(max(times))
        count = len(pairs)
    return min(reading), min(comparing), min(slowest), count


def table() -> str:
    """Measure, and say it in a sentence."""
    reading, comparing, slowest, count = measured()
    return (
        f"Comparing {count} pairs of cassettes takes {comparing / reading:.2f} times as long as reading them; "
        f"the slowest pair takes {slowest:.2f} s.\n"
    )


if __name__ == "__main__":
    write("diffing", table())
