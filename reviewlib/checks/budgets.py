"""Checks of what runs take, in tokens and in money, against the budgets of the project.

What is not known counts as nothing, so a sum is the least that was used: beyond a budget it is beyond it all the same, and within one
``unjudged-budget`` says what the sum leaves out.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TypeAlias

from reviewlib.checks.check import Check, Given, Sides, Sighting
from reviewlib.checks.ruled import rules_for
from reviewlib.costs import bill
from reviewlib.model.call import Usage
from reviewlib.model.review import Pair, Totals
from reviewlib.model.trajectory import Recording
from reviewlib.policy import Budget
from reviewlib.usage import add, answered

Amount: TypeAlias = int | Decimal


@dataclass(frozen=True)
class Sum:
    """Tokens of one kind, or money: how much is known, and whether that is all."""

    amount: Amount
    is_whole: bool


Read: TypeAlias = Callable[[str], Sum]
"""Reads a sum by its name in a budget: ``tokens``, ``input_tokens``, ``output_tokens`` or ``cost``."""

_TOKENS = ("tokens", "input_tokens", "output_tokens")
_MONEY = ("cost",)
_ABOUT_TOKENS = (*_TOKENS, "token_growth")
_ABOUT_MONEY = (*_MONEY, "cost_growth")


def token_budgets(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See recordings of more tokens than they may take."""
    for budget in _budgets(recording, given):
        yield from _beyond(budget, _TOKENS, _of_recording(recording, given), given)


