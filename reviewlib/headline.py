"""One plain sentence per pair, with the values that decide: ``issue_refund.amount 39 → 390; +312 tokens``."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from rapidfuzz.distance import Prefix

from reviewlib.model.change import SIGNIFICANCES, Absent, Change, Detail
from reviewlib.model.frozen import Plain
from reviewlib.model.review import Status
from reviewlib.model.trajectory import Recording
from reviewlib.traffic import differing
from reviewlib.values import canonical

MAX_PARTS = 3
"""Causes that a headline tells; more are counted."""

MAX_VALUE = 40
"""Characters of a value in a headline; a name without spaces (a model, an id) may have twice as many."""

RISK = (
    "failure", "tool_removed", "tool_added", "arguments", "tool_moved", "result", "stop_reason", "turns", "conversation_removed",
    "conversation_added", "model", "system_prompt", "user_message", "tool_schema", "parameters", "request_hash", "usage", "text",
)  # fmt: skip
"""Kinds in the order in which a headline tells them."""


_CONVERSATIONS = {"conversation_added": "conversations are new", "conversation_removed": "conversations are gone"}
"""How several of a kind are told that have nothing but their number to tell."""


def headline(changes: Sequence[Change], status: Status, baseline: Recording | None, head: Recording | None) -> str:
    """Say what a pair does differently; causes only, riskiest first, consequences folded, the token difference last."""
    if status == "added":
        return f"new cassette: {_tools(head)}"
    if status == "removed":
        return f"cassette removed; it held {_tools(baseline)}"
    usage = next((change for change in changes if change.kind == "usage" and change.cause is not None), None)
    told_tokens = f"; {tokens(usage)}" if usage is not None else ""
    return f"{told(changes)}{told_tokens}" if changes else nothing(baseline, head)


def told(changes: Sequence[Change], say: Callable[[Change], str] | None = None, most: int = MAX_PARTS) -> str:
    """Say what the causes among some changes are, riskiest first, and what was lost by them; ``say`` replaces ``phrase``.

    At most ``most`` of them are told, the others counted.
    """
    say = say or phrase
    causes = sorted(
        ((number, change) for number, change in enumerate(changes) if change.cause is None),
        key=lambda item: (-SIGNIFICANCES.index(item[1].significance), RISK.index(item[1].kind)),
    )
    counted = Counter(change.kind for _, change in causes)
    phrases: dict[str, tuple[str, str | None]] = {}
    for number, change in causes:
        several = _CONVERSATIONS.get(change.kind, "") if counted[change.kind] > 1 else ""
        words = f"{counted[change.kind]} {several}" if several else f"{say(change)}{_lost(number, changes)}"
        phrases.setdefault(words, (change.kind, change.tool))
    told = _various(phrases)
    if len(told) > most:
        told[most:] = [f"and {len(told) - most} more"]
    return "; ".join(told)


def _various(phrases: Mapping[str, tuple[str, str | None]]) -> list[str]:
    """Put the first phrase of each kind and tool before the others like it: three changed results must not hide how the turns changed."""
    first = {kind: told for told, kind in reversed(list(phrases.items()))}
    return sorted(phrases, key=lambda told: first[phrases[told]] != told)


def _lost(cause: int, changes: Sequence[Change]) -> str:
    """Say which calls a run lost, or made, because it broke off here, or no longer does."""
    for kind, verb in (("tool_removed", "loses"), ("tool_added", "goes on to")):
        tools = [change.tool or "" for change in changes if change.kind == kind and change.cause == cause]
        if tools:
            return f", {verb} {', '.join(tools[:2])}{_more_calls(len(tools) - 2)}"
    return ""


def _more_calls(count: int) -> str:
    return "" if count < 1 else " and 1 more call" if count == 1 else f" and {count} more calls"


def nothing(baseline: Recording | None, head: Recording | None) -> str:
    """Say that nothing differs, and what was compared."""
    if not any(side and (side.conversations or side.other_traffic) for side in (baseline, head)):
        return "nothing was recorded"
    if all(side is None or "model_calls" in side.not_recorded for side in (baseline, head)):
        return "no model call was recorded; the tool runs are the same"
    unread = differing(baseline, head)
    if unread == 1:
        return "the same but for ids, times and headers; an exchange that is no model call differs and was not compared"
    if unread:
        return f"the same but for ids, times and headers; {unread:,} exchanges that are no model call differ and were not compared"
    return "the same but for ids, times and headers"


def phrase(change: Change) -> str:
    """Say one change in a few words."""
    return _PHRASES[change.kind](change)


def value(plain: Plain) -> str:
    """Write a value as a headline shows it: short, on one line."""
    if isinstance(plain, Absent):
        return "nothing"
    text = plain if isinstance(plain, str) and not _looks_typed(plain) else canonical(plain)
    text = " ".join(text.split())
    limit = MAX_VALUE if " " in text or isinstance(plain, (dict, list)) else 2 * MAX_VALUE
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _looks_typed(text: str) -> bool:
    """Tell whether a string would read as a number or a constant; it is quoted then."""
    return text in {"true", "false", "null", ""} or text.replace(".", "", 1).lstrip("-").isdigit()


def _arrow(detail: Detail) -> str:
    """Write both values; of long texts that begin alike, from where they part."""
    one, other = detail.baseline, detail.head
    if isinstance(one, str) and isinstance(other, str) and max(len(one), len(other)) > MAX_VALUE:
        common = Prefix.similarity(one, other)
        if common > MAX_VALUE // 2 and " " in one[:common]:
            one, other = (f"…{text[common - 8 :].lstrip()}" for text in (one, other))
    return f"{value(one)} → {value(other)}"


def _listed(prefix: str, details: Sequence[Detail]) -> str:
    first = details[0]
    path = f"{prefix}.{first.path}" if first.path and not first.path.startswith("[") else f"{prefix}{first.path}"
    rest = f" and {len(details) - 1} more" if len(details) > 1 else ""
    return f"{path} {_arrow(first)}{rest}"


def _removed(change: Change) -> str:
    return f"drops {_call(change)}"


def _added(change: Change) -> str:
    return f"adds {_call(change)}"


def _call(change: Change) -> str:
    """Name a call and the one that it stands before."""
    if change.note == f"before {change.tool}":
        return f"an earlier {change.tool}"
    return f"{change.tool}{f' {change.note}' if change.note else ''}"


def _moved(change: Change) -> str:
    return f"{change.tool} now {change.note or 'comes last'}"


def _result(change: Change) -> str:
    return f"{change.tool} returns {_listed('', change.details).lstrip('. ')}"


def _failure(change: Change) -> str:
    status = next((detail for detail in change.details if detail.path in {"http_status", "is_error"}), None)
    if change.tool:
        return f"{change.tool} {'fails now' if status and status.head is True else 'no longer fails'}"
    if status is None:
        return "the run fails"
    if isinstance(status.baseline, Absent) or isinstance(status.head, Absent):
        code = status.head if isinstance(status.baseline, Absent) else status.baseline
        failed = f"a recorded failure{f' (HTTP {code})' if code else ''}"
        return f"{failed} is new" if isinstance(status.baseline, Absent) else f"{failed} is gone"
    if status.baseline == status.head:
        return _body_failed(change)
    return f"HTTP {_status(status.baseline)} → {_status(status.head)}"


def _body_failed(change: Change) -> str:
    """Say that an error came with the status of a success, or at the SDK, where there is no status."""
    message = next(detail for detail in change.details if detail.path == "message")
    if message.head is not None:
        return f"an error in place of an answer: {value(message.head)}"
    return f"an answer in place of an error: {value(message.baseline)}"


def _status(code: Plain) -> str:
    return "not recorded" if code is None else str(code)


def _turns(change: Change) -> str:
    first = change.details[0]
    if change.note and {first.baseline, first.head} != {0, 1}:
        return f"{change.note} in {first.head} turn{'s' if first.head != 1 else ''} instead of {first.baseline}"
    kind = f" ({change.note})" if change.note else ""
    return f"a turn without calls{kind} is {'new' if first.head else 'gone'}"


def _model(change: Change) -> str:
    by_path = {detail.path: detail for detail in change.details}
    detail = by_path.get("requested") or by_path["served"]
    return f"model {_arrow(detail)}" if "requested" in by_path else f"served model {_arrow(detail)}"


def _prompt(name: str) -> Callable[[Change], str]:
    def told(change: Change) -> str:
        detail = change.details[0]
        if isinstance(detail.baseline, Absent):
            return f"{name} added"
        if isinstance(detail.head, Absent):
            return f"{name} dropped"
        return f"{name} moved" if detail.path == "turn" else f"{name} edited"

    return told


def _schema(change: Change) -> str:
    tools = list(dict.fromkeys(detail.path.split(".")[0] for detail in change.details))
    first = change.details[0]
    if len(change.details) == 1 and isinstance(first.baseline, Absent) and first.head == "offered":
        return f"tool {first.path} offered"
    if len(change.details) == 1 and isinstance(first.head, Absent) and first.baseline == "offered":
        return f"tool {first.path} no longer offered"
    return f"tool schema of {', '.join(tools[:3])}{f' and {len(tools) - 3} more' if len(tools) > 3 else ''} edited"


def tokens(change: Change) -> str:
    """Say how many tokens more or fewer were used: ``+312 tokens``; where the sum is the same, which kinds of them."""
    moved = {
        detail.path.removesuffix("_tokens").replace("_", " "): (detail.head or 0) - (detail.baseline or 0)
        for detail in change.details
    }
    total = moved.get("input", 0) + moved.get("output", 0)
    if total or not any(moved.values()):
        return f"{total:+,} tokens"
    return f"{', '.join(f'{number:+,} {kind}' for kind, number in moved.items() if number)} tokens"


def _text(change: Change) -> str:
    if change.significance == "behaviour":
        return f"the answer says {change.note}"
    return f"reworded, {change.note}" if change.note else "reworded"


def _parameters(change: Change) -> str:
    """Say that a parameter moved where its value stands inside an added one; otherwise what the first one was and is."""
    gone = [detail for detail in change.details if isinstance(detail.head, Absent)]
    for detail in gone:
        for added in change.details:
            inside = _place(added.head, detail.baseline) if isinstance(added.baseline, Absent) else None
            if inside is not None:
                rest = f" and {len(change.details) - 2} more" if len(change.details) > 2 else ""
                return f"parameter {detail.path} moved to {added.path}{inside}{rest}"
    return f"parameter {_listed('', change.details).lstrip('. ')}"


def _place(tree: Plain, wanted: Plain) -> str | None:
    """Find a value inside a mapping, as a path."""
    if canonical(tree) == canonical(wanted):
        return ""
    for key, inner in tree.items() if isinstance(tree, dict) else ():
        found = _place(inner, wanted)
        if found is not None:
            return f".{key}{found}"
    return None


def _tools(recording: Recording | None) -> str:
    tools = [tool for conversation in (recording.conversations if recording else ()) for tool in conversation.tools]
    if tools:
        shown = " → ".join(tools[:5])
        return f"{shown}{_more_calls(len(tools) - 5)}"
    if recording and recording.conversations:
        return "no tool calls"
    return "no model calls" if recording and recording.other_traffic else "nothing recorded"


_PHRASES: dict[str, Callable[[Change], str]] = {
    "tool_removed": _removed,
    "tool_added": _added,
    "tool_moved": _moved,
    "arguments": lambda change: _listed(change.tool or "", change.details),
    "result": _result,
    "failure": _failure,
    "stop_reason": lambda change: f"stop reason {_arrow(change.details[0])}",
    "turns": _turns,
    "text": _text,
    "system_prompt": _prompt("system prompt"),
    "user_message": _prompt("user message"),
    "tool_schema": _schema,
    "parameters": _parameters,
    "model": _model,
    "request_hash": lambda _change: "the requests changed (hash; content not recorded)",
    "usage": tokens,
    "conversation_added": lambda _change: "a conversation is new",
    "conversation_removed": lambda _change: "a conversation is gone",
}
