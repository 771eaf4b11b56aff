"""Which turns and which calls of two trajectories correspond.

Turns are matched by what they do, never by position: the strictest equality first, looser ones only between the anchors. Calls of
turns that stayed alone are matched next, within the gap and then anywhere; the order of parallel calls never counts.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.fuzz import ratio

from reviewlib.acts import Act, acts_of, call_key, outcome_key
from reviewlib.align import align, best, gaps, layered, slid
from reviewlib.model.trajectory import ToolCall, Trajectory
from reviewlib.values import similarity

MAX_CELLS = 10_000
"""A gap of more turns than this (rows times columns) is matched by tool names alone: similarity costs about 20 µs a cell."""


@dataclass(frozen=True)
class Matched:
    """A call of both sides that is the same step of the agent's work."""

    baseline: ToolCall
    head: ToolCall
    moved: bool = False


@dataclass(frozen=True)
class Matching:
    """What corresponds in two trajectories.

    ``slots`` are the turns in reading order (head's order, with baseline's lone turns where they stood): places of both sides, or of one.
    ``regrouped`` are the places of baseline and head turns that share the same calls in another division.
    """

    baseline: tuple[Act, ...]
    head: tuple[Act, ...]
    slots: tuple[tuple[int | None, int | None], ...]
    calls: tuple[Matched, ...]
    removed: tuple[ToolCall, ...]
    added: tuple[ToolCall, ...]
    regrouped: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    limited: bool


def match(baseline: Trajectory, head: Trajectory) -> Matching:
    """Match the turns and the calls of two trajectories."""
    one, other = acts_of(baseline), acts_of(head)
    anchors, limited = _anchors(one, other)
    anchored = [pair for i, j in anchors for pair in _within(one[i].calls, other[j].calls)]
    loose = _loose_calls(anchors, one, other)
    calls = [*anchored, *loose]
    loose += _elsewhere(_left(one, (pair[0] for pair in calls)), _left(other, (pair[1] for pair in calls)))
    matched = _moves(anchors, anchored, loose)
    pairs = _turn_pairs(anchors, matched, one, other)
    return Matching(
        baseline=one,
        head=other,
        slots=_slots(pairs, len(one), len(other)),
        calls=matched,
        removed=tuple(_left(one, (pair.baseline for pair in matched))),
        added=tuple(_left(other, (pair.head for pair in matched))),
        regrouped=_regrouped(matched),
        limited=limited,
    )


def _anchors(one: Sequence[Act], other: Sequence[Act]) -> tuple[list[tuple[int, int]], bool]:
    keys = [act.exact for act in one], [act.exact for act in other]
    anchors = slid(layered(*keys, [lambda key: key]), *keys, lambda i, j: one[i].tools == other[j].tools)
    anchors = layered(one, other, [lambda act: act.calling], anchors)
    limited, found = False, list(anchors)
    for left, right in gaps(anchors, len(one), len(other)):
        mine, theirs = [one[i] for i in left], [other[j] for j in right]
        if len(mine) * len(theirs) > MAX_CELLS:
            limited = True
            pairs = layered([act.tools for act in mine], [act.tools for act in theirs], [lambda key: key])
        else:
            pairs = best([[_likeness(a, b) for b in theirs] for a in mine])
        found += [(left[i], right[j]) for i, j in pairs]
    return sorted(found), limited


def _likeness(one: Act, other: Act) -> float:
    """Return 0 for turns that request different tools, otherwise 1 to 2 by how alike their arguments or texts are."""
    if one.tools != other.tools:
        return 0.0
    if not one.calls:
        return 1 + ratio(one.text[:2000], other.text[:2000]) / 100
    pairs = _within(one.calls, other.calls)
    return 1 + sum(similarity(a.arguments, b.arguments) for a, b in pairs) / len(pairs)


