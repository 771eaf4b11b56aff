"""The aligned trajectory of a pair: a row for each step, baseline beside head, and what differs below."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from reviewlib.headline import phrase
from reviewlib.model.change import Change, Row, StepRef
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import Failure, Recording, Step, ToolCall, UserMessage
from reviewlib.report.html.markup import badge, element, inline
from reviewlib.report.html.values import details, sides, text, whole
from reviewlib.report.neutral import capped
from reviewlib.report.wording import plural, value

MOST_ROWS = 300
"""Rows of one pair that are shown; what is left out is counted."""

FOLD_FROM = 3
"""Unchanged runs of at least this many rows are folded into their first words."""

_BRIEF = 100
"""Characters of a folded step that are shown."""

_TITLES = {
    "system_prompt": "system prompt",
    "user_message": "user message",
    "assistant_text": "assistant",
    "reasoning": "reasoning",
    "failure": "failure",
}
_IN_CELLS = ("text", "system_prompt", "user_message")
"""Changes of words, which are marked where the words stand."""


def trajectory(pair: Pair) -> str:
    """Show the rows of a pair; nothing where there are none to compare."""
    rows = () if pair.diff is None else pair.diff.rows
    if not rows:
        return ""
    sheet = _Sheet(pair)
    shown = "".join(_grid(sheet, rows[:MOST_ROWS]))
    rest = len(rows) - MOST_ROWS
    more = element("p", "note", f"{plural(rest, 'more step')} not shown here.") if rest > 0 else ""
    return element("div", "grid", shown) + more


def _grid(sheet: "_Sheet", rows: Sequence[Row]) -> Iterator[str]:
    yield '<div class="row top"><div>baseline</div><div>head</div></div>\n'
    told: set[int] = set()
    conversations = [list(run) for _, run in groupby(rows, key=_conversation)]
    for number, conversation in enumerate(conversations, start=1):
        if len(conversations) > 1:
            yield element("h4", "conversation", f"Conversation {number}")
        for relation, run in groupby(conversation, key=lambda row: row.relation):
            members = list(run)
            if relation == "same" and len(members) >= FOLD_FROM:
                yield sheet.folded(members)
                continue
            for row in members:
                # A conversation that one side lacks is one change of all its rows.
                yield sheet.row(row, [index for index in row.changes if index not in told])
                told.update(row.changes)


def _conversation(row: Row) -> int:
    step = row.head or row.baseline
    return step[0] if step else 0


@dataclass(frozen=True)
class _Sheet:
    """Looks the steps and changes of a pair up, and writes them."""

    pair: Pair

    def folded(self, rows: Sequence[Row]) -> str:
        """Write unchanged steps, each on a line of its own."""
        lines = "".join(f"<li>{_brief(step)}</li>" for row in rows if (step := self._step(row)[1]))
        summary = f"<summary>{plural(len(rows), 'unchanged step')}</summary>"
        return f'<details class="same">{summary}<ul class="plain">{lines}</ul></details>\n'

    def row(self, row: Row, below: Sequence[int]) -> str:
        """Write one row: a cell for each side, or one cell where both are the same; ``below`` are the changes to tell here."""
        one, other = self._step(row)
        if row.relation == "same" and one and other:
            return f'<div class="row same"><div class="cell both">{_head(other)}{_body(other)}</div></div>\n'
        changes = [self._changes[index] for index in row.changes]
        before, after = _bodies(one, other, changes)
        moved = f" · step {one.index + 1} of the baseline" if row.relation == "moved" and one else ""
        cells = _cell("baseline", one, before) + _cell("head", other, after, moved)
        said = element("div", "below", *(self._below(self._changes[index]) for index in below)) if below else ""
        return f'<div class="row {row.relation}">{cells}{said}</div>\n'

    def _below(self, change: Change) -> str:
        cause = "" if change.cause is None else f" follows from: {inline(phrase(self._changes[change.cause]))}"
        told = element(
            "p", "change", badge(change.significance), " ", inline(phrase(change)), element("span", "dim", cause)
        )
        listed = () if _is_in_cells(change) else change.details
        return told + details(listed)

    def _step(self, row: Row) -> tuple[Step | None, Step | None]:
        return _at(self.pair.baseline, row.baseline), _at(self.pair.head, row.head)

    @property
    def _changes(self) -> Sequence[Change]:
        return () if self.pair.diff is None else self.pair.diff.changes


def _is_in_cells(change: Change) -> bool:
    return change.kind in _IN_CELLS and change.baseline_step is not None and change.head_step is not None


def _at(side: object, ref: StepRef | None) -> Step | None:
    if not isinstance(side, Recording) or ref is None:
        return None
    return side.conversations[ref[0]].steps[ref[1]]


def _cell(side: str, step: Step | None, body: str, moved: str = "") -> str:
    if step is None:
        return element("div", f"cell none {side}", f"not in the {side}")
    return element("div", f"cell {side}", _head(step, moved), body)


def _bodies(one: Step | None, other: Step | None, changes: Sequence[Change]) -> tuple[str, str]:
    """Write what both steps hold; the words that differ are marked where words were compared."""
    words = [step.text or "" for step in (one, other) if step and not isinstance(step, ToolCall)]
    if len(words) == 2 and any(map(_is_in_cells, changes)):
        before, after = sides(*words)
        return _words(before), _words(after)
    return _body(one), _body(other)


def _body(step: Step | None) -> str:
    match step:
        case None:
            return ""
        case ToolCall():
            arguments = (
                f"<p>arguments, unparsable</p>{_words(text(step.arguments_raw))}"
                if step.arguments_raw is not None
                else _words(whole(step.arguments))
                if step.arguments not in (None, {})
                else ""
            )
            result = _words(whole(step.result)) if step.result_recorded else ' <em class="dim">not recorded</em>'
            return f'{arguments}<p class="dim">result</p>{result}'
        case UserMessage(media=media) if media:
            attached = ", ".join(inline(item.media_type) for item in media)
            return f'{_words(text(step.text))}<p class="dim">attached: {attached}</p>'
        case _:
            return _words(text("(withheld by the provider)" if step.text is None else step.text))


def _words(markup: str) -> str:
    return element("div", "words", markup)


def _head(step: Step, moved: str = "") -> str:
    title = f"<code>{inline(step.tool)}</code>" if isinstance(step, ToolCall) else _TITLES[step.kind]
    tags = "".join(f" · {tag}" for tag in _tags(step))
    return element(
        "p", "step", f'<b>{title}</b> <span class="dim">step {step.index + 1}, turn {step.turn}{tags}{moved}</span>'
    )


def _tags(step: Step) -> Iterator[str]:
    match step:
        case ToolCall():
            facts = (
                (step.is_error is True, "error"),
                (step.executed is False, "never executed"),
                (step.server_side, "run by the provider"),
                (step.origin == "text", "called in text"),
            )
            yield from (name for holds, name in facts if holds)
        case Failure(http_status=int() as status):
            yield f"HTTP {status}"
        case _:
            return


def _brief(step: Step) -> str:
    if isinstance(step, ToolCall):
        shown = step.arguments_raw if step.arguments_raw is not None else value(step.arguments, _BRIEF)
        return f"<b><code>{inline(step.tool)}</code></b> {inline(capped(shown, _BRIEF))}"
    return f"<b>{_TITLES[step.kind]}</b> {inline(capped(step.text or '', _BRIEF))}"
