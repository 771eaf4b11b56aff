"""Usage of both sides: in total as a table, per turn as a chart."""

from datetime import datetime
from typing import Literal

import altair as alt
import pandas as pd
import streamlit as st

from dashboard import figures
from dashboard.components import page
from dashboard.components.charts import SIDE_COLOURS
from dashboard.inert import escaped
from reviewlib.costs import turn_cost
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import Recording, Turn

_MEASURES = ("output tokens", "input tokens", "cost in US dollars", "latency in seconds")


def show(pair: Pair, prices_at: datetime) -> None:
    """Show the table of totals, and for each turn the tokens and, where the price is known, the cost."""
    _table(figures.figures(pair))
    turns = _frame(pair, prices_at)
    if turns.empty:
        page.empty("No usage recorded", "Neither side of this pair holds token counts, so there is nothing to chart.")
        return
    known = [measure for measure in _MEASURES if (turns["measure"] == measure).any()]
    for column, measure in zip(st.columns(len(known)), known, strict=True):
        with column:
            chart = _chart(turns[turns["measure"] == measure], measure)
            st.altair_chart(chart, height=300, alt=f"{measure} of each turn, baseline beside head")


def _table(shown: tuple[figures.Figure, ...]) -> None:
    rows = "".join(
        f"<tr><th scope='row'>{escaped(figure.name)}</th><td>{escaped(figure.baseline)}</td>"
        f"<td>{escaped(figure.head)}</td><td>{escaped(figure.delta)}</td><td>{escaped(figure.share)}</td></tr>"
        for figure in shown
    )
    page.show(
        "<table class='figures'><caption>In total</caption><tr><td></td><th scope='col'>baseline</th>"
        f"<th scope='col'>head</th><th scope='col'>difference</th><th scope='col'>share</th></tr>{rows}</table>"
    )


def _frame(pair: Pair, prices_at: datetime) -> pd.DataFrame:
    """One row for each turn, side and measure that is known."""
    sides: tuple[Literal["baseline", "head"], ...] = ("baseline", "head")
    rows = [
        {"turn": str(number), "side": side, "measure": measure, "value": value}
        for side in sides
        for number, turn in enumerate(_turns(pair, side), start=1)
        for measure, value in _measured(turn, prices_at)
    ]
    return pd.DataFrame(rows, columns=["turn", "side", "measure", "value"])


def _turns(pair: Pair, side: Literal["baseline", "head"]) -> list[Turn]:
    recording = pair.baseline if side == "baseline" else pair.head
    if not isinstance(recording, Recording):
        return []
    return [turn for trajectory in recording.conversations for turn in trajectory.turns]


def _measured(turn: Turn, prices_at: datetime) -> list[tuple[str, float]]:
    usage = turn.usage
    cost = turn_cost(turn, prices_at)
    known: list[tuple[str, float | None]] = [
        ("output tokens", usage.output_tokens if usage is not None else None),
        ("input tokens", usage.input_tokens if usage is not None else None),
        ("cost in US dollars", float(cost) if cost is not None else None),
        ("latency in seconds", turn.seconds),
    ]
    return [(measure, value) for measure, value in known if value is not None]


def _chart(rows: pd.DataFrame, measure: str) -> alt.Chart:
    side = alt.Scale(domain=["baseline", "head"], range=list(SIDE_COLOURS[page.theme()]))
    chart: alt.Chart = (
        alt.Chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("turn:N", title="turn", sort=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("side:N", scale=alt.Scale(domain=["baseline", "head"])),
            y=alt.Y("value:Q", title=measure),
            color=alt.Color("side:N", scale=side, title=None, legend=alt.Legend(orient="top")),
            tooltip=["side:N", "turn:N", alt.Tooltip("value:Q", title=measure)],
        )
    )
    return chart