def _within(one: Sequence[ToolCall], other: Sequence[ToolCall]) -> list[tuple[ToolCall, ToolCall]]:
    """Match the parallel calls of two turns as sets: equal ones first, then those of one tool by likeness."""
    if len(one) == len(other) == 1:
        return [(one[0], other[0])] if one[0].tool == other[0].tool else []
    pairs, mine, theirs = _equal(one, other, outcome_key)
    more, mine, theirs = _equal(mine, theirs, call_key)
    pairs += more
    for tool in dict.fromkeys(call.tool for call in mine):
        left = [call for call in mine if call.tool == tool]
        right = [call for call in theirs if call.tool == tool]
        if len(left) * len(right) == 1:
            pairs.append((left[0], right[0]))
            continue
        likeness = sorted(
            ((-similarity(a.arguments, b.arguments), i, j) for i, a in enumerate(left) for j, b in enumerate(right)),
        )
        used_left: set[int] = set()
        used_right: set[int] = set()
        for _, i, j in likeness:
            if i not in used_left and j not in used_right:
                used_left.add(i)
                used_right.add(j)
                pairs.append((left[i], right[j]))
    return pairs


def _equal(
    one: Iterable[ToolCall], other: Iterable[ToolCall], key: Callable[[ToolCall], Hashable]
) -> tuple[list[tuple[ToolCall, ToolCall]], list[ToolCall], list[ToolCall]]:
    """Pair calls with equal keys, left to right; return the pairs and what stayed alone on each side."""
    waiting: defaultdict[Hashable, list[ToolCall]] = defaultdict(list)
    for call in other:
        waiting[key(call)].append(call)
    pairs: list[tuple[ToolCall, ToolCall]] = []
    mine: list[ToolCall] = []
    for call in one:
        if waiting[key(call)]:
            pairs.append((call, waiting[key(call)].pop(0)))
        else:
            mine.append(call)
    alone = {call.index for calls in waiting.values() for call in calls}
    return pairs, mine, [call for call in other if call.index in alone]


def _loose_calls(
    anchors: Sequence[tuple[int, int]], one: Sequence[Act], other: Sequence[Act]
) -> list[tuple[ToolCall, ToolCall]]:
    """Match calls of turns without a counterpart, inside each gap between the anchors, in order."""
    pairs: list[tuple[ToolCall, ToolCall]] = []
    for left, right in gaps(anchors, len(one), len(other)):
        if not left or not right:
            continue
        mine = [call for i in left for call in sorted(one[i].calls, key=outcome_key)]
        theirs = [call for j in right for call in sorted(other[j].calls, key=outcome_key)]
        keys = [[outcome_key(call) for call in calls] for calls in (mine, theirs)]
        found = layered(keys[0], keys[1], [lambda key: key, lambda key: key[:2], lambda key: key[0]])
        pairs += [(mine[i], theirs[j]) for i, j in found]
    return pairs


def _left(acts: Sequence[Act], matched: Iterable[ToolCall]) -> list[ToolCall]:
    indexes = {call.index for call in matched}
    return [call for act in acts for call in act.calls if call.index not in indexes]


def _elsewhere(one: Sequence[ToolCall], other: Sequence[ToolCall]) -> list[tuple[ToolCall, ToolCall]]:
    """Match what is left anywhere: equal calls, then a call that is the only one left of its tool on both sides.

    The latter moved and changed; without an argument in common it is another call, not the same one.
    """
    pairs, mine, theirs = _equal(one, other, outcome_key)
    equal, mine, theirs = _equal(mine, theirs, call_key)
    left, right = Counter(call.tool for call in mine), Counter(call.tool for call in theirs)
    single = {tool for tool, count in left.items() if count == 1 and right[tool] == 1}
    more, _, _ = _equal(
        [call for call in mine if call.tool in single],
        [call for call in theirs if call.tool in single],
        lambda call: call.tool,
    )
    return pairs + equal + [pair for pair in more if _related(*pair)]


def _related(one: ToolCall, other: ToolCall) -> bool:
    if isinstance(one.arguments, dict) and isinstance(other.arguments, dict):
        return bool(one.arguments.keys() & other.arguments.keys()) or one.arguments == other.arguments
    return type(one.arguments) is type(other.arguments)


