"""The fields that say which cassette is looked at, at which revision, and which other one stands beside it."""

from collections.abc import Callable, Sequence

import streamlit as st

from dashboard import load, look, state
from dashboard.look import BASELINE, HEAD, WORKTREE, Look
from dashboard.present import side_names

_WIDE = 460


def cassette(paths: Sequence[str], path: str) -> None:
    """Choose the cassette: one that differs, or any by its path."""
    _choose("Cassette", (*paths, path), path, "inspect-path", lambda chosen: look.go(path=chosen or ""))


def revision(desk: load.Desk, place: str) -> None:
    """Choose where it is read: a side, the working tree, or any revision."""
    _place(desk, place, "inspect-ref", lambda chosen: look.go(place=chosen or HEAD))


def other(desk: load.Desk, asked: Look, path: str) -> None:
    """Choose another cassette, and where that is read."""
    paths = (*(pair.path for pair in desk.review.pairs), path)
    _choose("Other cassette", paths, path, "other-path", lambda chosen: look.go(other_path=chosen or ""))
    _place(desk, asked.other_place, "other-ref", lambda chosen: look.go(other_place=chosen or BASELINE))


def place_words(desk: load.Desk) -> dict[str, str]:
    """The places that have names of their own, as a person says them."""
    baseline, head = side_names(desk.review)
    return {
        HEAD: f"head · {head}",
        BASELINE: f"baseline · {baseline}",
        WORKTREE: "working tree",
    }


def _place(desk: load.Desk, place: str, key: str, go: Callable[[str | None], None]) -> None:
    words = place_words(desk)
    state.preset(key, place or None)
    st.selectbox(
        "Revision",
        dict.fromkeys((*look.PLACES, place)),
        key=key,
        format_func=lambda one: words.get(one, one),
        label_visibility="collapsed",
        width=270,
        accept_new_options=True,
        placeholder="Any revision",
        on_change=lambda: go(state.chosen(key)),
    )


def _choose(label: str, paths: Sequence[str], path: str, key: str, go: Callable[[str | None], None]) -> None:
    state.preset(key, path or None)
    st.selectbox(
        label,
        dict.fromkeys(paths),
        key=key,
        label_visibility="collapsed",
        width=_WIDE,
        accept_new_options=True,
        placeholder="The path of any cassette",
        on_change=lambda: go(state.chosen(key)),
    )
