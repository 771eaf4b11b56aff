"""What a comparison uses, in figures: per cassette, per tool, per model, and how each moved. Pure; no streamlit.

What nobody recorded is unknown, never 0: a cassette that does not say is not in the figure, and is counted beside it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, TypeAlias, get_args

from dashboard import figures, present
from dashboard.inert import one_line
from reviewlib.costs import turn_cost
from reviewlib.model.review import Pair, Review, Totals
from reviewlib.model.trajectory import Recording, Turn

Unit: TypeAlias = Literal["absolute", "percent", "times"]
UNITS: tuple[Unit, ...] = get_args(Unit)
UNIT_SIGNS: dict[Unit, str] = {"absolute": "±", "percent": "%", "times": "×"}

Side: TypeAlias = Literal["baseline", "head"]
SIDES: tuple[Side, ...] = ("baseline", "head")


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is counted: its name in addresses, its label, how it is read, and how a value of it is written."""

    name: str
    label: str
    read: Callable[[Totals], float | None]
    written: Callable[[float], str]


def _usage(field: str) -> Callable[[Totals], float | None]:
    def read(totals: Totals) -> float | None:
        return None if totals.usage is None else getattr(totals.usage, field)

    return read


def _integer(value: float) -> str:
    return f"{value:,.0f}".replace("-", "−")


def _dollars(value: float) -> str:
    return ("−" if value < 0 else "") + figures.dollars(abs(Decimal(str(value))))


def _seconds(value: float) -> str:
    return ("−" if value < 0 else "") + figures.seconds(abs(value))


MEASURES: tuple[Measure, ...] = (
    Measure("tokens", "tokens in all", figures.tokens, _integer),
    Measure("input", "input tokens", _usage("input_tokens"), _integer),
    Measure("cached", "input from cache", _usage("cache_read_tokens"), _integer),
    Measure("written", "input written to cache", _usage("cache_write_tokens"), _integer),
    Measure("output", "output tokens", _usage("output_tokens"), _integer),
    Measure("reasoning", "reasoning tokens", _usage("reasoning_tokens"), _integer),
    Measure("cost", "cost", lambda totals: None if totals.cost is None else float(totals.cost), _dollars),
    Measure("turns", "turns", lambda totals: float(totals.turns), _integer),
    Measure("calls", "tool calls", lambda totals: float(totals.calls), _integer),
    Measure("latency", "latency", lambda totals: totals.seconds, _seconds),
)
BY_NAME = {measure.name: measure for measure in MEASURES}


