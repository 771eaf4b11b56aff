"""Alignment of two sequences, without any domain type.

``align`` finds a longest common subsequence; of several equally long ones it keeps the earliest items of the first sequence, matched
as far left as possible in the second. So a swap reads as "the later one moved", and a difference in a run of equals stands at its end.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeAlias, TypeVar

Aligned: TypeAlias = tuple[int | None, int | None]
"""An index of each sequence; None where the other side has no counterpart."""

Gap: TypeAlias = tuple[range, range]
"""Items of both sequences between two neighbouring anchors."""


def align(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[Aligned]:
    """Return every index of both sequences once, in order, equal items together; unmatched first-sequence items come first.

    Cost: n big-integer operations over m bits (2,000 against 2,000 takes about 10 ms), after the common ends are cut off.
    """
    if first == second:
        return [(i, i) for i in range(len(first))]
    start, shortest = 0, min(len(first), len(second))
    while start < shortest and first[start] == second[start]:
        start += 1
    end = 0
    while end < shortest - start and first[-1 - end] == second[-1 - end]:
        end += 1
    middle = _longest_common(first[start : len(first) - end], second[start : len(second) - end])
    anchors = [(i, i) for i in range(start)]
    anchors += [(i + start, j + start) for i, j in middle]
    anchors += [(len(first) - k, len(second) - k) for k in range(end, 0, -1)]
    return _woven(anchors, len(first), len(second))


def _longest_common(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the pairs of a longest common subsequence (bit-parallel, Hyyrö 2004, run from the end so that the left is preferred)."""
    if not first or not second:
        return []
    width = len(second)
    places: defaultdict[Hashable, int] = defaultdict(int)
    for position, item in enumerate(reversed(second)):
        places[item] |= 1 << position
    full = (1 << width) - 1
    rows = [full]
    for item in reversed(first):
        row, hits = rows[-1], rows[-1] & places.get(item, 0)
        rows.append(((row + hits) | (row - hits)) & full)

    def longest(i: int, j: int) -> int:
        """Length of the longest common subsequence of ``first[i:]`` and ``second[j:]``: zero bits among the last ones."""
        bits = width - j
        return bits - (rows[len(first) - i] & ((1 << bits) - 1)).bit_count()

    where: defaultdict[Hashable, list[int]] = defaultdict(list)
    for position, item in enumerate(second):
        where[item].append(position)
    pairs: list[tuple[int, int]] = []
    j, left = 0, longest(0, 0)
    for i, item in enumerate(first):
        if not left:
            break
        match = next((p for p in where.get(item, ()) if p >= j), None)
        if match is not None and longest(i + 1, match + 1) == left - 1:
            pairs.append((i, match))
            j, left = match + 1, left - 1
    return pairs


def _woven(anchors: Sequence[tuple[int, int]], first: int, second: int) -> list[Aligned]:
    woven: list[Aligned] = []
    i = j = 0
    for left, right in [*anchors, (first, second)]:
        woven += [(k, None) for k in range(i, left)]
        woven += [(None, k) for k in range(j, right)]
        if left < first and right < second:
            woven.append((left, right))
        i, j = left + 1, right + 1
    return woven


def gaps(anchors: Sequence[tuple[int, int]], first: int, second: int) -> list[Gap]:
    """Return the stretches between the anchors of two sequences of these lengths, the empty ones too."""
    found: list[Gap] = []
    i = j = 0
    for left, right in [*anchors, (first, second)]:
        found.append((range(i, left), range(j, right)))
        i, j = left + 1, right + 1
    return found


Item = TypeVar("Item")


def layered(
    first: Sequence[Item],
    second: Sequence[Item],
    layers: Sequence[Callable[[Item], Hashable]],
    anchors: Sequence[tuple[int, int]] = (),
) -> list[tuple[int, int]]:
    """Match items by the strictest key first; each looser key only matches between the anchors that are already found.

    ``layers`` are functions from an item to its key, ``anchors`` what is matched from the outset. Returned are the matched index pairs,
    ascending on both sides.
    """
    anchors = list(anchors)
    for key in layers:
        one, other = [key(item) for item in first], [key(item) for item in second]
        more: list[tuple[int, int]] = []
        for left, right in gaps(anchors, len(first), len(second)):
            if not left or not right:
                continue
            found = align([one[i] for i in left], [other[j] for j in right])
            more += [(left[i], right[j]) for i, j in found if i is not None and j is not None]
        anchors = sorted([*anchors, *more])
    return anchors


def slid(
    anchors: Sequence[tuple[int, int]],
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    alike: Callable[[int, int], bool],
) -> list[tuple[int, int]]:
    """Slide runs of equal items, so that an item edited before such a run finds its counterpart.

    Of ``PPP`` and ``pPP`` a longest alignment leaves the last P of the first alone, and p; one as long leaves the first P, and p beside it.
    A run is slid where that puts two items together that are ``alike`` (by their indexes), and takes none from another.
    """
    pairs = _slid(list(anchors), first, second, alike)
    turned = _slid([(j, i) for i, j in pairs], second, first, lambda j, i: alike(i, j))
    return [(i, j) for j, i in turned]


def _slid(
    pairs: list[tuple[int, int]],
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    alike: Callable[[int, int], bool],
) -> list[tuple[int, int]]:
    for number in range(len(pairs)):
        run, steps = _slidable(pairs, number, first, second, alike)
        pairs[number : number + run] = [(i + steps, j) for i, j in pairs[number : number + run]]
    return pairs


def _slidable(
    anchors: Sequence[tuple[int, int]],
    number: int,
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    alike: Callable[[int, int], bool],
) -> tuple[int, int]:
    """Return how many anchors from ``number`` on are a run, and by how many items it can slide in the first sequence."""
    before = anchors[number - 1] if number else (-1, -1)
    i, j = anchors[number]
    lacking = (j - before[1]) - (i - before[0])
    if lacking <= 0 or not any(alike(i, k) for k in range(before[1] + 1, j)):
        return 0, 0
    run = 1
    while number + run < len(anchors) and anchors[number + run] == (i + run, j + run) and first[i + run] == first[i]:
        run += 1
    after = anchors[number + run] if number + run < len(anchors) else (len(first), len(second))
    left, right = range(i + run, after[0]), range(j + run, after[1])
    spare = len(left) - len(right)
    if spare <= 0:
        spare = 0 if any(alike(i, k) for k in right) else 1
    free = next((n for n, place in enumerate(left) if first[place] != first[i]), len(left))
    return run, min(lacking, spare, free)


def best(scores: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return the ascending index pairs with the greatest sum of scores; a score of 0 or less is never paired.

    ``scores[i][j]`` says how well item i of the first sequence fits item j of the second. Cost: one step a cell.
    """
    rows, columns = len(scores), len(scores[0]) if scores else 0
    total = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            paired = scores[i][j] + total[i + 1][j + 1] if scores[i][j] > 0 else 0.0
            total[i][j] = max(paired, total[i + 1][j], total[i][j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if scores[i][j] > 0 and total[i][j] == scores[i][j] + total[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif total[i][j] == total[i][j + 1]:
            j += 1
        else:
            i += 1
    return pairs
