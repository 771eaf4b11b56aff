"""One pair: the evidence from top to bottom, then what can be done about it."""

import streamlit as st

from dashboard import load, present, state
from dashboard.components import grid, header, notes, raw, usage, verdict_bar, walk
from dashboard.pages import queue
from reviewlib.errors import RepositoryError
from reviewlib.model.review import Pair
from reviewlib.verdicts import Reviewer

_VIEW_WORDS = {"steps": "Side by side", "unified": "Unified", "raw": "Raw", "usage": "Usage per turn"}


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
        with st.container(horizontal=True, vertical_alignment="center", key="views"):
            _views(selected.view, name)
            walk.show(name, selected.step)
        match selected.view:
            case "steps" | "unified":
                header.strips(pair)
                header.request(pair)
                names = present.side_name(desk.review.baseline), present.side_name(desk.review.head)
                grid.show(pair, names, notes.of(pair), unified=selected.view == "unified")
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
    following = state.TURNED[(state.TURNED.index(view) + 1) % 3] if view in state.TURNED else "steps"
    st.button(
        "View",
        key=f"turn-{name}",
        shortcut="V",
        help=f"Next: {_VIEW_WORDS[following]}",
        on_click=_turn,
        args=(following,),
    )


def _turn(view: state.View) -> None:
    state.go(view=view)


def _position(pair: Pair, visible: tuple[str, ...]) -> str:
    return f"{visible.index(pair.path) + 1} of {len(visible)}" if pair.path in visible else "outside the filter"


def _me(desk: load.Desk) -> Reviewer | None:
    try:
        return None if desk.repository is None else desk.repository.reviewer()
    except RepositoryError:
        return None
