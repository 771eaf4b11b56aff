"""Changes of turns: how they ended, how calls are divided among them, and what was said in them."""

from collections.abc import Iterator
from typing import Literal

from reviewlib.acts import ABNORMAL, Act
from reviewlib.diff.draft import Draft, Place, Sides, Told, draft
from reviewlib.diff.facts import facts, negations, run_facts
from reviewlib.diff.matching import Matching
from reviewlib.diff.steps import slot_of_head
from reviewlib.model.change import Absent, Detail, Edit, Significance
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import Step, Trajectory
from reviewlib.placeholders import stands_for


def turn_drafts(matching: Matching, conversation: int, sides: Sides) -> Iterator[Told]:
    """Yield what differs in the turns: how they ended, whether they failed, and how calls are divided among them."""
    for number, (i, j) in enumerate(matching.slots):
        place = Place(conversation, number)
        one = matching.baseline[i] if i is not None else None
        other = matching.head[j] if j is not None else None
        if one and other and bool(one.failure) is bool(other.failure):
            yield from _stop_drafts(one, other, matching, place, sides)
        if (one and one.failure) or (other and other.failure):
            yield from _failure_drafts(one, other, matching, place, sides)
        elif one is None or other is None:
            yield from _lone_drafts(one, other, place, sides)
    slots = slot_of_head(matching)
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
    if one and other and one.failure and other.failure:
        yield from _other_failure(one, other, place, sides)
        return
    steps = one.failure if one else None, other.failure if other else None
    statuses = [act.turn.http_status if act else Absent() for act in (one, other)]
    status = Detail(path="http_status", baseline=statuses[0], head=statuses[1])
    message = Detail(
        path="message", baseline=steps[0].text if steps[0] else None, head=steps[1].text if steps[1] else None
    )
    shown: list[Step | None] = [
        step or (_first(act) if act else None) for step, act in zip(steps, (one, other), strict=True)
    ]
    ends = _ends(other, matching.head, "head") if steps[1] else _ends(one, matching.baseline, "baseline")
    edits = (_ended(one, other, place),) if one and other else ()
    yield draft("failure", "behaviour", place, sides, *shown, details=(status, message), ends=ends, edits=edits)


def _other_failure(one: Act, other: Act, place: Place, sides: Sides) -> Iterator[Draft]:
    steps, statuses = (one.failure, other.failure), (one.turn.http_status, other.turn.http_status)
    texts = [step.text if step else None for step in steps]
    edits = (_ended(one, other, place),)
    if statuses[0] != statuses[1]:
        details = (Detail(path="http_status", baseline=statuses[0], head=statuses[1]),)
        yield draft("failure", "behaviour", place, sides, *steps, details=details, edits=edits)
    elif texts[0] != texts[1]:
        details = (Detail(path="message", baseline=texts[0], head=texts[1]),)
        yield draft("text", "cosmetic", place, sides, *steps, details=details, edits=edits)


def _ended(one: Act, other: Act, place: Place) -> Edit:
    """Make one turn end as the other: where one failed, all that it said and how it stopped belongs to that."""
    alike = bool(one.failure) is bool(other.failure)
    forms = [ending_form(act) if alike else {**ending_form(act), "text": act.text} for act in (one, other)]
    details = tuple(
        Detail(path=name, baseline=value, head=forms[1][name])
        for name, value in forms[0].items()
        if value != forms[1][name] and not (alike and name == "stop_reason")
    )
    return _set(place, one, details=details)


def _set(
    place: Place,
    one: Act,
    field: str = "",
    details: tuple[Detail, ...] | None = None,
    reason: Literal["", "placeholder", "unknown"] = "",
) -> Edit:
    return Edit(
        conversation=place.conversation,
        action="set",
        what="turn",
        place=one.place,
        field=field,
        details=details,
        reason=reason,
    )


def ending_form(act: Act) -> dict[str, Plain]:
    """Return how a turn ended, as plain values."""
    return {
        "stop_reason": act.turn.stop_reason,
        "http_status": act.turn.http_status if act.failure else None,
        "failure": act.failure.text if act.failure else None,
    }


def _stop_drafts(one: Act, other: Act, matching: Matching, place: Place, sides: Sides) -> Iterator[Told]:
    stops = one.turn.stop_reason, other.turn.stop_reason
    if stops[0] == stops[1]:
        return
    details = (Detail(path="stop_reason", baseline=stops[0], head=stops[1]),)
    if stops[0] is None or stops[1] is None:
        yield _set(place, one, details=details, reason="unknown")
        return
    ends = ""
    if stops[1] in ABNORMAL:
        ends = _ends(other, matching.head, "head")
    elif stops[0] in ABNORMAL:
        ends = _ends(one, matching.baseline, "baseline")
    steps, edits = (_first(one), _first(other)), (_set(place, one),)
    yield draft("stop_reason", "behaviour", place, sides, *steps, details=details, ends=ends, edits=edits)


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
) -> Iterator[Told]:
    """Yield what differs in the words of corresponding turns. Wording is cosmetic.

    A fact that became another one is behaviour when either belongs to the run; one that is merely told or left out is marked.
    """
    known: tuple[frozenset[str], frozenset[str]] | None = None
    for number, (i, j) in enumerate(matching.slots):
        if i is None or j is None:
            continue
        one, other = matching.baseline[i], matching.head[j]
        if one.text == other.text or bool(one.failure) is not bool(other.failure):
            continue
        details = (Detail(path="", baseline=one.text, head=other.text),)
        if stands_for(one.text, other.text):
            yield _set(Place(conversation, number), one, "text", details, "placeholder")
            continue
        told = facts(one.text), facts(other.text)
        gone, new = told[0] - told[1], told[1] - told[0]
        significance: Significance = "cosmetic"
        if gone or new:
            known = known or (run_facts(baseline), run_facts(head))
            if gone and new and (set(gone) & known[0] or set(new) & known[1]):
                significance = "behaviour"
        marked = bool(gone or new) or negations(one.text) != negations(other.text)
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
            edits=(_set(Place(conversation, number), one, "text"),),
        )


def _fact_note(gone: list[str], new: list[str]) -> str:
    """Say which facts became which, at most three of each side. Facts that are merely told or left out are no note."""
    if not gone or not new:
        return ""
    return f"{', '.join(gone[:3])} → {', '.join(new[:3])}"
