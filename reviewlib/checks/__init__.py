"""Judged facts about a pair, each with a stable code and a severity that the policy may change."""

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from reviewlib.checks import (
    ages,
    behaviour,
    budgets,
    harness,
    keys,
    leaks,
    models,
    origins,
    recorded,
    requests,
    rerecorded,
    ruled,
    sizes,
)
from reviewlib.checks.check import Check, Given, Sides, Sighting
from reviewlib.errors import PolicyError
from reviewlib.model.change import Diff
from reviewlib.model.review import Finding, Pair, Severity
from reviewlib.model.trajectory import Recording
from reviewlib.policy import Policy

CHECKS: tuple[Check, ...] = (
    *leaks.CHECKS,
    *behaviour.CHECKS,
    *ruled.CHECKS,
    *budgets.CHECKS,
    *recorded.CHECKS,
    *harness.CHECKS,
    *rerecorded.CHECKS,
    *keys.CHECKS,
    *models.CHECKS,
    *ages.CHECKS,
    *requests.CHECKS,
    *origins.CHECKS,
    *sizes.CHECKS,
)
"""Every check there is, in the order in which findings are listed within a severity."""

BY_POLICY = frozenset(check.code for check in (*ruled.CHECKS, *budgets.LIMITS))
"""The codes of what the project itself forbids, asks for, or limits. A comparison that breaks such a rule fails, whoever only reports."""

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


def refuse_unknown(policy: Policy) -> None:
    """Refuse codes that no check has, among the severities and the never approvable ones.

    Raises:
        PolicyError: it names the code and the nearest known one.

    """
    codes = [check.code for check in CHECKS]
    for where, named in (("sets a severity for", policy.severities), ("blocks on", policy.blocking)):
        for code in named:
            if code not in codes:
                near = difflib.get_close_matches(code, codes, n=1)
                hint = f"; near it is {near[0]!r}" if near else f"; there are {', '.join(codes)}"
                raise PolicyError(f"the policy {where} {code!r}, which is no finding{hint}")


def findings(
    baseline: Recording | None, head: Recording | None, diff: Diff | None, given: Given
) -> tuple[Finding, ...]:
    """Judge a pair. An absent or unreadable side is None.

    Sorted: what is new first, the severest first.
    """
    found = (
        Finding(code=check.code, severity=severity, message=sighting.message, step=sighting.step, since=since)
        for check, severity in _wanted(given.policy)
        for sighting, since in _sightings(check, baseline, head, diff, given)
    )
    order = {"new": 0, "known": 1, "gone": 2}
    return tuple(sorted(found, key=lambda item: (order[item.since], SEVERITIES.index(item.severity))))


def suite_findings(pairs: Sequence[Pair], given: Given) -> tuple[Finding, ...]:
    """Judge all pairs of a comparison together; the severest first."""
    found = (
        Finding(code=check.code, severity=severity, message=sighting.message)
        for check, severity in _wanted(given.policy)
        if check.suite is not None
        for sighting in check.suite(pairs, given)
    )
    return tuple(sorted(found, key=lambda item: SEVERITIES.index(item.severity)))


def _wanted(policy: Policy) -> Iterator[tuple[Check, Severity]]:
    for check in CHECKS:
        severity = policy.severities.get(check.code, check.severity)
        if severity != "off":
            yield check, severity


def _sightings(
    check: Check, baseline: Recording | None, head: Recording | None, diff: Diff | None, given: Given
) -> Iterator[tuple[Sighting, Literal["new", "known", "gone"]]]:
    if check.pair is not None and baseline and head and diff:
        for sighting in check.pair(Sides(baseline, head, diff, given)):
            yield sighting, "new"
    one, other = _seen(check, baseline, given.of_baseline), _seen(check, head, given)
    before = Counter(sighting.key for sighting in one)
    for sighting in other:
        known = before[sighting.key] > 0
        before[sighting.key] -= known
        yield sighting, "known" if known else "new"
    for sighting in one:
        if before[sighting.key] > 0:
            before[sighting.key] -= 1
            yield Sighting(sighting.message, None, sighting.key), "gone"


def _seen(check: Check, side: Recording | None, given: Given) -> tuple[Sighting, ...]:
    """See what a check finds in one side by itself."""
    seen: Iterable[Sighting] = ()
    if side is not None and check.recording is not None:
        seen = check.recording(side)
    elif side is not None and check.ruled is not None:
        seen = check.ruled(side, given)
    return tuple(seen)
