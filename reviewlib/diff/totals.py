"""Changed token totals of a whole cassette."""

from collections.abc import Iterator, Sequence

from reviewlib.diff.draft import Place, Sides, Told, draft
from reviewlib.diff.form import usage_form
from reviewlib.model.change import Detail, Edit, Significance
from reviewlib.model.trajectory import Trajectory
from reviewlib.usage import BUCKETS


def usage_drafts(
    baseline: Sequence[Trajectory],
    head: Sequence[Trajectory],
    leftovers: frozenset[int | None],
    conversation: int,
    tolerance: float,
) -> Iterator[Told]:
    """Yield one change when the token totals differ and every turn of both sides says how many it took.

    What head has kept of the baseline does not count, and buckets that one side does not know are no difference.
    """
    one = usage_form(baseline)
    other = usage_form([item for number, item in enumerate(head) if number not in leftovers])
    details: tuple[Detail, ...] = ()
    if one is not None and other is not None:
        details = tuple(
            Detail(path=bucket, baseline=one[bucket], head=other[bucket])
            for bucket in BUCKETS
            if None not in (one[bucket], other[bucket]) and one[bucket] != other[bucket]
        )
    edit = Edit(conversation=conversation, action="set", what="usage")
    if details and one is not None and other is not None:
        sums = [(usage["input_tokens"] or 0) + (usage["output_tokens"] or 0) for usage in (one, other)]
        beyond = abs(sums[1] - sums[0]) > tolerance * max(sums[0], 1)
        significance: Significance = "request" if beyond else "cosmetic"
        yield draft("usage", significance, Place(conversation), Sides(-1, -1), details=details, edits=(edit,))
    told = None if one is None else {**one, **{detail.path: detail.head for detail in details}}
    everything = usage_form(head) if leftovers else other
    if told != everything:
        rest = (Detail(path="", baseline=told, head=everything),)
        yield edit.model_copy(update={"details": rest, "reason": "leftover" if leftovers else "unknown"})
