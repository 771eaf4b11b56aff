"""Damages recordings in every way that files get damaged, and reads them: one seed is one mutant, the same on every machine.

``uv run python -m tests.fuzz --seconds 600`` looks for seeds that fail, and prints each; ``--seed N`` reads one mutant again.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import yaml

from reviewlib.decode import decode
from reviewlib.errors import DecodeError
from reviewlib.formats import read_cassettes
from reviewlib.model.cassette import Cassette, File, Unreadable
from reviewlib.model.trajectory import Recording
from reviewlib.trajectory import read_recording
from tests.corpus import CORPUS
from tests.samples import SAMPLES

LIMIT = 2.0
"""Seconds of processor time that one file may take."""
UNFORESEEN = "its shape is not the one its recorder writes"
"""How the reason begins where an exception was caught that no reader raises on purpose."""
LARGEST = 600_000
"""Bytes of the largest file that is damaged: the cost of a mutant is that of writing it."""
DEEP, TWICE = "@@deep@@", "@@twice@@"
RUBBISH: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2**63, 2**70, -(10**400), 0.5, 1e308, float("nan"), float("-inf")),
    *(
        "",
        " ",
        "x",
        "null",
        "é\u2028",
        "{",
        '{"a": [',
        "data: {}\n\n",
        "data: [DONE]",
        "QUFB",
        "00ff",
        "\ufeff",
        "9" * 5000,
    ),
    *(
        [],
        {},
        [[]],
        [None],
        [{}],
        ["x", 1],
        {"a": None},
        {"": ""},
        {"type": "text", "text": 5},
        {"role": 1, "content": [3]},
    ),
    *({"index": -5}, {"index": 2**40}, {"kind": "tool"}, {"type": {"type": []}}, DEEP, [DEEP], {"error": DEEP}),
)


@dataclass(frozen=True)
class Mutant:
    """One damaged file: what it was made from, and what was done to it."""

    seed: int
    how: str
    file: File

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.how} of {self.file.path}"


@cache
def originals() -> tuple[File, ...]:
    """The files of the samples and, where it is present, of the corpus, that are not too large."""
    found: list[File] = []
    for folder in (SAMPLES, CORPUS):
        for path in sorted(each for each in folder.rglob("*") if each.is_file()) if folder.is_dir() else ():
            if path.stat().st_size <= LARGEST:
                name, blob = path.relative_to(folder).as_posix(), f"{len(found):040x}"
                found.append(File(path=name, blob=blob, data=path.read_bytes()))
    return tuple(found)


def mutant(seed: int) -> Mutant:
    """The mutant of a seed."""
    chance = Random(seed)
    file = chance.choice(originals())
    how = chance.choice(sorted(MUTATIONS))
    return Mutant(seed, how, file.model_copy(update={"data": MUTATIONS[how](chance, file.data)}))


def problem(one: Mutant) -> str | None:
    """What is wrong with how a mutant is read; None where it is read as it should be: to the end, or with a reason why not."""
    begun = time.process_time()
    results = read_cassettes([one.file])
    if not results:
        return "nothing came of it"
    for result in results:
        if not isinstance(result, Cassette | Unreadable):
            return f"a {type(result).__name__} came of it"
        if isinstance(result, Unreadable) and UNFORESEEN in result.reason:
            return result.reason
        if isinstance(result, Cassette) and not isinstance(read_recording(result), Recording):
            return "no recording came of it"
    taken = time.process_time() - begun
    return f"it took {taken:.1f} s" if taken > LIMIT else None


# -- damage to bytes -----------------------------------------------------------------------------------------------------------


def _truncated(chance: Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _beheaded(chance: Random, data: bytes) -> bytes:
    return data[chance.randrange(len(data) + 1) :]


def _flipped(chance: Random, data: bytes) -> bytes:
    damaged = bytearray(data)
    for _ in range(chance.choice([1, 2, 8, 64]) if data else 0):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def _spliced(chance: Random, data: bytes) -> bytes:
    other = chance.choice(originals()).data
    return _truncated(chance, data) + _beheaded(chance, other)


def _doubled(chance: Random, data: bytes) -> bytes:
    """A part of the file stands in it again, as after a merge that went wrong."""
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice([1, 10, 100, 1000, 10_000]))
    return data[:end] + data[start:]


def _cut_out(chance: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    start = chance.randrange(len(lines) + 1)
    return b"".join(lines[:start] + lines[start + chance.choice([1, 2, 5, 50]) :])


# -- damage to trees -----------------------------------------------------------------------------------------------------------

Edit = Callable[[Random, Any, Any], None]
"""Changes the member of a list or an object that stands at a key."""


def _tree(edit: Edit) -> Callable[[Random, bytes], bytes]:
    """Damage the decoded tree in a few places, and write it again in its own language."""

    def damaged(chance: Random, data: bytes) -> bytes:
        try:
            decoded = decode(data)
        except DecodeError:
            return data
        if not isinstance(decoded.value, list | dict):
            return _flipped(chance, data)
        root = [decoded.value]
        for _ in range(chance.choice([1, 1, 2, 5])):
            holder, key = _place(chance, root)
            edit(chance, holder, key)
        return _written(decoded.kind, root[0])

    return damaged


def _place(chance: Random, root: list[Any]) -> tuple[Any, Any]:
    """A holder and a key in it, anywhere in the tree; the root's own place is ``root[0]``."""
    holder: Any = root
    key: Any = 0
    while isinstance(holder[key], list | dict) and holder[key] and chance.random() < 0.85:
        holder = holder[key]
        key = chance.choice(list(holder)) if isinstance(holder, dict) else chance.randrange(len(holder))
    return holder, key


