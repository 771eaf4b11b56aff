"""Changes of what the agent called, and of what came of it, in one pair of conversations."""

from collections.abc import Iterator

from reviewlib.acts import call_key
from reviewlib.diff.draft import Place, Sides, Told, draft
from reviewlib.diff.matching import Matched, Matching
from reviewlib.model.change import Absent, Detail, Edit
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import ToolCall
from reviewlib.placeholders import without_placeholders
from reviewlib.values import differences, same


def call_drafts(matching: Matching, conversation: int, sides: Sides) -> Iterator[Told]:
    """Yield what differs in the calls: removed, added, moved, their arguments, failures and results."""
    slots = slot_of_baseline(matching), slot_of_head(matching)
    for call in matching.removed:
        place = Place(conversation, slots[0][call.turn - 1])
        note = _before(call, [act.calls for act in matching.baseline])
        yield draft("tool_removed", "behaviour", place, sides, call, None, tool=call.tool, note=note)
    for call in matching.added:
        place = Place(conversation, slots[1][call.turn - 1])
        note = _before(call, [act.calls for act in matching.head])
        yield draft("tool_added", "behaviour", place, sides, None, call, tool=call.tool, note=note)
    for pair in matching.calls:
        yield from _pair_drafts(pair, matching, Place(conversation, slots[1][pair.head.turn - 1]), sides)


def _pair_drafts(pair: Matched, matching: Matching, place: Place, sides: Sides) -> Iterator[Told]:
    one, other, tool = pair.baseline, pair.head, pair.head.tool
    if pair.moved:
        note = _before(other, [act.calls for act in matching.head])
        yield draft("tool_moved", "behaviour", place, sides, one, other, tool=tool, note=note)
    edit = Edit(conversation=place.conversation, action="set", what="call", place=one.index)
    if call_key(one) != call_key(other):
        yield from _argument_drafts(pair, place, sides, edit.model_copy(update={"field": "arguments"}))
    if one.is_error != other.is_error:
        details = (Detail(path="is_error", baseline=one.is_error, head=other.is_error),)
        if one.is_error is None or other.is_error is None:
            yield edit.model_copy(update={"details": details, "reason": "unknown"})
        else:
            yield draft("failure", "behaviour", place, sides, one, other, tool=tool, details=details, edits=(edit,))
    if one.result_recorded and other.result_recorded:
        if not same(one.result, other.result):
            told, silent = _split(differences(one.result, other.result))
            edit = edit.model_copy(update={"field": "result"})
            if told:
                yield draft("result", "behaviour", place, sides, one, other, tool=tool, details=told, edits=(edit,))
            if silent:
                yield edit.model_copy(update={"details": silent, "reason": "placeholder"})
    elif one.result_recorded or other.result_recorded:
        values = [call.result if call.result_recorded else Absent() for call in (one, other)]
        details = (Detail(path="result", baseline=values[0], head=values[1]),)
        yield edit.model_copy(update={"details": details, "reason": "unknown"})


def _argument_drafts(pair: Matched, place: Place, sides: Sides, edit: Edit) -> Iterator[Told]:
    one, other = pair.baseline, pair.head
    told, silent = _split(_argument_details(one, other))
    if one.arguments_raw is not None or other.arguments_raw is not None:
        whole = (Detail(path="", baseline=arguments_form(one), head=arguments_form(other)),)
        edit, silent = edit.model_copy(update={"details": whole}), whole if silent else ()
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


def _before(call: ToolCall, turns: list[tuple[ToolCall, ...]]) -> str:
    following = next((later for calls in turns[call.turn :] for later in calls), None)
    return f"before {following.tool}" if following else ""


def arguments_form(call: ToolCall) -> Plain:
    """Return the arguments of a call as a plain value; text that could not be parsed is no string."""
    return call.arguments if call.arguments_raw is None else {"\0raw": call.arguments_raw}


def slot_of_baseline(matching: Matching) -> dict[int, int]:
    """Return the slots of the baseline's turns, by their places."""
    return {i: number for number, (i, _) in enumerate(matching.slots) if i is not None}


def slot_of_head(matching: Matching) -> dict[int, int]:
    """Return the slots of head's turns, by their places."""
    return {j: number for number, (_, j) in enumerate(matching.slots) if j is not None}
