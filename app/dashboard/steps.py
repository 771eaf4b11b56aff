"""A pair as the rows of the side-by-side view: what stands in each cell, what is folded, and what is tied together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, assert_never

from dashboard import anchors
from dashboard.attached import described
from dashboard.inert import one_line
from dashboard.present import KIND_WORDS, Chip, change_sentence, chip
from dashboard.values_view import Line, Own, lines, scalar
from reviewlib.model.change import Absent, Change, Detail, Row, StepRef
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import (
    AssistantText,
    Failure,
    Reasoning,
    Recording,
    Step,
    SystemPrompt,
    ToolCall,
    Trajectory,
    UserMessage,
)
from reviewlib.words import Segment, compare, side

FOLD_FROM = 3
"""Unchanged runs of at least this many rows are folded."""


@dataclass(frozen=True, slots=True)
class Block:
    """A titled part of a cell: arguments, a result, or the words themselves (no title)."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One step on one side. ``number`` counts the steps of its conversation from 1; ``parallel`` is (place, calls of the turn).

    ``anchor`` names it in addresses. ``brief`` is its content on one line, for a cell that is folded.
    """

    anchor: str
    kind: str
    title: str
    number: int
    turn: int
    parallel: tuple[int, int] | None
    tags: tuple[str, ...]
    brief: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """One row. ``relation`` is the row's, or ``left`` for the place that a moved step has left. ``tie`` numbers a move.

    ``follows`` names the cause where every change of the row is a consequence. ``kinds`` are the kinds of the changes that a walk
    from change to change stops for; the steps of a conversation that one side lacks are one stop.
    """

    relation: str
    baseline: Cell | None
    head: Cell | None
    chips: tuple[Chip, ...] = ()
    tie: int | None = None
    follows: str = ""
    kinds: tuple[str, ...] = ()

    @property
    def anchors(self) -> tuple[str, ...]:
        """The steps that stand in it; none where a moved step was."""
        return () if self.relation == "left" else tuple(cell.anchor for cell in (self.baseline, self.head) if cell)


@dataclass(frozen=True, slots=True)
class Fold:
    """A run of rows that need no reading, and what is in it: nothing differs, or what differs follows from one cause."""

    rows: tuple[Pairing, ...]
    label: str
    consequence: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """The beginning of a conversation."""

    text: str


def view(pair: Pair) -> tuple[Pairing | Fold | Heading, ...]:
    """The whole comparison of a pair, from top to bottom. Empty where neither side could be read."""
    rows = pair.diff.rows if pair.diff is not None and pair.diff.rows else _one_sided(pair)
    return tuple(_sections(pair, rows))


def alone(recording: Recording) -> tuple[Pairing | Heading, ...]:
    """One recording by itself, as the conversation that it is."""
    several = len(recording.conversations) > 1
    shown: list[Pairing | Heading] = []
    for number, trajectory in enumerate(recording.conversations):
        if several:
            shown.append(Heading(f"Conversation {number + 1}"))
        shown += [
            Pairing("alone", None, _cell(trajectory, (number, step.index), None, (), "added"), kinds=(step.kind,))
            for step in trajectory.steps
        ]
    return tuple(shown)


def _sections(pair: Pair, rows: Sequence[Row]) -> Iterator[Pairing | Fold | Heading]:
    builder = _Cells(pair)
    moves = [row.baseline for row in rows if row.relation == "moved"]
    ties = {ref: number for number, ref in enumerate(moves, start=1) if ref is not None}
    conversations = [list(run) for _, run in groupby(rows, key=_conversation)]
    for number, conversation in enumerate(conversations, start=1):
        if len(conversations) > 1:
            yield Heading(f"Conversation {number}")
        shown = [builder.pairing(placed, ties) for placed in _with_places(conversation)]
        yield from _folded(shown)


def _folded(rows: Sequence[Pairing]) -> Iterator[Pairing | Fold]:
    """Fold the unchanged runs, and the runs of consequences of one cause."""
    for (relation, follows), run in groupby(
        rows, key=lambda row: (row.relation if row.relation == "same" else "", row.follows)
    ):
        members = tuple(run)
        if relation == "same" and len(members) >= FOLD_FROM:
            yield Fold(members, _fold_label(members))
        elif follows and len(members) > 1:
            yield Fold(members, f"{len(members)} steps {follows.replace('follows', 'follow', 1)}", consequence=True)
        else:
            yield from members


class _Placed(NamedTuple):
    """A row, or the place that its moved step has left."""

    row: Row
    is_left: bool


def _with_places(rows: Sequence[Row]) -> Iterator[_Placed]:
    """The rows of one conversation, and one more at the place that each moved step has left on the baseline's side."""
    waiting = sorted((row for row in rows if row.relation == "moved" and row.baseline), key=_of_baseline)
    for row in rows:
        while waiting and row.relation != "moved" and row.baseline and _of_baseline(waiting[0]) < row.baseline:
            yield _Placed(waiting.pop(0), is_left=True)
        yield _Placed(row, is_left=False)
    yield from (_Placed(row, is_left=True) for row in waiting)


