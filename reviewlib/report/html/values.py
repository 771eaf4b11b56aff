"""Recorded texts and values as markup: marked where they differ, capped where they are long."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from reviewlib.model.change import Absent, Detail
from reviewlib.model.frozen import Plain
from reviewlib.report.html.markup import block, element, inline
from reviewlib.report.neutral import capped
from reviewlib.report.values import plain
from reviewlib.report.wording import plural, value
from reviewlib.words import Mark, Segment, compare, side

WHOLE = 1_200
"""Characters of a text or a value that stands by itself."""

MOST_DETAILS = 25
"""Differing leaves of one change that are listed; more are counted."""

CONTEXT = 240
"""Characters of common text that are kept before and behind a change."""

CHANGED = 2_000
"""Characters of one removed or added stretch that are shown."""

MOST_STRETCHES = 300
"""Stretches of one text that are shown."""

_WORDY = 40
"""Texts from this length on are compared word by word; shorter ones read better whole."""

_ELEMENTS: dict[Mark | Literal["cut"], str] = {"same": "span", "removed": "del", "added": "ins", "cut": "em"}


class Stretch(NamedTuple):
    """A piece of text: on both sides, on one, or (``cut``) a sentence about what is left out."""

    mark: Mark | Literal["cut"]
    text: str


def text(recorded: str) -> str:
    """Show a text by itself."""
    return block(capped(recorded, WHOLE))


def whole(recorded: Plain) -> str:
    """Show a value by itself: a text as its lines, anything else as indented JSON."""
    if isinstance(recorded, str):
        return text(recorded)
    if isinstance(recorded, bytes | Absent):
        return inline(value(recorded))
    return text(json.dumps(plain(recorded), ensure_ascii=False, indent=2))


def marked(stretches: Iterable[Stretch]) -> str:
    """Show stretches of a text, each in its element."""
    return "".join(
        block(stretch.text)
        if stretch.mark == "same"
        else f"<{_ELEMENTS[stretch.mark]}>{block(stretch.text)}</{_ELEMENTS[stretch.mark]}>"
        for stretch in stretches
    )


def sides(baseline: str, head: str) -> tuple[str, str]:
    """Show two texts beside each other, each with its own words marked."""
    segments = compare(baseline, head)
    return marked(shortened(side(segments, "removed"))), marked(shortened(side(segments, "added")))


def shortened(segments: Sequence[Segment]) -> tuple[Stretch, ...]:
    """Leave out the middle of long common text, the end of long changes, and everything after too many of them; say so each time."""
    last = len(segments) - 1
    found = [
        short
        for place, segment in enumerate(segments)
        for short in _shortened(segment, is_first=place == 0, is_last=place == last)
    ]
    if len(found) > MOST_STRETCHES:
        rest = sum(len(stretch.text) for stretch in found[MOST_STRETCHES:])
        found[MOST_STRETCHES:] = [Stretch("cut", f"… (+{rest:,} characters)")]
    return tuple(found)


def details(found: Sequence[Detail]) -> str:
    """List differing leaves: each path with both values; nothing where there are none."""
    listed = "".join(f"<li>{_detail(detail)}</li>\n" for detail in found[:MOST_DETAILS])
    rest = len(found) - MOST_DETAILS
    more = f"<li>and {plural(rest, 'more difference')}</li>\n" if rest > 0 else ""
    return f'<ul class="details">\n{listed}{more}</ul>\n' if found else ""


def _detail(detail: Detail) -> str:
    one, other = detail.baseline, detail.head
    if isinstance(one, Absent) and isinstance(other, Absent):  # "… 12 more", where there were too many to list
        return inline(detail.path)
    where = f"<code>{inline(detail.path)}</code>: " if detail.path else ""
    if (
        isinstance(one, str)
        and isinstance(other, str)
        and any(len(each) > _WORDY or "\n" in each for each in (one, other))
    ):
        return f"{where}{element('div', 'words', marked(shortened(compare(one, other))))}"
    return f"{where}{_leaf('del', one)} → {_leaf('ins', other)}"


def _leaf(name: str, recorded: Plain) -> str:
    shown = inline(value(recorded, WHOLE))
    return f"<em>{shown}</em>" if isinstance(recorded, Absent) else f"<{name}>{shown}</{name}>"


def _shortened(segment: Segment, *, is_first: bool, is_last: bool) -> Iterator[Stretch]:
    text = segment.text
    if segment.mark != "same":
        yield Stretch(segment.mark, capped(text, CHANGED))
        return
    before, behind = (0 if is_first else CONTEXT), (0 if is_last else CONTEXT)
    left_out = len(text) - before - behind
    if left_out <= CONTEXT:
        yield Stretch(segment.mark, text)
        return
    shown = text[:before], text[len(text) - behind :]
    said = Stretch("cut", f"⋯ {left_out:,} characters unchanged ⋯")
    yield from (piece for piece in (Stretch("same", shown[0]), said, Stretch("same", shown[1])) if piece.text)
