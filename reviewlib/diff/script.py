"""What is done to the baseline's turns and calls so that they become head's, and which change tells each of it.

A turn stays where its counterpart stands in the same order; every other turn is dropped, moved or put. The calls of a turn that stays go
with it; a call of a turn that does not is dropped or moved by an edit of its own.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from reviewlib.align import align
from reviewlib.diff.draft import Draft, Place, Sides, Told
from reviewlib.diff.form import call_form, turn_form
from reviewlib.diff.matching import Matching
from reviewlib.diff.messages import Key, answers, untold_answers
from reviewlib.model.change import Edit
from reviewlib.model.trajectory import ToolCall, Trajectory

_CLAIMING = ("turns", "failure", "stop_reason", "regrouped", "tool_moved", "tool_removed", "tool_added", "user_message")
"""What tells of turns and calls that came, went or moved; changes that have no other edit choose first."""


def with_structure(
    told: Sequence[Told],
    matching: Matching,
    number: int,
    sides: Sides,
    baseline: Trajectory,
    head: Trajectory,
    unknown: frozenset[str],
) -> Iterator[Told]:
    """Give every edit of the structure to a change that tells it. ``number`` is that of the conversation's pair.

    ``baseline`` and ``head`` are the conversations as they were read, ``unknown`` the facts that a side does not record.
    """
    partners = {i: j for i, j in matching.slots if i is not None and j is not None}
    kept = _staying(matching, partners)
    shared: defaultdict[Key, list[Edit]] = defaultdict(list)
    for key, edit in [*_shared(matching, partners, kept, number), *answers(partners, kept, number, baseline, head)]:
        shared[key].append(edit)
    given: dict[int, list[Edit]] = {}
    claiming = sorted(
        (_CLAIMING.index(role), place)
        for place, item in enumerate(told)
        if isinstance(item, Draft) and (role := _role(item, matching))
    )
    for _, place in claiming:
        item = told[place]
        if isinstance(item, Draft):
            keys = _claims(item, matching, baseline, head)
            given[place] = [*_own(item, number, head), *(edit for key in keys for edit in shared.pop(key, ()))]
    for place, item in enumerate(told):
        yield item.with_edits(given[place]) if isinstance(item, Draft) and place in given else item
    yield from untold_answers(shared, Place(number), sides, baseline, head, known="user_messages" not in unknown)
    for edits in shared.values():  # none: what no change tells has no reason either, and the tests find it
        yield from edits


def _shared(
    matching: Matching, partners: dict[int, int], kept: frozenset[tuple[int, int]], number: int
) -> Iterator[tuple[Key, Edit]]:
    for i in range(len(matching.baseline)):
        if i not in partners:
            yield ("turn", i), Edit(conversation=number, action="drop", what="turn", place=i)
        elif (i, partners[i]) not in kept:
            yield ("turn", i), Edit(conversation=number, action="move", what="turn", place=i, to=partners[i])
    for j in sorted(set(range(len(matching.head))) - set(partners.values())):
        content = turn_form(matching.head[j])
        yield ("put", j), Edit(conversation=number, action="put", what="turn", to=j, content=content)
    for pair in matching.calls:
        i, j = pair.baseline.turn - 1, pair.head.turn - 1
        if (i, j) not in kept:
            place = pair.baseline.index
            yield ("call", place), Edit(conversation=number, action="move", what="call", place=place, to=j)


def _staying(matching: Matching, partners: dict[int, int]) -> frozenset[tuple[int, int]]:
    """Return the turns that correspond and stand in the same order, most of them; a turn of a moved call is none of them."""
    moved = {(pair.baseline.turn - 1, pair.head.turn - 1) for pair in matching.calls if pair.moved}
    pairs = sorted(pair for pair in partners.items() if pair not in moved)
    heads = [j for _, j in pairs]
    ascending = align(heads, sorted(heads))
    return frozenset(pairs[place] for place, other in ascending if place is not None and other is not None)


def _role(item: Draft, matching: Matching) -> str:
    kind = item.change.kind
    if kind == "failure":
        return "" if item.change.tool is not None else kind
    if kind == "turns":
        i, j = matching.slots[item.place.slot]
        act = matching.head[j] if j is not None else matching.baseline[i or 0]
        return "regrouped" if act.calls else kind
    return kind if kind in _CLAIMING else ""


def _own(item: Draft, number: int, head: Trajectory) -> Iterator[Edit]:
    change = item.change
    if change.kind == "tool_removed" and change.baseline_step:
        yield Edit(conversation=number, action="drop", what="call", place=change.baseline_step[1])
    elif change.kind == "tool_added" and change.head_step:
        call = head.steps[change.head_step[1]]
        if isinstance(call, ToolCall):
            yield Edit(conversation=number, action="put", what="call", to=call.turn - 1, content=call_form(call))


def _claims(item: Draft, matching: Matching, baseline: Trajectory, head: Trajectory) -> Iterator[Key]:
    role = _role(item, matching)
    if role == "user_message":
        one, other = item.change.baseline_step, item.change.head_step
        yield from (("asked", other[1]),) if other is not None else ()
        yield from (("dropped", one[1]),) if one is not None else ()
        return
    if role.startswith("tool"):
        one, other = item.change.baseline_step, item.change.head_step
        if one is not None:
            yield "call", one[1]
            yield "turn", baseline.steps[one[1]].turn - 1
        if other is not None:
            yield "put", head.steps[other[1]].turn - 1
        return
    i, j = matching.slots[item.place.slot]
    baselines, heads = [] if i is None else [i], [] if j is None else [j]
    if role == "regrouped":
        group = next(group for group in matching.regrouped if group[1][0] == j)
        baselines, heads = list(group[0]), list(group[1])
        yield from (
            ("call", pair.baseline.index)
            for pair in matching.calls
            if not pair.moved and pair.baseline.turn - 1 in baselines and pair.head.turn - 1 in heads
        )
    yield from (("turn", place) for place in baselines)
    yield from (("put", place) for place in heads)
