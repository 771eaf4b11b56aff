"""A review on one page: what it adds up to, what changed in the order of the text report, then each pair step by step."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from reviewlib.headline import phrase
from reviewlib.model.change import Change
from reviewlib.model.review import Finding, Pair, Review
from reviewlib.report import wording
from reviewlib.report.commands import Commands
from reviewlib.report.html.markup import badge, element, inline, items
from reviewlib.report.html.steps import trajectory
from reviewlib.report.html.style import POLICY, STYLE
from reviewlib.report.html.values import details
from reviewlib.summary import Judged, Summary, Waiting, state_of
from reviewlib.verdicts import Entry, PairState, explained

LIMIT = 2_600_000
"""Bytes of the pairs' own parts. What no longer fits is told without its steps, so that a browser and a CI's artefacts take the file."""

_MOST_CHANGES = 60
"""Causes of one pair that are listed; more are counted."""

_MOST_FINDINGS = 40
_LEFT_OUT = "Its steps are left out: the file would be too large. <code>cassette-review diff</code> with its path shows every change."
_MOST_LINKS = 20
"""Pairs that an error of many leads to; more are counted."""


def render(review: Review, states: Mapping[str, PairState], summary: Summary, reopen: str = "") -> str:
    """Show a review. ``reopen`` is the command that opens it in the dashboard."""
    return _page(review, states, summary, "", reopen)


def render_gate(
    review: Review,
    states: Mapping[str, PairState],
    summary: Summary,
    waiting: tuple[Waiting, ...],
    commands: Commands,
) -> str:
    """Say whether the gate is open; if not, name each pair it waits for, why, and the commands that show it. Then the review."""
    numbers = _numbers(review, summary)
    needed = items("plain", (_waiting(item, numbers[item.path], commands) for item in waiting))
    gate = (
        element("div", "gate", f"<p><b>{inline(wording.gate(review, summary, waiting))}</b></p>", needed)
        if review.pairs
        else ""
    )
    return _page(review, states, summary, gate, commands.review)


def _waiting(item: Waiting, number: int, commands: Commands) -> str:
    why = f" ({inline(item.why)})" if item.why else ""
    see = element("p", "dim", f"see it: <code>{inline(commands.see(item))}</code>")
    return f"{badge(item.reason)} {_link(item.path, number)}: {inline(item.headline)}{why}{see}"


def _page(review: Review, states: Mapping[str, PairState], summary: Summary, gate: str, reopen: str) -> str:
    title = inline(wording.sides(review))
    listed = _list(wording.entries(review, summary), _numbers(review, summary), states)
    shown = "".join(
        (_alarm(review, summary), *_head(review, summary), gate, *listed, *_sections(_ordered(review, summary), states))
    )
    foot = f"<p>Open it: <code>{inline(reopen)}</code></p>\n" if reopen and review.pairs else ""
    notes = "".join(element("p", "note", inline(note)) for note in wording.notes(review))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{title} · cassette-review</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{shown}{foot}{notes}</main>\n</body>\n</html>\n"
    )


def _alarm(review: Review, summary: Summary) -> str:
    """Say what must not be merged, before anything else, with links to the pairs."""
    numbers = _numbers(review, summary)
    return (
        element("div", "alarm", *(_error(item, summary, numbers) for item in summary.errors)) if summary.errors else ""
    )


def _error(item: Judged, summary: Summary, numbers: Mapping[str, int]) -> str:
    links = ", ".join(_link(path, numbers[path]) for path in item.pairs[:_MOST_LINKS])
    more = f" and {len(item.pairs) - _MOST_LINKS:,} more" if len(item.pairs) > _MOST_LINKS else ""
    return (
        f"<p>{badge('error')} <b>{inline(wording.said(item, summary))}</b>{f': {links}{more}' if links else ''}</p>\n"
    )


def _head(review: Review, summary: Summary) -> Iterator[str]:
    yield f"<h1>{inline(wording.sides(review))}</h1>\n"
    yield from (f"<p>{inline(line)}</p>\n" for line in wording.together(summary))
    if not review.pairs:
        yield "<p>No cassettes changed.</p>\n"
        return
    yield f"<p>{inline(f'{wording.counted(review)}: {wording.tally(summary)}')}</p>\n"
    told = (wording.found(summary), wording.decided(summary), wording.figures(summary), *wording.in_common(review))
    yield from (f"<p>{inline(line)}</p>\n" for line in told if line)


def _list(
    entries: Sequence[wording.Entry], numbers: Mapping[str, int], states: Mapping[str, PairState]
) -> Iterator[str]:
    """List what changed, as the text report does: by significance, and what many pairs share once."""
    for significance in wording.HEADINGS:
        section = [entry for entry in entries if entry.significance == significance]
        count = sum(len(entry.pairs) for entry in section)
        if not section:
            continue
        yield f"<h2>{badge(significance or 'unreadable')} {count:,}</h2>\n"
        if significance == "identical":
            same = [pair for entry in section for pair in entry.pairs]
            paths = items("plain", (_anchored(pair, numbers[pair.path], states) for pair in same))
            yield f"<details><summary>{wording.noise(same)}</summary>{paths}</details>\n"
        else:
            yield items("plain", (_entry(entry, numbers, states) for entry in section))


def _entry(entry: wording.Entry, numbers: Mapping[str, int], states: Mapping[str, PairState]) -> str:
    judged = items("plain", map(inline, wording.judged(entry.pairs)))
    first = entry.pairs[0]
    if entry.shared is None:
        return f"{_link(first.path, numbers[first.path])} {inline(first.headline)} {_state(first, states)}{judged}"
    members = items("plain", (f"{_link(pair.path, numbers[pair.path])} {_state(pair, states)}" for pair in entry.pairs))
    count = wording.plural(len(entry.pairs), "cassette")
    return f"{count}: {inline(entry.shared)}{judged}<details><summary>which</summary>{members}</details>"


def _anchored(pair: Pair, number: int, states: Mapping[str, PairState]) -> str:
    known = states.get(pair.path)
    return f'<code id="pair-{number}">{inline(pair.path)}</code> {_state(pair, states)} {inline(explained(known) if known else "")}'


def _sections(pairs: Sequence[Pair], states: Mapping[str, PairState]) -> Iterator[str]:
    left = LIMIT
    for number, pair in enumerate(pairs, start=1):
        if pair.significance == "identical":
            continue
        head = _pair_head(pair, number, states)
        body = "".join((*_changes(pair), trajectory(pair)))
        size = len(head.encode()) + len(body.encode())
        if size > left:
            body = element("p", "note", _LEFT_OUT)
        else:
            left -= size
        yield f'<section id="pair-{number}">\n{head}{body}</section>\n'


def _pair_head(pair: Pair, number: int, states: Mapping[str, PairState]) -> str:
    known = states.get(pair.path)
    why = explained(known) if known else ""
    moved = (
        f" (was <code>{inline(pair.baseline_path)}</code>)" if pair.status == "renamed" and pair.baseline_path else ""
    )
    word = pair.significance or "unreadable"
    return "".join(
        (
            f"<h3>{badge(word)} <a href='#pair-{number}'><code>{inline(pair.path)}</code></a>{moved} {_state(pair, states)}</h3>\n",
            f"<p><b>{inline(pair.headline)}</b></p>\n",
            f"<p>{inline(why)}</p>\n" if why else "",
            items("plain", (_comment(entry) for entry in (known.entries if known else ()) if entry.kind == "comment")),
            items("plain", _findings(pair.findings)),
        )
    )


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings[:_MOST_FINDINGS]:
        since = (
            ""
            if finding.since == "new"
            else f" ({'already in the baseline' if finding.since == 'known' else finding.since})"
        )
        where = f" at step {finding.step[1] + 1}" if finding.step else ""
        yield f"{badge(finding.severity)} {finding.code}: {inline(finding.message)}{where}{since}"
    if len(findings) > _MOST_FINDINGS:
        yield f"and {wording.plural(len(findings) - _MOST_FINDINGS, 'more finding')}"


def _comment(entry: Entry) -> str:
    where = f" at {entry.step.spoken}" if entry.step else ""
    return f"{inline(entry.reviewer.name)}{where}: {inline(entry.comment)}"


def _changes(pair: Pair) -> Iterator[str]:
    """List the causes with what follows from each; the values of those that no step shows. Causes that read alike are counted."""
    changes = () if pair.diff is None else pair.diff.changes
    in_rows = {index for row in (pair.diff.rows if pair.diff else ()) for index in row.changes}
    below = {id(changes[index]) for index in in_rows}
    told = Counter(_cause(*cause, in_row=id(cause[0]) in below) for cause in wording.causes(pair))
    listed = [f"{cause}{f' × {count:,}' if count > 1 else ''}" for cause, count in list(told.items())[:_MOST_CHANGES]]
    if len(told) > _MOST_CHANGES:
        listed.append(f"and {wording.plural(len(told) - _MOST_CHANGES, 'more change')}")
    yield items("changes", listed)
    if pair.ignored:
        yield element("p", "dim", f"not compared: {inline(wording.ignored(pair))}")
    for limit in () if pair.diff is None else pair.diff.limits:
        yield element("p", "note", f"limit: {inline(limit)}")


def _cause(cause: Change, followers: tuple[Change, ...], *, in_row: bool) -> str:
    followed = element("p", "dim", inline(wording.consequences(followers))) if followers else ""
    return f"{badge(cause.significance)} {inline(phrase(cause))}{'' if in_row else details(cause.details)}{followed}"


def _state(pair: Pair, states: Mapping[str, PairState]) -> str:
    state = state_of(pair, states)
    return "" if state == "open" else badge(state)


def _link(path: str, number: int) -> str:
    return f"<a href='#pair-{number}'><code>{inline(path)}</code></a>"


def _ordered(review: Review, summary: Summary) -> list[Pair]:
    """Give the pairs in the order in which the list names them."""
    entries = wording.entries(review, summary)
    return [
        pair
        for significance in wording.HEADINGS
        for entry in entries
        if entry.significance == significance
        for pair in entry.pairs
    ]


def _numbers(review: Review, summary: Summary) -> dict[str, int]:
    return {pair.path: number for number, pair in enumerate(_ordered(review, summary), start=1)}
