"""How much of known edits is reported, and how much is reported that was not edited.

``uv run python -m tests.benchmarks.mutations`` writes the table into docs/benchmarks.md.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from deepdiff import DeepDiff

from reviewlib.diff import diff
from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import Cassette, File
from reviewlib.trajectory import read_recording
from tests.benchmarks.noise import noise_table
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
    """What the diff says: every change of behaviour, of words and of usage, and the causes among what was sent."""
    base = recording(trajectory(*one, parameters={}))
    head = recording(trajectory(*mutant.turns, **{"parameters": {}, **mutant.settings}))
    return Counter(
        (change.kind, change.tool)
        for change in diff(base, head, 0.2).changes
        if change.kind in {"text", "usage"} or change.significance == "behaviour" or change.cause is None
    )


def positional(one: tuple[T, ...], mutant: Mutant) -> Counter[Edit]:
    """What a comparison step by step says: the n-th call of both sides is the same call, and the n-th turn the same turn."""
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
    for left_turn, right_turn in zip(one, mutant.turns, strict=False):
        found["text", None] += left_turn.text != right_turn.text
        found["stop_reason", None] += left_turn.stop != right_turn.stop
        found["usage", None] += left_turn.usage != right_turn.usage
    found.update((kind, None) for kind in _sent(mutant) if _sent(mutant)[kind] is not None)
    return +found


_SETTINGS = {"model": "model", "system": "system_prompt", "user": "user_message", "parameters": "parameters"}


def _sent(mutant: Mutant) -> dict[str, Any]:
    """What was sent with every turn, by the kind of change that tells it; None where it is as it was."""
    return {kind: mutant.settings.get(name) for name, kind in _SETTINGS.items()}


def raw_deepdiff(one: tuple[T, ...], mutant: Mutant) -> tuple[Counter[Edit], int]:
    """What DeepDiff says of the two runs as plain lists, and how many differences it lists.

    The differences that stand below one place count as one, so that it is not blamed for its leaves.
    """
    sides = [_plain(turns, sent) for turns, sent in ((one, {}), (mutant.turns, _sent(mutant)))]
    found: set[tuple[str, str, str | None]] = set()
    listed = 0
    for item, difference in DeepDiff(*sides, view="tree").items():
        for level in difference:
            listed += 1
            path = level.path(output_format="list")
            found |= {(str(path[:2]), kind, tool) for kind, tool in _named(path, item, *sides)}
    return Counter((kind, tool) for _, kind, tool in found), listed


def _plain(turns: tuple[T, ...], sent: dict[str, Any]) -> dict[str, Any]:
    calls = [
        {
            "tool": call.tool,
            "arguments": call.raw or call.arguments,
            "result": None if call.result is NOTHING else call.result,
            "is_error": call.is_error,
        }
        for turn in turns
        for call in turn.calls
    ]
    turn_facts = [{"text": turn.text, "stop_reason": turn.stop, "usage": turn.usage} for turn in turns]
    return {"calls": calls, "turns": turn_facts, "sent": {kind: sent.get(kind) for kind in _SETTINGS.values()}}


def _named(path: list[Any], item: str, one: dict[str, Any], other: dict[str, Any]) -> Iterator[Edit]:
    """Name a difference of DeepDiff as a change of ours, by where it stands."""
    if path[0] == "sent":
        yield path[1], None
    elif path[0] == "turns":
        if len(path) > 2:
            yield path[2], None
    elif len(path) == 2:
        tool = (other if item == "iterable_item_added" else one)["calls"][path[1]]["tool"]
        yield ("tool_added" if item == "iterable_item_added" else "tool_removed"), tool
    elif path[2] == "tool":
        yield "tool_removed", one["calls"][path[1]]["tool"]
        yield "tool_added", other["calls"][path[1]]["tool"]
    else:
        yield ("failure" if path[2] == "is_error" else path[2]), one["calls"][path[1]]["tool"]


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
    ours, theirs, raw, listed, compared = Score(), Score(), Score(), 0, 0
    for story, mutant in mutants(stories):
        told, count = raw_deepdiff(story, mutant)
        listed, compared = listed + count, compared + 1
        for score, said in ((ours, reported(story, mutant)), (theirs, positional(story, mutant)), (raw, told)):
            score.add(mutant.edits, said)
    lines = [
        f"{len(stories)} runs, two mutants each, {ours.applied.total()} edits, noise on top of every mutant.",
        "",
        "| edit | applied | recall | precision | recall, step by step | precision, step by step | recall, DeepDiff | precision, DeepDiff |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind in (*sorted(ours.applied), None):
        figures = [figure for score in (ours, theirs, raw) for figure in (score.recall(kind), score.precision(kind))]
        count = ours.applied[kind] if kind else ours.applied.total()
        lines.append(f"| {kind or '**all**'} | {count:,} | {' | '.join(f'{figure:.3f}' for figure in figures)} |")
    lines += [
        "",
        f"DeepDiff lists {listed / compared:.0f} differences a mutant on average, where 1 to 5 edits were made.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write("mutations", table())
    write("noise", noise_table())
