"""The list of pairs: a component that draws only the rows in view (2,000 rows: 241 ms a filter; a data frame 444 ms)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard import state
from dashboard.components import page
from dashboard.present import SHAPES, STATE_WORDS

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Acts:
    """What a list can ask for: to open a pair by its path, to sort, and a verdict on members, which are (path, shown digest)."""

    open: Callable[[str], None]
    decide: Callable[[str, Sequence[tuple[str, str]], str], None]
    sort: Callable[[str], None]


@dataclass(frozen=True)
class Listing:
    """What a list shows. ``groups`` are the headlines by signature; rows that share one get a heading where ``grouped``.

    ``picked`` are the paths that are selected at first. A ``compact`` list has no head and is low.
    """

    rows: Sequence[Mapping[str, Any]]
    groups: Mapping[str, str]
    params: Mapping[str, str]
    last: str = ""
    sort: str = ""
    grouped: bool = True
    compact: bool = False
    picked: Sequence[str] = ()


@cache
def _component() -> Any:
    return st.components.v2.component(
        "cassette_review_queue",
        html='<div id="queue"></div>',
        css=(_HERE / "queue.css").read_text(encoding="utf-8"),
        js=(_HERE / "queue.js").read_text(encoding="utf-8"),
    )


def show(listing: Listing, acts: Acts, key: str = "queue") -> None:
    """Show a list. Texts arrive as ``textContent``, never as markup. Each row is a link that also works by itself:
    ``params`` are the address that it adds its pair to.
    """

    def opened() -> None:
        pressed = state.chosen(key)
        if pressed is not None and pressed.open:
            acts.open(pressed.open)

    def sorted_() -> None:
        pressed = state.chosen(key)
        if pressed is not None and pressed.sort is not None:
            acts.sort(pressed.sort)

    def decided() -> None:
        pressed = state.chosen(key)
        if pressed is not None and pressed.bulk:
            asked = pressed.bulk
            members = [(str(path), str(digest)) for path, digest in asked["members"]]
            acts.decide(str(asked["verdict"]), members, str(asked["comment"]).strip())

    data = {
        "name": key,
        "rows": listing.rows,
        "groups": listing.groups,
        "params": listing.params,
        "last": listing.last,
        "sort": listing.sort,
        "grouped": listing.grouped,
        "compact": listing.compact,
        "picked": listing.picked,
        "shapes": dict(SHAPES),
        "tips": dict(STATE_WORDS),
        "theme": page.theme(),
    }
    _component()(key=key, data=data, on_open_change=opened, on_sort_change=sorted_, on_bulk_change=decided)
