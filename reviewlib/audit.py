"""All cassettes of one side, each judged by itself: what no pull request touches can still be stale, huge, leaking, or past its model's last day."""

from datetime import datetime

from reviewlib import pipeline
from reviewlib.model.cassette import Unreadable
from reviewlib.model.frozen import Frozen
from reviewlib.model.review import Finding, Pair, Side, Totals
from reviewlib.policy import Budget, Policy
from reviewlib.sources import Snapshot
from reviewlib.summary import summarise


class Audited(Frozen):
    """What is to be said about one cassette: its findings, the severest first, or why it could not be read."""

    path: str
    findings: tuple[Finding, ...]
    unreadable: str | None = None

    @property
    def fails(self) -> bool:
        """Whether it has to be mended."""
        return self.unreadable is not None or any(finding.severity == "error" for finding in self.findings)


class Audit(Frozen):
    """What was judged, on ``day`` (its date as text). ``cassettes`` are all of them, by path; ``findings`` are about all together.

    ``totals`` add up the turns and calls of all, tokens of the ``measured`` and cost of the ``priced`` ones. ``budget`` is what they may take together.
    """

    side: Side
    day: str
    cassettes: tuple[Audited, ...]
    findings: tuple[Finding, ...]
    totals: Totals
    measured: int
    priced: int
    budget: Budget

    @property
    def fails(self) -> bool:
        """Whether something has to be mended."""
        return any(item.fails for item in self.cassettes) or any(
            finding.severity == "error" for finding in self.findings
        )


def audit(snapshot: Snapshot, policy: Policy, today: datetime) -> Audit:
    """Judge the cassettes of a snapshot's head as if each were new: what is seen in one side, or in all of them, is seen here.

    ``today`` is the day whose prices and retirements hold.
    """
    review = pipeline.review(snapshot, policy, today)
    summary = summarise(review, {})
    return Audit(
        side=snapshot.head,
        day=today.date().isoformat(),
        cassettes=tuple(sorted(map(_audited, review.pairs), key=lambda item: item.path)),
        findings=review.findings,
        totals=summary.head,
        measured=summary.measured,
        priced=summary.priced,
        budget=policy.suite,
    )


def _audited(pair: Pair) -> Audited:
    reason = f"{pair.head.stage}: {pair.head.reason}" if isinstance(pair.head, Unreadable) else None
    return Audited(path=pair.path, findings=pair.findings, unreadable=reason)
