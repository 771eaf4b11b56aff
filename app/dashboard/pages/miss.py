"""Why would a request miss: the recorded requests that are nearest to one that was picked or pasted, and where they differ."""

from dataclasses import replace

import streamlit as st

from dashboard import load, look, misses, state
from dashboard.components import grid, page
from dashboard.inert import escaped, one_line
from dashboard.look import BASELINE, HEAD, Look
from dashboard.pages import inspect_choices as choices
from dashboard.values_view import detail_line
from reviewlib.errors import UsageError
from reviewlib.model.cassette import Cassette
from reviewlib.model.frozen import Plain
from reviewlib.model.trajectory import Recording

_PASTED = "Paste a request"


def show(desk: load.Desk, asked: Look, path: str, cassette: Cassette) -> None:
    """Ask for a request, and compare it with those of a cassette."""
    held = misses.recorded_requests(cassette)
    if not held:
        page.empty(
            "No requests in it", f"The format {cassette.format} holds no requests, so there is nothing to compare with."
        )
        return
    page.show(
        f"<h2>Why would a request miss?</h2>"
        f'<p class="dim">{len(held):,} requests are recorded in {escaped(cassette.path)}. Take one of another cassette or version, or paste it.</p>'
    )
    request = _picked(desk, asked, path)
    if request is None:
        request = _pasted()
    if request is not None:
        for near in misses.nearest(cassette, request):
            _near(near)


def _picked(desk: load.Desk, asked: Look, path: str) -> Plain | None:
    """The request that the address names, of the other cassette that it names; at first that is the other side of the pair."""
    other = asked.other_path or path
    if other == path and asked.place == asked.other_place:
        asked = replace(asked, other_place=HEAD if asked.place == BASELINE else BASELINE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="compare-with"):
        page.show("<b>The request of</b>")
        choices.other(desk, asked, other)
        found = look.found_or_sentence(desk, other, asked.other_place)
        recording = None if isinstance(found, str) else found.recording
        offered = misses.recorded_requests(recording.cassette) if isinstance(recording, Recording) else ()
        _choose_request([name for name, _ in offered], asked.request)
    if isinstance(found, str) and asked.other_path:
        page.trouble(found)
    return offered[asked.request - 1][1] if 0 < asked.request <= len(offered) else None


def _choose_request(names: list[str], number: int) -> None:
    """Offer the requests by number; 0 is none of them."""
    state.preset("picked-request", number if number <= len(names) else 0)
    words = dict(enumerate((_PASTED, *(one_line(name, 90) for name in names))))
    st.selectbox(
        "Request",
        list(words),
        key="picked-request",
        format_func=words.__getitem__,
        label_visibility="collapsed",
        width=360,
        on_change=lambda: look.go(request=state.chosen("picked-request") or 0),
    )


def _pasted() -> Plain | None:
    st.text_area(
        "The request that was not answered",
        key="missed",
        height=180,
        placeholder='Paste its JSON body, or {"method": …, "uri": …, "body": …}',
    )
    st.button("Compare", key="compare-request", type="primary")
    text = state.typed("missed")
    if not text:
        return None
    try:
        return misses.asked(text)
    except UsageError as error:
        page.trouble(str(error))
        return None


def _near(near: misses.Near) -> None:
    if not near.details:
        body = '<p class="note good">Nothing differs in what was asked: a matcher that compares these parts would find it.</p>'
    else:
        body = grid.value_lines(map(detail_line, near.details))
    page.show(
        f'<section class="panel"><h2>Request {near.interaction + 1} · {escaped(near.name)}</h2>'
        f'<p class="dim">{near.likeness:.0%} alike; recorded first, then what was asked</p>{body}</section>'
    )
