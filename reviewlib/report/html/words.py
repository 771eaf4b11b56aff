"""Two texts compared word by word, and shortened to what differs."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

from rapidfuzz.distance import Postfix, Prefix

from reviewlib.align import align
from reviewlib.report.neutral import capped

Mark: TypeAlias = Literal["same", "removed", "added", "cut"]

_WORD = re.compile(r"\n|[^\S\n]+|\w+(?:[.,]\w+)*|[^\w\s]")
"""A line break, blanks, a word or number (``39.00`` and ``1,200`` are one), or one punctuation mark."""

MOST_PARTS = 4_000
"""Above it whole lines are compared, and above as many lines nothing: 4,000 words against 4,000 take about 50 ms."""

CONTEXT = 240
"""Characters of common text that are kept before and behind a change."""

CHANGED = 2_000
"""Characters of one removed or added stretch that are shown."""

MOST_STRETCHES = 300
"""Stretches of one text that are shown."""


class Stretch(NamedTuple):
    """A piece of text: on both sides, on one, or (``cut``) a sentence about what is left out."""

    mark: Mark
    text: str


def compared(baseline: str, head: str) -> tuple[Stretch, ...]:
    """Give both texts as one row of stretches: without ``added`` they are the baseline, without ``removed`` the head."""
    begin, end = _common_ends(baseline, head)
    one, other = _parts(*(text[begin : len(text) - end] for text in (baseline, head)))
    marked = [_stretch(one, other, left, right) for left, right in align(one, other)]
    around = Stretch("same", head[:begin]), Stretch("same", head[len(head) - end :])
    parts = [part for part in (around[0], *marked, around[1]) if part.text]
    return tuple(_joined(_bridged([Stretch(mark, _text(run)) for mark, run in groupby(parts, lambda part: part.mark)])))


def shortened(stretches: Sequence[Stretch]) -> tuple[Stretch, ...]:
    """Leave out the middle of long common text, the end of long changes, and everything after too many of them; say so each time."""
    last = len(stretches) - 1
    found = [
        short
        for place, stretch in enumerate(stretches)
        for short in _shortened(stretch, is_first=place == 0, is_last=place == last)
    ]
    if len(found) > MOST_STRETCHES:
        rest = sum(len(stretch.text) for stretch in found[MOST_STRETCHES:])
        found[MOST_STRETCHES:] = [Stretch("cut", f"… (+{rest:,} characters)")]
    return tuple(found)


def _common_ends(baseline: str, head: str) -> tuple[int, int]:
    """Count the characters that both begin and end with, up to a blank, so that no word is cut. A long prompt with one edit costs little."""
    begin = Prefix.similarity(baseline, head)
    while begin and not head[begin - 1].isspace():
        begin -= 1
    end = Postfix.similarity(baseline[begin:], head[begin:])
    while end and not head[-end].isspace():
        end -= 1
    return begin, end


def _parts(baseline: str, head: str) -> tuple[list[str], list[str]]:
    for split in (_WORD.findall, lambda text: text.splitlines(keepends=True)):
        parts = split(baseline), split(head)
        if max(map(len, parts)) <= MOST_PARTS:
            return parts
    return [baseline], [head]


def _stretch(one: Sequence[str], other: Sequence[str], left: int | None, right: int | None) -> Stretch:
    if left is None:
        return Stretch("added", other[right or 0])
    return Stretch("removed" if right is None else "same", one[left])


def _text(run: Iterator[Stretch]) -> str:
    return "".join(stretch.text for stretch in run)


def _bridged(stretches: list[Stretch]) -> Iterator[Stretch]:
    """Count the blanks between two changes as changed: one marked phrase reads better than many marked words."""
    last = len(stretches) - 1
    for place, stretch in enumerate(stretches):
        is_bridge = (
            stretch.mark == "same" and 0 < place < last and not stretch.text.strip() and "\n" not in stretch.text
        )
        yield from (Stretch("removed", stretch.text), Stretch("added", stretch.text)) if is_bridge else (stretch,)


def _joined(stretches: Iterator[Stretch]) -> Iterator[Stretch]:
    """Put what was removed before what was added, in each run of changes."""
    for is_same, run in groupby(stretches, lambda stretch: stretch.mark == "same"):
        members = list(run)
        if is_same:
            yield Stretch("same", _text(iter(members)))
            continue
        for mark in ("removed", "added"):
            text = _text(member for member in members if member.mark == mark)
            if text:
                yield Stretch(mark, text)


def _shortened(stretch: Stretch, *, is_first: bool, is_last: bool) -> Iterator[Stretch]:
    text = stretch.text
    if stretch.mark != "same":
        yield Stretch(stretch.mark, capped(text, CHANGED))
        return
    before, behind = (0 if is_first else CONTEXT), (0 if is_last else CONTEXT)
    left_out = len(text) - before - behind
    if left_out <= CONTEXT:
        yield stretch
        return
    shown = text[:before], text[len(text) - behind :]
    said = Stretch("cut", f"⋯ {left_out:,} characters unchanged ⋯")
    yield from (piece for piece in (Stretch("same", shown[0]), said, Stretch("same", shown[1])) if piece.text)