def _of_baseline(row: Row) -> StepRef:
    return row.baseline or (0, 0)


def _conversation(row: Row) -> int:
    step = row.head or row.baseline
    return step[0] if step else 0


def _one_sided(pair: Pair) -> tuple[Row, ...]:
    """Rows for a pair that has no comparison: the steps of whichever side was read."""
    if isinstance(pair.head, Recording):
        return tuple(Row(baseline=None, head=ref, relation="added") for ref in _refs(pair.head))
    if isinstance(pair.baseline, Recording):
        return tuple(Row(baseline=ref, head=None, relation="removed") for ref in _refs(pair.baseline))
    return ()


def _refs(recording: Recording) -> Iterator[StepRef]:
    for conversation, trajectory in enumerate(recording.conversations):
        for step in trajectory.steps:
            yield conversation, step.index


def _fold_label(rows: Sequence[Pairing]) -> str:
    titles = [row.head.title for row in rows if row.head is not None]
    counted = [(title, len(list(run))) for title, run in groupby(titles)]
    names = " · ".join(title if count == 1 else f"{title} ×{count}" for title, count in counted[:6])
    return f"{len(rows)} unchanged steps: {names}{' …' if len(counted) > 6 else ''}"


class _Cells:
    """Builds the cells of one pair."""

    def __init__(self, pair: Pair) -> None:
        self._changes = pair.diff.changes if pair.diff is not None else ()
        self._baseline = pair.baseline if isinstance(pair.baseline, Recording) else None
        self._head = pair.head if isinstance(pair.head, Recording) else None
        self._told: set[int] = set()

    def pairing(self, placed: _Placed, ties: Mapping[StepRef, int]) -> Pairing:
        """A row of the diff with its cells. ``ties`` numbers the moved steps by where they stand in the baseline."""
        row = placed.row
        baseline = _trajectory(self._baseline, row.baseline)
        head = _trajectory(self._head, row.head)
        changes = tuple(self._changes[index] for index in row.changes)
        tie = ties.get(row.baseline) if row.relation == "moved" and row.baseline else None
        if placed.is_left:
            return Pairing("left", _cell(baseline, row.baseline, None, (), "removed", empty=True), None, tie=tie)
        one, other = _step(baseline, row.baseline), _step(head, row.head)
        left = _cell(baseline, row.baseline, other, changes, "removed")
        known = left if row.relation == "same" and _reads_alike(one, other) else None
        return Pairing(
            relation=row.relation,
            baseline=left,
            head=_cell(head, row.head, one, changes, "added", known=known),
            chips=tuple(chip(change) for change in changes),
            tie=tie,
            follows=self._follows(changes),
            kinds=self._kinds(row),
        )

    def _kinds(self, row: Row) -> tuple[str, ...]:
        """The kinds of the row's own changes, each change once: one conversation that a side lacks is the change of all its rows."""
        causes = [index for index in row.changes if self._changes[index].cause is None]
        new = [index for index in causes if index not in self._told]
        self._told.update(new)
        return tuple(dict.fromkeys(self._changes[index].kind for index in new))

    def _follows(self, changes: Sequence[Change]) -> str:
        causes = [change.cause for change in changes if change.cause is not None]
        if not causes or len(causes) < len(changes):
            return ""
        return f"follows from: {change_sentence(self._root(min(causes)))}"

    def _root(self, index: int) -> Change:
        """The change at the beginning of a chain of causes; a cause always stands before what follows from it."""
        change = self._changes[index]
        return change if change.cause is None or change.cause >= index else self._root(change.cause)


def _trajectory(recording: Recording | None, ref: StepRef | None) -> Trajectory | None:
    return None if recording is None or ref is None else recording.conversations[ref[0]]


def _step(trajectory: Trajectory | None, ref: StepRef | None) -> Step | None:
    return None if trajectory is None or ref is None else trajectory.steps[ref[1]]


