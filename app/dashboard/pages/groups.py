"""What changed alike, as cards: one decision for a group, with every member that is pulled out left as it is."""

from collections.abc import Sequence

import streamlit as st

from dashboard import load, present, state
from dashboard.components import live, page, queue
from dashboard.components.grid import badge
from dashboard.figures import moved, tokens
from dashboard.inert import escaped
from dashboard.pages import queue as list_page
from dashboard.rows import listed_groups
from reviewlib.model.review import Group, Pair
from reviewlib.summary import DECIDED

_CARDS = 8
"""Cards that are shown at once."""


def render() -> None:
    """Show the groups, riskiest first, with their members."""
    desk = load.desk()
    live.watch(desk)
    shared = listed_groups(desk.review)
    lone = sum(pair.significance != "identical" for pair in desk.review.pairs) - sum(
        len(group.pairs) for group in shared
    )
    page.show(
        f"<h1>{len(shared):,} group{'' if len(shared) == 1 else 's'} of cassettes that changed alike</h1>"
        f'<div class="meta"><span><b>{lone:,}</b> changed like no other: they stand first in the queue</span></div>'
    )
    page.notice()
    if not shared:
        page.empty(
            "No two cassettes changed alike",
            "Each has to be looked at by itself. The queue shows them, riskiest first.",
        )
        st.button("Open the queue", on_click=state.jump, args=("review",))
        return
    number = st.pagination(-(-len(shared) // _CARDS), key="groups-page") if len(shared) > _CARDS else 1
    for group in shared[(number - 1) * _CARDS : number * _CARDS]:
        _card(desk, group)


def _card(desk: load.Desk, group: Group) -> None:
    members = [pair for path in group.pairs if (pair := desk.pair(path)) is not None]
    waiting = [pair.path for pair in members if desk.state(pair).state not in DECIDED]
    with st.container(border=True, key=f"card-{group.signature}"):
        page.show(_head(members, group, len(waiting)))
        listing = queue.Listing(
            rows=[list_page.line(desk, pair) for pair in members],
            groups={},
            params={},
            grouped=False,
            compact=True,
            picked=waiting,
        )
        queue.show(listing, list_page.ACTS, key=f"group-{group.signature}")


def _head(members: Sequence[Pair], group: Group, waiting: int) -> str:
    rank = present.rank(members[0])
    sides = [tuple(map(tokens, (pair.baseline_totals, pair.head_totals))) for pair in members]
    known = [(before, after) for before, after in sides if before is not None and after is not None]
    shift = moved(sum(before for before, _ in known), sum(after for _, after in known))
    facts = [
        f"<b>{len(members)}</b> cassettes",
        f"<b>{waiting}</b> waiting for a decision" if waiting else "all decided",
    ]
    if shift:
        share = "" if len(known) == len(members) else f" in {len(known)} of them"
        facts.append(f"<b>{shift}</b> tokens{share}")
    alarms = sorted({alarm for pair in members for alarm in present.alarms(pair)})
    badges = badge(rank) + "".join(badge(alarm, f"with {alarm}s") for alarm in alarms)
    return (
        f'<div class="badges">{badges}</div><h2>{escaped(group.headline)}</h2>'
        f'<div class="meta">{"".join(f"<span>{fact}</span>" for fact in facts)}</div>'
    )
