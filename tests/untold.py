"""Hold a diff against the two readings that it compares: what differs and is not told, and what is told and does not differ.

Told changes are applied to the baseline's step; it must become the head's. A step that only one side has must be told as such, turns must be
divided as on the other side or that must be told, and calls that were not told to have moved must stand in the same order.
"""

import re
from collections.abc import Iterator
from typing import Any

from reviewlib.diff.apply import details_of
from reviewlib.diff.patch import patched
from reviewlib.diff.prose import in_one_tongue
from reviewlib.model.change import Absent, Change, Detail, Diff, Row
from reviewlib.model.trajectory import (
    AssistantText,
    Failure,
    Reasoning,
    Recording,
    Step,
    SystemPrompt,
    ToolCall,
    UserMessage,
)
from reviewlib.placeholders import stands_for, without_placeholders
from reviewlib.values import canonical, differing, same


class Reading:
    """Both sides of a diff, with its changes by place."""

    def __init__(self, baseline: Recording, head: Recording, found: Diff) -> None:
        self.baseline, self.head, self.found = baseline, head, found
        self.told_turns = {
            (side, getattr(change, f"{side}_step")[0], self.step(side, getattr(change, f"{side}_step")).turn)
            for change in found.changes
            for side in ("baseline", "head")
            if getattr(change, f"{side}_step")
        }
        self.whole = {"conversation_added", "conversation_removed"}

    def step(self, side: str, place: tuple[int, int]) -> Step:
        return getattr(self, side).conversations[place[0]].steps[place[1]]

    def on(self, row: Row, *kinds: str) -> list[Change]:
        return [self.found.changes[number] for number in row.changes if self.found.changes[number].kind in kinds]

    def turn_told(self, side: str, place: tuple[int, int]) -> bool:
        return (side, place[0], self.step(side, place).turn) in self.told_turns


def untold(baseline: Recording, head: Recording, found: Diff) -> list[str]:
    """Every difference between two readings that the diff does not tell."""
    reading = Reading(baseline, head, found)
    missed = [text for row in found.rows for text in _of_row(reading, row)]
    return [*missed, *_of_order(reading), *_of_turns(reading)]


def _of_row(reading: Reading, row: Row) -> Iterator[str]:
    one = reading.step("baseline", row.baseline) if row.baseline else None
    other = reading.step("head", row.head) if row.head else None
    if isinstance(one, Reasoning) or isinstance(other, Reasoning):
        return
    if one is None or other is None:
        if not _lone_told(reading, row, one or other):
            yield f"only one side has {one or other}"
    elif isinstance(one, ToolCall) and isinstance(other, ToolCall):
        yield from _of_call(reading, row, one, other)
    elif isinstance(one, (SystemPrompt, UserMessage)):
        if (
            one.text.strip() != other.text.strip()
            and not reading.on(row, one.kind)
            and not stands_for(one.text, other.text)
        ):
            yield f"{one.kind}: {one.text[:60]!r} is {other.text[:60]!r}"
    elif isinstance(one, AssistantText) and _lines(one.text) != _lines(other.text):
        if not (
            reading.turn_told("baseline", row.baseline)
            or reading.turn_told("head", row.head)
            or stands_for(one.text, other.text)
        ):
            yield f"text: {one.text[:60]!r} is {other.text[:60]!r}"
    elif (
        isinstance(one, Failure)
        and isinstance(other, Failure)
        and one.http_status != other.http_status
        and not reading.on(row, "failure")
    ):
        yield f"failure: {one.http_status} is {other.http_status}"


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def _lone_told(reading: Reading, row: Row, step: Step | None) -> bool:
    if reading.on(row, *reading.whole):
        return True
    if isinstance(step, ToolCall):
        return bool(reading.on(row, "tool_added", "tool_removed"))
    if isinstance(step, (SystemPrompt, UserMessage)):
        fact = "system_prompt" if isinstance(step, SystemPrompt) else "user_messages"
        unknown = {*reading.baseline.not_recorded, *reading.head.not_recorded}
        return bool(reading.on(row, step.kind)) or fact in unknown
    side, place = ("head", row.head) if row.head else ("baseline", row.baseline)
    return place is not None and (reading.turn_told(side, place) or not getattr(step, "text", "").strip())


def _of_call(reading: Reading, row: Row, one: ToolCall, other: ToolCall) -> Iterator[str]:
    for kind, mine, theirs in (
        ("arguments", _arguments(one), _arguments(other)),
        ("result", _result(one, other)[0], _result(one, other)[1]),
    ):
        value = mine
        for change in reading.on(row, kind):
            value = patched(value, details_of(change))
        left = without_placeholders(differing(value, theirs))
        if kind == "arguments" and left:
            left = tuple(detail for detail in left if not _made_by_a_tool(reading, row, detail))
        if left:
            yield f"{kind} of {one.tool}: {mine} is {theirs}"
    if None not in (one.is_error, other.is_error) and one.is_error != other.is_error and not reading.on(row, "failure"):
        yield f"is_error of {one.tool}"


