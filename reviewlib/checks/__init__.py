"""Judged facts about a pair, each with a stable code and a severity that the policy may change."""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from reviewlib.checks import behaviour, recorded, rerecorded
from reviewlib.checks.check import Check, Sides, Sighting
from reviewlib.errors import PolicyError
from reviewlib.model.change import Diff
from reviewlib.model.review import Finding, Severity
from reviewlib.model.trajectory import Recording
from reviewlib.policy import Setting

CHECKS: tuple[Check, ...] = (*behaviour.CHECKS, *recorded.CHECKS, *rerecorded.CHECKS)
"""Every check there is, in the order in which findings are listed within a severity."""

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


def refuse_unknown(settings: Mapping[str, Setting]) -> None:
    """Refuse codes that no check has.

    Raises:
        PolicyError: it names the code and the nearest known one.

    """
    codes = [check.code for check in CHECKS]
    for code in settings:
        if code not in codes:
            near = difflib.get_close_matches(code, codes, n=1)
            hint = f"; near it is {near[0]!r}" if near else f"; there are {', '.join(codes)}"
            raise PolicyError(f"the policy sets a severity for {code!r}, which is no finding{hint}")


def findings(
    baseline: Recording | None, head: Recording | None, diff: Diff | None, settings: Mapping[str, Setting]
) -> tuple[Finding, ...]:
    """Judge a pair. An absent or unreadable side is None; ``settings`` are the policy's severities by code.

    Sorted: what is new first, the severest first.
    """
    found: list[Finding] = []
    for check in CHECKS:
        severity = settings.get(check.code, check.severity)
        if severity == "off":
            continue
        for sighting, since in _sightings(check, baseline, head, diff):
            found.append(
                Finding(code=check.code, severity=severity, message=sighting.message, step=sighting.step, since=since)
            )
    order = {"new": 0, "known": 1, "gone": 2}
    return tuple(sorted(found, key=lambda item: (order[item.since], SEVERITIES.index(item.severity))))


def _sightings(
    check: Check, baseline: Recording | None, head: Recording | None, diff: Diff | None
) -> Iterator[tuple[Sighting, Literal["new", "known", "gone"]]]:
    if check.recording is not None:
        before = Counter(sighting.key for sighting in (check.recording(baseline) if baseline else ()))
        for sighting in check.recording(head) if head else ():
            known = before[sighting.key] > 0
            before[sighting.key] -= known
            yield sighting, "known" if known else "new"
        for sighting in check.recording(baseline) if baseline else ():
            if before[sighting.key] > 0:
                before[sighting.key] -= 1
                yield Sighting(sighting.message, None, sighting.key), "gone"
    elif check.pair is not None and baseline and head and diff:
        for sighting in check.pair(Sides(baseline, head, diff)):
            yield sighting, "new"
