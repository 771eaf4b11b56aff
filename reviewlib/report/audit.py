"""An audit for a terminal, and as JSON: what is wrong with which cassettes, the severest first, and what all of them take."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal

from reviewlib.audit import Audit
from reviewlib.checks import SEVERITIES
from reviewlib.model.review import Finding, Severity
from reviewlib.report.neutral import log_safe, one_line
from reviewlib.report.schema import AuditedCassette, AuditReport, ShownFinding, ShownUsage, printed
from reviewlib.report.wording import plural

_MOST = 10
"""Cassettes that are named under one finding; the JSON names all."""


def render(audit: Audit) -> str:
    """Show each finding once with the cassettes that have it; what is info only is counted."""
    lines = [*_head(audit), *_unreadable(audit)]
    for severity in SEVERITIES:
        lines += [
            f"{severity} {item.code}: {one_line(item.message)}" for item in audit.findings if item.severity == severity
        ]
        by_code = _by_code(audit, severity)
        if severity == "info":
            told = " · ".join(f"{plural(len(found), 'cassette')} {code}" for code, found in by_code.items())
            lines += ["", f"info: {told}"] if told else []
            continue
        for code, found in by_code.items():
            lines += ["", f"{severity} {code} ({plural(len(found), 'cassette')})", *_named(found)]
    return log_safe("\n".join(lines)) + "\n"


def _head(audit: Audit) -> Iterator[str]:
    side = audit.side.revision or audit.side.label
    failing = sum(item.fails for item in audit.cassettes)
    verdict = f"{plural(failing, 'cassette')} to mend" if failing else "an error" if audit.fails else "nothing to mend"
    yield f"{one_line(side)} on {audit.day}: {plural(len(audit.cassettes), 'cassette')}, {verdict}"
    if not audit.cassettes:
        yield "No file is where the policy's `cassettes` globs say that cassettes are; name a path after --, or set the globs."
    usage, budget = audit.totals.usage, audit.budget
    if usage is not None and usage.tokens is not None:
        limit = "" if budget.tokens is None else f" of {budget.tokens:,}"
        yield f"tokens: {usage.tokens:,}{limit}{_of(audit.measured, audit)}"
    if audit.totals.cost is not None:
        limit = "" if budget.cost is None else f" of ${budget.cost}"
        yield f"cost: ${audit.totals.cost:.4f}{limit}{_of(audit.priced, audit)}"


def _of(known: int, audit: Audit) -> str:
    return "" if known == len(audit.cassettes) else f" (known of {known} of {len(audit.cassettes)})"


def _unreadable(audit: Audit) -> Iterator[str]:
    broken = [(item.path, item.unreadable) for item in audit.cassettes if item.unreadable is not None]
    if broken:
        yield from ("", f"unreadable ({plural(len(broken), 'cassette')})", *_named(broken))


def _by_code(audit: Audit, severity: Severity) -> dict[str, list[tuple[str, str]]]:
    """Return, by code, the cassettes that have a finding of a severity, each with its first sentence and how many more there are."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for item in audit.cassettes:
        own: defaultdict[str, list[Finding]] = defaultdict(list)
        for finding in item.findings:
            if finding.severity == severity:
                own[finding.code].append(finding)
        for code, findings in own.items():
            more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
            found[code].append((item.path, f"{findings[0].message}{more}"))
    return dict(found)


def _named(found: Sequence[tuple[str, str]]) -> Iterator[str]:
    for path, message in found[:_MOST]:
        yield f"  {one_line(path)}: {one_line(message)}"
    if len(found) > _MOST:
        yield f"  and {len(found) - _MOST} more; --format json names them all"


def render_json(audit: Audit) -> str:
    """Print an audit as ``schema.AuditReport``."""
    report = AuditReport(
        side=audit.side.label,
        day=audit.day,
        passed=not audit.fails,
        cassettes=tuple(
            AuditedCassette(
                path=item.path, findings=tuple(map(ShownFinding.of, item.findings)), unreadable=item.unreadable
            )
            for item in audit.cassettes
        ),
        findings=tuple(map(ShownFinding.of, audit.findings)),
        turns=audit.totals.turns,
        calls=audit.totals.calls,
        usage=ShownUsage.of(audit.totals.usage),
        measured=audit.measured,
        cost_usd=_dollars(audit.totals.cost),
        priced=audit.priced,
        token_budget=audit.budget.tokens,
        cost_budget_usd=_dollars(audit.budget.cost),
    )
    return printed(report)


def _dollars(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)
