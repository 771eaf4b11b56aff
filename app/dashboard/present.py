"""What the screens say about a review: words, shapes, figures and rows. Pure; no streamlit, no HTML."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePath
from typing import Literal, TypeAlias, get_args

from reviewlib.checks import CHECKS, SEVERITIES
from reviewlib.headline import phrase
from reviewlib.model.change import SIGNIFICANCES, Change, ChangeKind, Detail, Row, Significance
from reviewlib.model.review import Pair, Review, Severity, Side, State
from reviewlib.model.trajectory import Recording, Step, ToolCall
from reviewlib.summary import HasState, state_of

Rank: TypeAlias = Literal["unreadable", "behaviour", "request", "cosmetic", "identical"]
"""A significance, or ``unreadable`` for a pair that has none."""

RANKS: tuple[Rank, ...] = ("unreadable", *reversed(SIGNIFICANCES))
"""Riskiest first, as the counts stand on the screen."""

STATES: tuple[State, ...] = get_args(State)

ALARMS: tuple[Severity, ...] = ("error", "warning")
"""The severities of findings that the queue counts and filters by."""

SHAPES: Mapping[str, str] = {
    "unreadable": "✕",
    "behaviour": "▲",
    "request": "◆",
    "cosmetic": "○",
    "identical": "=",
    "open": "·",
    "approved": "✓",
    "flagged": "⚑",
    "carried": "⤳",
    "stale": "↻",
    "resolved": "↩",
    "blocked": "■",
    "error": "✕",
    "warning": "▲",
    "info": "i",
}
"""Each word has a shape of its own, so that colour is never the only sign."""

MEANINGS: Mapping[str, str] = {check.code: f"{check.title}. More: docs/findings.md, {check.code}." for check in CHECKS}
"""What each finding means, for its tooltip."""

STATE_WORDS: Mapping[State, str] = {
    "open": "Nobody has decided about this content yet.",
    "approved": "A reviewer approved exactly this content, and nobody's latest word flags it.",
    "flagged": "A reviewer flagged this content. A flag wins over approvals until it is changed, or the content is gone.",
    "carried": "An approved earlier content had the same behaviour and requests: only noise, wording or tolerated usage moved.",
    "stale": "An earlier content had a verdict, and the behaviour has changed since.",
    "resolved": "It was flagged, and the head is back to the baseline.",
    "blocked": "A finding that the policy lets no verdict clear: record the cassette anew without it, or change the policy.",
}
"""What each state means, for its tooltip."""

KIND_WORDS: Mapping[str, str] = {
    "tool_added": "tool added",
    "tool_removed": "tool removed",
    "tool_moved": "moved",
    "arguments": "arguments",
    "result": "result",
    "failure": "failure",
    "stop_reason": "stop reason",
    "turns": "turns",
    "text": "wording",
    "system_prompt": "system prompt",
    "user_message": "user message",
    "tool_schema": "tool schema",
    "parameters": "parameters",
    "model": "model",
    "request_hash": "request hash",
    "usage": "usage",
    "conversation_added": "conversation added",
    "conversation_removed": "conversation removed",
    "assistant_text": "assistant",
    "reasoning": "reasoning",
}
"""Change kinds and step kinds as people say them."""

REQUEST_KINDS: frozenset[ChangeKind] = frozenset(
    {"system_prompt", "user_message", "tool_schema", "parameters", "model", "request_hash"}
)
"""What the harness sends: shown in a panel of its own, the cause before its consequences."""

_DOTS = 4
"""Unchanged calls that a strip shows one by one; longer runs become a number."""


_STRIP = 8
"""Names of one unchanged run that a strip shows."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A change in a word or two: its significance, what it is, and the sentence about it. A consequence names its cause elsewhere."""

    rank: Significance
    word: str
    note: str
    marked: bool = False
    consequence: bool = False


@dataclass(frozen=True, slots=True)
class Bead:
    """One call, or a run of unchanged ones, of a tool strip."""

    mark: Literal["same", "added", "removed", "moved", "changed"]
    text: str


def rank(pair: Pair) -> Rank:
    """The significance of a pair, or that it could not be read."""
    return pair.significance or "unreadable"


def alarms(pair: Pair) -> tuple[Severity, ...]:
    """The severities of its new findings that a person should look at."""
    new = {finding.severity for finding in pair.findings if finding.since == "new"}
    return tuple(severity for severity in ALARMS if severity in new)


