"""What changed since a verdict: the trajectory that was judged against the trajectory now, as an ordinary pair."""

from collections.abc import Callable
from datetime import datetime
from typing import Literal, TypeAlias

from reviewlib import pipeline
from reviewlib.model.cassette import File, Unreadable
from reviewlib.model.frozen import Frozen
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import Recording
from reviewlib.policy import Policy
from reviewlib.verdicts import Entry, TrajectoryDigests

Load: TypeAlias = Callable[[str, str], tuple[File, ...]]
"""Gives the files of a content id and a path, none where they are not at hand: ``Ledger.pinned``."""


class Since(Frozen):
    """What changed since ``entry``. ``pair`` compares one side as it was judged (as its baseline) with the same side now (as its head);
    ``side`` says which: ``head``, but ``baseline`` where the head does what it did and only the baseline has moved.
    """

    entry: Entry
    side: Literal["head", "baseline"]
    pair: Pair


def changed_since(pair: Pair, entry: Entry, load: Load, policy: Policy, prices_at: datetime) -> Since:
    """Compare what an entry judged with what its pair holds now. ``PairState.since`` is the entry for a stale or carried pair.

    A content that is not at hand makes an unreadable side, which says so.
    """
    side: Literal["head", "baseline"] = "baseline" if _only_baseline_moved(pair, entry) else "head"
    content = entry.pair.head if side == "head" else entry.pair.baseline
    now = pair.head if side == "head" else pair.baseline
    then = None if content is None else _read(load(content, entry.pair.path), content, entry.pair.path)
    return Since(entry=entry, side=side, pair=pipeline.compare(then, now, policy, prices_at))


def _only_baseline_moved(pair: Pair, entry: Entry) -> bool:
    if entry.pair.baseline == pair.baseline_content:
        return False
    if entry.pair.head == pair.head_content:
        return True
    now = pair.head_digests
    return now.behaviour is not None and TrajectoryDigests(**now.model_dump()) == entry.trajectory.head


def _read(files: tuple[File, ...], content: str, path: str) -> Recording | Unreadable:
    if not files:
        reason = "what was judged then is not in this clone; cassette-review reviews fetch brings it, if it was shared"
        return Unreadable(path=path, content=content, stage="load", reason=reason)
    read = pipeline.safely_read(files)
    return next((item for item in read if item.path == path), read[0])
