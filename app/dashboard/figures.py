"""Usage in figures: tokens and costs of both sides, and how they moved. What nobody recorded is unknown, never 0."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from reviewlib.model.review import Pair, Totals

_CENTICENT = Decimal("0.0001")
"""Less than this does not show in four digits."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the usage table: what, both values, and the difference and its share (empty where they are unknown)."""

    name: str
    baseline: str
    head: str
    delta: str
    share: str = ""


def tokens(totals: Totals) -> int | None:
    """All tokens of a side, where both directions are known."""
    usage = totals.usage
    if usage is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    return usage.input_tokens + usage.output_tokens


def moved(before: int | None, after: int | None) -> str:
    """How a count moved: ``+312``; empty where it did not, or where a side is unknown."""
    return "" if before is None or after is None or before == after else _signed(f"{after - before:+,}")


def moved_cost(baseline: Totals, head: Totals) -> str:
    """How the cost moved, in US dollars."""
    if baseline.cost is None or head.cost is None or baseline.cost == head.cost:
        return ""
    delta = head.cost - baseline.cost
    if abs(delta) < _CENTICENT:
        return ""
    return f"{'+' if delta > 0 else '−'}{dollars(abs(delta))}"


def dollars(cost: Decimal) -> str:
    """A cost with four digits below a dollar: one call costs tenths of a cent."""
    return f"${cost:,.2f}" if cost >= 1 else f"${cost:.4f}"


def count(value: int | None) -> str:
    """A count of tokens; None is unknown, never 0."""
    return "not recorded" if value is None else f"{value:,}"


def figures(pair: Pair) -> tuple[Figure, ...]:
    """Usage of both sides in total. What nobody recorded is not listed; what one side lacks is ``not recorded``."""
    return tuple(_figures(pair.baseline_totals, pair.head_totals, pair.baseline is not None, pair.head is not None))


def _figures(baseline: Totals, head: Totals, has_baseline: bool, has_head: bool) -> Iterator[Figure]:
    def shown(value: int | None, present: bool) -> str:
        if not present:
            return "–"
        return count(value)

    rows: list[tuple[str, int | None, int | None]] = [
        (name, getattr(baseline.usage, field, None), getattr(head.usage, field, None))
        for name, field in (
            ("input tokens", "input_tokens"),
            ("of these from cache", "cache_read_tokens"),
            ("of these written to cache", "cache_write_tokens"),
            ("output tokens", "output_tokens"),
            ("of these reasoning", "reasoning_tokens"),
        )
    ]
    rows += [("turns", baseline.turns, head.turns), ("tool calls", baseline.calls, head.calls)]
    for name, before, after in rows:
        if before is not None or after is not None:
            yield Figure(
                name, shown(before, has_baseline), shown(after, has_head), moved(before, after), share(before, after)
            )
    if baseline.cost is not None or head.cost is not None:
        before_cost, after_cost = ("unknown" if cost is None else dollars(cost) for cost in (baseline.cost, head.cost))
        yield Figure("cost", before_cost, after_cost, moved_cost(baseline, head), share(baseline.cost, head.cost))


def share(before: Decimal | int | None, after: Decimal | int | None) -> str:
    """How much a count moved, relative to what it was: ``+6%``."""
    if not before or after is None or before == after:
        return ""
    return _signed(f"{float((after - before) / before):+.0%}")


def _signed(text: str) -> str:
    """With a minus that is as wide as a plus."""
    return text.replace("-", "−")