def _moves(
    anchors: Sequence[tuple[int, int]],
    anchored: Sequence[tuple[ToolCall, ToolCall]],
    loose: Sequence[tuple[ToolCall, ToolCall]],
) -> tuple[Matched, ...]:
    """Tell moved calls: those whose turn passed an anchored turn, or that of a call that stayed. Calls of one turn have no order.

    Of the calls that passed one another as many as can stay, the earlier ones of the baseline.
    """
    between = sorted((pair for pair in loose if not _passed(_turns(pair), anchors)), key=_turns)
    heads = [other.turn for _, other in between]
    staying = {
        between[place][0].index
        for place, partner in align(heads, sorted(heads))
        if place is not None and partner is not None
    }
    matched = [Matched(*pair) for pair in anchored]
    matched += [Matched(one, other, moved=one.index not in staying) for one, other in loose]
    return tuple(sorted(matched, key=lambda pair: pair.head.index))


def _turns(pair: tuple[ToolCall, ToolCall]) -> tuple[int, int]:
    return pair[0].turn - 1, pair[1].turn - 1


def _passed(turns: tuple[int, int], anchors: Sequence[tuple[int, int]]) -> bool:
    """Tell whether two turns passed an anchor. Anchors ascend on both sides, so the nearest ones tell for all."""
    i, j = turns
    before, after = bisect_left(anchors, (i, -1)), bisect_left(anchors, (i + 1, -1))
    return (before > 0 and anchors[before - 1][1] > j) or (after < len(anchors) and anchors[after][1] < j)


def _turn_pairs(
    anchors: Sequence[tuple[int, int]], calls: Sequence[Matched], one: Sequence[Act], other: Sequence[Act]
) -> list[tuple[int, int]]:
    """Return the places of all turns that correspond: the anchors, turns that share a call, and where a run broke off: in the same words, if there are any.

    Calls that stayed come before those that moved: a turn is where most of it was.
    """
    pairs = list(anchors)
    mine, theirs = {i for i, _ in pairs}, {j for _, j in pairs}

    def add(i: int, j: int) -> None:
        if i not in mine and j not in theirs:
            pairs.append((i, j))
            mine.add(i)
            theirs.add(j)

    for pair in sorted(calls, key=lambda pair: (pair.moved, pair.head.index)):
        add(pair.baseline.turn - 1, pair.head.turn - 1)
    for left, right in gaps(anchors, len(one), len(other)):
        alone = [i for i in left if i not in mine], [j for j in right if j not in theirs]
        words = {other[j].text: j for j in reversed(alone[1]) if other[j].text and not other[j].calls}
        said = [(i, words[one[i].text]) for i in alone[0] if one[i].text in words and not one[i].calls]
        for i, j in (*said, *zip(*alone, strict=False)):
            if one[i].ending != other[j].ending and not any((i - a) * (j - b) < 0 for a, b in pairs):
                add(i, j)
    return pairs


def _slots(pairs: Sequence[tuple[int, int]], first: int, second: int) -> tuple[tuple[int | None, int | None], ...]:
    partner, back = {j: i for i, j in pairs}, dict(pairs)
    slots: list[tuple[int | None, int | None]] = []
    shown = -1
    for j in range(second):
        i = partner.get(j)
        if i is not None and i > shown:
            slots += [(k, None) for k in range(shown + 1, i) if k not in back]
            shown = i
        slots.append((i, j))
    slots += [(k, None) for k in range(shown + 1, first) if k not in back]
    return tuple(slots)


def _regrouped(calls: Sequence[Matched]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Find the turns whose staying calls are divided otherwise on the other side."""
    heads: defaultdict[int, set[int]] = defaultdict(set)
    baselines: defaultdict[int, set[int]] = defaultdict(set)
    for pair in calls:
        if not pair.moved:
            heads[pair.baseline.turn - 1].add(pair.head.turn - 1)
            baselines[pair.head.turn - 1].add(pair.baseline.turn - 1)
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    seen: set[int] = set()
    for start in sorted(heads):
        if start in seen:
            continue
        one, other = {start}, set(heads[start])
        while more := {i for j in other for i in baselines[j]} - one:
            one |= more
            other |= {j for i in more for j in heads[i]}
        seen |= one
        if len(one) > 1 or len(other) > 1:
            found.append((tuple(sorted(one)), tuple(sorted(other))))
    return tuple(found)
