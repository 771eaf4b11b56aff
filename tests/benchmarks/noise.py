"""Noise in recorded files: how many cassettes each kind touches, and in how many of them a change is told. It must be none.

The tables are written into docs/benchmarks.md by ``uv run python -m tests.benchmarks.mutations``.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from reviewlib.errors import DecodeError
from reviewlib.model.cassette import File, Unreadable
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import Recording
from reviewlib.pipeline import Read, compare, read
from reviewlib.policy import Policy
from tests.corpus import CORPUS
from tests.noise import KINDS, Noise, noised
from tests.rewriting import Change, rewritten
from tests.samples import SAMPLES

AT = datetime(2026, 11, 1, tzinfo=UTC)
ROOTS = (SAMPLES, *(CORPUS / name for name in ("recorders", "public", "samples")))
_NO_CASSETTES = frozenset({".md", ".tsv"})


def folders() -> list[tuple[File, ...]]:
    """The files of every folder of the samples and of the corpus, where it is present: cassettes of several files stay together."""
    found: defaultdict[Path, list[Path]] = defaultdict(list)
    for root in ROOTS:
        for path in sorted(root.rglob("*")) if root.is_dir() else ():
            if path.is_file() and path.suffix not in _NO_CASSETTES and path.name != "expected.json":
                found[path.parent].append(path)
    return [tuple(_file(path) for path in paths) for _, paths in sorted(found.items())]


def _file(path: Path) -> File:
    return File(path=str(path), blob="0" * 40, data=path.read_bytes())


@dataclass
class Tally:
    """By format and kind of noise: cassettes that it touched. ``told``: by format, kind and path, the changes that were told of one."""

    cassettes: Counter[str] = field(default_factory=Counter)
    touched: Counter[tuple[str, str]] = field(default_factory=Counter)
    told: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def add(self, files: Sequence[File], kinds: Sequence[tuple[str, tuple[Noise, ...]]], seed: int) -> None:
        """Put each noise into the files of one folder, and compare every cassette in it with itself."""
        baseline = {_path(item): item for item in read(files)}
        plain = {file.path: _rewritten(file) for file in files}
        self.cassettes.update(item.cassette.format for item in baseline.values() if isinstance(item, Recording))
        for name, some in kinds:
            other = noised(files, some, seed)
            new = [file.path for file in other if _rewritten(file) != plain[file.path] or (name == "packing" and file.data != plain[file.path])]  # fmt: skip
            head = {_path(item): item for item in read(other)}
            for path, item in baseline.items():
                if isinstance(item, Recording) and any(each == path or each.startswith(f"{path}/") for each in new):
                    self.touched[item.cassette.format, name] += 1
                    pair = compare(item, head.get(path), Policy(), AT)
                    if pair.significance != "identical":
                        self.told[item.cassette.format, name, path] = pair.headline


def _path(item: Read) -> str:
    return item.path if isinstance(item, Unreadable) else item.cassette.path


def _rewritten(file: File) -> bytes:
    """The bytes of a file as the rewriting writes them when nothing is changed: the comparison is not about indents."""
    try:
        return rewritten(file.data, Change())
    except DecodeError:
        return file.data


def measured(some: Sequence[Sequence[File]], kinds: Sequence[tuple[str, tuple[Noise, ...]]]) -> Tally:
    """Count over folders, each with a seed of its own."""
    tally = Tally()
    for seed, files in enumerate(some):
        tally.add(files, kinds, seed)
    return tally


ALL = ("all", KINDS)
EACH = [(kind.name, (kind,)) for kind in KINDS]


def changed_pairs() -> Iterator[tuple[tuple[File, ...], tuple[File, ...]]]:
    """The folders of baseline and head of every re-record in the corpus, at the same paths."""
    for root in (CORPUS / "recorders", CORPUS / "public"):
        for base in sorted(root.glob("*/base")):
            for folder in sorted({path.parent for path in base.rglob("*") if path.is_file()}):
                other = base.parent / "head" / folder.relative_to(base)
                sides = [
                    tuple(
                        _file(path).model_copy(update={"path": str(path.relative_to(side))})
                        for path in sorted(side.iterdir())
                        if path.is_file()
                    )
                    for side in (folder, other)
                    if side.is_dir()
                ]
                if len(sides) == 2:
                    yield sides[0], sides[1]


def altered(baseline: Sequence[File], head: Sequence[File], seed: int) -> Iterator[tuple[str, bool, str]]:
    """Yield, for every pair of two folders, whether it changed, and what is told otherwise when head is noisy (empty: nothing)."""
    one = {_path(item): item for item in read(baseline)}
    heads = [{_path(item): item for item in read(files)} for files in (head, noised(head, KINDS, seed))]
    for path, item in one.items():
        if isinstance(item, Recording) and isinstance(heads[0].get(path), Recording):
            quiet, noisy = (compare(item, side.get(path), Policy(), AT) for side in heads)
            same = _said(quiet) == _said(noisy)
            yield path, quiet.significance != "identical", "" if same else f"{quiet.headline} | {noisy.headline}"


def _said(pair: Pair) -> tuple[object, ...]:
    kinds = Counter(change.kind for change in pair.diff.changes) if pair.diff else None
    return pair.significance, pair.signature, kinds


def noise_table() -> str:
    """Measure, and write both tables as Markdown."""
    tally = measured(folders(), [*EACH, ALL])
    names = [name for name, _ in (*EACH, ALL)]
    lines = [f"| format | cassettes | {' | '.join(names)} | told a change |", f"|---|{'---|' * (len(names) + 2)}"]
    for format_ in (*sorted(tally.cassettes), None):
        counts = [sum(count for (one, kind), count in tally.touched.items() if kind == name and format_ in {one, None}) for name in names]  # fmt: skip
        wrong = sum(format_ in {one, None} for one, _, _ in tally.told)
        cassettes = tally.cassettes[format_] if format_ else tally.cassettes.total()
        lines.append(f"| {format_ or '**all**'} | {cassettes:,} | {' | '.join(f'{count:,}' for count in counts)} | {wrong} |")  # fmt: skip
    found = [item for seed, (one, other) in enumerate(changed_pairs()) for item in altered(one, other, seed)]
    changed = sum(has_changed for _, has_changed, _ in found)
    wrong = sum(bool(otherwise) for *_, otherwise in found)
    lines += [
        "",
        f"Of {len(found):,} real re-records, {changed:,} of them with changes, {wrong} are told otherwise when all kinds of noise are put into head.",
    ]
    return "\n".join(lines) + "\n"
