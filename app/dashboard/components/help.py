"""The sheet of keys: ``?`` opens it, and the button beside the pages."""

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.components import page

_HERE = Path(__file__).parent

KEYS = (
    (
        "Review",
        (
            ("N", "next open pair; in a pair, the next one"),
            ("P", "previous pair"),
            ("G", "next pair alike: of this kind of change, or with this finding"),
            ("Q", "back to the queue"),
            ("↑ ↓ or K J", "move in the queue"),
            ("Enter", "open the pair"),
            ("X", "select the pair or the group"),
        ),
    ),
    (
        "Decide",
        (
            ("A", "approve, and go on"),
            ("F", "flag, and go on"),
            ("S", "skip: it stays open"),
            ("M", "send the comment"),
            ("E", "resolve the comments of the step"),
            ("W", "withdraw what you said"),
            ("U", "undo the last act, all of it"),
        ),
    ),
    (
        "Inside a pair",
        (
            ("J", "next change"),
            ("K", "previous change"),
            ("T", "next change of this kind"),
            ("L", "pin the step: its link, and comments about it"),
            ("V", "side by side, unified, raw"),
        ),
    ),
)
"""Each key that does something, where, and what."""


@cache
def _component() -> Any:
    columns = "".join(
        f"<section><h2>{title}</h2><dl>{''.join(f'<dt>{_keys(key)}</dt><dd>{what}</dd>' for key, what in rows)}</dl></section>"
        for title, rows in KEYS
    )
    sheet = (
        f'<dialog aria-label="Keys"><div class="columns">{columns}</div>'
        "<p>No key acts while you type, and a held key decides nothing that was not on the screen.</p>"
        '<form method="dialog"><button>Close</button></form></dialog>'
    )
    return st.components.v2.component(
        "cassette_review_help",
        html=f'<button class="open" title="All keys" hidden>Keys<kbd>?</kbd></button>{sheet}',
        css=(_HERE / "help.css").read_text(encoding="utf-8"),
        js=(_HERE / "help.js").read_text(encoding="utf-8"),
    )


def show() -> None:
    """Put the button on the page, and listen for the key."""
    with st.container(key="help"):
        _component()(key="help-sheet", data={"theme": page.theme()}, on_theme_change=_drawn_again)


def _drawn_again() -> None:
    """Another theme needs nothing but the run that it starts."""


def _keys(keys: str) -> str:
    return " ".join(word if word == "or" else f"<kbd>{word}</kbd>" for word in keys.split())
