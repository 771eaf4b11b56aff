"""The lines of the side-by-side view: every step of both sides once, in reading order."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Literal, TypeAlias

from reviewlib.acts import Act
from reviewlib.diff.draft import Sides
from reviewlib.diff.matching import Matching
from reviewlib.diff.requests import prompt_pairs, shown_prompt
from reviewlib.model.change import Absent, Change, Row, StepRef
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import Reasoning, Step, SystemPrompt, Trajectory, UserMessage

Lines: TypeAlias = list[tuple[Step | None, Step | None]]


def rows_of(
    matching: Matching, sides: Sides, baseline: Trajectory, head: Trajectory, changes: Sequence[Change]
) -> Iterator[Row]:
    """Yield the rows of one pair of conversations; ``changes`` are those of the whole pair."""
    touching, shared = _touching(changes), _edits(changes)
    moved = {pair.head.index for pair in matching.calls if pair.moved}
    for one, other in _lines(matching, baseline, head):
        left = (sides.baseline, one.index) if one is not None else None
        right = (sides.head, other.index) if other is not None else None
        numbers = sorted({*touching.get(("baseline", left), ()), *touching.get(("head", right), ())})
        if (
            not numbers
            and isinstance(one, (SystemPrompt, UserMessage))
            and isinstance(other, (SystemPrompt, UserMessage))
        ):
            numbers = shared.get((shown_prompt(one), shown_prompt(other)), [])
        relation: Literal["same", "changed", "added", "removed", "moved"]
        if left is None:
            relation = "added"
        elif right is None:
            relation = "removed"
        elif other is not None and other.index in moved:
            relation = "moved"
        else:
            relation = "changed" if numbers else "same"
        yield Row(baseline=left, head=right, relation=relation, changes=tuple(numbers))


def _edits(changes: Sequence[Change]) -> dict[tuple[Plain, Plain], list[int]]:
    """Return the prompt edits by their texts: one that several conversations share is told once, and shown in each."""
    return {
        (detail.baseline, detail.head): [number]
        for number, change in enumerate(changes)
        for detail in change.details
        if change.kind in {"system_prompt", "user_message"} and not isinstance(detail.baseline, Absent)
    }


def _touching(changes: Sequence[Change]) -> dict[tuple[str, StepRef | None], list[int]]:
    found: defaultdict[tuple[str, StepRef | None], list[int]] = defaultdict(list)
    for number, change in enumerate(changes):
        if change.baseline_step is not None:
            found["baseline", change.baseline_step].append(number)
        if change.head_step is not None:
            found["head", change.head_step].append(number)
    return found


def one_sided(sides: Sides, trajectory: Trajectory, side: Literal["added", "removed"], change: int) -> Iterator[Row]:
    """Yield the rows of a conversation that only one side has."""
    for step in trajectory.steps:
        if side == "added":
            yield Row(baseline=None, head=(sides.head, step.index), relation="added", changes=(change,))
        else:
            yield Row(baseline=(sides.baseline, step.index), head=None, relation="removed", changes=(change,))


def _lines(matching: Matching, baseline: Trajectory, head: Trajectory) -> Iterator[tuple[Step | None, Step | None]]:
    prompts: Lines = [*prompt_pairs(baseline, head, SystemPrompt), *prompt_pairs(baseline, head, UserMessage)]
    before_head = {other.index: one for one, other in prompts if other is not None}
    alone = {one.index for one, other in prompts if one is not None and other is None}
    partners = {pair.head.index: pair.baseline for pair in matching.calls}
    paired = {pair.baseline.index for pair in matching.calls}
    for i, j in matching.slots:
        mine = matching.baseline[i] if i is not None else None
        theirs = matching.head[j] if j is not None else None
        if mine:
            yield from ((step, None) for step in _asked(baseline, mine) if step.index in alone)
        if theirs:
            yield from ((before_head.get(step.index), step) for step in _asked(head, theirs))
        yield from zip_longest(_thoughts(baseline, mine), _thoughts(head, theirs))
        yield from zip_longest(mine.texts if mine else (), theirs.texts if theirs else ())
        yield from ((call, None) for call in (mine.calls if mine else ()) if call.index not in paired)
        yield from ((partners.get(call.index), call) for call in (theirs.calls if theirs else ()))
        if (mine and mine.failure) or (theirs and theirs.failure):
            yield (mine.failure if mine else None, theirs.failure if theirs else None)
    yield from _unanswered(matching, prompts)


def _asked(trajectory: Trajectory, act: Act) -> list[Step]:
    start = trajectory.turns[act.place - 1].end if act.place else 0
    return [step for step in trajectory.steps[start : act.turn.first] if isinstance(step, (SystemPrompt, UserMessage))]


def _thoughts(trajectory: Trajectory, act: Act | None) -> list[Step]:
    if act is None:
        return []
    return [step for step in trajectory.steps[act.turn.first : act.turn.end] if isinstance(step, Reasoning)]


def _unanswered(matching: Matching, prompts: Lines) -> Iterator[tuple[Step | None, Step | None]]:
    """Yield prompts after the last turn of their side: sent, and never answered."""
    ends = [acts[-1].turn.end if acts else 0 for acts in (matching.baseline, matching.head)]
    for one, other in prompts:
        late = (one is not None and one.index >= ends[0], other is not None and other.index >= ends[1])
        if other is not None:
            if late[1]:
                yield one, other
        elif late[0]:
            yield one, None
