"""Judged facts about a pair, each with a stable code and a severity that the policy may change.

``check`` what a check is, and what it is given · ``leaks`` secrets and personal data · ``behaviour`` what is dangerous in itself · ``ruled`` and
``budgets`` the project's rules and limits · ``recorded`` one recording by itself · ``harness`` what was done with the answers (``arguments``, ``failing``) ·
``rerecorded`` how head came from the baseline · ``keys`` what replay finds · ``models`` who answered, and until when (``retirements``) · ``ages`` when it
was recorded · ``requests`` what is sent · ``origins`` who or what made it · ``sizes`` how much it holds.
"""

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
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
from reviewlib.model.cassette import Unreadable
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
    baseline: Recording | Unreadable | None, head: Recording | Unreadable | None, diff: Diff | None, given: Given
) -> tuple[Finding, ...]:
    """Judge a pair. An absent side is None; of an unreadable one only its bytes are judged.

    Sorted: what is new first, the severest first.
    """
    before = given.of_baseline.at(baseline.path) if baseline is not None else given
    given = given.at(head.path) if head is not None else given
    sides: Sides | None = None
    if isinstance(baseline, Recording) and isinstance(head, Recording) and diff is not None:
        sides = Sides(baseline, head, diff, given)
    found: list[Finding] = []
    for check, severity in _wanted(given.policy):
        for sighting, since in _sightings(check, sides, _seen(check, baseline, before), _seen(check, head, given)):
            found.append(
                Finding(code=check.code, severity=severity, message=sighting.message, step=sighting.step, since=since)
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
    check: Check, sides: Sides | None, one: Sequence[Sighting], other: Sequence[Sighting]
) -> Iterator[tuple[Sighting, Literal["new", "known", "gone"]]]:
    """Yield what a check sees between the sides, and what it saw in either of them, with where that stands."""
    if check.pair is not None and sides is not None:
        for sighting in check.pair(sides):
            yield sighting, "new"
    if not one and not other:  # most checks see nothing in most pairs
        return
    before = Counter(sighting.key for sighting in one)
    for sighting in other:
        known = before[sighting.key] > 0
        before[sighting.key] -= known
        yield sighting, "known" if known else "new"
    for sighting in one:
        if before[sighting.key] > 0:
            before[sighting.key] -= 1
            yield Sighting(sighting.message, None, sighting.key), "gone"


def _seen(check: Check, side: Recording | Unreadable | None, given: Given) -> tuple[Sighting, ...]:
    """See what a check finds in one side by itself."""
    if side is None:
        return ()
    if isinstance(side, Unreadable):
        return tuple(check.unread(side, given)) if check.unread is not None else ()
    if check.recording is not None:
        return tuple(check.recording(side))
    return tuple(check.ruled(side, given)) if check.ruled is not None else ()