def _cell(
    trajectory: Trajectory | None,
    ref: StepRef | None,
    other: Step | None,
    changes: Sequence[Change],
    own: Own,
    *,
    empty: bool = False,
    known: Cell | None = None,
) -> Cell | None:
    """The cell of a step; None where the side has none. ``known`` is its counterpart where that reads alike."""
    if trajectory is None or ref is None:
        return None
    step = trajectory.steps[ref[1]]
    return Cell(
        anchor=anchors.written("baseline" if own == "removed" else "head", ref),
        kind=step.kind,
        title=step.tool if isinstance(step, ToolCall) else KIND_WORDS[step.kind],
        number=step.index + 1,
        turn=step.turn,
        parallel=_parallel(trajectory, step),
        tags=_tags(step),
        brief=_brief(step) if known is None else known.brief,
        blocks=() if empty else tuple(_blocks(step, other, changes, own)) if known is None else known.blocks,
    )


def _reads_alike(one: Step | None, other: Step | None) -> bool:
    """Whether two steps are written alike, not only equal: 39 and 39.0 are equal."""
    if isinstance(one, ToolCall) and isinstance(other, ToolCall):
        return repr((one.arguments, one.arguments_raw, one.result)) == repr(
            (other.arguments, other.arguments_raw, other.result)
        )
    return (
        one is not None and other is not None and one.kind == other.kind == "assistant_text" and one.text == other.text
    )


def _brief(step: Step) -> str:
    if isinstance(step, ToolCall):
        return one_line(step.arguments_raw or scalar(step.arguments), 90)
    return one_line(step.text or "", 90)


def _parallel(trajectory: Trajectory, step: Step) -> tuple[int, int] | None:
    if not isinstance(step, ToolCall):
        return None
    bounds = trajectory.turns[step.turn - 1]
    turn = [each.index for each in trajectory.steps[bounds.first : bounds.end] if isinstance(each, ToolCall)]
    return (turn.index(step.index) + 1, len(turn)) if len(turn) > 1 else None


def _tags(step: Step) -> tuple[str, ...]:
    match step:
        case ToolCall():
            facts = (
                (step.is_error is True, "error"),
                (step.executed is False, "never executed"),
                (step.server_side, "run by the provider"),
                (step.origin == "text", "called in text"),
            )
            return tuple(name for holds, name in facts if holds)
        case Failure(http_status=int() as status):
            return (f"HTTP {status}",)
        case UserMessage(media=media) if media:
            return (f"{len(media)} attached",)
        case _:
            return ()


def _blocks(step: Step, other: Step | None, changes: Sequence[Change], own: Own) -> Iterator[Block]:
    match step:
        case ToolCall():
            yield from _call_blocks(step, changes, own)
        case SystemPrompt() | UserMessage() | AssistantText() | Failure() | Reasoning():
            text = step.text or "(withheld by the provider)"
            counterpart = other.text if other is not None and other.kind == step.kind and changes else text
            pair = (text, counterpart or "") if own == "removed" else (counterpart or "", text)
            yield Block("", (Line(0, "", side(compare(*pair), own), block=True),))
            if isinstance(step, UserMessage) and step.media:
                yield Block("attached", tuple(Line(0, "", (Segment("same", described(item)),)) for item in step.media))
        case _:
            assert_never(step)


def _call_blocks(step: ToolCall, changes: Sequence[Change], own: Own) -> Iterator[Block]:
    if step.arguments_raw is not None:
        yield Block("arguments, unparsable", (Line(0, "", (Segment("same", step.arguments_raw),), block=True),))
    elif step.arguments not in (None, {}):
        yield _value_block("arguments", step.arguments, _details(changes, "arguments"), own)
    if step.result_recorded:
        yield _value_block("result", step.result, _details(changes, "result"), own)
    else:
        yield Block("result", (Line(0, "", (Segment("same", "not recorded"),)),))


def _value_block(title: str, value: object, details: Sequence[Detail], own: Own) -> Block:
    shown, unplaced = lines(value, details, own)
    extra = [
        Line(0, detail.path, (Segment(own, scalar(detail.baseline if own == "removed" else detail.head)),))
        for detail in unplaced
    ]
    # Where there are too many differences to list, the last detail says how many more there are.
    extra += [
        Line(0, "", (Segment("same", f"{detail.path} differences"),))
        for detail in details
        if isinstance(detail.baseline, Absent) and isinstance(detail.head, Absent)
    ]
    return Block(title, (*shown, *extra))


def _details(changes: Sequence[Change], kind: str) -> tuple[Detail, ...]:
    return tuple(detail for change in changes if change.kind == kind for detail in change.details)
