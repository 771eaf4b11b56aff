"""The words and figures that the text and the Markdown report share. Everything here is one line, not yet escaped."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from posixpath import commonpath, dirname

from rapidfuzz.distance import Postfix, Prefix

from reviewlib.ignored import TRAFFIC
from reviewlib.model.change import SIGNIFICANCES, Absent, Change, Detail, Significance
from reviewlib.model.frozen import Frozen, Plain
from reviewlib.model.review import Finding, Group, Pair, Review, Side, Totals
from reviewlib.report.neutral import capped, one_line
from reviewlib.report.values import plain
from reviewlib.summary import Judged, Summary, Waiting, is_shut

VALUE_LIMIT = 120
"""Characters of a recorded value that a report shows in line; what is cut is counted."""

_AROUND = 20
"""Characters that are shown before and after what differs in a long text."""

_NAMED = 4
"""Cassettes that are named in a line about many; the rest is counted."""

_STATUS = re.compile(r"\b[345]\d\d\b")

_SENTENCES = 2
"""Different sentences of one check that are told in a line."""

HEADINGS: tuple[Significance | None, ...] = (None, *reversed(SIGNIFICANCES))
"""Riskiest first. None is unreadable."""


class Entry(Frozen):
    """What one headline stands for: a pair, or several: then ``shared`` is what they share, and ``group`` the signature of exactly these."""

    significance: Significance | None
    pairs: tuple[Pair, ...]
    shared: str | None = None
    group: str | None = None


def entries(review: Review, summary: Summary) -> tuple[Entry, ...]:
    """Every pair once, in the order of work; what is told together stands where its first pair would."""
    by_path = {pair.path: pair for pair in review.pairs}
    groups = {path: group for group in review.groups for path in group.pairs}
    together: defaultdict[tuple[str, ...], list[Pair]] = defaultdict(list)
    for path in summary.order:
        together[_alike(by_path[path], groups.get(path))].append(by_path[path])
    return tuple(_entry(pairs, groups.get(pairs[0].path)) for pairs in together.values())


def _alike(pair: Pair, group: Group | None) -> tuple[str, ...]:
    """Return what pairs that are told together have in common: new or gone cassettes their sentence and findings, others their group."""
    if pair.diff is not None and pair.status in {"added", "removed"}:
        return (pair.status, pair.headline, *sorted(finding.message for finding in pair.findings if _is_told(finding)))
    return ("group", group.signature) if group is not None else ("pair", pair.path)


def _entry(pairs: Sequence[Pair], group: Group | None) -> Entry:
    if len(pairs) == 1:
        return Entry(significance=pairs[0].significance, pairs=tuple(pairs))
    return Entry(
        significance=pairs[0].significance,
        pairs=tuple(pairs),
        shared=pairs[0].headline if group is None else group.headline,
        group=group.signature if group and {pair.path for pair in pairs} == set(group.pairs) else None,
    )


def _is_told(finding: Finding) -> bool:
    return finding.since == "new" and finding.severity != "info"


def judged(pairs: Sequence[Pair]) -> Iterator[str]:
    """Say which errors and warnings are new in these pairs, each once, with the number of pairs that have it."""
    having: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for pair in pairs:
        for code, finding in {finding.code: finding for finding in pair.findings if _is_told(finding)}.items():
            having[finding.severity, code].append(finding.message)
    for (severity, code), messages in having.items():
        count = f" in {len(messages)} of {len(pairs)}" if len(pairs) > 1 else ""
        yield f"{severity} {code}{count}: {messages[0]}"


def noise(pairs: Iterable[Pair]) -> str:
    """Say what moved in identical pairs, and in how many of them something did that is not compared and may mean something."""
    unread = sum(any(item.what == TRAFFIC for item in pair.ignored) for pair in pairs)
    more = f"; in {unread:,} of them also {TRAFFIC}, which are not compared" if unread else ""
    return f"only ids, times, headers and the like moved{more}"


def _statuses(item: Judged) -> str:
    """Name the statuses of the tries that were made again: ``(HTTP 429)``."""
    found = (
        {status for message, _ in item.messages for status in _STATUS.findall(message)}
        if item.code == "retried"
        else ()
    )
    return f" (HTTP {', '.join(sorted(found))})" if found else ""


def errors(summary: Summary) -> tuple[str, ...]:
    """Say what must not be merged, a line a check: the first lines of every report."""
    return tuple(f"error: {said(item, summary)}{_listed(item.pairs)}" for item in summary.errors)


def together(summary: Summary) -> tuple[str, ...]:
    """Say what is worth less than an error and is about all pairs together."""
    return tuple(
        f"{item.severity}: {said(item, summary)}"
        for item in summary.findings
        if not item.pairs and item.severity != "error"
    )


def said(item: Judged, summary: Summary) -> str:
    """Say what a check found, and in how many of the cassettes: ``HTTP 404 was recorded …, new in 13 of 52 cassettes (recorded-failure)``."""
    told = [capped(message, VALUE_LIMIT * 2) for message, _ in item.messages[:_SENTENCES]]
    if len(item.messages) > 1:
        told = [f"{message} ({count:,})" for message, (_, count) in zip(told, item.messages, strict=False)]
    more = f"; {plural(len(item.messages) - _SENTENCES, 'other')}" if len(item.messages) > _SENTENCES else ""
    every = plural(summary.pairs - summary.policies, "cassette")
    where = f", {item.since} in {len(item.pairs):,} of {every}" if item.pairs else ""
    decided = f", {item.decided:,} of them decided" if item.decided else ""
    return f"{'; '.join(told)}{more}{where}{decided} ({item.code})"


def _listed(paths: Sequence[str]) -> str:
    return f": {named(paths)}" if paths else ""


def named(paths: Sequence[str]) -> str:
    """Name some of many cassettes, inside the folder that all of them share."""
    folder = commonpath([dirname(path) for path in paths])
    names = ", ".join(one_line(path.removeprefix(f"{folder}/")) for path in paths[:_NAMED])
    more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return f"{f'{one_line(folder)}: ' if folder else ''}{names}{more}"


def found(summary: Summary) -> str:
    """Count the findings that are new or gone, by cassette, in the summary's order; empty where there are none."""
    told = [
        f"{len(item.pairs) or len(item.messages):,} {item.code}{' gone' if item.since == 'gone' else ''}{_statuses(item)}"
        for item in summary.findings
    ]
    return f"findings: {' · '.join(told)}" if told else ""


