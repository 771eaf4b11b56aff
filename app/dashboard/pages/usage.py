"""Usage of the whole comparison: in total, by cassette, by tool, by model, and what moved most."""

from collections.abc import Callable, Sequence

import altair as alt
import streamlit as st

from dashboard import figures, load, spending, state
from dashboard.components import charts, page
from dashboard.inert import escaped
from dashboard.spending import Line, Measure, Point, Unit


def render() -> None:
    """Show what both sides used, in the measure and the unit that the address names."""
    desk = load.desk()
    selected = state.selection()
    review = desk.review
    totals = spending.in_total(review)
    page.show(
        f"<h1>Usage of {len(review.pairs):,} changed cassettes</h1>"
        '<div class="meta"><span>baseline and head are summed over the same cassettes: those that say on both sides</span></div>'
    )
    if not totals:
        page.empty("No usage recorded", "No cassette of this comparison was read on both sides, or none holds counts.")
        return
    known = [measure for measure, _, _ in totals]
    measure = spending.BY_NAME[selected.measure] if selected.measure in {one.name for one in known} else known[0]
    _choices(known, measure, selected.unit)
    found = spending.points(review, measure)
    left, right = st.columns([3, 2])
    with left:
        _chart(
            charts.scatter(found, measure, selected.unit),
            f"{measure.label}: baseline against head, a mark for each cassette",
            420,
            "scatter",
        )
    with right:
        page.show(_totals(totals, selected.unit))
    _movers(found, measure, selected.unit)
    _tables(desk, selected.unit)


def _choices(known: Sequence[Measure], measure: Measure, unit: Unit) -> None:
    labels = {one.name: one.label for one in known}
    state.preset("usage-measure", measure.name)
    state.preset("usage-unit", unit)
    with st.container(horizontal=True, vertical_alignment="center", key="filters"):
        st.selectbox(
            "Measure",
            list(labels),
            key="usage-measure",
            format_func=labels.__getitem__,
            label_visibility="collapsed",
            width=240,
            on_change=lambda: state.go(measure=state.chosen("usage-measure")),
        )
        st.segmented_control(
            "Unit",
            spending.UNITS,
            key="usage-unit",
            format_func=spending.UNIT_SIGNS.__getitem__,
            label_visibility="collapsed",
            on_change=lambda: state.go(unit=state.chosen("usage-unit") or unit),
        )


def _chart(chart: alt.Chart | alt.LayerChart, alt_text: str, height: int, key: str) -> None:
    """A chart whose marks open their pair."""

    def picked() -> None:
        event = state.chosen(key)
        chosen = event.selection.get(charts.PICK) if event is not None else None
        if chosen:
            state.jump("review", pair=chosen[0]["path"])

    st.altair_chart(chart, height=height, alt=alt_text, key=key, on_select=picked, selection_mode=charts.PICK)


def _totals(totals: Sequence[tuple[Measure, Line, int]], unit: Unit) -> str:
    most = max(count for _, _, count in totals)
    rows = []
    for measure, line, count in totals:
        of = f' <span class="dim">in {count:,}</span>' if count < most else ""
        rows.append(_row(f"{escaped(measure.label)}{of}", line, unit, measure.written))
    told = {measure.name for measure, _, _ in totals}
    unknown = ", ".join(measure.label for measure in spending.MEASURES if measure.name not in told)
    absent = f'<p class="dim">Not recorded: {escaped(unknown)}.</p>' if unknown else ""
    return _table(f"In total, over {most:,} cassettes", rows) + absent


def _movers(found: Sequence[Point], measure: Measure, unit: Unit) -> None:
    most = spending.movers(found, unit)
    left, right = st.columns([3, 2])
    with left:
        page.show(f"<h2>Biggest movers · {escaped(measure.label)}</h2>")
        if most:
            _chart(
                charts.bars(most, unit),
                f"The cassettes whose {measure.label} moved most",
                70 + 26 * len(most),
                "movers",
            )
        else:
            page.show('<p class="dim">Nothing moved.</p>')
    with right:
        page.show(f"<h2>Spread · {escaped(measure.label)}</h2>")
        if found:
            st.altair_chart(
                charts.spread(found, measure), height=190, alt=f"How {measure.label} of both sides are spread"
            )


def _tables(desk: load.Desk, unit: Unit) -> None:
    review = desk.review
    tables = (
        ("Calls by tool", spending.by_tool(review)),
        ("Turns by stop reason", spending.by_stop_reason(review)),
    )
    columns = st.columns([2, 2, 3])
    for column, (title, lines) in zip(columns, tables, strict=False):
        with column:
            page.show(_table(title, [_row(escaped(line.name), line, unit, figures_count) for line in lines[:30]]))
    with columns[2]:
        page.show(_models(desk))


def figures_count(value: float) -> str:
    """A count of calls or turns."""
    return f"{value:,.0f}"


def _models(desk: load.Desk) -> str:
    rows = [
        f"<tr><th scope='row'>{escaped(line.model)}</th><td>{line.side}</td><td>{line.turns:,}</td><td>{figures.count(line.input_tokens)}</td>"
        f"<td>{figures.count(line.output_tokens)}</td><td>{'unknown' if line.cost is None else figures.dollars(line.cost)}</td></tr>"
        for line in spending.by_model(desk.review, desk.read.prices_at)[:40]
    ]
    heads = "".join(f"<th scope='col'>{name}</th>" for name in ("model", "side", "turns", "input", "output", "cost"))
    return f"<table class='figures'><caption>By model</caption><tr>{heads}</tr>{''.join(rows)}</table>"


def _row(name: str, line: Line, unit: Unit, written: Callable[[float], str]) -> str:
    values = ("unknown" if value is None else written(value) for value in (line.before, line.after))
    cells = "".join(f"<td>{escaped(value)}</td>" for value in values)
    return f"<tr><th scope='row'>{name}</th>{cells}<td>{escaped(spending.written_shift(line.before, line.after, unit, written))}</td></tr>"


def _table(title: str, rows: Sequence[str]) -> str:
    if not rows:
        return f'<h2>{title}</h2><p class="dim">None.</p>'
    return (
        f"<table class='figures'><caption>{title}</caption><tr><td></td><th scope='col'>baseline</th><th scope='col'>head</th>"
        f"<th scope='col'>difference</th></tr>{''.join(rows)}</table>"
    )
