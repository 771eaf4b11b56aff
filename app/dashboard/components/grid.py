"""The aligned trajectory as one escaped HTML grid.

Nothing in it needs the server again: the walk from change to change, deep links and late rows are ``walk.js``. One ``st.html`` with ``content-visibility`` took 0.35 s for 200 steps; one column widget a step took 1.2 to 3.5 s.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from dashboard import steps
from dashboard.components import page
from dashboard.inert import escaped
from dashboard.present import SHAPES, Chip
from dashboard.unified import merged
from dashboard.values_view import Line
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import Recording
from reviewlib.words import Segment

_SHOWN = 700
"""Characters of one text that are shown at once."""

_LINES = 24
"""Lines of one value that are shown at once."""

_MOST = 20_000
"""Characters behind ``show all``; the raw text holds the rest."""

_DRAWN = 900
"""Elements of rows that are in the page at once. A pair of 200 steps with 50 changes had 7,757."""

Notes: TypeAlias = Mapping[str, str]
"""What is said about a step, as HTML, by the step's anchor."""

_TAGS = {"removed": "del", "added": "ins"}
_WHERE_GONE = {"added": "not on this side", "removed": "not on this side", "left": "moved: see its new place"}


@dataclass(frozen=True, slots=True)
class Drawing:
    """Steps as HTML. ``late`` are the rows that the browser draws when they are seen, by the number that stands in their place."""

    html: str
    late: Mapping[str, str]


NOTHING = Drawing("", {})


def of_pair(pair: Pair, names: tuple[str, str], notes: Notes, *, unified: bool = False) -> Drawing:
    """Both trajectories of a pair, step by step: side by side, or ``unified`` as one column. ``names`` are the sides'."""
    baseline, head = (f"{side} · {escaped(name)}" for side, name in zip(("baseline", "head"), names, strict=True))
    top = f"<div>{baseline} → {head}</div>" if unified else f"<div>{baseline}</div><div>{head}</div>"
    rows = drawn(steps.view(pair), notes, unified=unified)
    layout = "unified" if unified else ""
    return Drawing(_framed(f'<div class="row top">{top}</div>{rows.html}', "Steps of both sides", layout), rows.late)


def of_recording(recording: Recording, notes: Notes, find: str = "") -> tuple[Drawing, int, int]:
    """One recording as a conversation; with ``find``, the steps that hold all its words. With how many are shown, of how many."""
    every = steps.alone(recording)
    words_ = find.lower().split()
    shown = [item for item in every if not words_ or (isinstance(item, steps.Pairing) and _holds(item, words_))]
    rows = drawn(shown, notes)
    counts = [sum(isinstance(item, steps.Pairing) for item in items) for items in (shown, every)]
    return Drawing(_framed(rows.html, "Steps", "alone") if shown else "", rows.late), counts[0], counts[1]


def show(drawing: Drawing) -> None:
    """Put a drawing on the page. Its late rows are given to ``walk.show``."""
    if drawing.html:
        page.show(drawing.html)


def _holds(row: steps.Pairing, words_: Sequence[str]) -> bool:
    """Whether a row holds all words, in its title, in the names of what it holds, or in the values."""
    lines = [line for cell in (row.baseline, row.head) if cell for block in cell.blocks for line in block.lines]
    text = " ".join((_stub(row), *(f"{line.label} {_plain(line)}" for line in lines))).lower()
    return all(word in text for word in words_)


def drawn(
    sections: Iterable[steps.Pairing | steps.Fold | steps.Heading], notes: Notes, *, unified: bool = False
) -> Drawing:
    """Sections as HTML."""
    drawer = _Drawer(notes, unified=unified)
    return Drawing("".join(map(drawer.section, sections)), drawer.late)


def _framed(body: str, label: str, layout: str) -> str:
    return f'<div class="grid {layout}" role="region" aria-label="{label}" tabindex="0">{body}</div>'


