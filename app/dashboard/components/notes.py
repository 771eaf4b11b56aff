"""What is said about single steps: the findings that are at them."""

from collections.abc import Iterable

from dashboard import anchors
from dashboard.components.grid import Notes, badge
from dashboard.inert import escaped
from reviewlib.model.review import Finding, Pair


def of(pair: Pair) -> Notes:
    """The notes of a pair, by the anchor of their step."""
    return of_findings(pair.findings)


def of_findings(findings: Iterable[Finding]) -> Notes:
    """Findings by the anchor of their step."""
    found: dict[str, list[str]] = {}
    for finding in findings:
        anchor = anchors.of_finding(finding)
        if anchor is not None:
            found.setdefault(anchors.written(*anchor), []).append(finding_note(finding))
    return {name: "".join(parts) for name, parts in found.items()}


def finding_note(finding: Finding) -> str:
    """A finding in a line: its severity by shape and colour, its code, and its sentence."""
    since = "" if finding.since == "new" else f' <span class="dim">({finding.since})</span>'
    return f"<span>{badge(finding.severity, finding.code)} {escaped(finding.message)}{since}</span>"
