"""Changes of what the agent did: calls, results, failures, stop reasons, turns and texts of one pair of conversations."""

from collections.abc import Iterator

from reviewlib.acts import ABNORMAL, Act, call_key
from reviewlib.diff.draft import Draft, Place, Sides, draft
from reviewlib.diff.facts import facts, negations, run_facts
from reviewlib.diff.matching import Matched, Matching
from reviewlib.model.change import Absent, Detail, Significance
from reviewlib.model.trajectory import Step, ToolCall, Trajectory
from reviewlib.placeholders import stands_for, without_placeholders
from reviewlib.values import differing, same


def call_drafts(matching: Matching, conversation: int, sides: Sides) -> Iterator[Draft]:
    """Yield what differs in the calls: removed, added, moved, their arguments, failures and results."""
    slots = _slot_of_baseline(matching), _slot_of_head(matching)
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


def _pair_drafts(pair: Matched, matching: Matching, place: Place, sides: Sides) -> Iterator[Draft]:
    one, other, tool = pair.baseline, pair.head, pair.head.tool
    if pair.moved:
        note = _before(other, [act.calls for act in matching.head])
        yield draft("tool_moved", "behaviour", place, sides, one, other, tool=tool, note=note)
    if call_key(one) != call_key(other):
        details = without_placeholders(_argument_details(one, other))
        if details:
            yield draft("arguments", "behaviour", place, sides, one, other, tool=tool, details=details)
    if one.is_error is not None and other.is_error is not None and one.is_error != other.is_error:
        details = (Detail(path="is_error", baseline=one.is_error, head=other.is_error),)
        yield draft("failure", "behaviour", place, sides, one, other, tool=tool, details=details)
    if one.result_recorded and other.result_recorded and not same(one.result, other.result):
        details = without_placeholders(differing(one.result, other.result))
        if details:
            yield draft("result", "behaviour", place, sides, one, other, tool=tool, details=details)


def _argument_details(one: ToolCall, other: ToolCall) -> tuple[Detail, ...]:
    if one.arguments_raw is None and other.arguments_raw is None:
        return differing(one.arguments, other.arguments)
    values = [call.arguments if call.arguments_raw is None else call.arguments_raw for call in (one, other)]
    return (Detail(path="", baseline=values[0], head=values[1]),)


def _before(call: ToolCall, turns: list[tuple[ToolCall, ...]]) -> str:
    following = next((later for calls in turns[call.turn :] for later in calls), None)
    return f"before {following.tool}" if following else ""


def turn_drafts(matching: Matching, conversation: int, sides: Sides) -> Iterator[Draft]:
    """Yield what differs in the turns: how they ended, whether they failed, and how calls are divided among them."""
    for number, (i, j) in enumerate(matching.slots):
        place = Place(conversation, number)
        one = matching.baseline[i] if i is not None else None
        other = matching.head[j] if j is not None else None
        if (one and one.failure) or (other and other.failure):
            yield from _failure_drafts(one, other, matching, place, sides)
        elif one and other:
            yield from _stop_drafts(one, other, matching, place, sides)
        else:
            yield from _lone_drafts(one, other, place, sides)
    slots = _slot_of_head(matching)
    for baselines, heads in matching.regrouped:
        one, other = matching.baseline[baselines[0]], matching.head[heads[0]]
        details = (Detail(path="turns", baseline=len(baselines), head=len(heads)),)
        tools = ", ".join(dict.fromkeys(call.tool for place in heads for call in matching.head[place].calls))
        yield draft(
            "turns",
            "behaviour",
            Place(conversation, slots[heads[0]]),
            sides,
            _first(one),
            _first(other),
            details=details,
            note=tools,
        )