class _Drawer:
    """Draws sections until the page has enough elements; later rows, and folded ones, are drawn in the browser when they are seen.

    Until then a row holds its words as one line, which the browser's own search finds. Streamlit looks through every element that it
    is given: the 7,757 of a pair of 200 steps took it 0.2 s.
    """

    def __init__(self, notes: Notes, *, unified: bool = False) -> None:
        self._notes = notes
        self._unified = unified
        self._drawn = 0
        self.late: dict[str, str] = {}

    def _later(self, html: str) -> str:
        number = str(len(self.late))
        self.late[number] = html
        return f' data-late="{number}"'

    def section(self, item: steps.Pairing | steps.Fold | steps.Heading) -> str:
        """One section as HTML."""
        match item:
            case steps.Pairing():
                return self._row(item)
            case steps.Fold():
                return self._fold(item)
            case steps.Heading():
                return f'<h2 class="minor">{escaped(item.text)}</h2>'

    def _fold(self, fold: steps.Fold) -> str:
        """A fold holds its words as one text until it is opened."""
        rows = "".join(self._row(row, is_folded=True) for row in fold.rows)
        anchors = " ".join(anchor for row in fold.rows for anchor in row.anchors)
        words_ = "\n".join(map(_stub, fold.rows))
        word = " consequences" if fold.consequence else ""
        return (
            f'<details class="fold{word}" data-steps="{anchors}"{self._later(rows)}><summary>{escaped(fold.label)}</summary>'
            f'<div class="stub">{escaped(words_)}</div></details>'
        )

    def _row(self, row: steps.Pairing, *, is_folded: bool = False) -> str:
        is_late = is_folded or self._drawn >= _DRAWN
        body = _why(row, self._notes) + "".join(self._cells(row, is_late=is_late))
        classes = f"row {row.relation}{' consequence' if row.follows else ''}"
        kinds = f' data-kinds="{" ".join(row.kinds)}"' if row.kinds else ""
        anchors = row.anchors or tuple(f"left-{cell.anchor}" for cell in (row.baseline,) if cell)
        named = f' data-steps="{" ".join(anchors)}"' if anchors else ""
        if is_late:
            lines = max(
                (sum(len(block.lines) + 1 for block in cell.blocks) for cell in (row.baseline, row.head) if cell),
                default=1,
            )
            height = 34 if row.relation == "same" else 60 + 18 * min(lines, _LINES)
            return (
                f'<div class="{classes} later"{kinds}{named}{self._later(body)} style="min-height:{height}px">'
                f'<p class="stub">{escaped(_stub(row))}</p></div>'
            )
        self._drawn += body.count("</")
        return f'<div class="{classes}"{kinds}{named}>{body}</div>'

    def _cells(self, row: steps.Pairing, *, is_late: bool) -> Iterator[str]:
        if row.relation == "alone" or self._unified:
            cell = row.head if row.relation == "alone" else merged(row)
            side = "head" if row.head is not None else "baseline"
            if cell is not None:
                yield _cell(cell, side if self._unified else "alone", row)
            return
        yield _cell(row.baseline, "baseline", row)
        has_twin = row.baseline is not None and row.head is not None and row.baseline.blocks is row.head.blocks
        yield _cell(row.head, "head", row, is_twin=is_late and has_twin)


def _stub(row: steps.Pairing) -> str:
    """The words of a row that is not drawn yet, on one line."""
    words_ = [f"{item.word} {item.note}" for item in row.chips]
    words_ += [f"{cell.number} {cell.title} {cell.brief}" for cell in (row.baseline, row.head) if cell is not None]
    return " · ".join(dict.fromkeys(words_))


def _why(row: steps.Pairing, notes: Notes) -> str:
    parts = [chip(item) for item in row.chips]
    if row.follows:
        parts.append(f'<span class="dim">↳ {escaped(row.follows)}</span>')
    parts += [notes[anchor] for anchor in row.anchors if anchor in notes]
    return f'<div class="why">{"".join(parts)}</div>' if parts else ""


