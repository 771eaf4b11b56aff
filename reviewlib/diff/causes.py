"""Which change follows from which: headlines and counts speak of causes, consequences are folded under them.

The rules, in the order in which they are asked: what is missing after a run broke off follows from that; a call's result or
failure follows from its own changed arguments, or from changed calls before it; an argument whose value was handed on from a changed result
follows from the result; words follow from what was done before them, or from what was sent; tokens follow from everything.
A request change never hides a call: a dropped tool under a new model stays a cause of its own.
"""

import re
from collections.abc import Callable, Sequence

from reviewlib.diff.draft import Draft
from reviewlib.model.change import Absent, Change, Detail
from reviewlib.model.frozen import Plain
from reviewlib.values import canonical

MIN_HANDED_ON = 3
"""Characters of a value that is looked for inside a text: shorter ones stand anywhere."""

MAX_HANDED_ON = 100_000
"""Characters of a text in which a value is looked for."""

_CONTEXT = 12
_SENT = frozenset({"model", "system_prompt", "user_message", "tool_schema", "parameters"})
_CALLS = frozenset({"arguments", "tool_added", "tool_removed", "tool_moved"})
_KIND_ORDER = {
    kind: number
    for number, kind in enumerate(
        (
            "model", "system_prompt", "tool_schema", "parameters", "user_message", "request_hash", "conversation_added",
            "conversation_removed", "failure", "stop_reason", "turns", "tool_removed", "tool_added", "tool_moved",
            "arguments", "result", "text", "usage",
        )
    )
}  # fmt: skip


def with_causes(drafts: Sequence[Draft]) -> tuple[Change, ...]:
    """Put the drafts in reading order, drop repeated request edits, and name the cause of each as an index into the result."""
    ordered = sorted(_once(drafts), key=_reading_order)
    changes: list[Change] = []
    for number, draft in enumerate(ordered):
        rule = _RULES.get(draft.change.kind, _independent)
        cause = _broken_off(draft, ordered[:number])
        if cause is None:
            cause = rule(draft, ordered[:number])
        changes.append(draft.change.model_copy(update={"cause": cause}))
    return tuple(changes)


def _once(drafts: Sequence[Draft]) -> list[Draft]:
    """Keep the first of the request edits that several conversations share; it takes over what the others do."""
    kept: list[Draft] = []
    seen: dict[tuple[str, str], int] = {}
    for draft in drafts:
        if draft.change.kind in _SENT or draft.change.kind == "request_hash":
            key = draft.change.kind, canonical([_comparable(detail) for detail in draft.change.details])
            if key in seen:
                kept[seen[key]] = kept[seen[key]].with_edits(draft.change.edits)
                continue
            seen[key] = len(kept)
        kept.append(draft)
    return kept


def _comparable(detail: Detail) -> list[object]:
    sides = ({"\0absent": 1} if isinstance(value, Absent) else value for value in (detail.baseline, detail.head))
    return [detail.path, *sides]


def _reading_order(draft: Draft) -> tuple[bool, int, bool, int, int]:
    kind = draft.change.kind
    sent = kind in _SENT or kind == "request_hash"
    return (
        not sent,
        _KIND_ORDER[kind] if sent else draft.place.conversation,
        not draft.ends,
        draft.place.slot,
        _KIND_ORDER[kind],
    )


def _broken_off(draft: Draft, earlier: Sequence[Draft]) -> int | None:
    """Find the end that a loss follows from: a run that stopped early lacks what the other side did afterwards."""
    if draft.ends or draft.change.kind in _SENT or draft.change.kind in {"usage", "request_hash"}:
        return None
    for number, other in enumerate(earlier):
        same_conversation = other.place.conversation == draft.place.conversation
        if other.ends and same_conversation and draft.place.slot >= other.place.slot:
            return number
    return None


def _latest(
    draft: Draft, earlier: Sequence[Draft], wanted: Callable[[Draft], bool], *, anywhere: bool = False
) -> int | None:
    for number in range(len(earlier) - 1, -1, -1):
        other = earlier[number]
        if (anywhere or other.place.conversation == draft.place.conversation) and wanted(other):
            return number
    return None


