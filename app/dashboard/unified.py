"""Both cells of a row as one: what is on one side only stands beside its counterpart, what is on both stands once."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from dashboard.steps import Block, Cell, Pairing
from dashboard.values_view import Line
from reviewlib.align import align
from reviewlib.words import Mark, Segment


def merged(row: Pairing) -> Cell | None:
    """One cell for a row. A row that has one side only keeps that one, marked as such by its relation."""
    one, other = row.baseline, row.head
    if one is None or other is None:
        return other or one
    if row.relation == "same":
        return other
    blocks = tuple(
        Block(title, tuple(_lines(left.lines if left else (), right.lines if right else ())))
        for title, left, right in _matched(one.blocks, other.blocks)
    )
    return replace(other, blocks=blocks, tags=tuple(dict.fromkeys((*one.tags, *other.tags))))


def _matched(baseline: Sequence[Block], head: Sequence[Block]) -> Iterator[tuple[str, Block | None, Block | None]]:
    """Blocks of one title together, in the head's order."""
    for title in dict.fromkeys(block.title for block in (*head, *baseline)):
        sides = ([block for block in blocks if block.title == title] for blocks in (baseline, head))
        for left, right in zip_longest(*sides):
            yield title, left, right


def _lines(baseline: Sequence[Line], head: Sequence[Line]) -> Iterator[Line]:
    """Lines that are on both sides once; a line that differs with its counterpart, where it has one at the same place."""
    removed: list[Line] = []
    added: list[Line] = []
    for left, right in align(baseline, head):
        if left is None or right is None:
            if left is not None:
                removed.append(baseline[left])
            if right is not None:
                added.append(head[right])
            continue
        yield from _gap(removed, added)
        removed, added = [], []
        yield head[right]
    yield from _gap(removed, added)


def _gap(removed: Sequence[Line], added: Sequence[Line]) -> Iterator[Line]:
    waiting = list(added)
    for line in removed:
        partner = next((other for other in waiting if (other.depth, other.label) == (line.depth, line.label)), None)
        if partner is None:
            yield _wholly(line, "removed")
        else:
            waiting.remove(partner)
            yield replace(partner, segments=tuple(_woven(line, partner)))
    yield from (_wholly(line, "added") for line in waiting)


def _wholly(line: Line, mark: Mark) -> Line:
    return line if line.marked else replace(line, segments=tuple(Segment(mark, each.text) for each in line.segments))


def _woven(line: Line, partner: Line) -> Iterator[Segment]:
    """Two sides of one comparison, each without what is the other's only, as the comparison that they came from."""
    if not (line.block and partner.block):
        yield from _wholly(line, "removed").segments
        yield Segment("same", " → ")
        yield from _wholly(partner, "added").segments
        return
    left, right = list(line.segments), list(partner.segments)
    while left or right:
        while left and left[0].mark == "removed":
            yield left.pop(0)
        while right and right[0].mark == "added":
            yield right.pop(0)
        if left and right and left[0] == right[0]:
            yield right.pop(0)
            left.pop(0)
        elif left:
            yield Segment("removed", left.pop(0).text)
        elif right:
            yield Segment("added", right.pop(0).text)
