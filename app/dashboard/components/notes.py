"""What is said about single steps: the findings that are at them, and the threads of comments."""

from collections.abc import Iterable, Sequence

from dashboard import anchors
from dashboard.components.grid import Notes, badge
from dashboard.inert import escaped
from dashboard.present import MEANINGS
from reviewlib.model.review import Finding, Pair
from reviewlib.verdicts import Entry, Thread


def of(pair: Pair, threads: Sequence[Thread] = ()) -> Notes:
    """The notes of a pair, by the anchor of their step. Threads about an earlier content may be about another step by now."""
    found = {name: [text] for name, text in of_findings(pair.findings).items()}
    for thread in threads:
        if thread.step is not None and not thread.outdated:
            found.setdefault(anchors.written(thread.step.side, thread.step.step), []).append(thread_note(thread))
    return {name: "".join(parts) for name, parts in found.items()}


def of_findings(findings: Iterable[Finding]) -> Notes:
    """Findings by the anchor of their step."""
    found: dict[str, list[str]] = {}
    for finding in findings:
        anchor = anchors.of_finding(finding)
        if anchor is not None:
            found.setdefault(anchors.written(anchor.side, anchor.step), []).append(finding_note(finding))
    return {name: "".join(parts) for name, parts in found.items()}


def finding_note(finding: Finding) -> str:
    """A finding in a line: its severity by shape and colour, its code, and its sentence."""
    since = "" if finding.since == "new" else f' <span class="dim">({finding.since})</span>'
    return f"<span>{badge(finding.severity, finding.code, MEANINGS.get(finding.code, ''))} {escaped(finding.message)}{since}</span>"


def thread_note(thread: Thread) -> str:
    """The comments of one thread; a resolved one is folded."""
    said = "".join(f"<p>{comment(entry)}</p>" for entry in thread.comments)
    count = f"{len(thread.comments)} comment{'' if len(thread.comments) == 1 else 's'}"
    if thread.resolved_by is not None:
        by = escaped(thread.resolved_by.reviewer.name)
        return f'<details class="thread"><summary>✓ {count}, resolved by {by}</summary>{said}</details>'
    return f'<div class="thread">{said}</div>'


def comment(entry: Entry) -> str:
    """One comment: by whom, when, and what."""
    automated = " (automated)" if entry.agent else ""
    words = "resolved this" if entry.resolves and not entry.comment else entry.comment
    return (
        f'<b>{escaped(entry.reviewer.name)}{automated}</b> <span class="dim">{entry.at:%Y-%m-%d %H:%M} UTC</span> '
        f"{escaped(words)}"
    )