def _made_by_a_tool(reading: Reading, row: Row, detail: Detail) -> bool:
    """Whether an earlier result, which is told, gave the one value in the baseline and the other in head, and both are ids: an amount is none."""
    values = detail.baseline, detail.head
    named = all(isinstance(value, str) for value in values) and all(
        re.search(r"(?:\d.*){3}", value) for value in values
    )
    return (named or detail.path.lower().endswith(("id", "uuid", "guid"))) and any(
        same([given.baseline, given.head], [detail.baseline, detail.head])
        for change in reading.found.changes
        if change.kind == "result" and change.head_step and row.head and change.head_step < row.head
        for given in details_of(change)
        if not isinstance(given.baseline, Absent) and not isinstance(given.head, Absent)
    )


def _arguments(call: ToolCall) -> Any:
    return call.arguments if call.arguments_raw is None else call.arguments_raw


def _result(one: ToolCall, other: ToolCall) -> tuple[Any, Any]:
    return (one.result, other.result) if one.result_recorded and other.result_recorded else (None, None)


def _calls(reading: Reading) -> Iterator[tuple[tuple[int, int], Row, ToolCall, ToolCall]]:
    for row in reading.found.rows:
        if row.baseline and row.head:
            one, other = reading.step("baseline", row.baseline), reading.step("head", row.head)
            if isinstance(one, ToolCall) and isinstance(other, ToolCall):
                yield (row.baseline[0], row.head[0]), row, one, other


def _of_order(reading: Reading) -> Iterator[str]:
    """Calls that were not told to have moved stand in the same order, and in the same turns unless that is told."""
    last: dict[tuple[int, int], tuple[int, int]] = {}
    for place, row, one, other in _calls(reading):
        if row.relation == "moved":
            continue
        before = last.get(place)
        if before is not None and one.turn < before[0] and other.turn > before[1]:
            yield f"{one.tool} passed another call"
        regrouped = before is not None and (one.turn == before[0]) != (other.turn == before[1])
        if regrouped and not any(change.kind == "turns" for change in reading.found.changes):
            yield f"{one.tool} is in another turn"
        last[place] = (one.turn, other.turn)


def _of_turns(reading: Reading) -> Iterator[str]:
    """Corresponding turns ended alike, were served by the same model and offered the same, or that is told."""
    kinds = {change.kind for change in reading.found.changes}
    seen = set()
    for (i, j), row, one, other in _calls(reading):
        if row.relation == "moved" or (i, j, one.turn, other.turn) in seen:
            continue
        seen.add((i, j, one.turn, other.turn))
        left = reading.baseline.conversations[i].turns[one.turn - 1]
        right = reading.head.conversations[j].turns[other.turn - 1]
        pairs = {
            "stop_reason": (left.stop_reason, right.stop_reason),
            "model": (left.requested_model, right.requested_model),
            "tool_schema": (_schemas(left.tools), _schemas(right.tools)),
        }
        for kind, (mine, theirs) in pairs.items():
            if None not in (mine, theirs) and mine != theirs and kind not in kinds and "turns" not in kinds:
                yield f"{kind}: {str(mine)[:80]} is {str(theirs)[:80]}"


def _schemas(tools: Any) -> str | None:
    return None if tools is None else canonical([[tool.name, tool.description or "", tool.schema_] for tool in tools])


def cried(baseline: Recording, head: Recording, found: Diff) -> list[str]:
    """Every change that is told of a step on both sides and is none."""
    reading = Reading(*_tongues(baseline, head), found)
    false = []
    for change in found.changes:
        if not change.baseline_step or not change.head_step:
            continue
        one, other = reading.step("baseline", change.baseline_step), reading.step("head", change.head_step)
        if change.kind == "arguments" and same(_arguments(one), _arguments(other)):
            false.append(f"arguments of {one.tool}")
        if change.kind == "result" and same(one.result, other.result):
            false.append(f"result of {one.tool}")
        if change.kind == "tool_moved" and one.tool != other.tool:
            false.append(f"{one.tool} is no {other.tool}")
    return false


def _tongues(baseline: Recording, head: Recording) -> tuple[Recording, Recording]:
    if len(baseline.conversations) != 1 or len(head.conversations) != 1:
        return baseline, head
    one, other = in_one_tongue(baseline.conversations[0], head.conversations[0])
    return baseline.model_copy(update={"conversations": (one,)}), head.model_copy(update={"conversations": (other,)})
