"""Comments on a pair, by the step that they are about."""

from collections.abc import Iterable

from reviewlib.model.frozen import Frozen
from reviewlib.model.review import Pair
from reviewlib.verdicts.entry import Anchor, Entry
from reviewlib.verdicts.standing import fates


class Thread(Frozen):
    """The comments on one step of a pair, oldest first; ``step`` None is the pair as a whole.

    ``resolved_by`` is the comment that closed the thread, None where somebody has gone on since, or nobody closed it. ``outdated``: it is
    about an earlier content, so its step may have moved.
    """

    step: Anchor | None
    comments: tuple[Entry, ...]
    resolved_by: Entry | None = None
    outdated: bool = False


def threads(pair: Pair, entries: Iterable[Entry]) -> tuple[Thread, ...]:
    """Sort the comments among the entries of a pair (``PairState.entries`` and ``earlier``) into threads.

    What is about this content comes first, in the order of the steps. A comment that its author took back is gone.
    """
    found: dict[tuple[bool, tuple[str | None, str | None, str], Anchor | None], list[Entry]] = {}
    now = pair.baseline_content, pair.head_content, pair.path
    for entry, fate in fates(sorted(entries, key=lambda entry: (entry.at, entry.id))):
        if entry.kind == "comment" and fate != "withdrawn":
            found.setdefault((entry.content != now, entry.content, entry.step), []).append(entry)
    made = [
        Thread(
            step=step,
            comments=tuple(comments),
            resolved_by=comments[-1] if comments[-1].resolves else None,
            outdated=outdated,
        )
        for (outdated, _, step), comments in found.items()
    ]
    return tuple(sorted(made, key=_place))


def _place(thread: Thread) -> tuple[object, ...]:
    if thread.step is None:
        return thread.outdated, False, (0, 0), ""
    return thread.outdated, True, thread.step.step, thread.step.side
