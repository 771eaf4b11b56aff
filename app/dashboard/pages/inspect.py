"""One cassette by itself: any, at any revision or in the working tree, as the conversation that was recorded."""

import streamlit as st

from dashboard import load, look, state
from dashboard.components import page
from dashboard.look import BASELINE, Found, Look, Sight
from dashboard.pages import inspect_choices as choices
from dashboard.pages import inspect_views as views
from dashboard.pages import miss
from reviewlib.model.cassette import Unreadable
from reviewlib.model.trajectory import Recording

_SIGHT_WORDS: dict[Sight, str] = {
    "conversation": "Conversation",
    "history": "History",
    "compare": "Compare",
    "miss": "Why a miss?",
    "raw": "Raw",
}


def render() -> None:
    """Show the cassette that the address names, else the one that was opened last."""
    desk = load.desk()
    asked = look.current()
    paths = [pair.path for pair in desk.review.pairs]
    path = asked.path or state.last_opened() or (paths[0] if paths else "")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="filters"):
        choices.cassette(paths, path)
        choices.revision(desk, asked.place)
        _choose_sight(asked.sight)
    if not path:
        page.empty(
            "No cassette differs",
            "Type the path of any cassette of the repository above, and press Enter. From a shell it is",
            "cassette-review show PATH",
        )
        return
    found = look.found_or_sentence(desk, path, asked.place)
    if isinstance(found, str):
        page.trouble(found)
        return
    _show(desk, asked, path, found)
    if desk.pair(path) is not None:
        state.remember_opened(path)


def _show(desk: load.Desk, asked: Look, path: str, found: Found) -> None:
    match found.recording:
        case _ if asked.sight == "raw" and found.files:
            views.raw(found)
        case _ if asked.sight == "history":
            views.history(desk, path)
        case Recording() as recording:
            _recording(desk, asked, path, recording)
        case Unreadable(stage=stage, reason=reason):
            page.trouble(f"{path} cannot be read at stage {stage}: {reason} Its text is under “Raw”.")
        case None:
            side = "baseline" if asked.place == BASELINE else "head"
            page.empty(f"There is no {side}", "This cassette exists on the other side only.")


def _recording(desk: load.Desk, asked: Look, path: str, recording: Recording) -> None:
    match asked.sight:
        case "compare":
            other = asked.other_path or path
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key="compare-with"):
                page.show("<b>compared with</b>")
                choices.other(desk, asked, other)
            found = look.found_or_sentence(desk, other, asked.other_place)
            if isinstance(found, str):
                page.trouble(found)
            else:
                words = choices.place_words(desk)
                names = (
                    f"{other} · {words.get(asked.other_place, asked.other_place)}",
                    f"{path} · {words.get(asked.place, asked.place)}",
                )
                views.compare(desk, found.recording, recording, names)
        case "miss":
            miss.show(desk, asked, path, recording.cassette)
        case _:
            views.conversation(desk, asked, recording)


def _choose_sight(sight: Sight) -> None:
    state.preset("inspect-view", sight)
    st.segmented_control(
        "View",
        look.SIGHTS,
        key="inspect-view",
        format_func=_SIGHT_WORDS.__getitem__,
        label_visibility="collapsed",
        on_change=lambda: look.go(sight=state.chosen("inspect-view") or sight),
    )
