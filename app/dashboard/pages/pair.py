"""One pair: the evidence from top to bottom, then what can be done about it."""

import streamlit as st

from dashboard import load, present, state
from dashboard.components import grid, header, raw, usage, verdict_bar
from dashboard.pages import queue
from reviewlib.errors import RepositoryError
from reviewlib.model.review import Pair
from reviewlib.verdicts import Reviewer

_VIEW_WORDS = {"steps": "Steps", "usage": "Usage per turn", "raw": "Raw"}


def render(desk: load.Desk, selected: state.Selection, pair: Pair) -> None:
    """Show a pair in the view that the address names."""
    visible = tuple(shown.path for shown in queue.visible(desk, selected))
    standing = desk.state(pair)
    name = verdict_bar.token(pair)
    # A new key starts at the top: in a kept element the next pair would open at the scroll offset of this one.
    with st.container(key=f"pair-{name}-{selected.view}"):
        header.show(pair, standing.state, [who.name for who in standing.by], _position(pair, visible))
        header.findings(pair)
        header.record_command(pair, standing.state)
        _views(selected.view, name)
        match selected.view:
            case "steps":
                header.strips(pair)
                header.request(pair)
                grid.show(pair, present.side_name(desk.review.baseline), present.side_name(desk.review.head))
            case "usage":
                usage.show(pair, desk.read.prices_at)
            case "raw":
                raw.show(*desk.files(pair), name)
        verdict_bar.history(standing)
    verdict_bar.show(pair, standing, visible, _me(desk))
    state.remember_opened(pair.path)
    state.mark_rendered(pair.path, pair.digest)


def _views(view: state.View, name: str) -> None:
    key = f"view-{name}"
    state.preset(key, view)

    def changed() -> None:
        state.go(view=state.chosen(key) or view)

    st.segmented_control(
        "View",
        state.VIEWS,
        key=key,
        format_func=_VIEW_WORDS.__getitem__,
        label_visibility="collapsed",
        on_change=changed,
    )


def _position(pair: Pair, visible: tuple[str, ...]) -> str:
    return f"{visible.index(pair.path) + 1} of {len(visible)}" if pair.path in visible else "outside the filter"


def _me(desk: load.Desk) -> Reviewer | None:
    try:
        return None if desk.repository is None else desk.repository.reviewer()
    except RepositoryError:
        return None
