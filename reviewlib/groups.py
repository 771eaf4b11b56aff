"""Change signatures, and the groups of pairs that share one.

A signature is made from the causes alone, in normalised form: kinds, tools, paths and values, never ids, wording or file names. So the same
edit has one signature in every recorder's format. Consequences do not count, for they vary from run to run, but what they make of a pair
does: the members of a group are of one significance, so that nobody approves a changed answer among harmless ones.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from reviewlib.align import align
from reviewlib.headline import MAX_PARTS, RISK, phrase, told
from reviewlib.model.change import SIGNIFICANCES, Absent, Change, Detail, Diff
from reviewlib.model.frozen import Plain
from reviewlib.model.review import Group, Pair
from reviewlib.values import canonical

MOST_PARTS = 9
"""Causes that the headline of a group tells where another group begins with the same few."""

MAX_WORDS = 5_000
"""Longer texts are compared as a whole in a signature."""

_WORDING = frozenset({"text", "request_hash"})
"""Kinds whose values are no part of a signature: wording, and hashes that stand for it."""


_REQUIRED = re.compile(r"\brequired(?:\[\d+\])?$")
"""Where strict dialects list every property; that it came or went is told by the property itself."""

_UNSHARED = _WORDING | {"usage", "conversation_added", "conversation_removed"}
"""Kinds that say nothing across pairs."""


def signature(changes: Sequence[Change], one_sided: str = "") -> str:
    """Return the signature of a pair's changes: 16 hex digits, equal for pairs that changed in the same way.

    ``one_sided`` is what an added or a removed cassette holds (its behaviour digest): only equal ones are alike.
    """
    causes = sorted({canonical(_essence(change)) for change in changes if change.cause is None})
    weight = max((SIGNIFICANCES.index(change.significance) for change in changes), default=0)
    kinds = [change.kind for change in changes if change.cause is None]
    conversations = [kinds.count("conversation_added"), kinds.count("conversation_removed")]
    return signature_of(canonical([one_sided, causes, weight, conversations]))


def _essence(change: Change) -> Plain:
    if change.kind == "text" and change.significance == "behaviour":
        return [change.kind, change.note]
    return [change.kind, change.tool, [] if change.kind in _WORDING else _values(change)]


def _values(change: Change) -> Plain:
    if change.kind == "usage":
        return []
    if change.kind == "failure":
        return [_value(detail) for detail in change.details if detail.path in {"http_status", "is_error"}]
    if change.kind == "tool_schema":
        return [_schema_value(detail) for detail in change.details if not _REQUIRED.search(detail.path)]
    return [_value(detail) for detail in change.details]


def _schema_value(detail: Detail) -> Plain:
    """Name a property that came or went, however the dialect writes it out; anything else is told with its values."""
    if isinstance(detail.baseline, Absent) or isinstance(detail.head, Absent):
        return [detail.path, "gone" if isinstance(detail.head, Absent) else "new"]
    return _value(detail)


def _value(detail: Detail) -> Plain:
    if isinstance(detail.baseline, str) and isinstance(detail.head, str) and " " in detail.baseline:
        return [detail.path, *_edit(detail.baseline, detail.head)]
    sides = [{"\0absent": True} if isinstance(side, Absent) else side for side in (detail.baseline, detail.head)]
    return [detail.path, *sides]


def _edit(baseline: str, head: str) -> list[list[str]]:
    """Return the words that an edit of a text took out and put in: the same edit of two prompts is one edit."""
    one, other = baseline.split(), head.split()
    if max(len(one), len(other)) > MAX_WORDS:
        return [[baseline], [head]]
    aligned = align(one, other)
    return [
        [one[i] for i, j in aligned if i is not None and j is None],
        [other[j] for i, j in aligned if j is not None and i is None],
    ]


def unreadable_signature(stage: str, reason: str) -> str:
    """Return the signature that cassettes share which could not be read for the same reason."""
    return signature_of(canonical([stage, reason]))


def group(pairs: Sequence[Pair]) -> tuple[Group, ...]:
    """Return the groups of two and more pairs, in the order of their first pair."""
    members: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        members[pair.signature].append(pair)
    several = {key: alike for key, alike in members.items() if len(alike) > 1}
    headlines = {key: _headline(alike[0], MAX_PARTS) for key, alike in several.items()}
    times = Counter(headlines.values())
    return tuple(
        Group(
            signature=key,
            headline=headlines[key] if times[headlines[key]] == 1 else _headline(alike[0], MOST_PARTS),
            pairs=tuple(pair.path for pair in alike),
        )
        for key, alike in several.items()
    )


def shared_causes(pairs: Sequence[Pair]) -> tuple[Group, ...]:
    """Return the causes that several pairs have in common, most pairs first: an edited prompt is one thing to read, not forty.

    A pair stands under each of its causes; wording and token counts are not told this way.
    """
    having: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for pair in pairs:
        for change in pair.diff.changes if pair.diff and pair.status in {"modified", "renamed"} else ():
            if change.cause is None and change.kind not in _UNSHARED:
                having[canonical(_essence(change))].setdefault(pair.path, phrase(change))
    shared = [
        Group(signature=signature_of(key), headline=next(iter(phrases.values())), pairs=tuple(phrases))
        for key, phrases in having.items()
        if len(phrases) > 1
    ]
    return tuple(sorted(shared, key=lambda item: -len(item.pairs)))


def signature_of(text: str) -> str:
    """Return 16 hex digits that stand for a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _headline(pair: Pair, most: int) -> str:
    """Say what the members share, and that their tokens differ much where nothing but that makes them more than cosmetic."""
    if pair.diff is None or pair.status in {"added", "removed"}:
        return pair.headline
    causes = told(pair.diff.changes, _shared_phrase, most)
    heaviest = [change for change in pair.diff.changes if change.significance == pair.significance]
    if all(change.kind == "usage" and change.cause is not None for change in heaviest):
        return "; ".join(dict.fromkeys([causes, *map(_shared_phrase, heaviest)]))
    return causes


def _shared_phrase(change: Change) -> str:
    """Say a change without what differs from member to member: wording, and counts of tokens."""
    if change.kind == "usage":
        return "other token counts" if change.significance == "cosmetic" else "far more or fewer tokens"
    if change.kind == "text" and change.significance == "cosmetic":
        return "reworded"
    return phrase(change)


def by_risk(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Order pairs as they should be read: new errors first, then the unreadable, then by falling significance and risk.

    Of pairs that changed alike, a pair that also changed something else comes first.
    """
    return tuple(sorted(pairs, key=_risk))


def _risk(pair: Pair) -> tuple[int, int, int, str]:
    if pair.diff is None:
        return (2, 0, 0, pair.path)
    causes = [
        change for change in pair.diff.changes if change.cause is None and change.significance == pair.significance
    ]
    kinds = sorted(RISK.index(change.kind) for change in causes)
    return (_alarm(pair, pair.diff), kinds[0] if kinds else 0, -len(kinds), pair.path)


def _alarm(pair: Pair, found: Diff) -> int:
    """Rank a pair: 0 a failure that is new, 1 another new error, 2 (for the unreadable), and then by significance."""
    if any(change.kind == "failure" and change.tool is None and change.head_step for change in found.changes):
        return 0
    if any(finding.severity == "error" and finding.since == "new" for finding in pair.findings):
        return 1
    return 3 + len(SIGNIFICANCES) - SIGNIFICANCES.index(found.significance)