def cost_budgets(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See recordings that cost more than they may."""
    for budget in _budgets(recording, given):
        yield from _beyond(budget, _MONEY, _of_recording(recording, given), given)


def token_growth(sides: Sides) -> Iterator[Sighting]:
    """See recordings that take more tokens than their baseline, by more than they may."""
    for budget in _budgets(sides.head, sides.given):
        yield from _grown("tokens", budget.token_growth, *_both(sides), sides.given)


def cost_growth(sides: Sides) -> Iterator[Sighting]:
    """See recordings that cost more than their baseline, by more than they may."""
    for budget in _budgets(sides.head, sides.given):
        yield from _grown("cost", budget.cost_growth, *_both(sides), sides.given)


def suite_tokens(pairs: Sequence[Pair], given: Given) -> Iterator[Sighting]:
    """See comparisons whose cassettes take more tokens together than they may. Growth is that of the cassettes that are on both sides."""
    everything, before, after = _suites(pairs)
    yield from _beyond(given.policy.suite, _TOKENS, everything, given, "all cassettes of the comparison: ")
    yield from _grown("tokens", given.policy.suite.token_growth, before, after, given, "all cassettes on both sides: ")


def suite_costs(pairs: Sequence[Pair], given: Given) -> Iterator[Sighting]:
    """See comparisons whose cassettes cost more together than they may. Growth is that of the cassettes that are on both sides."""
    everything, before, after = _suites(pairs)
    yield from _beyond(given.policy.suite, _MONEY, everything, given, "all cassettes of the comparison: ")
    yield from _grown("cost", given.policy.suite.cost_growth, before, after, given, "all cassettes on both sides: ")


def unjudged_budgets(recording: Recording, given: Given) -> Iterator[Sighting]:
    """See recordings with a budget that do not say all that they took, or whose models have no known price."""
    budgets = [budget for budget in _budgets(recording, given) if _sets(budget, (*_ABOUT_TOKENS, *_ABOUT_MONEY))]
    if not budgets:
        return
    turns = answered(recording.conversations)
    silent = sum(not _says(turn.usage, "tokens") for turn in turns)
    if silent and any(_sets(budget, _ABOUT_TOKENS) for budget in budgets):
        yield Sighting(
            f"{silent} of {_counted(len(turns), 'answer')} do not say how many tokens they took", key="tokens"
        )
    if not any(_sets(budget, _ABOUT_MONEY) for budget in budgets):
        return
    told = bill(recording, given.today)
    if told.unpriced:
        models = ", ".join(sorted({model for model in told.unpriced if model})) or "no model is named"
        billed = told.priced + len(told.unpriced)
        yield Sighting(
            f"{len(told.unpriced)} of {_counted(billed, 'answer')} have no known price on {_day(given.today)} ({models})",
            key=models,
        )


def unjudged_suites(pairs: Sequence[Pair], given: Given) -> Iterator[Sighting]:
    """See comparisons with a budget in which some cassettes are of unknown size or price."""
    heads = [pair for pair in pairs if pair.head is not None]
    silent = sum(pair.head_totals.usage is None for pair in heads)
    if silent and _sets(given.policy.suite, _ABOUT_TOKENS):
        yield Sighting(f"{silent} of {_counted(len(heads), 'cassette')} do not say how many tokens they took")
    unpriced = sum(pair.head_totals.cost is None for pair in heads)
    if unpriced and _sets(given.policy.suite, _ABOUT_MONEY):
        yield Sighting(f"{unpriced} of {_counted(len(heads), 'cassette')} have no known price on {_day(given.today)}")


def _budgets(recording: Recording, given: Given) -> Iterator[Budget]:
    return (rule.budget for rule in rules_for(recording, given))


def _sets(budget: Budget, keys: Iterable[str]) -> bool:
    return any(getattr(budget, key) is not None for key in keys)


def _beyond(budget: Budget, keys: Sequence[str], read: Read, given: Given, what: str = "") -> Iterator[Sighting]:
    """See sums beyond what is allowed. Another sum that is beyond it is another fact: it was recorded anew, and is beyond it again."""
    for key in keys:
        limit: Amount | None = getattr(budget, key)
        if limit is None:
            continue
        spent = read(key)
        if spent.amount > limit:
            least = "" if spent.is_whole else "at least "
            yield Sighting(
                f"{what}{least}{_written(key, spent.amount, given)}, where the budget is {_limit(key, limit)}",
                key=f"{key} {spent.amount}",
            )


def _grown(
    key: str, allowed: float | None, before: Read, after: Read, given: Given, what: str = ""
) -> Iterator[Sighting]:
    """See growth beyond what is allowed, where both sides are known to the end."""
    if allowed is None:
        return
    one, other = before(key), after(key)
    if one.is_whole and other.is_whole and other.amount > one.amount * (1 + Decimal(str(allowed))):
        share = f" (+{float(other.amount / one.amount - 1):.0%})" if one.amount else ""
        yield Sighting(
            f"{what}{_limit(key, one.amount)} became {_written(key, other.amount, given)}{share}, where the budget allows +{allowed:.0%}",
            key=f"{key} growth",
        )


def _of_recording(recording: Recording, given: Given) -> Read:
    def read(key: str) -> Sum:
        if key == "cost":
            told = bill(recording, given.today)
            return Sum(told.cost, not told.unpriced)
        turns = answered(recording.conversations)
        usages = [turn.usage for turn in turns if turn.usage is not None]
        return Sum(_tokens(add(usages), key), all(_says(turn.usage, key) for turn in turns))

    return read


def _both(sides: Sides) -> tuple[Read, Read]:
    """Read the sums of both sides; the baseline's own run, where head has kept it beside the new one, is no growth."""
    kept = {
        sides.diff.conversations[edit.conversation][1]
        for edit in sides.diff.silent
        if edit.reason == "leftover" and edit.what == "conversation"
    }
    new = tuple(item for number, item in enumerate(sides.head.conversations) if number not in kept)
    head = sides.head.model_copy(update={"conversations": new}) if kept else sides.head
    return _of_recording(sides.baseline, sides.given), _of_recording(head, sides.given)


def _suites(pairs: Sequence[Pair]) -> tuple[Read, Read, Read]:
    """Read the sums of all of head, and of both sides over the pairs that have both."""
    kept = [pair for pair in pairs if pair.baseline is not None and pair.head is not None]
    return (
        _of_totals([pair.head_totals for pair in pairs if pair.head is not None]),
        _of_totals([pair.baseline_totals for pair in kept]),
        _of_totals([pair.head_totals for pair in kept]),
    )


def _of_totals(every: Sequence[Totals]) -> Read:
    def read(key: str) -> Sum:
        if key == "cost":
            costs = [totals.cost for totals in every if totals.cost is not None]
            return Sum(sum(costs, Decimal(0)), len(costs) == len(every))
        usages = [totals.usage for totals in every if totals.usage is not None]
        return Sum(_tokens(add(usages), key), all(_says(totals.usage, key) for totals in every))

    return read


def _tokens(usage: Usage, key: str) -> int:
    return sum(getattr(usage, bucket) or 0 for bucket in _buckets(key))


def _says(usage: Usage | None, key: str) -> bool:
    return usage is not None and all(getattr(usage, bucket) is not None for bucket in _buckets(key))


def _buckets(key: str) -> tuple[str, ...]:
    return ("input_tokens", "output_tokens") if key == "tokens" else (key,)


def _written(key: str, amount: Amount, given: Given) -> str:
    return f"{_limit(key, amount)} at the prices of {_day(given.today)}" if key == "cost" else _limit(key, amount)


def _limit(key: str, amount: Amount) -> str:
    if key == "cost":
        return f"${amount:,.4f}".rstrip("0").rstrip(".")
    return f"{amount:,} {key.replace('_', ' ')}"


def _counted(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


LIMITS = (
    Check(
        "token-budget",
        "More tokens than the budget allows",
        "error",
        ruled=token_budgets,
        pair=token_growth,
        suite=suite_tokens,
    ),
    Check(
        "cost-budget",
        "More money than the budget allows",
        "error",
        ruled=cost_budgets,
        pair=cost_growth,
        suite=suite_costs,
    ),
)
CHECKS = (
    *LIMITS,
    Check(
        "unjudged-budget", "A budget that cannot be judged", "warning", ruled=unjudged_budgets, suite=unjudged_suites
    ),
)
