"""Two readings of a cassette → everything the agent does differently.

``matching`` what corresponds · ``steps``, ``turns`` and ``requests`` what differs, as drafts · ``facts`` numbers and ids
in prose · ``script`` what is done to the baseline · ``causes`` which change follows from which · ``rows`` the side-by-side view ·
``apply`` the proof: the baseline, edited as a diff says, is head.
"""

from collections.abc import Iterator, Sequence

from reviewlib.diff.causes import with_causes
from reviewlib.diff.draft import Draft, Place, Sides, Told, draft
from reviewlib.diff.form import conversation_form
from reviewlib.diff.matching import Matching, match
from reviewlib.diff.prose import in_one_tongue, manner_drafts
from reviewlib.diff.requests import prompt_drafts, setting_drafts
from reviewlib.diff.rows import one_sided, rows_of
from reviewlib.diff.script import with_structure
from reviewlib.diff.steps import call_drafts
from reviewlib.diff.totals import usage_drafts
from reviewlib.diff.turns import text_drafts, turn_drafts
from reviewlib.model.change import SIGNIFICANCES, Change, Diff, Edit, Row
from reviewlib.model.trajectory import Recording, Trajectory
from reviewlib.pairing import ConversationPair, pair_conversations


def diff(baseline: Recording | None, head: Recording | None, usage_tolerance: float) -> Diff:
    """Compare two readings. An absent side has no conversations.

    ``usage_tolerance`` is a share (0.1 is ten percent): token totals that differ by less are cosmetic.
    """
    one, other = (side.conversations if side else () for side in (baseline, head))
    unknown = frozenset(fact for side in (baseline, head) if side for fact in side.not_recorded)
    pairs = pair_conversations(one, other)
    matchings: dict[int, Matching] = {}
    told: list[Told] = []
    for number, pair in enumerate(pairs):
        if pair.baseline is None or pair.head is None or pair.leftover:
            told.append(_lone(pair, number, other))
            continue
        sides = Sides(pair.baseline, pair.head)
        left, right = in_one_tongue(one[pair.baseline], other[pair.head])
        matchings[number] = match(left, right)
        compared = tuple(_compared(matchings[number], number, sides, left, right, unknown))
        manners = tuple(manner_drafts(one[pair.baseline], other[pair.head], number, sides, matchings[number].calls))
        read = one[pair.baseline], other[pair.head]
        told += with_structure((*manners, *compared), matchings[number], number, sides, *read, unknown)
    told += usage_drafts(
        one, other, frozenset(pair.head for pair in pairs if pair.leftover), len(pairs), usage_tolerance
    )
    changes = with_causes([item for item in told if isinstance(item, Draft)])
    return Diff(
        changes=changes,
        rows=tuple(_rows(pairs, matchings, one, other, changes)),
        significance=max((change.significance for change in changes), key=SIGNIFICANCES.index, default="identical")
        if baseline and head
        else "behaviour",
        leftovers=sum(pair.leftover for pair in pairs),
        limits=(*_limits(matchings), *_doubts(pairs, head)),
        conversations=tuple((pair.baseline, pair.head) for pair in pairs),
        silent=tuple(item for item in told if isinstance(item, Edit)),
    )


def _compared(
    matching: Matching, number: int, sides: Sides, left: Trajectory, right: Trajectory, unknown: frozenset[str]
) -> Iterator[Told]:
    yield from prompt_drafts(left, right, number, sides, unknown)
    yield from setting_drafts(matching, number, sides)
    yield from turn_drafts(matching, number, sides)
    yield from call_drafts(matching, number, sides)
    yield from text_drafts(matching, number, sides, left, right)


def _lone(pair: ConversationPair, number: int, other: Sequence[Trajectory]) -> Told:
    """Tell a conversation that only one side has; one that head has kept beside its newer run is there, and no change."""
    if pair.head is None:
        edit = Edit(conversation=number, action="drop", what="conversation")
        sides = Sides(pair.baseline or 0, -1)
        return draft("conversation_removed", "behaviour", Place(number), sides, edits=(edit,))
    content = conversation_form(other[pair.head])
    edit = Edit(conversation=number, action="put", what="conversation", content=content)
    if pair.leftover:
        return edit.model_copy(update={"reason": "leftover"})
    return draft("conversation_added", "behaviour", Place(number), Sides(-1, pair.head), edits=(edit,))


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


def _doubts(pairs: Sequence[ConversationPair], head: Recording | None) -> Iterator[str]:
    """Yield what could as well have been compared with something else."""
    if head is not None and head.doubt:
        yield head.doubt
    yield from (pair.doubt for pair in pairs if pair.doubt)