@dataclass(frozen=True, slots=True)
class Point:
    """One cassette that knows a measure on both sides."""

    path: str
    headline: str
    rank: present.Rank
    before: float
    after: float

    def moved(self, unit: Unit) -> float | None:
        """How it moved; None where a share of nothing is asked for."""
        return shift(self.before, self.after, unit)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table: what, and its value on both sides (None: unknown)."""

    name: str
    before: float | None
    after: float | None


def shift(before: float, after: float, unit: Unit) -> float | None:
    """The difference, its share of before (0.1 is ten percent), or after as a multiple of before; None where before is 0."""
    if unit == "absolute":
        return after - before
    if not before:
        return None
    return (after - before) / before if unit == "percent" else after / before


def written_shift(
    before: float | None, after: float | None, unit: Unit, measure: Callable[[float], str] = _integer
) -> str:
    """A difference as text; empty where a side is unknown or nothing moved."""
    if before is None or after is None or before == after:
        return ""
    value = shift(before, after, unit)
    if value is None:
        return "new"
    if unit == "times":
        return f"{value:.2f}×"
    text = f"{abs(value):.0%}" if unit == "percent" else measure(abs(value))
    return f"{'+' if value > 0 else '−'}{text}"


def points(review: Review, measure: Measure) -> tuple[Point, ...]:
    """The cassettes that know a measure on both sides."""
    return tuple(_points(review.pairs, measure))


def _points(pairs: Iterable[Pair], measure: Measure) -> Iterator[Point]:
    for pair in pairs:
        if not (isinstance(pair.baseline, Recording) and isinstance(pair.head, Recording)):
            continue
        before, after = measure.read(pair.baseline_totals), measure.read(pair.head_totals)
        if before is not None and after is not None:
            yield Point(pair.path, one_line(pair.headline, 120), present.rank(pair), float(before), float(after))


def movers(found: Sequence[Point], unit: Unit, count: int = 12) -> tuple[Point, ...]:
    """The cassettes that moved most, either way."""

    def far(point: Point) -> float:
        value = point.moved(unit)
        if value is None:
            return 0.0
        return abs(value - 1) if unit == "times" else abs(value)

    return tuple(sorted((point for point in found if far(point)), key=far, reverse=True)[:count])


def in_total(review: Review) -> tuple[tuple[Measure, Line, int], ...]:
    """Each measure summed over the cassettes that know it on both sides, with how many these are; what none knows is left out."""
    lines = []
    for measure in MEASURES:
        found = points(review, measure)
        if found:
            line = Line(measure.label, sum(point.before for point in found), sum(point.after for point in found))
            lines.append((measure, line, len(found)))
    return tuple(lines)


def by_tool(review: Review) -> tuple[Line, ...]:
    """Calls of each tool on both sides, most called first; added and removed cassettes count too."""
    return _counted(
        review, lambda recording: (one_line(tool, 80) for one in recording.conversations for tool in one.tools)
    )


def by_stop_reason(review: Review) -> tuple[Line, ...]:
    """Turns by why they ended."""
    return _counted(review, lambda recording: (turn.stop_reason or "not recorded" for turn in _turns(recording)))


def _counted(review: Review, names: Callable[[Recording], Iterable[str]]) -> tuple[Line, ...]:
    counts: dict[Side, Counter[str]] = {side: Counter() for side in SIDES}
    for side, recording in _recordings(review):
        counts[side].update(names(recording))
    every = counts["baseline"] + counts["head"]
    return tuple(Line(name, counts["baseline"][name], counts["head"][name]) for name, _ in every.most_common())


@dataclass(frozen=True, slots=True)
class ModelLine:
    """What one model was used for on one side. Sums are None where a turn does not say."""

    model: str
    side: Side
    turns: int
    input_tokens: int | None
    output_tokens: int | None
    cost: Decimal | None


def by_model(review: Review, prices_at: datetime) -> tuple[ModelLine, ...]:
    """Turns, tokens and cost of each model that served, else was asked for, by side."""
    turns: defaultdict[tuple[str, Side], list[Turn]] = defaultdict(list)
    for side, recording in _recordings(review):
        for turn in _turns(recording):
            turns[one_line(turn.model or turn.requested_model or "not recorded", 80), side].append(turn)
    return tuple(
        ModelLine(
            model,
            side,
            len(used),
            _sum(None if turn.usage is None else turn.usage.input_tokens for turn in used),
            _sum(None if turn.usage is None else turn.usage.output_tokens for turn in used),
            _cost(used, prices_at),
        )
        for (model, side), used in sorted(turns.items())
    )


def _cost(turns: Iterable[Turn], prices_at: datetime) -> Decimal | None:
    costs = [turn_cost(turn, prices_at) for turn in turns]
    known = [cost for cost in costs if cost is not None]
    return sum(known, Decimal(0)) if len(known) == len(costs) else None


def _sum(values: Iterable[int | None]) -> int | None:
    listed = list(values)
    known = [value for value in listed if value is not None]
    return sum(known) if len(known) == len(listed) else None


def _recordings(review: Review) -> Iterator[tuple[Side, Recording]]:
    for pair in review.pairs:
        sides: tuple[tuple[Side, object], ...] = (("baseline", pair.baseline), ("head", pair.head))
        for side, recording in sides:
            if isinstance(recording, Recording):
                yield side, recording


def _turns(recording: Recording) -> Iterator[Turn]:
    for trajectory in recording.conversations:
        yield from trajectory.turns
