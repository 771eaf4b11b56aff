"""What fires on real recordings: how many pairs of a corpus of public cassettes have each finding, and whether a person would agree.

``uv run python -m tests.benchmarks.findings`` writes the table into docs/benchmarks.md; with codes behind it, it prints examples of those. What
public repositories recorded was merged by their owners; recorders recorded one scenario with known edits, among them wrong ones; samples
are single files, read as added.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from reviewlib.checks import CHECKS, findings, suite_findings
from reviewlib.checks.check import Given
from reviewlib.model.cassette import File
from reviewlib.model.review import Finding, Pair
from reviewlib.model.trajectory import Recording
from reviewlib.pairing import pair_cassettes
from reviewlib.pipeline import compare, read, safely_read
from reviewlib.policy import DEFAULT_POLICY
from tests.benchmarks.judgements import JUDGEMENTS
from tests.benchmarks.written import write
from tests.corpus import CORPUS

TODAY = datetime(2026, 11, 1, tzinfo=UTC)
PARTS = ("public", "recorders", "samples")


class Compared(NamedTuple):
    """A folder of the corpus: the part that it is in, its pairs, and what is said of all of them."""

    part: str
    name: str
    pairs: tuple[Pair, ...]
    together: tuple[Finding, ...]

    @property
    def seen(self) -> Iterator[tuple[str, Finding]]:
        """Each finding with the path that it is about, which is ``*`` for all."""
        for pair in self.pairs:
            yield from ((pair.path, finding) for finding in pair.findings)
        yield from (("*", finding) for finding in self.together)


def folders() -> list[Path]:
    """The folders of the corpus that hold the two sides of a re-record."""
    return [
        folder for part in ("public", "recorders") for folder in sorted((CORPUS / part).iterdir()) if folder.is_dir()
    ]


def compared() -> Iterator[Compared]:
    """Compare every re-record of the corpus, and every sample with nothing."""
    for folder in folders():
        sides = [safely_read(files(folder / side)) for side in ("base", "head")]
        pairs = [compare(one, other, DEFAULT_POLICY, TODAY) for one, other in pair_cassettes(*sides)]
        yield _compared(folder.parent.name, folder.name, pairs)
    for path in sorted((CORPUS / "samples").iterdir()):
        one = File(path=path.name, blob="0" * 40, data=path.read_bytes())
        yield _compared("samples", "", [compare(None, item, DEFAULT_POLICY, TODAY) for item in safely_read([one])])


def _compared(part: str, name: str, pairs: Sequence[Pair]) -> Compared:
    readable = tuple(pair for pair in pairs if isinstance(pair.head or pair.baseline, Recording))
    return Compared(part, name, readable, suite_findings(readable, Given(DEFAULT_POLICY, TODAY)))


def files(folder: Path) -> list[File]:
    """The files of one side."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        File(path=path.relative_to(folder).as_posix(), blob=f"{number:040x}", data=path.read_bytes())
        for number, path in enumerate(paths)
    ]


def table(found: Sequence[Compared]) -> str:
    """Write the counts as Markdown: pairs that have a finding, and in brackets those in which it is new."""
    every: Counter[tuple[str, str]] = Counter()
    new: Counter[tuple[str, str]] = Counter()
    for item in found:
        every.update((item.part, code) for _, code in {(path, seen.code) for path, seen in item.seen})
        new.update(
            (item.part, code) for _, code in {(path, seen.code) for path, seen in item.seen if seen.since == "new"}
        )
    counts = {part: sum(len(item.pairs) for item in found if item.part == part) for part in PARTS}
    listed = ", ".join(f"{counts[part]:,} of {part}" for part in PARTS)
    lines = [
        f"{sum(counts.values()):,} pairs: {listed}. Pairs that have a finding, and in brackets those in which it is new.",
        "",
        "| finding | severity | public | recorders | samples | judged |",
        "|---|---|---|---|---|---|",
    ]
    for check in CHECKS:
        cells = " | ".join(_cell(every[part, check.code], new[part, check.code]) for part in PARTS)
        lines.append(f"| `{check.code}` | {check.severity} | {cells} | {JUDGEMENTS.get(check.code, '')} |")
    return "\n".join(lines) + "\n"


def _cell(every: int, new: int) -> str:
    return f"{every} ({new})" if every else ""


def examples(found: Sequence[Compared], code: str, most: int = 12) -> list[str]:
    """Give examples of a finding, spread over the corpus."""
    lines = [
        f"{item.part} {item.name} {path}: {seen.since} {seen.message}"
        for item in found
        for path, seen in item.seen
        if seen.code == code
    ]
    return lines[:: -(-len(lines) // most) or 1]


def shares(found: Sequence[Compared], rounds: int = 3) -> tuple[float, float]:
    """Seconds of processor time to read all re-records up to trajectories, and to judge them by all checks; the best of a few rounds."""
    sides = [files(folder / side) for folder in folders() for side in ("base", "head")]
    pairs = [pair for item in found if item.part != "samples" for pair in item.pairs]
    reading, judging = [], []
    for _ in range(rounds):
        start = time.process_time()
        for side in sides:
            read(side)
        reading.append(time.process_time() - start)
        start = time.process_time()
        for pair in pairs:
            both = [side if isinstance(side, Recording) else None for side in (pair.baseline, pair.head)]
            findings(both[0], both[1], pair.diff, Given(DEFAULT_POLICY, TODAY))
        judging.append(time.process_time() - start)
    return min(reading), min(judging)


def block() -> str:
    """Count, measure, and write both down."""
    found = list(compared())
    reading, judging = shares(found)
    pairs = sum(len(item.pairs) for item in found if item.part != "samples")
    return (
        f"{table(found)}\nAll {len(CHECKS)} checks take {judging / reading:.2f} times as long as reading the recordings, "
        f"{judging / pairs * 1000:.2f} ms a pair.\n"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        told = list(compared())
        print("\n".join(line for code in sys.argv[1:] for line in (f"== {code}", *examples(told, code))))
    else:
        print(figures := block())
        write("findings", figures)
