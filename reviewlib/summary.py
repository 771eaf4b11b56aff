"""What a review adds up to: counts, usage, the order of work, and what still needs a person.

The app, the reports and the gate print what stands here; none of them counts by itself.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Literal, Protocol, TypeAlias, TypeVar, get_args

from reviewlib.model.change import SIGNIFICANCES, Significance
from reviewlib.model.frozen import Frozen
from reviewlib.model.review import Pair, Review, State, Status, Totals
from reviewlib.usage import add
from reviewlib.verdicts import PairState, explained

T = TypeVar("T", bound=str)

Reason: TypeAlias = Literal["open", "stale", "flagged", "blocked", "unreadable", "approvals"]
"""Why a pair needs a person. ``approvals``: it has some, and the policy asks for more."""

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


class Summary(Frozen):
    """A review in numbers. Every significance, status and state is a key, at 0 where no pair has it.

    ``baseline`` and ``head`` add up turns and calls of all pairs, usage over the ``measured`` ones and cost over the ``priced`` ones: the
    pairs that know theirs on each side that they have, so that both sums are about the same cassettes.
    ``order`` is the paths in the order of work: changed rules of review, undecided, flagged, decided; each riskiest first.
    ``undecided`` counts what is not decided. ``policies`` counts the pairs that are no cassettes but rules of review: 0 or 1.
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


class Waiting(Frozen):
    """A pair that the gate waits for, and why: the reason in a word, and what the ledger says in a sentence (empty where it says
    nothing). ``paths`` are the names that the cassette has on either side.
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
        order=order_of_work(pairs, states),
        undecided=sum(not is_decided(pair, states) for pair in pairs),
        policies=sum(pair.subject == "policy" for pair in pairs),
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
    """List what the gate waits for, in the order of work: each pair of a significance in ``require`` that is not decided, each
    that is flagged or blocked whatever it changes, each that cannot be read, and changed rules of review.
    """
    by_path = {pair.path: pair for pair in review.pairs}
    reasons = ((by_path[path], _reason(by_path[path], states, require)) for path in order_of_work(review.pairs, states))
    return tuple(
        Waiting(
            path=pair.path,
            reason=reason,
            significance=pair.significance,
            headline=pair.headline,
            why=explained(states[pair.path]) if pair.path in states else "",
            paths=tuple(dict.fromkeys(path for path in (pair.baseline_path, pair.path) if path is not None)),
        )
        for pair, reason in reasons
        if reason is not None
    )


def _reason(pair: Pair, states: Mapping[str, HasState], require: Collection[Significance]) -> Reason | None:
    match state_of(pair, states):
        case "flagged" | "blocked" as refused:
            return refused
        case _ if pair.significance is None:
            return "unreadable"
        case _ if pair.significance not in require and pair.subject == "cassette":
            return None
        case "open" | "stale" as undecided:
            return undecided
        case _:
            return None if is_decided(pair, states) else "approvals"


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