def codes(review: Review) -> Mapping[str, int]:
    """How many pairs have a new finding of each code, those of most pairs first, by severity."""
    found: Counter[str] = Counter()
    worst: dict[str, int] = {}
    for pair in review.pairs:
        for code in new_codes(pair):
            found[code] += 1
        for finding in pair.findings:
            worst[finding.code] = min(worst.get(finding.code, len(SEVERITIES)), SEVERITIES.index(finding.severity))
    return {code: found[code] for code in sorted(found, key=lambda code: (worst[code], -found[code], code))}


def new_codes(pair: Pair) -> frozenset[str]:
    """The codes of its findings that are new in head."""
    return frozenset(finding.code for finding in pair.findings if finding.since == "new")


def needs_decision(pair: Pair, states: Mapping[str, HasState]) -> bool:
    """Whether the walk from pair to pair stops here. What differs in nothing but volatile data needs nobody."""
    return pair.significance != "identical" and state_of(pair, states) in ("open", "stale", "blocked")


def counts(review: Review, states: Mapping[str, HasState]) -> dict[str, int]:
    """How many pairs each rank has, each severity of new findings, and each state among the pairs that are not identical."""
    found: dict[str, int] = dict.fromkeys((*RANKS, *STATES, *ALARMS), 0)
    for pair in review.pairs:
        found[rank(pair)] += 1
        for alarm in alarms(pair):
            found[alarm] += 1
        if pair.significance != "identical":
            found[state_of(pair, states)] += 1
    return found


def tools(pair: Pair, side: Literal["baseline", "head"]) -> tuple[str, ...]:
    """The tools of one side in the order called, over all its conversations."""
    recording = pair.baseline if side == "baseline" else pair.head
    if not isinstance(recording, Recording):
        return ()
    return tuple(tool for trajectory in recording.conversations for tool in trajectory.tools)


def strip(pair: Pair) -> tuple[Bead, ...]:
    """The calls of both sides as one strip: a dot for an unchanged one, the name of one that was added, removed, moved or changed."""
    if pair.diff is None:
        return ()
    beads = [bead for row in pair.diff.rows for bead in _beads(pair, row)]
    found: list[Bead] = []
    for same, run in groupby(beads, key=lambda bead: bead.mark == "same"):
        members = list(run)
        if same:
            found.append(Bead("same", "•" * len(members) if len(members) <= _DOTS else f"•×{len(members)}"))
        else:
            found += members
    return tuple(found)


def order_strip(pair: Pair, side: Literal["baseline", "head"]) -> tuple[Bead, ...]:
    """The calls of one side by name, each marked by what became of it on the other."""
    if pair.diff is None or not pair.diff.rows:
        mark: Literal["added", "removed"] = "removed" if side == "baseline" else "added"
        return tuple(Bead(mark, tool) for tool in tools(pair, side))
    rows = {ref: row for row in pair.diff.rows if (ref := row.baseline if side == "baseline" else row.head) is not None}
    # A folder named by hashes has its conversations in another order on each side; the rows have them in one.
    order = {conversation: place for place, conversation in enumerate(dict.fromkeys(ref[0] for ref in rows))}
    recording = pair.baseline if side == "baseline" else pair.head
    found = []
    for ref in sorted(rows, key=lambda ref: (order[ref[0]], ref[1])):
        call = _call(recording, ref)
        if call is not None:
            found.append(Bead(_mark(pair, rows[ref]), call.tool))
    return tuple(found)


def shortened(beads: Sequence[Bead]) -> tuple[Bead, ...]:
    """A strip in which repeats stand once with their number, and the middle of a long unchanged run is only counted."""
    counted = [(bead, len(list(run))) for bead, run in groupby(beads)]
    found: list[Bead] = []
    for same, run in groupby(counted, key=lambda item: item[0].mark == "same"):
        members = [Bead(bead.mark, bead.text if count == 1 else f"{bead.text} ×{count}") for bead, count in run]
        if same and len(members) > _STRIP + 1:
            half = _STRIP // 2
            hidden = len(members) - 2 * half
            members = [*members[:half], Bead("same", f"… {hidden} more …"), *members[-half:]]
        found += members
    return tuple(found)


