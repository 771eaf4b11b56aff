"""How many lines a reviewer reads: those that git shows as changed, against those of the text report.

``uv run python -m tests.benchmarks.compression`` writes the table into docs/benchmarks.md.
"""

import statistics
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from reviewlib.pipeline import review
from reviewlib.policy import Policy
from reviewlib.report.text import render
from reviewlib.sources.directory import snapshot
from reviewlib.summary import summarise
from tests.benchmarks.written import write
from tests.corpus import CORPUS

AT = datetime(2026, 11, 1, tzinfo=UTC)


def changed_lines(baseline: Path, head: Path) -> int:
    """The lines that ``git diff`` marks as added or removed; of a file that it calls binary, one."""
    command = ["git", "diff", "--no-index", "--no-renames", "--no-color", str(baseline), str(head)]
    printed = subprocess.run(command, capture_output=True, check=False).stdout
    return sum(
        line.startswith((b"+", b"-", b"Binary files")) and not line.startswith((b"+++ ", b"--- "))
        for line in printed.split(b"\n")
    )


def measured() -> list[tuple[str, int, int, int]]:
    """Name, changed cassettes, lines of git, lines of ours, for every pair of public folders."""
    rows = []
    for folder in sorted((CORPUS / "public").iterdir()):
        found = review(snapshot(folder / "base", folder / "head", Policy(cassettes=("**",))), Policy(), AT)
        ours = render(found, {}, summarise(found, {})).count("\n")
        rows.append((folder.name, len(found.pairs), changed_lines(folder / "base", folder / "head"), ours))
    return rows


def table() -> str:
    """Measure, and write the table as Markdown."""
    rows = measured()
    lines = [
        "| re-record | cassettes | lines of `git diff` | lines of `cassette-review diff` | ratio |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| {name} | {pairs} | {git:,} | {ours} | {git / ours:.0f} : 1 |" for name, pairs, git, ours in rows]
    median = statistics.median(git / ours for *_, git, ours in rows)
    return "\n".join([*lines, "", f"Median {median:.0f} : 1."]) + "\n"


if __name__ == "__main__":
    write("compression", table())
