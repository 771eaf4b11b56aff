"""How much of known edits is reported, and how much is reported that was not edited.

``uv run python -m tests.benchmarks.mutations`` writes the table into docs/benchmarks.md.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from deepdiff import DeepDiff

from reviewlib.diff import diff
from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import Cassette, File
from reviewlib.trajectory import read_recording
from tests.benchmarks.written import write
from tests.corpus import CORPUS
from tests.mutations import Edit, Mutant, mutated, noisy, told
from tests.samples import SAMPLES
from tests.trajectories import NOTHING, C, T, recording, trajectory

LEAST = 300
"""Runs that are mutated at least, each with two seeds."""


def runs() -> list[tuple[T, ...]]:
    """Real runs of the samples and, where it is present, the corpus; synthetic ones of up to 200 turns fill up."""
    found: dict[str, tuple[T, ...]] = {}
    for folder in (SAMPLES, CORPUS / "public", CORPUS / "samples"):
        paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
        files = [
            File(path=str(path), blob=f"{number:040x}", data=path.read_bytes()) for number, path in enumerate(paths)
        ]
        for item in read_cassettes(files):
            if isinstance(item, Cassette):
                for conversation in read_recording(item).conversations:
                    story = told(conversation)
                    if 1 <= len(story) <= 200:
                        found.setdefault(repr(story), story)
    real = [found[key] for key in sorted(found)]
    return [*real, *(synthetic(seed) for seed in range(max(40, LEAST - len(real))))]


def synthetic(seed: int) -> tuple[T, ...]:
    """A run of an agent with few tools that it calls again and again, now and then with the same arguments."""
    chance = random.Random(seed)
    length = chance.choice([1, 2, 3, 5, 8, 13, 30, 60, 120, 199])
    tools = ["read_file", "grep", "edit_file", "run_tests", "sql", "search"]
    turns = [
        T(
            tuple(
                C(
                    chance.choice(tools),
                    {"path": f"src/{chance.randint(0, length)}.py", "n": chance.randint(0, 3)},
                    {"ok": True, "n": chance.randint(0, 9)} if chance.random() < 0.8 else f"text {chance.random()}",
                    chance.choice([None, False, False, True]),
                )
                for _ in range(chance.choice([1, 1, 1, 1, 2, 3]))
            ),
            text=chance.choice(["", "Let me see.", "Next."]),
            usage=(100, 10),
        )
        for _ in range(length)
    ]
    return (*turns, T(text="All finished now.", usage=(100, 10)))


@dataclass
class Score:
    """Edits applied, reported, and in common; by kind."""

    applied: Counter[str] = field(default_factory=Counter)
    reported: Counter[str] = field(default_factory=Counter)
    common: Counter[str] = field(default_factory=Counter)

    def add(self, applied: Counter[Edit], reported: Counter[Edit]) -> None:
        for counter, edits in ((self.applied, applied), (self.reported, reported), (self.common, applied & reported)):
            for (kind, _), count in edits.items():
                counter[kind] += count

    def recall(self, kind: str | None = None) -> float:
        applied = self.applied[kind] if kind else self.applied.total()
        return (self.common[kind] if kind else self.common.total()) / applied if applied else 1.0

    def precision(self, kind: str | None = None) -> float:
        reported = self.reported[kind] if kind else self.reported.total()
        return (self.common[kind] if kind else self.common.total()) / reported if reported else 1.0


def reported(one: tuple[T, ...], mutant: Mutant) -> Counter[Edit]:
    """What the diff says: every change of behaviour but words, and the causes among what was sent."""
    base = recording(trajectory(*one, parameters={}))
    head = recording(trajectory(*mutant.turns, **{"parameters": {}, **mutant.settings}))
    return Counter(
        (change.kind, change.tool)
        for change in diff(base, head, 0.2).changes
        if change.kind not in {"text", "usage"} and (change.significance == "behaviour" or change.cause is None)
    )


def positional(one: tuple[T, ...], mutant: Mutant) -> Counter[Edit]:
    """What a comparison step by step says: the n-th call of both sides is the same call."""
    sides = [[call for turn in turns for call in turn.calls] for turns in (one, mutant.turns)]
    found: Counter[Edit] = Counter()
    for left, right in zip(*sides, strict=False):
        if left.tool != right.tool:
            found["tool_removed", left.tool] += 1
            found["tool_added", right.tool] += 1
        elif left.arguments != right.arguments:
            found["arguments", right.tool] += 1
        elif left.is_error != right.is_error:
            found["failure", right.tool] += 1
        elif left.result != right.result:
            found["result", right.tool] += 1
    shorter = min(len(sides[0]), len(sides[1]))
    found.update(("tool_removed", call.tool) for call in sides[0][shorter:])
    found.update(("tool_added", call.tool) for call in sides[1][shorter:])
    return found


def raw_deepdiff(one: tuple[T, ...], mutant: Mutant) -> int:
    """How many differences DeepDiff lists between the two lists of calls."""
    sides = [
        [[call.tool, call.arguments, None if call.result is NOTHING else call.result, call.is_error] for turn in turns for call in turn.calls]
        for turns in (one, mutant.turns)
    ]  # fmt: skip
    return sum(len(items) for items in DeepDiff(*sides).values())


def mutants(stories: list[tuple[T, ...]]) -> Iterator[tuple[tuple[T, ...], Mutant]]:
    """Yield every run with two mutants of one to five edits, noise on top."""
    for number, story in enumerate(stories):
        for round_ in range(2):
            seed = 2 * number + round_
            mutant = mutated(story, seed, 1 + seed % 5)
            yield story, Mutant(noisy(mutant.turns, random.Random(seed)), mutant.edits, mutant.settings)


def table() -> str:
    """Measure, and write the table as Markdown."""
    stories = runs()
    ours, theirs, listed = Score(), Score(), 0
    for number, (story, mutant) in enumerate(mutants(stories)):
        ours.add(mutant.edits, reported(story, mutant))
        theirs.add(mutant.edits, positional(story, mutant))
        listed += raw_deepdiff(story, mutant) if number % 10 == 0 else 0
    lines = [
        f"{len(stories)} runs, two mutants each, {ours.applied.total()} edits, noise on top of every mutant.",
        "",
        "| edit | applied | recall | precision | recall, step by step | precision, step by step |",
        "|---|---|---|---|---|---|",
    ]
    for kind in (*sorted(ours.applied), None):
        figures = (ours.recall(kind), ours.precision(kind), theirs.recall(kind), theirs.precision(kind))
        count = ours.applied[kind] if kind else ours.applied.total()
        lines.append(f"| {kind or '**all**'} | {count} | {' | '.join(f'{figure:.3f}' for figure in figures)} |")
    share = listed / max(1, sum(1 for number, _ in enumerate(mutants(stories)) if number % 10 == 0))
    lines += [
        "",
        f"Raw DeepDiff lists {share:.0f} differences a mutant on average (every tenth), where 1 to 5 edits were made.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write("mutations", table())