def _rubbish(chance: Random) -> Any:
    return deepcopy(chance.choice(RUBBISH))


def _swap(chance: Random, holder: Any, key: Any) -> None:
    holder[key] = _rubbish(chance)


def _inside_text(chance: Random, holder: Any, key: Any) -> None:
    """Where the member is itself JSON in a text, damage what it says; other texts are cut."""
    if not isinstance(holder[key], str):
        return _swap(chance, holder, key)
    try:
        root = [json.loads(holder[key])]
    except ValueError:
        holder[key] = holder[key][: chance.randrange(len(holder[key]) + 1)]
        return None
    inner, name = _place(chance, root)
    inner[name] = _rubbish(chance)
    holder[key] = json.dumps(root[0])
    return None


def _delete(_: Random, holder: Any, key: Any) -> None:
    if len(holder) > 1:
        del holder[key]


def _repeat(chance: Random, holder: Any, key: Any) -> None:
    """A member of a list stands in it many times; a name of an object twice, with different values."""
    if isinstance(holder, list):
        holder[key:key] = [deepcopy(holder[key])] * chance.choice([1, 3, 20])
    else:
        holder[f"{TWICE}{key}"] = _rubbish(chance)


def _wrap(chance: Random, holder: Any, key: Any) -> None:
    holder[key] = [holder[key]] if chance.random() < 0.5 else {"value": holder[key]}


def _exchange(chance: Random, holder: Any, key: Any) -> None:
    """Two members change places."""
    other = chance.choice(list(holder)) if isinstance(holder, dict) else chance.randrange(len(holder))
    holder[key], holder[other] = holder[other], holder[key]


def _written(kind: str, value: Any) -> bytes:
    if kind == "yaml":
        text = yaml.dump(value, Dumper=yaml.CSafeDumper, allow_unicode=True)
    elif kind == "jsonl" and isinstance(value, list):
        text = "\n".join(json.dumps(line, default=repr) for line in value)
    else:
        text = json.dumps(value, default=repr)
    depth = (30, 150, 250, 3000)[len(text) % 4]
    nested = text.replace(f'"{DEEP}"', DEEP).replace(f"'{DEEP}'", DEEP).replace(DEEP, "[" * depth + "]" * depth)
    return nested.replace(TWICE, "").encode(errors="replace")


MUTATIONS: dict[str, Callable[[Random, bytes], bytes]] = {
    "truncation": _truncated,
    "loss of the beginning": _beheaded,
    "flipped bits": _flipped,
    "splice": _spliced,
    "repetition": _doubled,
    "loss of lines": _cut_out,
    "swapped types": _tree(_swap),
    "swapped types inside texts": _tree(_inside_text),
    "deleted members": _tree(_delete),
    "repeated members": _tree(_repeat),
    "wrapped members": _tree(_wrap),
    "exchanged members": _tree(_exchange),
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--first", type=int, default=10**6)
    options = parser.parse_args(arguments)
    if options.seed is not None:
        one = mutant(options.seed)
        print(one, "·", problem(one) or "read as it should be")
        return 0
    outcomes: Counter[str] = Counter()
    failures, seed, end = 0, options.first, time.monotonic() + options.seconds
    while time.monotonic() < end:
        one = mutant(seed)
        try:
            found = problem(one)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            found = f"{type(error).__name__}: {str(error)[:200]}"
        if found is not None:
            failures += 1
            print(f"{one} · {found}")
        outcomes[one.how] += 1
        seed += 1
    print(f"{outcomes.total():,} mutants, {failures} failures")
    print(", ".join(f"{how} {count:,}" for how, count in sorted(outcomes.items())))
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
