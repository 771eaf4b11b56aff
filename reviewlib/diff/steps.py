"""Changes of what the agent called, and of what came of it, in one pair of conversations."""

from collections.abc import Iterator, Sequence

from reviewlib.acts import Act, call_key
from reviewlib.diff.draft import Draft, Place, Sides, Told, draft
from reviewlib.diff.matching import Matched, Matching
from reviewlib.diff.origins import Origins
from reviewlib.model.change import Absent, Detail, Edit
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import ToolCall
from reviewlib.placeholders import without_placeholders
from reviewlib.values import differences


def call_drafts(matching: Matching, conversation: int, sides: Sides) -> Iterator[Told]:
    """Yield what differs in the calls: removed, added, moved, their arguments, failures and results."""
    slots = slot_of_baseline(matching), slot_of_head(matching)
    before = _notes(matching.baseline), _notes(matching.head)
    for call in matching.removed:
        place = Place(conversation, slots[0][call.turn - 1])
        note = before[0][call.turn - 1]
        yield draft("tool_removed", "behaviour", place, sides, call, None, tool=call.tool, note=note)
    for call in matching.added:
        place = Place(conversation, slots[1][call.turn - 1])
        note = before[1][call.turn - 1]
        yield draft("tool_added", "behaviour", place, sides, None, call, tool=call.tool, note=note)
    origins = Origins()
    for pair in matching.calls:
        place = Place(conversation, slots[1][pair.head.turn - 1])
        yield from _pair_drafts(pair, place, sides, before[1][pair.head.turn - 1], origins)


def _pair_drafts(pair: Matched, place: Place, sides: Sides, note: str, origins: Origins) -> Iterator[Told]:
    one, other, tool = pair.baseline, pair.head, pair.head.tool
    if pair.moved:
        yield draft("tool_moved", "behaviour", place, sides, one, other, tool=tool, note=note)
    edit = Edit(conversation=place.conversation, action="set", what="call", place=one.index)
    asked: tuple[Told, ...] = ()
    if call_key(one) != call_key(other):
        asked = tuple(_argument_drafts(pair, place, sides, edit.model_copy(update={"field": "arguments"}), origins))
        yield from asked
    if one.is_error != other.is_error:
        details = (Detail(path="is_error", baseline=one.is_error, head=other.is_error),)
        if one.is_error is None or other.is_error is None:
            yield edit.model_copy(update={"details": details, "reason": "unknown"})
        else:
            yield draft("failure", "behaviour", place, sides, one, other, tool=tool, details=details, edits=(edit,))
    made_by = None if any(isinstance(item, Draft) for item in asked) else origins
    yield from _result_drafts(pair, place, sides, edit.model_copy(update={"field": "result"}), made_by)


def _result_drafts(pair: Matched, place: Place, sides: Sides, edit: Edit, made_by: Origins | None) -> Iterator[Told]:
    one, other = pair.baseline, pair.head
    if one.result_recorded and other.result_recorded:
        told, silent = _split(differences(one.result, other.result))
        if made_by is not None:
            made_by.add(pair, told)
        if told:
            yield draft("result", "behaviour", place, sides, one, other, tool=other.tool, details=told, edits=(edit,))
        if silent:
            yield edit.model_copy(update={"details": silent, "reason": "placeholder"})
    elif one.result_recorded or other.result_recorded:
        values = [call.result if call.result_recorded else Absent() for call in (one, other)]
        details = (Detail(path="result", baseline=values[0], head=values[1]),)
        yield edit.model_copy(update={"details": details, "reason": "unknown", "field": ""})


def _argument_drafts(pair: Matched, place: Place, sides: Sides, edit: Edit, origins: Origins) -> Iterator[Told]:
    one, other = pair.baseline, pair.head
    told, silent = _split(_argument_details(one, other))
    handed_on: tuple[Detail, ...] = ()
    if one.arguments_raw is None and other.arguments_raw is None:
        handed_on = tuple(detail for detail in told if origins.explain(pair, detail))
        told = tuple(detail for detail in told if detail not in handed_on) if handed_on else told
    if one.arguments_raw is not None or other.arguments_raw is not None:
        whole = (Detail(path="", baseline=arguments_form(one), head=arguments_form(other)),)
        edit, silent = edit.model_copy(update={"details": whole}), whole if silent else ()
    if handed_on:
        yield edit.model_copy(update={"details": handed_on, "reason": "origin"})
    if told:
        yield draft("arguments", "behaviour", place, sides, one, other, tool=other.tool, details=told, edits=(edit,))
    if silent:
        yield edit.model_copy(update={"details": silent, "reason": "placeholder"})


def _split(details: tuple[Detail, ...]) -> tuple[tuple[Detail, ...], tuple[Detail, ...]]:
    """Divide differences into those that are told, and those that a placeholder explains."""
    told = without_placeholders(details)
    return told, () if len(told) == len(details) else tuple(detail for detail in details if detail not in told)


def _argument_details(one: ToolCall, other: ToolCall) -> tuple[Detail, ...]:
    if one.arguments_raw is None and other.arguments_raw is None:
        return differences(one.arguments, other.arguments)
    values = [call.arguments if call.arguments_raw is None else call.arguments_raw for call in (one, other)]
    return (Detail(path="", baseline=values[0], head=values[1]),)


def _notes(acts: Sequence[Act]) -> list[str]:
    """Say for each turn what was called next after it."""
    notes = [""] * len(acts)
    for act in reversed(acts[1:]):
        notes[act.place - 1] = f"before {act.calls[0].tool}" if act.calls else notes[act.place]
    return notes


def arguments_form(call: ToolCall) -> Plain:
    """Return the arguments of a call as a plain value; text that could not be parsed is no string."""
    return call.arguments if call.arguments_raw is None else {"\0raw": call.arguments_raw}


def slot_of_baseline(matching: Matching) -> dict[int, int]:
    """Return the slots of the baseline's turns, by their places."""
    return {i: number for number, (i, _) in enumerate(matching.slots) if i is not None}


def slot_of_head(matching: Matching) -> dict[int, int]:
    """Return the slots of head's turns, by their places."""
    return {j: number for number, (_, j) in enumerate(matching.slots) if j is not None}
