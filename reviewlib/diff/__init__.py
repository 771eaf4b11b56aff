"""Two readings of a cassette → everything the agent does differently.

``matching`` what corresponds · ``steps`` and ``requests`` what differs, as drafts · ``facts`` numbers and ids
in prose · ``causes`` which change follows from which · ``rows`` the side-by-side view.
"""

from collections.abc import Iterator, Sequence

from reviewlib.diff.causes import with_causes
from reviewlib.diff.draft import Draft, Place, Sides, draft
from reviewlib.diff.matching import Matching, match
from reviewlib.diff.prose import in_one_tongue, manner_drafts
from reviewlib.diff.requests import prompt_drafts, setting_drafts
from reviewlib.diff.rows import one_sided, rows_of
from reviewlib.diff.steps import call_drafts, text_drafts, turn_drafts
from reviewlib.model.change import SIGNIFICANCES, Change, Detail, Diff, Row
from reviewlib.model.trajectory import Recording, Trajectory
from reviewlib.pairing import ConversationPair, pair_conversations
from reviewlib.usage import BUCKETS, total_usage


def diff(baseline: Recording | None, head: Recording | None, usage_tolerance: float) -> Diff:
    """Compare two readings. An absent side has no conversations.

    ``usage_tolerance`` is a share (0.1 is ten percent): token totals that differ by less are cosmetic.
    """
    one, other = (side.conversations if side else () for side in (baseline, head))
    unknown = frozenset(fact for side in (baseline, head) if side for fact in side.not_recorded)
    pairs = pair_conversations(one, other)
    matchings: dict[int, Matching] = {}
    drafts: list[Draft] = []
    for number, pair in enumerate(pairs):
        if pair.leftover:
            continue
        if pair.baseline is None or pair.head is None:
            drafts.append(_lone(pair, number))
            continue
        sides = Sides(pair.baseline, pair.head)
        left, right = in_one_tongue(one[pair.baseline], other[pair.head])
        matchings[number] = match(left, right)
        drafts += _compared(matchings[number], number, sides, left, right, unknown)
    drafts += _usage(
        [one[pair.baseline] for pair in pairs if pair.baseline is not None],
        [other[pair.head] for pair in pairs if pair.head is not None and not pair.leftover],
        len(pairs),
        usage_tolerance,
    )
    changes = with_causes(drafts)
    return Diff(
        changes=changes,
        rows=tuple(_rows(pairs, matchings, one, other, changes)),
        significance=max((change.significance for change in changes), key=SIGNIFICANCES.index, default="identical")
        if baseline and head
        else "behaviour",
        leftovers=sum(pair.leftover for pair in pairs),
        limits=_limits(matchings),
    )


def _compared(
    matching: Matching, number: int, sides: Sides, left: Trajectory, right: Trajectory, unknown: frozenset[str]
) -> Iterator[Draft]:
    yield from manner_drafts(left, right, number, sides)
    yield from prompt_drafts(left, right, number, sides, unknown)
    yield from setting_drafts(matching, number, sides)
    yield from turn_drafts(matching, number, sides)
    yield from call_drafts(matching, number, sides)
    yield from text_drafts(matching, number, sides, left, right)


def _lone(pair: ConversationPair, number: int) -> Draft:
    if pair.head is not None:
        return draft("conversation_added", "behaviour", Place(number), Sides(-1, pair.head))
    return draft("conversation_removed", "behaviour", Place(number), Sides(pair.baseline or 0, -1))


def _usage(
    baseline: Sequence[Trajectory], head: Sequence[Trajectory], conversation: int, tolerance: float
) -> Iterator[Draft]:
    """Yield one change when the token totals differ and every turn of both sides says how many it took."""
    one, other = total_usage(baseline), total_usage(head)
    if one is None or other is None:
        return
    details = tuple(
        Detail(path=bucket, baseline=left, head=right)
        for bucket in BUCKETS
        if (left := getattr(one, bucket)) is not None
        and (right := getattr(other, bucket)) is not None
        and left != right
    )
    if not details:
        return
    sums = [(usage.input_tokens or 0) + (usage.output_tokens or 0) for usage in (one, other)]
    beyond = abs(sums[1] - sums[0]) > tolerance * max(sums[0], 1)
    yield draft("usage", "request" if beyond else "cosmetic", Place(conversation), Sides(-1, -1), details=details)


def _rows(
    pairs: Sequence[ConversationPair],
    matchings: dict[int, Matching],
    one: Sequence[Trajectory],
    other: Sequence[Trajectory],
    changes: Sequence[Change],
) -> Iterator[Row]:
    lone = iter(
        [n for n, change in enumerate(changes) if change.kind in {"conversation_added", "conversation_removed"}]
    )
    for number, pair in enumerate(pairs):
        if pair.leftover:
            continue
        sides = Sides(-1 if pair.baseline is None else pair.baseline, -1 if pair.head is None else pair.head)
        if pair.head is None:
            yield from one_sided(sides, one[sides.baseline], "removed", next(lone))
        elif pair.baseline is None:
            yield from one_sided(sides, other[sides.head], "added", next(lone))
        else:
            left, right = one[sides.baseline], other[sides.head]
            yield from rows_of(matchings[number], sides, left, right, changes)


def _limits(matchings: dict[int, Matching]) -> tuple[str, ...]:
    if any(matching.limited for matching in matchings.values()):
        return ("very long runs differ throughout: their turns were matched by tool names alone",)
    return ()
