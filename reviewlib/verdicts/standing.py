"""What is left of the entries on one content: each speaker's latest verdict, without what was taken back or set aside."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from reviewlib.model.frozen import Frozen
from reviewlib.policy import DEFAULT_POLICY, Policy
from reviewlib.verdicts.entry import Entry

Fate: TypeAlias = Literal["stands", "replaced", "withdrawn", "set aside", ""]
"""What became of an entry. A withdrawal, and a comment that stands, have none."""


class Rules(NamedTuple):
    """Whose word counts: the policy, and the keys of those who wrote the commits under review."""

    policy: Policy = DEFAULT_POLICY
    authors: Collection[str] = ()

    def is_author(self, entry: Entry) -> bool:
        """Whether the entry is by somebody who wrote a commit under review."""
        return entry.reviewer.key in self.authors

    def counts(self, entry: Entry) -> bool:
        """Whether a standing verdict decides anything. An author's own flag always does."""
        if entry.agent and self.policy.agent_verdicts != "count":
            return False
        return entry.verdict != "approve" or self.policy.self_approval or not self.is_author(entry)


class Standing(Frozen):
    """What holds on one content, oldest first: the verdicts that count, those that stand and decide nothing, and the flags that were
    set aside, each with the withdrawal that says why.
    """

    verdicts: tuple[Entry, ...]
    uncounted: tuple[Entry, ...]
    dismissed: tuple[tuple[Entry, Entry], ...]


class _Reduced(NamedTuple):
    """By place in the entries: each speaker's latest verdict, what its reviewer took back, and what another set aside (by which entry)."""

    latest: dict[tuple[str, bool], int]
    undone: set[int]
    aside: dict[int, int]


def standing(entries: Sequence[Entry], rules: Rules) -> Standing:
    """Reduce the entries on one content, given oldest first, to what holds.

    A flag set aside by another still is its reviewer's latest word: it does not bring an earlier approval back.
    """
    reduced = _reduced(entries, rules)
    held = [entries[at] for at in reduced.latest.values() if at not in reduced.aside]
    aside = sorted((at, why) for at, why in reduced.aside.items() if at not in reduced.undone)
    return Standing(
        verdicts=tuple(entry for entry in held if rules.counts(entry)),
        uncounted=tuple(entry for entry in held if not rules.counts(entry)),
        dismissed=tuple((entries[at], entries[why]) for at, why in aside),
    )


def fates(entries: Iterable[Entry]) -> tuple[tuple[Entry, Fate], ...]:
    """Tell of each entry of a ledger, given oldest first, what became of it on its own content."""
    ordered = tuple(entries)
    contents: defaultdict[tuple[str | None, str | None, str], list[int]] = defaultdict(list)
    for at, entry in enumerate(ordered):
        contents[entry.content].append(at)
    found: dict[int, Fate] = {}
    for places in contents.values():
        reduced = _reduced([ordered[at] for at in places], Rules())
        latest = set(reduced.latest.values())
        for place, at in enumerate(places):
            found[at] = _fate(ordered[at], place, latest, reduced)
    return tuple((entry, found[at]) for at, entry in enumerate(ordered))


def _fate(entry: Entry, place: int, latest: set[int], reduced: _Reduced) -> Fate:
    if place in reduced.undone:
        return "withdrawn"
    if entry.kind != "verdict":
        return ""
    if place in reduced.aside:
        return "set aside"
    if place in latest:
        return "stands"
    return "replaced" if entry.speaker in reduced.latest else "withdrawn"


def _reduced(entries: Sequence[Entry], rules: Rules) -> _Reduced:
    """Go through the withdrawals, latest first, then through the verdicts.

    An undo names its entry, so it holds even where a clock ran behind. An id may stand for several entries where somebody wrote one by
    hand; a withdrawal takes back those of its own reviewer only.
    """
    by_id: defaultdict[str, list[int]] = defaultdict(list)
    for at, entry in enumerate(entries):
        by_id[entry.id].append(at)
    undone: set[int] = set()
    aside: dict[int, int] = {}
    for at in reversed(range(len(entries))):
        entry = entries[at]
        if entry.kind != "withdraw" or not entry.undoes or at in undone:
            continue
        for target in by_id.get(entry.undoes, ()):
            if _may_take_back(entry, entries[target]):
                undone.add(target)
            elif _may_set_aside(entry, entries[target], rules):
                aside[target] = at
    return _Reduced(_latest(entries, undone), undone, aside)


def _latest(entries: Sequence[Entry], undone: set[int]) -> dict[tuple[str, bool], int]:
    latest: dict[tuple[str, bool], int] = {}
    for at, entry in enumerate(entries):
        if at in undone:
            continue
        if entry.kind == "verdict" and entry.verdict:
            latest.pop(entry.speaker, None)
            latest[entry.speaker] = at
        elif entry.kind == "withdraw" and not entry.undoes:
            latest.pop((entry.reviewer.key, True), None)
            if not entry.agent:
                latest.pop((entry.reviewer.key, False), None)
    return latest


def _may_take_back(withdrawal: Entry, target: Entry) -> bool:
    """Everybody takes back what is their own; automation nothing that a person said."""
    return withdrawal.reviewer.key == target.reviewer.key and (target.agent or not withdrawal.agent)


def _may_set_aside(withdrawal: Entry, target: Entry, rules: Rules) -> bool:
    """Another person sets a flag aside, with a reason; not the author of the change where authors do not count as reviewers."""
    allowed = rules.policy.self_approval or not rules.is_author(withdrawal)
    return target.verdict == "flag" and not withdrawal.agent and bool(withdrawal.comment.strip()) and allowed
