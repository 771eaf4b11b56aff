"""Which likeness makes two cassettes the same scenario: every re-record of the corpus with its paths taken away.

``uv run python -m tests.benchmarks.pairing`` writes the table into docs/benchmarks.md.
"""

import hashlib

from reviewlib import pairing
from reviewlib.model.trajectory import Recording
from tests.benchmarks.diffing import read, sides
from tests.benchmarks.written import write

THRESHOLDS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.9)


def renamed(recordings: list[Recording], folder: str) -> list[tuple[Recording, str]]:
    """The same cassettes at other paths, and with contents of their own, so that nothing but their story tells them apart."""
    return [
        (
            item.model_copy(
                update={
                    "cassette": item.cassette.model_copy(
                        update={"path": name(item.cassette.path, folder), "content": name(item.cassette.path, folder)}
                    )
                }
            ),
            item.cassette.path,
        )
        for item in recordings
        if item.conversations
    ]


def name(path: str, folder: str) -> str:
    """A path that says nothing of the old one."""
    return hashlib.sha256(f"{folder} {path}".encode()).hexdigest()


def scores() -> list[tuple[float, float, float]]:
    """Threshold, share of cassettes that find the one they were, and share of the pairs found that are right (or told the same story)."""
    stories = [(renamed(read(one), "old"), renamed(read(other), "new")) for one, other in sides()]
    rows = []
    for threshold in THRESHOLDS:
        before, pairing.MIN_RENAMED = pairing.MIN_RENAMED, threshold
        try:
            right = found = possible = 0
            for one, other in stories:
                known = {name(path, "new"): item for item, path in one}
                possible += sum(name(path, "new") in known for _, path in other)
                for left, right_side in pairing.pair_cassettes([item for item, _ in one], [item for item, _ in other]):
                    if isinstance(left, Recording) and isinstance(right_side, Recording):
                        found += 1
                        meant = known.get(right_side.cassette.path)
                        right += meant is not None and (
                            meant is left or meant.conversations == left.conversations or _same(meant, left)
                        )
            rows.append((threshold, right / possible, right / found))
        finally:
            pairing.MIN_RENAMED = before
    return rows


def _same(one: Recording, other: Recording) -> bool:
    """Tell whether two baselines are one story: which of them a head is compared with makes no difference."""
    return len(one.conversations) == len(other.conversations) and all(
        pairing.likeness(left, right) == 1.0 for left, right in zip(one.conversations, other.conversations, strict=True)
    )


def table() -> str:
    lines = ["| least likeness | of the renamed cassettes found | of the pairs found right |", "|---|---|---|"]
    lines += [f"| {threshold} | {recall:.3f} | {precision:.3f} |" for threshold, recall, precision in scores()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write("pairing", table())