def _independent(_draft: Draft, _earlier: Sequence[Draft]) -> int | None:
    return None


def _of_result(draft: Draft, earlier: Sequence[Draft]) -> int | None:
    """A result is a cause only if the calls before it are the same; otherwise it follows from the nearest changed one."""
    own = _latest(
        draft, earlier, lambda other: _same_step(other, draft) and other.change.kind in {"arguments", "failure"}
    )
    if own is not None:
        return own
    return _latest(draft, earlier, lambda other: other.change.kind in _CALLS and other.place.slot < draft.place.slot)


def _same_step(one: Draft, other: Draft) -> bool:
    return one.change.head_step is not None and one.change.head_step == other.change.head_step


def _of_arguments(draft: Draft, earlier: Sequence[Draft]) -> int | None:
    """An argument that a changed result handed on, on both sides, follows from that result."""
    return _latest(
        draft, earlier, lambda other: other.change.kind == "result" and _handed_on(other.change, draft.change)
    )


def _handed_on(result: Change, arguments: Change) -> bool:
    given = [(detail.baseline, detail.head) for detail in result.details if _both(detail)]
    taken = [(detail.baseline, detail.head) for detail in arguments.details]
    if not taken or not all(map(_both, arguments.details)):
        return False
    equal = {(canonical(one), canonical(other)) for one, other in given}
    return all(
        (canonical(one), canonical(other)) in equal or any(_inside(one, other, *pair) for pair in given)
        for one, other in taken
    )


def _inside(one: Plain, other: Plain, baseline: Plain, head: Plain) -> bool:
    """Tell whether an argument was taken out of a text of the result, or put into a text of its own: on both sides at the same place."""
    texts = [str(value) if isinstance(value, (str, int, float)) else "" for value in (one, other, baseline, head)]
    taken, given = texts[:2], texts[2:]
    if min(map(len, taken)) >= MIN_HANDED_ON and _between(given[0], taken[0]) & _between(given[1], taken[1]):
        return True
    return min(map(len, given)) >= MIN_HANDED_ON and taken[0].replace(given[0], given[1]) == taken[1] != taken[0]


def _between(text: str, part: str) -> frozenset[str]:
    """Return what stands before a part of a text, wherever it stands apart from other words: a few characters that tell the place."""
    places = re.finditer(rf"(?<!\w){re.escape(part)}(?!\w)", text[:MAX_HANDED_ON])
    return frozenset(text[max(0, match.start() - _CONTEXT) : match.start()] for match in places)


def _both(detail: Detail) -> bool:
    return not isinstance(detail.baseline, Absent) and not isinstance(detail.head, Absent)


def _of_text(draft: Draft, earlier: Sequence[Draft]) -> int | None:
    """Words follow from the nearest changed behaviour, else from what was sent; a changed fact only from behaviour."""
    done = _latest(
        draft,
        earlier,
        lambda other: other.change.significance == "behaviour" and other.change.kind not in {"text", "model"},
    )
    if done is not None:
        return _root(done, earlier)
    if draft.change.significance == "behaviour":
        return None
    return _latest(draft, earlier, lambda other: other.change.kind in _SENT | {"request_hash"}, anywhere=True)


def _root(number: int, earlier: Sequence[Draft]) -> int:
    """Prefer the end of a run to what was lost by it."""
    lost = _broken_off(earlier[number], earlier[:number])
    return number if lost is None else lost


def _of_hash(draft: Draft, earlier: Sequence[Draft]) -> int | None:
    return _latest(draft, earlier, lambda other: other.change.kind in _SENT, anywhere=True)


def _of_usage(_draft: Draft, earlier: Sequence[Draft]) -> int | None:
    return 0 if earlier else None


_RULES: dict[str, Callable[[Draft, Sequence[Draft]], int | None]] = {
    "result": _of_result,
    "failure": _of_result,
    "arguments": _of_arguments,
    "text": _of_text,
    "request_hash": _of_hash,
    "usage": _of_usage,
}
