"""The panel that says what the comparison is made of."""

from collections.abc import Iterable

import streamlit as st

from dashboard import about, load
from dashboard.about import Fact
from dashboard.components import page
from dashboard.inert import escaped


def show(desk: load.Desk) -> None:
    """Offer the panel."""
    with st.popover("About this comparison", width="content", key="about"):
        tables = (
            ("Sides", about.sides(desk.review)),
            ("Found", about.counted(desk.review)),
            ("Differed, and was not compared", about.ignored(desk.review)),
            ("Never a difference", (Fact(*pair) for pair in about.VOLATILE)),
            ("Never a difference, by the policy", _volatile(desk)),
            ("Rules, the baseline's", about.rules(desk.read.policy)),
            ("Ledger", (Fact("warning", warning) for warning in desk.standings.warnings)),
            ("Versions", about.versions()),
        )
        page.show("".join(_table(title, facts) for title, facts in tables), "about")


def _volatile(desk: load.Desk) -> tuple[Fact, ...]:
    return tuple(Fact("field", rule) for rule in desk.read.policy.volatile)


def _table(title: str, facts: Iterable[Fact]) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{escaped(fact.name)}</th><td>{escaped(fact.value)}</td></tr>" for fact in facts
    )
    return f"<table class='figures wide'><caption>{title}</caption>{rows}</table>" if rows else ""