def chip(change: Change) -> Chip:
    """A change in a word or two, not said twice."""
    word = KIND_WORDS[change.kind]
    note = change_sentence(change).removeprefix(word).strip()
    return Chip(change.significance, word, note, change.marked, change.cause is not None)


def change_sentence(change: Change) -> str:
    """A change in a few words, with the values that decide, as headlines say it."""
    return phrase(change)


def request_changes(pair: Pair) -> tuple[Change, ...]:
    """The changes of what the harness sends."""
    changes = pair.diff.changes if pair.diff is not None else ()
    return tuple(change for change in changes if change.kind in REQUEST_KINDS)


def not_recorded(pair: Pair) -> tuple[str, ...]:
    """What at least one side's format does not hold, in words."""
    sides = [side for side in (pair.baseline, pair.head) if isinstance(side, Recording)]
    facts = {fact: None for side in sides for fact in (*side.not_recorded, *side.cassette.not_recorded)}
    return tuple(fact.replace("_", " ") for fact in facts)


def formats(pair: Pair) -> str:
    """The format of both sides, once where it is the same."""
    names = {side.cassette.format: None for side in (pair.baseline, pair.head) if isinstance(side, Recording)}
    return " → ".join(names)


def remarks(pair: Pair) -> tuple[str, ...]:
    """Sentences about how the pair was read: notes of both sides, and the limits that were hit."""
    sides = [side for side in (pair.baseline, pair.head) if isinstance(side, Recording)]
    notes = {note: None for side in sides for note in (*side.cassette.notes, *side.notes)}
    if any(side.cassette.synthetic for side in sides):
        notes["Written by hand, not recorded (synthetic)."] = None
    limits = pair.diff.limits if pair.diff is not None else ()
    return (*notes, *limits)


def side_name(side: Side) -> str:
    """A side as it was asked for, with the commit it stands for."""
    if side.commit is None:
        return "working tree" if side.label == "worktree" else side.label
    short = side.commit[:10]
    return short if side.revision in ("", side.commit) else f"{side.revision} ({short})"


def side_names(review: Review) -> tuple[str, str]:
    """Both sides as they were asked for. Two folders are named from where their paths part, and the one folder above it."""
    one, other = review.baseline, review.head
    names = side_name(one), side_name(other)
    if one.commit is not None or other.commit is not None or "working tree" in names or names[0] == names[1]:
        return names
    parts = [PurePath(name).parts for name in names]
    shared = next((place for place, (left, right) in enumerate(zip(*parts, strict=False)) if left != right), 0)
    start = max(0, shared - 1)
    return str(PurePath(*parts[0][start:])), str(PurePath(*parts[1][start:]))


def haystack(pair: Pair) -> str:
    """Everything that the search looks at: path, headline, findings, changes, tools, arguments and texts, in lower case."""
    parts = [pair.path, pair.headline, *(f"{finding.code} {finding.message}" for finding in pair.findings)]
    if pair.diff is not None:
        parts += [change_sentence(change) for change in pair.diff.changes]
    for side in (pair.baseline, pair.head):
        if isinstance(side, Recording):
            parts += [_words(step) for trajectory in side.conversations for step in trajectory.steps]
    return "\n".join(parts).lower()


def is_long(detail: Detail) -> bool:
    """Whether a sentence about a change cannot hold its values whole."""
    return any(len(str(value)) > 40 for value in (detail.baseline, detail.head))


def _words(step: Step) -> str:
    if isinstance(step, ToolCall):
        return f"{step.tool} {step.arguments} {step.result}"
    return step.text or ""


def _beads(pair: Pair, row: Row) -> Iterator[Bead]:
    call = _call(pair.head, row.head) or _call(pair.baseline, row.baseline)
    if call is not None:
        yield Bead(_mark(pair, row), call.tool)


def _call(recording: object, ref: tuple[int, int] | None) -> ToolCall | None:
    if not isinstance(recording, Recording) or ref is None:
        return None
    step = recording.conversations[ref[0]].steps[ref[1]]
    return step if isinstance(step, ToolCall) else None


def _mark(pair: Pair, row: Row | None) -> Literal["same", "added", "removed", "moved", "changed"]:
    """A changed row whose changes all follow from another one is no change of its own."""
    if row is None or row.relation == "same":
        return "same"
    changes = pair.diff.changes if pair.diff is not None else ()
    causes = [index for index in row.changes if changes[index].cause is None]
    return "same" if row.relation == "changed" and not causes else row.relation