_CALLED = frozenset({"tool_added", "tool_removed", "tool_moved"})


def called(review: Review) -> str:
    """Say in how many cassettes the agent calls other tools, or in another order, and in how many others with other arguments."""
    kinds = [
        {change.kind for change in pair.diff.changes}
        for pair in review.pairs
        if pair.diff and pair.baseline and pair.head
    ]
    calls = sum(not _CALLED.isdisjoint(found) for found in kinds)
    rest = [found for found in kinds if _CALLED.isdisjoint(found)]
    counts = (
        (calls, "add, drop or move one"),
        (sum("turns" in found for found in rest), "divide them into other turns"),
        (sum("arguments" in found for found in rest), "change arguments"),
    )
    told = [f"{count:,} {what}" for count, what in counts if count]
    if not kinds:
        return ""
    return f"tool calls in {len(kinds):,} of {len(review.pairs):,}: {', '.join(told) or 'the same'}"


def in_common(review: Review) -> Iterator[str]:
    """Tell the edits that many pairs share and that no group stands for, at most five of them."""
    grouped = {group.pairs for group in review.groups}
    told: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for cause in review.causes:
        if len(cause.pairs) > 2 and cause.pairs not in grouped:
            told[cause.pairs].append(cause.headline)
    for pairs, headlines in list(told.items())[:5]:
        more = f"; and {len(headlines) - 2} more" if len(headlines) > 2 else ""
        yield f"in {len(pairs)} cassettes: {'; '.join(headlines[:2])}{more}"


def ignored(pair: Pair) -> str:
    """Say what differs in a pair and means nothing: ``2 ids of answers, 14 headers (date, cf-ray, …)``."""
    named = (
        (item, f" ({', '.join(item.names)}{', …' * (item.count > len(item.names))})" if item.names else "")
        for item in pair.ignored
    )
    return ", ".join(f"{item.count} {item.what}{names}" for item, names in named)


def sides(review: Review) -> str:
    """Name what was compared: ``main (1a2b3c4) → worktree``."""
    return f"{_side(review.baseline)} → {_side(review.head)}"


def tally(summary: Summary) -> str:
    """Count the pairs by significance, riskiest first; what is not there is not named."""
    counts = [(summary.unreadable, "unreadable")]
    counts += [(summary.significances[significance], significance) for significance in reversed(SIGNIFICANCES)]
    return " · ".join(f"{count} {word}" for count, word in counts if count)


def counted(review: Review) -> str:
    """Count what changed: ``3 changed cassettes``, ``1 changed cassette and the rules of review``."""
    cassettes = sum(pair.subject == "cassette" for pair in review.pairs)
    rules = " and the rules of review" if cassettes < len(review.pairs) else ""
    return f"{plural(cassettes, 'changed cassette')}{rules}"


def gate(review: Review, summary: Summary, waiting: Sequence[Waiting]) -> str:
    """Say in a sentence whether the gate is open, and if not, why."""
    if not is_shut(summary, waiting):
        return f"{counted(review)}, nothing needs a person." if review.pairs else "No cassettes changed."
    if not waiting:
        return f"{counted(review)}, none waits for a person, and together they have an error that no verdict clears."
    return _needed(review, len(waiting))


def _needed(review: Review, count: int) -> str:
    what = "" if count == 1 else "s"
    rules = any(pair.subject == "policy" for pair in review.pairs)
    noun = f"change{what}" if rules else f"cassette{what}"
    return f"{count:,} {noun} of {len(review.pairs):,}{'' if rules else ' changed'} need{'s' if count == 1 else ''} a person."


