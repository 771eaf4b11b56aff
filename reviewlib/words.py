"""Two texts compared word by word."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Literal, TypeAlias

from rapidfuzz.distance import LCSseq, Postfix, Prefix

Mark: TypeAlias = Literal["same", "removed", "added"]

_TOKEN = re.compile(r"\n|[^\S\n]+|\w+(?:[.,]\w+)*|[^\w\s]")
"""A line break, blanks, a word or number (``39.00`` and ``1,200`` are one), or one punctuation mark."""

_MOST_TOKENS = 20_000
"""Above it whole lines are compared: the table of 20,000 by 20,000 words is 50 MB."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text, and whether it is on both sides, on the baseline's only, or on the head's only."""

    mark: Mark
    text: str


@lru_cache(maxsize=256)
def compare(baseline: str, head: str) -> tuple[Segment, ...]:
    """Both texts as one list of stretches: leaving out ``added`` gives the baseline, leaving out ``removed`` the head."""
    if baseline == head:
        return (Segment("same", head),) if head else ()
    begin, end = _common_ends(baseline, head)
    middle = _middle(*(_TOKEN.findall(text[begin : len(text) - end]) for text in (baseline, head)))
    around = Segment("same", head[:begin]), Segment("same", head[len(head) - end :])
    found = [segment for segment in (around[0], *middle, around[1]) if segment.text]
    return _slid(_joined(_tidied(found)))


def _common_ends(baseline: str, head: str) -> tuple[int, int]:
    """How many characters both begin and end with, up to a blank: no word is cut."""
    begin = Prefix.similarity(baseline, head)
    while begin and not head[begin - 1].isspace():
        begin -= 1
    end = Postfix.similarity(baseline[begin:], head[begin:])
    while end and not head[-end].isspace():
        end -= 1
    return begin, end


def _middle(baseline: list[str], head: list[str]) -> list[Segment]:
    """What is between the common ends, as fine as its length allows."""
    sides = baseline, head
    if max(map(len, sides)) > _MOST_TOKENS:
        sides = "".join(baseline).splitlines(keepends=True), "".join(head).splitlines(keepends=True)
    if max(map(len, sides)) > _MOST_TOKENS:
        return [Segment("removed", "".join(baseline)), Segment("added", "".join(head))]
    return _segments(*sides)


def side(segments: tuple[Segment, ...], mark: Literal["removed", "added"]) -> tuple[Segment, ...]:
    """What one side shows: the common stretches and its own."""
    return tuple(segment for segment in segments if segment.mark in ("same", mark))


def _segments(baseline: list[str], head: list[str]) -> list[Segment]:
    found = []
    for code in LCSseq.opcodes(baseline, head):
        removed = "".join(baseline[code.src_start : code.src_end])
        added = "".join(head[code.dest_start : code.dest_end])
        if code.tag == "equal":
            found.append(Segment("same", added))
        else:
            found += [Segment("removed", removed), Segment("added", added)]
    return [segment for segment in found if segment.text]


def _tidied(segments: list[Segment]) -> list[Segment]:
    """Blanks between two changed words belong to the change: one marked phrase reads better than many marked words."""
    tidied: list[Segment] = []
    last = len(segments) - 1
    for place, segment in enumerate(segments):
        inside = 0 < place < last and segment.mark == "same" and not segment.text.strip() and "\n" not in segment.text
        if inside:
            tidied += [Segment("removed", segment.text), Segment("added", segment.text)]
        else:
            tidied.append(segment)
    return tidied


def _joined(segments: list[Segment]) -> tuple[Segment, ...]:
    """Neighbours of one mark become one; within a change the removed words stand before the added ones."""
    joined: list[Segment] = []
    for same, run in groupby(segments, key=lambda segment: segment.mark == "same"):
        members = list(run)
        if same:
            joined += members
        else:
            joined += _change(
                *("".join(item.text for item in members if item.mark == mark) for mark in ("removed", "added"))
            )
    runs = groupby(joined, key=lambda segment: segment.mark)
    return tuple(Segment(mark, "".join(member.text for member in run)) for mark, run in runs)


def _change(removed: str, added: str) -> list[Segment]:
    """What both end with in blanks stands behind the change, not in it."""
    blanks = removed[len(removed.rstrip()) :]
    if blanks and added.endswith(blanks):
        removed, added = removed.removesuffix(blanks), added.removesuffix(blanks)
    else:
        blanks = ""
    marked: tuple[tuple[Mark, str], ...] = (("removed", removed), ("added", added), ("same", blanks))
    return [Segment(mark, text) for mark, text in marked if text]


def _slid(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """Move a change that only adds or removes to where its line begins: not ``- [new, line break, - ]old`` but the whole new line."""
    found = list(segments)
    for place in range(1, len(found) - 1):
        before, change, after = found[place - 1 : place + 2]
        if before.mark != "same" or after.mark != "same":
            continue
        begun = before.text[before.text.rfind("\n") + 1 :]
        if begun and change.text.endswith(f"\n{begun}"):
            found[place - 1] = Segment("same", before.text.removesuffix(begun))
            found[place] = Segment(change.mark, begun + change.text.removesuffix(begun))
            found[place + 1] = Segment("same", begun + after.text)
    return _joined([segment for segment in found if segment.text])


def condensed(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """The changed lines alone; how many unchanged ones are left out stands in their place."""
    last = len(segments) - 1
    return tuple(
        segment if segment.mark != "same" else Segment("same", _without_lines(segment.text, place == 0, place == last))
        for place, segment in enumerate(segments)
    )


def _without_lines(text: str, is_first: bool, is_last: bool) -> str:
    """Keep the rest of the line before, and the beginning of the line after; leave out whole lines, unless it is a single one."""
    first, *lines = text.split("\n")
    if is_first:
        first, lines = "", [first, *lines]
    last = lines.pop() if lines and not is_last else ""
    if len(lines) < 2:
        return text
    begin = "" if is_first else f"{first}\n"
    return f"{begin}⋯ {len(lines)} unchanged lines\n{last}"
