"""What a review adds up to: counts, usage, the order of work, and what still needs a person.

The app, the reports and the gate print what stands here; none of them counts by itself.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Literal, Protocol, TypeAlias, TypeVar, get_args

from reviewlib.checks import BY_POLICY, SEVERITIES
from reviewlib.model.change import SIGNIFICANCES, Significance
from reviewlib.model.frozen import Frozen
from reviewlib.model.review import Finding, Pair, Review, Severity, Since, State, Status, Totals
from reviewlib.usage import add
from reviewlib.verdicts import PairState, explained

T = TypeVar("T", bound=str)

Reason: TypeAlias = Literal["open", "stale", "flagged", "blocked", "unreadable", "approvals", "finding"]
"""Why a pair needs a person. ``approvals``: it has some, and the policy asks for more. ``finding``: what changed needs no verdict by
the policy, and a check sees a new error in it.
"""

DECIDED: tuple[State, ...] = ("approved", "carried", "resolved")
"""The states that let a pair pass the gate."""


class HasState(Protocol):
    """What is needed to know of the verdicts on a pair; ``verdicts.PairState`` is one."""

    @property
    def state(self) -> State:
        """Where the pair stands."""

    @property
    def missing(self) -> int:
        """How many approvals the policy still asks for."""


class Judged(Frozen):
    """What one check says over all pairs that is new in head, or gone from it.

    ``messages`` are its sentences, each with the number of pairs that have it, most first. ``pairs`` are their paths in the order of work; none
    where the finding is about all pairs together. ``decided`` counts those of them that nobody has to look at any more.
    """

    code: str
    severity: Severity
    since: Since
    messages: tuple[tuple[str, int], ...]
    pairs: tuple[str, ...] = ()
    decided: int = 0

    @property
    def is_settled(self) -> bool:
        """Whether every pair that has it is decided."""
        return bool(self.pairs) and self.decided == len(self.pairs)


class Summary(Frozen):
    """A review in numbers. Every significance, status and state is a key, at 0 where no pair has it.

    ``baseline`` and ``head`` add up turns and calls of all pairs, usage over the ``measured`` ones and cost over the ``priced`` ones: the
    pairs that know theirs on each side that they have, so that both sums are about the same cassettes.
    ``order`` is the paths in the order of work: changed rules of review, undecided, flagged, decided; each riskiest first.
    ``undecided`` counts what is not decided. ``policies`` counts the pairs that are no cassettes but rules of review: 0 or 1.
    ``findings`` are those that are new, errors first, and then those that are gone.
    """

    pairs: int
    unreadable: int
    significances: dict[Significance, int]
    statuses: dict[Status, int]
    states: dict[State, int]
    baseline: Totals
    head: Totals
    measured: int
    priced: int
    order: tuple[str, ...]
    undecided: int
    policies: int = 0
    findings: tuple[Judged, ...] = ()

    @property
    def errors(self) -> tuple[Judged, ...]:
        """What stands on the first line of whatever shows the review: new errors, as long as a pair that has them is not decided."""
        return tuple(
            item for item in self.findings if item.severity == "error" and item.since == "new" and not item.is_settled
        )

    @property
    def breaches(self) -> tuple[Judged, ...]:
        """The errors that break a rule or a budget of the policy. They fail a check that only reports, too."""
        return tuple(item for item in self.errors if item.code in BY_POLICY)


class Waiting(Frozen):
    """A pair that the gate waits for, and why: the reason in a word, and what the ledger, or a finding, says in a sentence (empty where
    they say nothing). ``paths`` are the names that the cassette has on either side.
    """

    path: str
    reason: Reason
    significance: Significance | None
    headline: str
    why: str = ""
    paths: tuple[str, ...] = ()


def summarise(review: Review, states: Mapping[str, HasState]) -> Summary:
    """Count a review. A pair without an entry in ``states`` is open."""
    pairs = review.pairs
    order = order_of_work(pairs, states)
    measured = tuple(pair for pair in pairs if all(side.usage is not None for side in _sides(pair)))
    priced = tuple(pair for pair in pairs if all(side.cost is not None for side in _sides(pair)))
    return Summary(
        pairs=len(pairs),
        unreadable=sum(pair.significance is None for pair in pairs),
        significances=_counts(SIGNIFICANCES, (pair.significance for pair in pairs)),
        statuses=_counts(get_args(Status), (pair.status for pair in pairs)),
        states=_counts(get_args(State), (state_of(pair, states) for pair in pairs)),
        baseline=_sum(*(tuple(pair.baseline_totals for pair in some) for some in (pairs, measured, priced))),
        head=_sum(*(tuple(pair.head_totals for pair in some) for some in (pairs, measured, priced))),
        measured=len(measured),
        priced=len(priced),
        order=order,
        undecided=sum(not is_decided(pair, states) for pair in pairs),
        policies=sum(pair.subject == "policy" for pair in pairs),
        findings=_judged(review, order, {pair.path for pair in pairs if is_decided(pair, states)}),
    )


def _judged(review: Review, order: Sequence[str], decided: Collection[str]) -> tuple[Judged, ...]:
    """Put together what the same check says of several pairs, apart from what it says of all together: what is new before what is gone, the
    severest first, what is settled last, and then what most pairs have.
    """
    by_path = {pair.path: pair for pair in review.pairs}
    seen: defaultdict[tuple[Since, Severity, str, bool], list[tuple[str, str]]] = defaultdict(list)
    for path, finding in _every(review, (by_path[path] for path in order)):
        if finding.since != "known":
            seen[finding.since, finding.severity, finding.code, bool(path)].append((finding.message, path))
    found = (_together(*key[:3], sightings, decided) for key, sightings in seen.items())
    return tuple(
        sorted(
            found,
            key=lambda item: (
                item.since == "gone",
                SEVERITIES.index(item.severity),
                item.is_settled,
                -len(item.pairs),
                item.code,
            ),
        )
    )


def _every(review: Review, pairs: Iterable[Pair]) -> Iterator[tuple[str, Finding]]:
    """Give each finding with the path of its pair, which is empty where it is about all of them."""
    for pair in pairs:
        yield from ((pair.path, finding) for finding in pair.findings)
    yield from (("", finding) for finding in review.findings)


def _together(
    since: Since, severity: Severity, code: str, sightings: Sequence[tuple[str, str]], decided: Collection[str]
) -> Judged:
    paths = tuple(dict.fromkeys(path for _, path in sightings if path))
    counts = Counter(message for message, _ in dict.fromkeys(sightings))
    return Judged(
        code=code,
        severity=severity,
        since=since,
        messages=tuple(counts.most_common()),
        pairs=paths,
        decided=sum(path in decided for path in paths),
    )


def state_of(pair: Pair, states: Mapping[str, HasState]) -> State:
    """Where a pair stands: open until somebody has said something about it."""
    known = states.get(pair.path)
    return "open" if known is None else known.state


def is_decided(pair: Pair, states: Mapping[str, HasState]) -> bool:
    """Whether nobody has to do anything about a pair any more."""
    known = states.get(pair.path)
    return known is not None and known.state in DECIDED and not known.missing


def order_of_work(pairs: Iterable[Pair], states: Mapping[str, HasState]) -> tuple[str, ...]:
    """Put what nobody has decided first, then what is flagged and waits for its author, then what is decided; before all of them the
    rules of review, where they changed.

    Inside each of them the review's own order stays, which is riskiest first.
    """

    def phase(pair: Pair) -> int:
        if pair.subject == "policy":
            return -1
        return 2 if is_decided(pair, states) else int(state_of(pair, states) == "flagged")

    return tuple(pair.path for pair in sorted(pairs, key=phase))


def waiting(review: Review, states: Mapping[str, PairState], require: Collection[Significance]) -> tuple[Waiting, ...]:
    """List what the gate waits for, in the order of work: each pair of a significance in ``require``, or with a new error, that is not
    decided, each that is flagged or blocked whatever it changes, each that cannot be read, and changed rules of review.
    """
    by_path = {pair.path: pair for pair in review.pairs}
    reasons = ((by_path[path], _reason(by_path[path], states, require)) for path in order_of_work(review.pairs, states))
    return tuple(
        Waiting(
            path=pair.path,
            reason=reason,
            significance=pair.significance,
            headline=pair.headline,
            why=_why(pair, reason, states),
            paths=tuple(dict.fromkeys(path for path in (pair.baseline_path, pair.path) if path is not None)),
        )
        for pair, reason in reasons
        if reason is not None
    )


def is_shut(summary: Summary, needed: Sequence[Waiting]) -> bool:
    """Whether the gate lets nothing pass: it waits for a pair, or all pairs together have a new error, which no verdict clears."""
    return bool(needed) or any(not item.pairs for item in summary.errors)


def _reason(pair: Pair, states: Mapping[str, HasState], require: Collection[Significance]) -> Reason | None:
    is_asked_for = pair.significance in require or pair.subject == "policy"
    match state_of(pair, states):
        case "flagged" | "blocked" as refused:
            return refused
        case _ if pair.significance is None:
            return "unreadable"
        case _ if not is_asked_for and not _new_errors(pair):
            return None
        case "open" | "stale" as undecided:
            return undecided if is_asked_for else "finding"
        case _:
            return None if is_decided(pair, states) else "approvals"


def _new_errors(pair: Pair) -> tuple[Finding, ...]:
    return tuple(item for item in pair.findings if item.severity == "error" and item.since == "new")


def _why(pair: Pair, reason: Reason, states: Mapping[str, PairState]) -> str:
    told = explained(states[pair.path]) if pair.path in states else ""
    if reason != "finding":
        return told
    return "; ".join(
        [*dict.fromkeys(f"{item.code}: {item.message}" for item in _new_errors(pair)), *filter(None, [told])]
    )


def _counts(keys: Iterable[T], values: Iterable[T | None]) -> dict[T, int]:
    seen = Counter(value for value in values if value is not None)
    return {key: seen[key] for key in keys}


def _sides(pair: Pair) -> tuple[Totals, ...]:
    """Give the totals of the sides that a pair has. One that could not be read knows nothing."""
    sides = ((pair.baseline, pair.baseline_totals), (pair.head, pair.head_totals))
    return tuple(side for read, side in sides if read is not None)


def _sum(every: Sequence[Totals], measured: Sequence[Totals], priced: Sequence[Totals]) -> Totals:
    return Totals(
        usage=add(side.usage for side in measured if side.usage is not None) if measured else None,
        cost=sum((side.cost for side in priced if side.cost is not None), Decimal(0)) if priced else None,
        turns=sum(side.turns for side in every),
        calls=sum(side.calls for side in every),
    )
