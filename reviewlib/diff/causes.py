"""Which change follows from which: headlines and counts speak of causes, consequences are folded under them.

The rules, in the order in which they are asked: what is missing after a run broke off follows from that; a call's result or
failure follows from its own changed arguments, or from changed calls before it; an argument whose value was handed on from a changed result
follows from the result; words follow from what was done before them, or from what was sent; tokens follow from everything.
A request change never hides a call: a dropped tool under a new model stays a cause of its own.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from reviewlib.diff.draft import Draft
from reviewlib.model.change import SENT, Absent, Change, Detail, StepRef
from reviewlib.model.frozen import Plain
from reviewlib.values import canonical

MIN_HANDED_ON = 3
"""Characters of a value that is looked for inside a text: shorter ones stand anywhere."""

MAX_HANDED_ON = 100_000
"""Characters of a text in which a value is looked for."""

_Pair: TypeAlias = tuple[str, str]
"""Something of the baseline, and what it is in head."""

_CONTEXT = 12
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
    earlier = _Earlier()
    changes: list[Change] = []
    for draft in sorted(_once(drafts), key=_reading_order):
        cause = earlier.end_before(draft)
        if cause is None:
            cause = _RULES.get(draft.change.kind, _independent)(draft, earlier)
        changes.append(draft.change if cause is None else draft.change.model_copy(update={"cause": cause}))
        earlier.add(draft)
    return tuple(changes)


def _once(drafts: Sequence[Draft]) -> list[Draft]:
    """Keep the first of the request edits that several conversations share; it takes over what the others do."""
    kept: list[Draft] = []
    seen: dict[tuple[str, str], int] = {}
    for draft in drafts:
        if draft.change.kind in SENT or draft.change.kind == "request_hash":
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
    sent = kind in SENT or kind == "request_hash"
    return (
        not sent,
        _KIND_ORDER[kind] if sent else draft.place.conversation,
        not draft.ends,
        draft.place.slot,
        _KIND_ORDER[kind],
    )


@dataclass(frozen=True, slots=True)
class _Result:
    """A changed result, by what it can hand on: the values that became others, as canonical texts and as texts."""

    number: int
    equal: frozenset[_Pair]
    texts: tuple[_Pair, ...]


@dataclass(slots=True)
class _Earlier:
    """The drafts before one in reading order, by their numbers, filed under what the rules ask for: a run of 2,000 turns may have 6,000."""

    drafts: list[Draft] = field(default_factory=list)
    sent: int | None = None
    sent_or_hash: int | None = None
    ends: defaultdict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    calls: defaultdict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    results: defaultdict[int, list[_Result]] = field(default_factory=lambda: defaultdict(list))
    done: dict[int, int] = field(default_factory=dict)
    by_step: dict[tuple[int, StepRef | None], int] = field(default_factory=dict)

    def add(self, draft: Draft) -> None:
        """File a draft as the last one so far."""
        number, kind, conversation = len(self.drafts), draft.change.kind, draft.place.conversation
        self.drafts.append(draft)
        if draft.ends:
            self.ends[conversation].append(number)
        if kind in SENT:
            self.sent = number
        if kind in SENT or kind == "request_hash":
            self.sent_or_hash = number
        if kind in _CALLS:
            self.calls[conversation].append((draft.place.slot, number))
        if kind == "result":
            self.results[conversation].append(_result(number, draft.change))
        if kind in {"arguments", "failure"}:
            self.by_step[conversation, draft.change.head_step] = number
        if draft.change.significance == "behaviour" and kind not in {"text", "model"}:
            self.done[conversation] = number

    def end_before(self, draft: Draft) -> int | None:
        """Find the end that a loss follows from: a run that stopped early lacks what the other side did afterwards."""
        if draft.ends or draft.change.kind in SENT or draft.change.kind in {"usage", "request_hash"}:
            return None
        ends = self.ends[draft.place.conversation]
        return next((number for number in ends if self.drafts[number].place.slot <= draft.place.slot), None)

    def call_before(self, draft: Draft) -> int | None:
        """Find the nearest changed call of an earlier turn; calls come in the order of their turns."""
        calls = self.calls[draft.place.conversation]
        place = bisect_left(calls, (draft.place.slot, -1))
        return calls[place - 1][1] if place else None


def _result(number: int, change: Change) -> _Result:
    given = [(detail.baseline, detail.head) for detail in change.details if _both(detail)]
    return _Result(
        number,
        frozenset((canonical(one), canonical(other)) for one, other in given),
        tuple((_text(one), _text(other)) for one, other in given),
    )


def _independent(_draft: Draft, _earlier: _Earlier) -> int | None:
    return None


def _of_result(draft: Draft, earlier: _Earlier) -> int | None:
    """A result is a cause only if the calls before it are the same; otherwise it follows from the nearest changed one."""
    step = draft.change.head_step
    own = earlier.by_step.get((draft.place.conversation, step)) if step is not None else None
    return earlier.call_before(draft) if own is None else own


def _of_arguments(draft: Draft, earlier: _Earlier) -> int | None:
    """An argument that a changed result handed on, on both sides, follows from that result."""
    details = draft.change.details
    if not details or not all(map(_both, details)):
        return None
    taken = [
        ((canonical(item.baseline), canonical(item.head)), (_text(item.baseline), _text(item.head))) for item in details
    ]
    results = reversed(earlier.results[draft.place.conversation])
    return next((result.number for result in results if _handed_on(result, taken)), None)


def _handed_on(result: _Result, taken: Sequence[tuple[_Pair, _Pair]]) -> bool:
    for equal, texts in taken:  # loops, since every argument meets every result before it
        if equal in result.equal:
            continue
        for given in result.texts:
            if _inside(texts, given):
                break
        else:
            return False
    return True


def _text(value: Plain) -> str:
    return str(value) if isinstance(value, (str, int, float)) else ""


def _inside(taken: _Pair, given: _Pair) -> bool:
    """Tell whether an argument was taken out of a text of the result, or put into a text of its own: on both sides at the same place."""
    stands = taken[0] in given[0] and taken[1] in given[1] and min(map(len, taken)) >= MIN_HANDED_ON
    if stands and _between(given[0], taken[0]) & _between(given[1], taken[1]):
        return True
    if given[0] not in taken[0] or min(map(len, given)) < MIN_HANDED_ON:
        return False
    return taken[0].replace(given[0], given[1]) == taken[1] != taken[0]


def _between(text: str, part: str) -> frozenset[str]:
    """Return what stands before a part of a text, wherever it stands apart from other words: a few characters that tell the place."""
    places = re.finditer(rf"(?<!\w){re.escape(part)}(?!\w)", text[:MAX_HANDED_ON])
    return frozenset(text[max(0, match.start() - _CONTEXT) : match.start()] for match in places)


def _both(detail: Detail) -> bool:
    return not isinstance(detail.baseline, Absent) and not isinstance(detail.head, Absent)


def _of_text(draft: Draft, earlier: _Earlier) -> int | None:
    """Words follow from the nearest changed behaviour, else from what was sent; a changed fact only from behaviour."""
    done = earlier.done.get(draft.place.conversation)
    if done is not None:
        return _root(done, earlier)
    return None if draft.change.significance == "behaviour" else earlier.sent_or_hash


def _root(number: int, earlier: _Earlier) -> int:
    """Prefer the end of a run to what was lost by it."""
    lost = earlier.end_before(earlier.drafts[number])
    return number if lost is None else lost


def _of_hash(_draft: Draft, earlier: _Earlier) -> int | None:
    return earlier.sent


def _of_usage(_draft: Draft, earlier: _Earlier) -> int | None:
    return 0 if earlier.drafts else None


_RULES: dict[str, Callable[[Draft, _Earlier], int | None]] = {
    "result": _of_result,
    "failure": _of_result,
    "arguments": _of_arguments,
    "text": _of_text,
    "request_hash": _of_hash,
    "usage": _of_usage,
}
