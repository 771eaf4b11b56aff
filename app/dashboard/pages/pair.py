"""One pair: the evidence from top to bottom, then what can be done about it."""

from collections.abc import Callable, Hashable, Sequence

import streamlit as st

from dashboard import alike, anchors, attached, load, present, state, who
from dashboard.ahead import Ahead
from dashboard.components import attached as attachments
from dashboard.components import grid, header, notes, page, raw, usage, verdict_bar, walk
from dashboard.inert import escaped
from dashboard.pages import queue
from reviewlib.model.review import Pair
from reviewlib.since import Since, changed_since
from reviewlib.verdicts import Anchor, Entry, PairState, Thread, threads

_VIEW_WORDS: dict[state.View, str] = {
    "steps": "Side by side",
    "unified": "Unified",
    "raw": "Raw",
    "usage": "Usage per turn",
    "since": "Since the verdict",
}


def render(desk: load.Desk, selected: state.Selection, pair: Pair) -> None:
    """Show a pair in the view that the address names."""
    visible = tuple(shown.path for shown in queue.visible(desk, selected))
    standing = desk.state(pair)
    views = _views_of(pair, standing)
    view = selected.view if selected.view in views else views[0]
    said = threads(pair, (*standing.entries, *standing.earlier))
    name = verdict_bar.token(pair)
    # A new key starts at the top: in a kept element the next pair would open at the scroll offset of this one.
    with st.container(key=f"pair-{name}-{view}"):
        header.show(pair, standing, _position(pair, visible))
        header.findings(pair)
        header.ignored(pair)
        header.record_command(pair, standing.state)
        since = _since(desk, pair, standing) if view == "since" else None
        drawing = _drawing(desk, pair, view, since, said)
        with st.container(horizontal=True, vertical_alignment="center", key="views"):
            _choose_view(views, view)
            walk.show("walk", f"{name}-{view}", selected.step, drawing)
        _body(desk, pair, view, since, drawing)
        verdict_bar.history(standing, said)
    verdict_bar.show(
        pair,
        verdict_bar.Standing(standing, said, _target(selected, pair)),
        _walk(desk, selected, pair, visible),
        who.person(desk.repository),
    )
    state.remember_opened(pair.path)
    state.mark_rendered(pair.path, pair.digest)
    _prepare(desk, visible, pair, view)


def _body(desk: load.Desk, pair: Pair, view: state.View, since: Since | None, drawing: grid.Drawing) -> None:
    match view:
        case "usage":
            usage.show(pair, desk.read.prices_at)
        case "raw":
            raw.show(pair, *desk.files(pair), verdict_bar.token(pair))
        case "since" if since is not None:
            _judged(since)
            header.request(since.pair)
            grid.show(drawing)
        case _:
            header.strips(pair)
            header.request(pair)
            attachments.show(attached.of_pair(pair), verdict_bar.token(pair))
            grid.show(drawing)


def _views_of(pair: Pair, standing: PairState) -> tuple[state.View, ...]:
    """The views that say something: rules of review have no steps, and only an earlier verdict can be compared with."""
    if pair.subject == "policy":
        return ("steps", "raw")
    return state.VIEWS if standing.since is not None else state.VIEWS[:-1]


def _drawing(
    desk: load.Desk, pair: Pair, view: state.View, since: Since | None, said: tuple[Thread, ...]
) -> grid.Drawing:
    if since is not None:
        return grid.of_pair(since.pair, (f"as judged on {since.entry.at:%Y-%m-%d}", "now"), {})
    if view not in ("steps", "unified") or pair.subject == "policy":
        return grid.NOTHING
    return _drawings.get(*_drawn(desk, pair, view, said))


_drawings: Ahead[grid.Drawing] = Ahead(12)


def _drawn(
    desk: load.Desk, pair: Pair, view: state.View, said: Sequence[Thread]
) -> tuple[Hashable, Callable[[], grid.Drawing]]:
    """What names a drawing, and how it is made."""
    names = present.side_names(desk.review)
    told = notes.of(pair, said)
    key = (pair.path, pair.digest, desk.read.policy.digest, names, view, tuple(told.items()))
    return key, lambda: grid.of_pair(pair, names, told, unified=view == "unified")


def _prepare(desk: load.Desk, visible: tuple[str, ...], pair: Pair, view: state.View) -> None:
    """Draw the next pair while this one is read: 200 steps take 40 ms."""
    place = visible.index(pair.path) + 1 if pair.path in visible else len(visible)
    following = desk.pair(visible[place]) if place < len(visible) else None
    if following is not None and following.subject == "cassette" and view in ("steps", "unified"):
        standing = desk.state(following)
        said = threads(following, (*standing.entries, *standing.earlier))
        _drawings.prepare(*_drawn(desk, following, view, said))


def _since(desk: load.Desk, pair: Pair, standing: PairState) -> Since | None:
    notes_ = load.ledger_of(desk.repository)
    if standing.since is None or notes_ is None:
        return None
    return _compared(f"{pair.path} {pair.digest} {standing.since.id}", desk, pair, standing.since)


@st.cache_resource(max_entries=32, show_spinner="Reading what was judged …")
def _compared(key: str, _desk: load.Desk, _pair: Pair, _entry: Entry) -> Since | None:  # noqa: ARG001 - the key is what is cached by
    found = load.ledger_of(_desk.repository)
    if found is None:
        return None
    return changed_since(_pair, _entry, found.pinned, _desk.read.policy, _desk.read.prices_at)


def _judged(since: Since) -> None:
    """Say what is compared: one side as it was judged, with the same side now."""
    verdict = "flagged" if since.entry.verdict == "flag" else "approved"
    page.show(
        f"<h2>{escaped(since.pair.headline)}</h2>"
        f'<p class="dim">The {since.side} as {escaped(since.entry.reviewer.name)} {verdict} it on {since.entry.at:%Y-%m-%d %H:%M} UTC, '
        f"against the {since.side} now. {escaped(since.entry.comment)}</p>"
    )


def _choose_view(views: tuple[state.View, ...], view: state.View) -> None:
    state.preset("view", view)

    def changed() -> None:
        state.go(view=state.chosen("view") or view)

    st.segmented_control(
        "View", views, key="view", format_func=_VIEW_WORDS.__getitem__, label_visibility="collapsed", on_change=changed
    )
    turned = [one for one in state.TURNED if one in views]
    following = turned[(turned.index(view) + 1) % len(turned)] if view in turned else turned[0]
    st.button(
        "View",
        key="turn",
        shortcut="V",
        help=f"Next: {_VIEW_WORDS[following]}",
        on_click=_turn,
        args=(following,),
    )


def _turn(view: state.View) -> None:
    state.go(view=view)


def _target(selected: state.Selection, pair: Pair) -> Anchor | None:
    """The step that the address names, if the pair has it: comments are about it."""
    anchor = anchors.parsed(selected.step)
    return anchor if anchor is not None and anchors.exists(anchor, pair) else None


def _walk(desk: load.Desk, selected: state.Selection, pair: Pair, visible: tuple[str, ...]) -> verdict_bar.Walk:
    """Where one can go from here. The kind that one walks after stays, as long as the pair is of it."""
    own = desk.read.kinds[pair.path]
    kind = selected.kind if selected.kind in own else own[0]
    return verdict_bar.Walk(visible, kind, alike.following(pair.path, visible, desk.read.kinds, kind))


def _position(pair: Pair, visible: tuple[str, ...]) -> str:
    return f"{visible.index(pair.path) + 1} of {len(visible)}" if pair.path in visible else "outside the filter"
