"""The charts: before against after, the biggest movers, and how values are spread. Colours differ in lightness too."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from dashboard.components import page
from dashboard.inert import one_line
from dashboard.spending import Measure, Point, Unit

SIDE_COLOURS = {"light": ("#8794a5", "#2456a6"), "dark": ("#7b8899", "#8db4f2")}
"""Baseline and head, in this order everywhere."""

_MORE, _LESS = {"light": "#9a4b00", "dark": "#ffb86b"}, {"light": "#1f6f8b", "dark": "#7cc7de"}
_QUIET = {"light": "#8794a5", "dark": "#7b8899"}
_WIDE = 50
"""From this ratio of the largest to the smallest value on, scales are logarithmic."""

_AXIS = alt.Axis(tickCount=5, gridOpacity=0.5, format="~s", labelOverlap=True)
"""Few lines: a logarithmic scale has nine a decade, which stood out more than the marks."""

PICK = "pick"
"""The name of the selection that a click on a mark makes."""


def frame(points: Sequence[Point], unit: Unit) -> pd.DataFrame:
    """Points as rows; recorded text on one line, with nothing hidden in it."""
    rows = [
        {
            "path": point.path,
            "cassette": one_line(point.path, 200),
            "what changed": point.headline,
            "baseline": point.before,
            "head": point.after,
            "moved": point.moved(unit),
            "way": "more" if point.after > point.before else "less" if point.after < point.before else "as before",
        }
        for point in points
    ]
    return pd.DataFrame(rows, columns=["path", "cassette", "what changed", "baseline", "head", "moved", "way"])


def scatter(points: Sequence[Point], measure: Measure, unit: Unit) -> alt.LayerChart:
    """Before against after, with the diagonal on which nothing moved."""
    values = [value for point in points for value in (point.before, point.after)]
    scale, (_, ends) = _scale(values), _domain(values)
    line = (
        alt.Chart(pd.DataFrame({"baseline": ends, "head": ends}))
        .mark_line(strokeDash=[4, 4], color=_QUIET[page.theme()], strokeWidth=1)
        .encode(x="baseline:Q", y="head:Q")
    )
    dots = (
        alt.Chart(frame(points, unit))
        .mark_point(filled=True, size=75, opacity=0.85, cursor="pointer")
        .encode(
            x=alt.X("baseline:Q", scale=scale, title=f"baseline · {measure.label}", axis=_AXIS),
            y=alt.Y("head:Q", scale=scale, title=f"head · {measure.label}", axis=_AXIS),
            color=_way(),
            shape=alt.Shape(
                "way:N", scale=alt.Scale(domain=_WAYS, range=["triangle-up", "triangle-down", "circle"]), legend=None
            ),
            tooltip=[
                "cassette:N",
                "what changed:N",
                alt.Tooltip("baseline:Q", format=",~r"),
                alt.Tooltip("head:Q", format=",~r"),
            ],
        )
        .add_params(alt.selection_point(name=PICK, fields=["path"], empty=False))
    )
    chart: alt.LayerChart = line + dots
    return chart


def bars(points: Sequence[Point], unit: Unit) -> alt.Chart:
    """The biggest movers, the largest on top."""
    data = frame(points, unit)
    data["name"] = [f"{place}. {_tail(text)}" for place, text in enumerate(data["cassette"], start=1)]
    base = "moved:Q"
    axis = alt.Axis(format={"absolute": ",~r", "percent": "+.0%", "times": ".2~r"}[unit])
    chart: alt.Chart = (
        alt.Chart(data)
        .mark_bar(cursor="pointer")
        .encode(
            y=alt.Y("name:N", sort=None, title=None, axis=alt.Axis(labelLimit=300, labelOverlap=False)),
            x=alt.X(
                base,
                title={"absolute": "difference", "percent": "difference in %", "times": "times the baseline"}[unit],
                axis=axis,
            ),
            color=_way(None),
            tooltip=[
                "cassette:N",
                "what changed:N",
                alt.Tooltip("baseline:Q", format=",~r"),
                alt.Tooltip("head:Q", format=",~r"),
            ],
        )
        .add_params(alt.selection_point(name=PICK, fields=["path"], empty=False))
    )
    return chart


def spread(points: Sequence[Point], measure: Measure) -> alt.Chart:
    """Where the cassettes of both sides lie, a tick for each."""
    long = pd.DataFrame(
        [
            {"side": side, "value": value, "cassette": one_line(point.path, 200)}
            for point in points
            for side, value in (("baseline", point.before), ("head", point.after))
        ]
    )
    colours = alt.Scale(domain=["baseline", "head"], range=list(SIDE_COLOURS[page.theme()]))
    chart: alt.Chart = (
        alt.Chart(long)
        .mark_tick(thickness=2, size=44, opacity=0.75)
        .encode(
            x=alt.X("value:Q", title=measure.label, scale=_scale([*long["value"]]), axis=_AXIS),
            y=alt.Y("side:N", title=None, sort=["baseline", "head"]),
            color=alt.Color("side:N", scale=colours, legend=None),
            tooltip=["cassette:N", "side:N", alt.Tooltip("value:Q", format=",~r")],
        )
    )
    return chart


def _tail(path: str, limit: int = 40) -> str:
    return path if len(path) <= limit else f"…{path[1 - limit :]}"


def _domain(values: Sequence[float]) -> tuple[bool, list[float]]:
    """Whether a logarithmic scale is needed, and the ends of the scale."""
    top, low = max(values, default=1.0) or 1.0, min(values, default=1.0)
    is_wide = low > 0 and top / low > _WIDE
    return is_wide, [low * 0.8, top * 1.25] if is_wide else [0, top * 1.05]


def _scale(values: Sequence[float]) -> alt.Scale:
    is_wide, ends = _domain(values)
    return alt.Scale(type="log" if is_wide else "linear", domain=ends, nice=False)


_LEGEND = alt.Legend(orient="top")
_WAYS = ["more", "less", "as before"]


def _way(legend: alt.Legend | None = _LEGEND) -> alt.Color:
    theme = page.theme()
    colours = [_MORE[theme], _LESS[theme], _QUIET[theme]]
    return alt.Color("way:N", scale=alt.Scale(domain=_WAYS, range=colours), legend=legend, title=None)
