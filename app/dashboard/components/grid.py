"""The aligned trajectory as one escaped HTML grid.

One ``st.html`` with ``content-visibility`` took 0.35 s for 200 steps; one column widget a step took 1.2 to 3.5 s.
"""

from collections.abc import Iterable, Sequence

from dashboard import steps
from dashboard.components import page
from dashboard.inert import escaped
from dashboard.present import SHAPES, Chip
from dashboard.values_view import Line
from dashboard.wording import Segment
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import Recording

_SHOWN = 700
"""Characters of one text that are shown at once."""

_MOST = 20_000
"""Characters behind ``show all``; the raw text holds the rest."""

_TAGS = {"removed": "del", "added": "ins"}
_WHERE_GONE = {"added": "not on this side", "removed": "not on this side", "left": "moved: see its new place"}


def show(pair: Pair, baseline_name: str, head_name: str) -> None:
    """Show both trajectories of a pair side by side, step by step."""
    body = "".join(_section(item) for item in steps.view(pair))
    top = f'<div class="row top"><div>baseline · {escaped(baseline_name)}</div><div>head · {escaped(head_name)}</div></div>'
    page.show(f'<div class="grid" role="region" aria-label="Steps of both sides" tabindex="0">{top}{body}</div>')


def show_alone(recording: Recording) -> None:
    """Show one recording as a conversation."""
    body = "".join(_section(item) for item in steps.alone(recording))
    page.show(f'<div class="grid alone" role="region" aria-label="Steps" tabindex="0">{body}</div>')


def _section(item: steps.Pairing | steps.Fold | steps.Heading) -> str:
    match item:
        case steps.Pairing():
            return _row(item)
        case steps.Fold():
            rows = "".join(map(_row, item.rows))
            return f'<details class="fold"><summary>{escaped(item.label)}</summary>{rows}</details>'
        case steps.Heading():
            return f'<h2 class="minor">{escaped(item.text)}</h2>'


def _row(row: steps.Pairing) -> str:
    quiet = " consequence" if row.follows else ""
    sides = (("baseline", row.baseline), ("head", row.head)) if row.relation != "alone" else (("alone", row.head),)
    cells = "".join(_cell(cell, side, row) for side, cell in sides)
    return f'<div class="row {row.relation}{quiet}">{_why(row)}{cells}</div>'


def _why(row: steps.Pairing) -> str:
    parts = [chip(item) for item in row.chips]
    if row.follows:
        parts.append(f'<span class="dim">↳ {escaped(row.follows)}</span>')
    return f'<div class="why">{"".join(parts)}</div>' if parts else ""


def chip(item: Chip) -> str:
    """A change as a badge, with its sentence."""
    marked = ' <span class="dim">a fact moved</span>' if item.marked else ""
    if item.consequence:
        return f'<span class="dim">↳ {escaped(item.word)}: {escaped(item.note)}{marked}</span>'
    return f"<span>{badge(item.rank, item.word)} {escaped(item.note)}{marked}</span>"


def badge(word: str, text: str = "") -> str:
    """A word with its shape, and colour as the third sign."""
    return f'<span class="badge {word}"><span aria-hidden="true">{SHAPES.get(word, "")}</span> {escaped(text or word)}</span>'


def _cell(cell: steps.Cell | None, side: str, row: steps.Pairing) -> str:
    if cell is None:
        return f'<div class="cell {side} none">{_WHERE_GONE.get(row.relation, "")}</div>'
    classes = (" parallel" if cell.parallel else "") + (" call" if cell.kind == "tool_call" else "")
    body = "".join(map(_quiet_block if row.relation == "same" else _block, cell.blocks))
    folded = row.relation == "same" or cell.kind in ("reasoning", "system_prompt")
    head = _step_head(cell, row.tie, brief=cell.brief if folded else "")
    if folded and body:
        return f'<details class="cell {side}{classes}"><summary>{head}</summary>{body}</details>'
    return f'<div class="cell {side}{classes}">{head}{body}</div>'


def _step_head(cell: steps.Cell, tie: int | None, brief: str) -> str:
    is_tool = " tool" if cell.kind == "tool_call" else ""
    tags = [f'<span class="badge">{escaped(tag)}</span>' for tag in cell.tags]
    if tie is not None:
        tags.insert(0, f'<span class="badge tie">⇅ moved {tie}</span>')
    turn = f"turn {cell.turn}"
    if cell.parallel is not None:
        turn += f" · call {cell.parallel[0]} of {cell.parallel[1]} in parallel"
    return (
        f'<div class="stephead"><span class="no">{cell.number}</span>'
        f'<span class="title{is_tool}">{escaped(cell.title)}</span>{"".join(tags)}'
        f'<span class="brief">{escaped(brief)}</span><span class="turn">{turn}</span></div>'
    )


def _block(block: steps.Block) -> str:
    name = f'<div class="name">{escaped(block.title)}</div>' if block.title else ""
    return f'<div class="block">{name}{value_lines(block.lines)}</div>'


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
