"""One cassette by itself: either side of any pair, as the conversation that was recorded."""

import streamlit as st

from dashboard import figures, load, state
from dashboard.components import grid, page
from dashboard.inert import escaped
from reviewlib.model.cassette import Unreadable
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import OtherTraffic, Recording

_SIDES: tuple[state.Side, ...] = ("baseline", "head")


def render() -> None:
    """Show the cassette that the address names, else the one that was opened last."""
    desk = load.desk()
    if not desk.review.pairs:
        page.empty(
            "No cassette differs",
            "There is nothing to inspect in this comparison. For any other cassette:",
            "cassette-review show PATH",
        )
        return
    selected = state.selection()
    pair = desk.pair(selected.pair) or desk.pair(state.last_opened()) or desk.review.pairs[0]
    side = _choose(desk, pair, selected.side)
    shown = pair.head if side == "head" else pair.baseline
    match shown:
        case Recording():
            _recording(shown)
        case Unreadable():
            page.trouble(f"The {side} cannot be read at stage {shown.stage}: {shown.reason}")
        case None:
            page.empty(f"There is no {side}", "This cassette exists on the other side only.")
    state.remember_opened(pair.path)


def _choose(desk: load.Desk, pair: Pair, side: state.Side) -> state.Side:
    state.preset("inspect-path", pair.path)
    state.preset("inspect-side", side)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.selectbox(
            "Cassette",
            [one.path for one in desk.review.pairs],
            key="inspect-path",
            label_visibility="collapsed",
            width=520,
            on_change=lambda: state.go(pair=state.chosen("inspect-path")),
        )
        st.segmented_control(
            "Side",
            _SIDES,
            key="inspect-side",
            label_visibility="collapsed",
            on_change=lambda: state.go(pair=pair.path, side=state.chosen("inspect-side") or side),
        )
    return side


def _recording(recording: Recording) -> None:
    cassette = recording.cassette
    facts = [
        f"format <b>{escaped(cassette.format)}</b>",
        f"interactions <b>{len(cassette.interactions):,}</b>",
        f"conversations <b>{len(recording.conversations):,}</b>",
    ]
    missing = dict.fromkeys((*recording.not_recorded, *cassette.not_recorded))
    if missing:
        facts.append(f"not recorded: {escaped(', '.join(fact.replace('_', ' ') for fact in missing))}")
    notes = (*cassette.notes, *recording.notes, *recording.orphans)
    said = "".join(f'<li class="dim">{escaped(note)}</li>' for note in notes)
    page.show(
        f"<h1>{escaped(cassette.path)}</h1>"
        f'<div class="meta">{"".join(f"<span>{fact}</span>" for fact in facts)}</div>'
        f'<ul class="plain">{said}</ul>'
    )
    _turns(recording)
    grid.show_alone(recording)
    _traffic(recording.other_traffic)


def _turns(recording: Recording) -> None:
    """A line for each turn: who answered, why it ended, and what it used."""
    rows = "".join(
        f"<tr><th scope='row'>{turn.turn}</th><td>{escaped(turn.model or turn.requested_model or 'not recorded')}</td>"
        f"<td>{escaped(turn.stop_reason_raw or turn.stop_reason or 'not recorded')}</td>"
        f"<td>{figures.count(getattr(turn.usage, 'input_tokens', None))}</td>"
        f"<td>{figures.count(getattr(turn.usage, 'output_tokens', None))}</td></tr>"
        for trajectory in recording.conversations
        for turn in trajectory.turns
    )
    if rows:
        heads = "".join(f"<th scope='col'>{name}</th>" for name in ("turn", "model", "stop reason", "input", "output"))
        page.show(
            f"<details><summary>Turns and tokens</summary><table class='figures'><tr>{heads}</tr>{rows}</table></details>"
        )


def _traffic(others: tuple[OtherTraffic, ...]) -> None:
    items = "".join(
        f"<li class='mono'>{escaped(' '.join(filter(None, (one.method, one.uri))))} {one.http_status or ''}</li>"
        for one in others
    )
    if items:
        page.show(
            f"<details><summary>{len(others):,} interactions that are no model calls</summary>"
            f'<ul class="plain">{items}</ul></details>'
        )
