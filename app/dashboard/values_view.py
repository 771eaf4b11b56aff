"""Recorded values as indented lines, with what differs between the sides marked inside them."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from reviewlib.diff.patch import indexed
from reviewlib.model.change import Absent, Detail
from reviewlib.model.frozen import Plain
from reviewlib.values import same, written
from reviewlib.words import Segment, compare, side

MOST_LINES = 200
"""Lines of one value that are shown; the raw text holds the rest."""

_LONG = 120
"""Longer strings, and those of several lines, are shown as text, without quotes."""

_WORDY = 40
"""Texts from this length on are compared word by word; shorter ones read better whole."""

Own = Literal["removed", "added"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line: how deep it stands, the key or place before it, and its text. ``block`` is text of its own, not a scalar."""

    depth: int
    label: str
    segments: tuple[Segment, ...]
    block: bool = False

    @property
    def marked(self) -> bool:
        """Whether something in it is on this side only."""
        return any(segment.mark != "same" for segment in self.segments)


def lines(value: Plain, details: Sequence[Detail], own: Own) -> tuple[tuple[Line, ...], tuple[Detail, ...]]:
    """A value as lines, and the details of this side that stand nowhere in it.

    A detail is placed where its path leads to its value; in lists of different length the other side's index may lead elsewhere.
    """
    mine = {indexed(detail.path, value): detail for detail in details if not isinstance(_of(detail, own), Absent)}
    placed: set[str] = set()
    found: list[Line] = []
    for line in _walk(value, (), 0, "", mine, own, placed):
        if len(found) == MOST_LINES:
            found.append(Line(0, "", (Segment("same", "… more lines: the raw text holds all of it"),)))
            break
        found.append(line)
    return tuple(found), tuple(detail for path, detail in mine.items() if path not in placed)


def detail_line(detail: Detail) -> Line:
    """A difference by itself: its path and both values; long texts word by word."""
    if _are_long_texts(detail):
        return Line(0, detail.path, compare(detail.baseline, detail.head), block=True)
    marks: Iterable[tuple[Own, Plain]] = (("removed", detail.baseline), ("added", detail.head))
    shown = [Segment(mark, scalar(value)) for mark, value in marks if not isinstance(value, Absent)]
    if len(shown) == 2:
        shown.insert(1, Segment("same", " → "))
    return Line(0, detail.path, tuple(shown))


def scalar(value: Plain) -> str:
    """A value on one line, as JSON; bytes as their size and digest."""
    if isinstance(value, bytes):
        return f"{len(value):,} bytes, sha256 {hashlib.sha256(value).hexdigest()[:16]}"
    return json.dumps(value, ensure_ascii=False, default=scalar)


def _of(detail: Detail, own: Own) -> Plain:
    return detail.baseline if own == "removed" else detail.head


def _walk(
    value: Plain,
    path: tuple[str | int, ...],
    depth: int,
    label: str,
    mine: dict[str, Detail],
    own: Own,
    placed: set[str],
) -> Iterator[Line]:
    where = written(path)
    detail = mine.get(where)
    if detail is not None and same(_of(detail, own), value):
        placed.add(where)
        yield from _marked(detail, value, depth, label, own)
    elif isinstance(value, dict) and value:
        if path:
            yield Line(depth, label, ())
        for key, item in value.items():
            yield from _walk(item, (*path, key), depth + bool(path), key, mine, own, placed)
    elif isinstance(value, list) and value:
        if path:
            yield Line(depth, label, ())
        for place, item in enumerate(value):
            yield from _walk(item, (*path, place), depth + bool(path), f"[{place}]", mine, own, placed)
    else:
        yield _leaf(value, depth, label, "same")


def _marked(detail: Detail, value: Plain, depth: int, label: str, own: Own) -> Iterator[Line]:
    if _are_long_texts(detail):
        yield Line(depth, label, side(compare(detail.baseline, detail.head), own), block=True)
    elif isinstance(value, dict | list) and value:
        inner = lines(value, (), own)[0]
        if label:
            yield Line(depth, label, ())
        for line in inner:
            marked = tuple(Segment(own, segment.text) for segment in line.segments)
            yield Line(depth + line.depth + bool(label), line.label, marked, line.block)
    else:
        yield _leaf(value, depth, label, own)


def _leaf(value: Plain, depth: int, label: str, mark: Literal["same", "removed", "added"]) -> Line:
    if isinstance(value, str) and (_is_long(value) or not label):
        return Line(depth, label, (Segment(mark, value),), block=True)
    return Line(depth, label, (Segment(mark, scalar(value)),))


def _are_long_texts(detail: Detail) -> bool:
    both = detail.baseline, detail.head
    return all(isinstance(value, str) for value in both) and any(len(value) > _WORDY or "\n" in value for value in both)


def _is_long(text: str) -> bool:
    return len(text) > _LONG or "\n" in text
