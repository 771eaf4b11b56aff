"""Recorded texts and values as markup: marked where they differ, capped where they are long."""

import json
from collections.abc import Iterable, Sequence

from reviewlib.model.change import Absent, Detail
from reviewlib.model.frozen import Plain
from reviewlib.report.html.markup import block, element, inline
from reviewlib.report.html.words import Mark, Stretch, compared, shortened
from reviewlib.report.neutral import capped
from reviewlib.report.values import plain
from reviewlib.report.wording import plural, value

WHOLE = 1_200
"""Characters of a text or a value that stands by itself."""

MOST_DETAILS = 25
"""Differing leaves of one change that are listed; more are counted."""

_WORDY = 40
"""Texts from this length on are compared word by word; shorter ones read better whole."""

_ELEMENTS: dict[Mark, str] = {"same": "span", "removed": "del", "added": "ins", "cut": "em"}


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
    stretches = compared(baseline, head)
    one, other = (
        marked(shortened([stretch for stretch in stretches if stretch.mark != hidden]))
        for hidden in ("added", "removed")
    )
    return one, other


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
        return f"{where}{element('div', 'words', marked(shortened(compared(one, other))))}"
    return f"{where}{_leaf('del', one)} → {_leaf('ins', other)}"


def _leaf(name: str, recorded: Plain) -> str:
    shown = inline(value(recorded, WHOLE))
    return f"<em>{shown}</em>" if isinstance(recorded, Absent) else f"<{name}>{shown}</{name}>"