def _failure_drafts(
    one: Act | None, other: Act | None, matching: Matching, place: Place, sides: Sides
) -> Iterator[Draft]:
    steps = one.failure if one else None, other.failure if other else None
    statuses = [act.turn.http_status if act else None for act in (one, other)]
    texts = [step.text if step else None for step in steps]
    if steps[0] and steps[1]:
        if statuses[0] != statuses[1]:
            details = (Detail(path="http_status", baseline=statuses[0], head=statuses[1]),)
            yield draft("failure", "behaviour", place, sides, *steps, details=details)
        elif texts[0] != texts[1]:
            details = (Detail(path="message", baseline=texts[0], head=texts[1]),)
            yield draft("text", "cosmetic", place, sides, *steps, details=details)
        return
    status = Detail(
        path="http_status", baseline=statuses[0] if one else Absent(), head=statuses[1] if other else Absent()
    )
    message = Detail(path="message", baseline=texts[0], head=texts[1])
    shown: list[Step | None] = [
        step or (_first(act) if act else None) for step, act in zip(steps, (one, other), strict=True)
    ]
    ends = _ends(other, matching.head, "head") if steps[1] else _ends(one, matching.baseline, "baseline")
    yield draft("failure", "behaviour", place, sides, shown[0], shown[1], details=(status, message), ends=ends)


def _stop_drafts(one: Act, other: Act, matching: Matching, place: Place, sides: Sides) -> Iterator[Draft]:
    stops = one.turn.stop_reason, other.turn.stop_reason
    if stops[0] is None or stops[1] is None or stops[0] == stops[1]:
        return
    ends = ""
    if stops[1] in ABNORMAL:
        ends = _ends(other, matching.head, "head")
    elif stops[0] in ABNORMAL:
        ends = _ends(one, matching.baseline, "baseline")
    details = (Detail(path="stop_reason", baseline=stops[0], head=stops[1]),)
    yield draft("stop_reason", "behaviour", place, sides, _first(one), _first(other), details=details, ends=ends)


def _lone_drafts(one: Act | None, other: Act | None, place: Place, sides: Sides) -> Iterator[Draft]:
    act = one or other
    if act is None or act.calls:
        return
    details = (Detail(path="turns", baseline=int(one is not None), head=int(other is not None)),)
    note = act.ending.replace("_", " ")
    steps = _first(one) if one else None, _first(other) if other else None
    yield draft("turns", "behaviour", place, sides, *steps, details=details, note=note)


def _ends(act: Act | None, acts: tuple[Act, ...], side: str) -> str:
    return side if act is not None and act.place == len(acts) - 1 else ""


def _first(act: Act) -> Step | None:
    steps: list[Step] = [*act.texts, *act.calls]
    return min(steps, key=lambda step: step.index) if steps else act.failure


def text_drafts(
    matching: Matching, conversation: int, sides: Sides, baseline: Trajectory, head: Trajectory
) -> Iterator[Draft]:
    """Yield what differs in the words of corresponding turns. Wording is cosmetic.

    A fact that became another one is behaviour when either belongs to the run; one that is merely told or left out is marked.
    """
    known: tuple[frozenset[str], frozenset[str]] | None = None
    for number, (i, j) in enumerate(matching.slots):
        if i is None or j is None:
            continue
        one, other = matching.baseline[i], matching.head[j]
        if one.text == other.text or one.failure or other.failure or stands_for(one.text, other.text):
            continue
        gone, new = facts(one.text) - facts(other.text), facts(other.text) - facts(one.text)
        significance: Significance = "cosmetic"
        if gone or new:
            known = known or (run_facts(baseline), run_facts(head))
            if gone and new and (set(gone) & known[0] or set(new) & known[1]):
                significance = "behaviour"
        marked = bool(gone or new) or negations(one.text) != negations(other.text)
        details = (Detail(path="", baseline=one.text, head=other.text),)
        yield draft(
            "text",
            significance,
            Place(conversation, number),
            sides,
            one.texts[0] if one.texts else None,
            other.texts[0] if other.texts else None,
            details=details,
            note=_fact_note(list(gone), list(new)),
            marked=marked,
        )


def _fact_note(gone: list[str], new: list[str]) -> str:
    """Say which facts became which, at most three of each side. Facts that are merely told or left out are no note."""
    if not gone or not new:
        return ""
    return f"{', '.join(gone[:3])} → {', '.join(new[:3])}"


def _slot_of_baseline(matching: Matching) -> dict[int, int]:
    return {i: number for number, (i, _) in enumerate(matching.slots) if i is not None}


def _slot_of_head(matching: Matching) -> dict[int, int]:
    return {j: number for number, (_, j) in enumerate(matching.slots) if j is not None}