def decided(summary: Summary) -> str:
    """Count the states, leaving out the open ones; empty where nobody has decided anything."""
    return " · ".join(f"{count} {state}" for state, count in summary.states.items() if count and state != "open")


def figures(summary: Summary) -> str:
    """Say how usage and cost moved: ``tokens 1,200 → 1,512 (+26%), cost $0.0040 → $0.0051``, and over how many of the cassettes."""
    told: list[tuple[str, int]] = []
    before, after = _tokens(summary.baseline), _tokens(summary.head)
    if before is not None and after is not None:
        told.append((f"tokens {_moved(before, after)}", summary.measured))
    if summary.baseline.cost is not None and summary.head.cost is not None:
        told.append((f"cost {_dollars(summary.baseline.cost)} → {_dollars(summary.head.cost)}", summary.priced))
    if len({known for _, known in told}) == 1:
        return ", ".join(words for words, _ in told) + _share(told[0][1], summary.pairs)
    return ", ".join(f"{words}{_share(known, summary.pairs)}" for words, known in told)


def causes(pair: Pair) -> Iterator[tuple[Change, tuple[Change, ...]]]:
    """Each change that follows from no other, with those that follow from it, directly or not."""
    changes = () if pair.diff is None else pair.diff.changes
    roots = [_root(changes, index) for index in range(len(changes))]
    for index, change in enumerate(changes):
        if roots[index] == index:
            yield change, tuple(changes[at] for at, root in enumerate(roots) if root == index and at != index)


def consequences(changes: tuple[Change, ...]) -> str:
    """Fold what follows from a cause into one count: ``3 consequences: 2 × result, text``."""
    kinds = Counter(_kind(change) for change in changes)
    named = ", ".join(kind if count == 1 else f"{count} × {kind}" for kind, count in kinds.items())
    return f"{plural(len(changes), 'consequence')}: {named}"


def detail_line(detail: Detail) -> str:
    """Show one differing leaf: ``amount: 39 → 390``."""
    where = f"{detail.path}: " if detail.path else ""
    one, other = detail.baseline, detail.head
    if isinstance(one, str) and isinstance(other, str) and max(len(one), len(other)) > VALUE_LIMIT:
        one, other = _parted(one, other)
    return f"{where}{value(one)} → {value(other)}"


def _parted(one: str, other: str) -> tuple[str, str]:
    """Cut what two long texts begin and end with in common, but for a few characters around what differs."""
    before = max(Prefix.similarity(one, other) - _AROUND, 0)
    after = max(Postfix.similarity(one[before:], other[before:]) - _AROUND, 0)
    cut = [text[before : len(text) - after] for text in (one, other)]
    return f"{'…' * bool(before)}{cut[0]}{'…' * bool(after)}", f"{'…' * bool(before)}{cut[1]}{'…' * bool(after)}"


def value(recorded: Plain, limit: int = VALUE_LIMIT) -> str:
    """Show a recorded value as compact JSON, capped; bytes as their size, and what a side lacks as ``absent``."""
    if isinstance(recorded, Absent):
        return "absent"
    if isinstance(recorded, bytes):
        return plural(len(recorded), "byte")
    return capped(json.dumps(plain(recorded), ensure_ascii=False), limit)


def plural(count: int, noun: str) -> str:
    """Count things: ``1 pair``, ``1,200 pairs``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def notes(review: Review) -> tuple[str, ...]:
    """Sentences about the comparison as a whole: what was not looked at."""
    if not review.uncounted:
        return review.notes
    return (
        *review.notes,
        f"{plural(review.uncounted, 'other changed file')} not taken for cassettes.",
    )


def _root(changes: tuple[Change, ...], index: int) -> int:
    cause = changes[index].cause
    # A cause always stands before what follows from it; anything else would be no cause.
    return index if cause is None or cause >= index else _root(changes, cause)


def _kind(change: Change) -> str:
    return change.kind.replace("_", " ")


def _side(side: Side) -> str:
    if side.commit is None:
        return side.label
    short = side.commit[:10]
    return short if side.revision in ("", side.commit) else f"{side.revision} ({short})"


def _tokens(side: Totals) -> int | None:
    return None if side.usage is None else side.usage.tokens


def _moved(before: int, after: int) -> str:
    if before == after:
        return f"{before:,} on both sides"
    if not before:
        return f"{before:,} → {after:,}"
    share = (after - before) / before
    return f"{before:,} → {after:,} ({share:+.0%})" if abs(share) >= 0.1 else f"{before:,} → {after:,} ({share:+.1%})"


def _share(known: int, every: int) -> str:
    return "" if known == every else f" ({known} of {every} cassettes)"


def _dollars(cost: Decimal) -> str:
    """Four digits behind the point below a dollar: one call costs tenths of a cent."""
    return f"${cost:,.2f}" if cost >= 1 else f"${cost:.4f}"