def chip(item: Chip) -> str:
    """A change as a badge, with its sentence."""
    marked = ' <span class="dim">a fact moved</span>' if item.marked else ""
    if item.consequence:
        return f'<span class="dim">↳ {escaped(item.word)}: {escaped(item.note)}{marked}</span>'
    return f"<span>{badge(item.rank, item.word)} {escaped(item.note)}{marked}</span>"


def badge(word: str, text: str = "", tip: str = "") -> str:
    """A word with its shape, and colour as the third sign. ``tip`` explains it."""
    title = f' title="{escaped(tip)}"' if tip else ""
    return f'<span class="badge {word}"{title}><span aria-hidden="true">{SHAPES.get(word, "")}</span> {escaped(text or word)}</span>'


def _cell(cell: steps.Cell | None, side: str, row: steps.Pairing, *, is_twin: bool = False) -> str:
    """A cell as HTML. A twin has what its neighbour has, which the browser copies: half of a long run is not sent twice."""
    if cell is None:
        return f'<div class="cell {side} none">{_WHERE_GONE.get(row.relation, "")}</div>'
    classes = (" parallel" if cell.parallel else "") + (" call" if cell.kind == "tool_call" else "")
    body = _quiet_body(cell.blocks) if row.relation == "same" else "".join(map(_block, cell.blocks))
    folded = row.relation == "same" or cell.kind in ("reasoning", "system_prompt")
    head = _step_head(cell, _tie(row), brief=cell.brief if folded else "")
    number = f'<a class="no" href="#{cell.anchor}" title="Link to this step">{cell.number}</a>'
    if folded and body and is_twin:
        return f'<div class="cell {side}{classes} twin">{number}<details><summary>{head}</summary></details></div>'
    if folded and body:
        inner = f"<details><summary>{head}</summary>{body}</details>"
        return f'<div class="cell {side}{classes}">{number}{inner}</div>'
    return f'<div class="cell {side}{classes}">{number}{head}{body}</div>'


def _tie(row: steps.Pairing) -> str:
    """A link between the two places of a moved step."""
    if row.tie is None or row.baseline is None:
        return ""
    other = row.baseline.anchor if row.relation == "left" else f"left-{row.baseline.anchor}"
    return f'<a class="badge tie" href="#{other}" title="To its other place">⇅ moved {row.tie}</a>'


def _step_head(cell: steps.Cell, tie: str, brief: str) -> str:
    is_tool = " tool" if cell.kind == "tool_call" else ""
    tags = [tie, *(f'<span class="badge">{escaped(tag)}</span>' for tag in cell.tags)]
    turn = f"turn {cell.turn}"
    if cell.parallel is not None:
        turn += f" · call {cell.parallel[0]} of {cell.parallel[1]} in parallel"
    return (
        f'<div class="stephead"><span class="title{is_tool}">{escaped(cell.title)}</span>{"".join(tags)}'
        f'<span class="brief">{escaped(brief)}</span><span class="turn">{turn}</span></div>'
    )


def _block(block: steps.Block) -> str:
    name = f'<div class="name">{escaped(block.title)}</div>' if block.title else ""
    short, hidden = _excerpt(block.lines)
    rest = ""
    if hidden:
        label = f"show all {len(block.lines)} lines"
        rest = f"<details><summary class='more'>{label}</summary>{_joined(block.lines)}</details>"
    return f'<div class="block">{name}{value_lines(short)}{rest}</div>'


