"""The frame of every page: the style, and the one way in which our own HTML gets on the screen."""

from functools import cache
from pathlib import Path

import streamlit as st

from dashboard import state
from dashboard.inert import escaped

_ROOT = {
    "light": "--cr-paper: #ffffff; --cr-on: #ffffff; --cr-print: none;",
    "dark": "--cr-paper: #11151b; --cr-on: #10151c; --cr-print: invert(1) hue-rotate(180deg) brightness(1.1);",
}
"""The ground of the page, for what stays in view over it, the text on the primary colour, and what makes a chart one on white paper;
``config.toml`` has the colours themselves.
"""

_STYLE = Path(__file__).with_name("style.css")


@cache
def _css() -> str:
    return _STYLE.read_text(encoding="utf-8")


def style() -> None:
    """Send the style sheet."""
    st.html(f"<style>:root {{ {_ROOT[theme()]} }} {_css()}</style>")


def theme() -> str:
    """``dark`` or ``light``, as the browser shows it now."""
    return "dark" if st.context.theme.type == "dark" else "light"


def show(body: str, css_class: str = "") -> None:
    """Show HTML of ours. Everything recorded in it has gone through ``inert.escaped``."""
    st.html(f'<div class="cr cr-{theme()} {css_class}">{body}</div>')


def trouble(sentence: str) -> None:
    """Say what went wrong, in one sentence, instead of a traceback."""
    show(f'<div class="note bad" role="alert"><b>That did not work.</b> {escaped(sentence)}</div>')


def notice() -> None:
    """Say what the last action did, if there is something to say."""
    said = state.take_notice()
    if said is not None:
        show(f'<div class="note {"good" if said.good else "bad"}" role="status">{escaped(said.text)}</div>')


def empty(title: str, sentence: str, command: str = "") -> None:
    """Say that there is nothing here, and what to do next."""
    code = f"<pre>{escaped(command)}</pre>" if command else ""
    show(f'<div class="empty"><h2>{escaped(title)}</h2><p>{escaped(sentence)}</p>{code}</div>')
