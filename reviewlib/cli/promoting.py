"""The command ``promote``: approved scratch recordings replace the committed ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from reviewlib.cli.comparing import Compared, Paths, Sides, chosen, command_line, compare, printed
from reviewlib.cli.placing import Placement, check, place
from reviewlib.errors import UsageError
from reviewlib.model.review import Pair
from reviewlib.report.neutral import one_line
from reviewlib.report.wording import plural
from reviewlib.sources import Snapshot
from reviewlib.summary import is_decided, state_of
from reviewlib.verdicts import explained, members

_HERE = Sides()


class _Sorted(NamedTuple):
    """What is replaced, what only noise moved in, and what nobody has approved."""

    taken: tuple[Pair, ...]
    noise: tuple[Pair, ...]
    left: tuple[Pair, ...]


def promote(
    *,
    path: Paths = (),
    identical: bool = False,
    dry_run: bool = False,
    sides: Sides = _HERE,
) -> None:
    """Replace committed cassettes by scratch recordings that were approved.

    --baseline-dir is the folder of the working tree, --head-dir the one that was recorded into; what was approved is what both of them hold
    now. With paths, all of them or none.

    Parameters
    ----------
    path
        The cassettes or folders.
    identical
        Take those, too, in which only ids, times, headers and the like moved.
    dry_run
        Say what would be replaced, and replace nothing.
    sides
        Where the two sides come from.

    """
    compared = compare(None, sides, path)
    root = _root(compared, sides)
    found = _sorted(compared, chosen(compared, path, sides) if path else compared.review.pairs, identical=identical)
    if path and found.left:
        approve = command_line(None, sides, "approve", paths=[found.left[0].path])
        raise UsageError(f"{_why(compared, found.left[0])}, so nothing was replaced. Approve it first: {approve}")
    placements = [_placement(pair, compared.snapshot) for pair in found.taken]
    for placement in placements:
        check(root, placement)
    for placement in () if dry_run else placements:
        place(root, placement)
    printed("".join(f"{line}\n" for line in _told(compared, found, dry_run=dry_run)))


def _root(compared: Compared, sides: Sides) -> Path:
    """Find the working tree that is written to. Raises ``UsageError`` where the baseline lies in none."""
    if sides.baseline_dir is None or sides.head_dir is None:
        raise UsageError("What is replaced by what is named with --baseline-dir DIR --head-dir DIR.")
    repository = compared.repository
    if repository is None or repository.bare or not sides.baseline_dir.resolve().is_relative_to(repository.root):
        where = (
            "there is no repository" if repository is None else f"it is not in the working tree of {repository.root}"
        )
        raise UsageError(f"{sides.baseline_dir} cannot be written to by verdicts: {where}.")
    return repository.root


def _sorted(compared: Compared, pairs: Sequence[Pair], *, identical: bool) -> _Sorted:
    def is_noise(pair: Pair) -> bool:
        return pair.significance == "identical" and state_of(pair, compared.states) in {"open", "stale", "resolved"}

    def is_taken(pair: Pair) -> bool:
        return identical if is_noise(pair) else is_decided(pair, compared.states)

    return _Sorted(
        taken=tuple(pair for pair in pairs if is_taken(pair)),
        noise=tuple(pair for pair in pairs if is_noise(pair) and not identical),
        left=tuple(pair for pair in pairs if not is_taken(pair) and not is_noise(pair)),
    )


def _placement(pair: Pair, snapshot: Snapshot) -> Placement:
    """Find the files of both sides, exactly those that the verdict is about."""
    before, after = (
        () if path is None or content is None else members(path, content, files)
        for path, content, files in (
            (pair.baseline_path, pair.baseline_content, snapshot.baseline_files),
            (pair.head_path, pair.head_content, snapshot.head_files),
        )
    )
    whole = bool(before) == (pair.baseline_path is not None) and bool(after) == (pair.head_path is not None)
    if not whole:
        raise UsageError(f"Not all files of {pair.path} are at hand, so nothing was replaced. Copy them yourself.")
    return Placement(before, after)


def _told(compared: Compared, found: _Sorted, *, dry_run: bool) -> Sequence[str]:
    done = "would be replaced" if dry_run else "replaced"
    words = {"added": "added", "removed": "removed", "renamed": "moved", "modified": "replaced"}
    return (
        *(f"{words[pair.status]}: {one_line(pair.path)}" for pair in found.taken),
        *(f"left: {one_line(_why(compared, pair))}" for pair in found.left),
        f"{plural(len(found.taken), 'cassette')} {done}, {len(found.left):,} left.",
        *(
            [f"{plural(len(found.noise), 'cassette')} moved by noise alone; --identical takes them, too."]
            * bool(found.noise)
        ),
    )


def _why(compared: Compared, pair: Pair) -> str:
    """Say why a recording is not promoted."""
    known = compared.states.get(pair.path)
    said = explained(known) if known is not None else ""
    return f"{pair.path} is {state_of(pair, compared.states)} ({said or pair.headline})"