def _excerpt(lines: Sequence[Line]) -> tuple[list[Line], bool]:
    """The lines of a long value that are shown at once: the first ones, and what differs with its neighbours; and whether some are left out."""
    if len(lines) <= _LINES:
        return list(lines), False
    kept: set[int] = set(range(_LINES // 2))
    for place, line in enumerate(lines):
        if line.marked and len(kept) < 2 * _LINES:
            kept.update(range(max(0, place - 1), min(len(lines), place + 2)))
    found: list[Line] = []
    last = -1
    for place in (*sorted(kept), len(lines)):
        if place - last > 1:
            found.append(Line(0, "", (Segment("same", f"⋯ {place - last - 1} lines"),)))
        if place < len(lines):
            found.append(lines[place])
        last = place
    return found, True


def _joined(lines: Sequence[Line]) -> str:
    """All lines as one element with the marks inside: an element each would be thousands."""
    segments: list[Segment] = []
    for line in lines:
        segments.append(Segment("same", "  " * line.depth + f"{line.label}: " * bool(line.label)))
        segments += [*line.segments, Segment("same", "\n")]
    return f'<div class="ln quiet">{_marked(_cut(segments, _MOST))}</div>'


@lru_cache(maxsize=4)
def _quiet_body(blocks: tuple[steps.Block, ...]) -> str:
    """Both sides of an unchanged row have the same blocks, and ask one after the other."""
    return "".join(map(_quiet_block, blocks))


def _quiet_block(block: steps.Block) -> str:
    """A block in which nothing differs, as one element: 200 unchanged steps are half of the page's nodes otherwise."""
    if all(line.block for line in block.lines):
        return _block(block)
    lines = ("  " * line.depth + f"{line.label}: " * bool(line.label) + _plain(line) for line in block.lines)
    text = words((Segment("same", "\n".join(lines)),))
    return f'<div class="block"><div class="name">{escaped(block.title)}</div><div class="ln quiet">{text}</div></div>'


def _plain(line: Line) -> str:
    return "".join(segment.text for segment in line.segments)


def value_lines(lines: Iterable[Line]) -> str:
    """Lines of a value, indented, with the marks inside them."""
    return "".join(map(_line, lines))


def _line(line: Line) -> str:
    label = f'<span class="key">{escaped(line.label)}: </span>' if line.label else ""
    classes = f"ln{' text' if line.block else ''}{' hit' if line.marked else ''}"
    depth = f' style="--d:{min(line.depth, 12)}"' if line.depth else ""
    return f'<div class="{classes}"{depth}>{label}{words(line.segments)}</div>'


def words(segments: Sequence[Segment], limit: int = _SHOWN) -> str:
    """Marked text. What is longer than ``limit`` is one click away; what is longer than that says so."""
    total = sum(len(segment.text) for segment in segments)
    if total <= limit:
        return _marked(segments)
    short, long = _cut(segments, limit), _cut(segments, _MOST)
    rest = f" (the first {_MOST:,} of them: the raw text holds all)" if total > _MOST else ""
    return (
        f"{_marked(short)}… <details><summary class='more'>show all {total:,} characters{rest}</summary>"
        f'<div class="text">{_marked(long)}</div></details>'
    )


def _cut(segments: Sequence[Segment], limit: int) -> list[Segment]:
    """The first ``limit`` characters. In a text with marks, long unchanged stretches shrink first, so the marks stay in view."""
    if limit < _MOST and any(segment.mark != "same" for segment in segments):
        segments = [_shortened(segment) for segment in segments]
    kept: list[Segment] = []
    for segment in segments:
        if limit <= 0:
            break
        kept.append(Segment(segment.mark, segment.text[:limit]))
        limit -= len(segment.text)
    return kept


def _shortened(segment: Segment) -> Segment:
    if segment.mark != "same" or len(segment.text) <= 160:
        return segment
    return Segment("same", f"{segment.text[:60]} … {segment.text[-60:]}")


def _marked(segments: Iterable[Segment]) -> str:
    return "".join(
        escaped(item.text) if item.mark == "same" else f"<{_TAGS[item.mark]}>{escaped(item.text)}</{_TAGS[item.mark]}>"
        for item in segments
    )
