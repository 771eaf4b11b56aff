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
    return None if totals.usage is None else totals.usage.tokens


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


def seconds(value: float | None) -> str:
    """How long calls took: ``4.6 ms``, ``470 ms``, ``12.4 s``; None is unknown, never 0."""
    if value is None:
        return "not recorded"
    if value >= 1:
        return f"{value:,.1f} s"
    return f"{value * 1000:.0f} ms" if value >= 0.01 else f"{value * 1000:.1f} ms"


def moved_seconds(before: float | None, after: float | None) -> str:
    """How a duration moved; empty where it did not, or where a side is unknown."""
    if before is None or after is None or before == after:
        return ""
    return f"{'+' if after > before else '−'}{seconds(abs(after - before))}"


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
    if baseline.seconds is not None or head.seconds is not None:
        before_took, after_took = (
            seconds(took) if present else "–"
            for took, present in ((baseline.seconds, has_baseline), (head.seconds, has_head))
        )
        yield Figure(
            "latency",
            before_took,
            after_took,
            moved_seconds(baseline.seconds, head.seconds),
            share(baseline.seconds, head.seconds),
        )


def share(before: Decimal | float | None, after: Decimal | float | None) -> str:
    """How much a count moved, relative to what it was: ``+6%``."""
    if not before or after is None or before == after:
        return ""
    return _signed(f"{float(after) / float(before) - 1:+.0%}")


def _signed(text: str) -> str:
    """With a minus that is as wide as a plus."""
    return text.replace("-", "−")
