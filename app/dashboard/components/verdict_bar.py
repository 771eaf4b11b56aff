"""What a reviewer can do about the pair on the screen, with the key of each. It is drawn after the evidence, and pinned below it."""

import hashlib
from collections.abc import Sequence

import streamlit as st

from dashboard import decide, state
from dashboard.components import page
from dashboard.inert import escaped
from reviewlib.model.review import Pair
from reviewlib.verdicts import PairState, Reviewer


def token(pair: Pair) -> str:
    """Names a pair and its exact content in widget keys, so that no button of one pair can act for another."""
    return hashlib.sha256(f"{pair.path}\0{pair.digest}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def show(pair: Pair, standing: PairState, visible: Sequence[str], me: Reviewer | None) -> None:
    """Show the buttons. ``visible`` are the paths of the queue as it is filtered; ``me`` is who reviews."""
    name = token(pair)
    comment = f"comment-{name}"
    about = (pair.path, pair.digest, comment, tuple(visible))
    with st.bottom:
        page.notice()
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="verdict-bar"):
            st.button(
                "Approve",
                key=f"approve-{name}",
                icon=":material/check:",
                shortcut="A",
                type="primary",
                disabled=pair.significance is None,
                on_click=decide.act,
                args=("approve", *about),
            )
            st.button(
                "Flag",
                key=f"flag-{name}",
                icon=":material/flag:",
                shortcut="F",
                on_click=decide.act,
                args=("flag", *about),
            )
            st.text_input(
                "Comment",
                key=comment,
                label_visibility="collapsed",
                placeholder="Comment, sent with Approve, Flag or Comment",
                width=300,
            )
            st.button("Comment", key=f"say-{name}", shortcut="M", on_click=decide.act, args=("comment", *about))
            st.button("Skip", key=f"skip-{name}", shortcut="S", on_click=decide.skip, args=(pair.path, tuple(visible)))
            if me is not None and any(entry.verdict and entry.reviewer.key == me.key for entry in standing.entries):
                st.button(
                    "Withdraw", key=f"withdraw-{name}", shortcut="W", on_click=decide.act, args=("withdraw", *about)
                )
            if state.last_done() is not None:
                st.button("Undo", key=f"undo-{name}", shortcut="U", on_click=decide.undo)
            st.space("stretch")
            _walk(pair, visible, name)


def history(standing: PairState) -> None:
    """List who said what about exactly this content, and what an earlier content was told."""
    items = [
        f"<li><b>{escaped(entry.reviewer.name)}</b> {_said(entry.kind, entry.verdict)} "
        f'<span class="dim">{entry.at:%Y-%m-%d %H:%M} UTC</span> {escaped(entry.comment)}</li>'
        for entry in standing.entries
    ]
    if standing.since is not None:
        earlier = standing.since
        items.append(
            f'<li class="dim">{standing.state}: {escaped(earlier.reviewer.name)} {_said(earlier.kind, earlier.verdict)} an earlier '
            f"content on {earlier.at:%Y-%m-%d}. {escaped(earlier.comment)}</li>"
        )
    if items:
        page.show(f'<h2 class="minor">Said about this pair</h2><ul class="plain">{"".join(items)}</ul>')


def _said(kind: str, verdict: str | None) -> str:
    return {"approve": "approved", "flag": "flagged"}.get(
        verdict or "", {"withdraw": "withdrew"}.get(kind, "commented")
    )


def _walk(pair: Pair, visible: Sequence[str], name: str) -> None:
    place = visible.index(pair.path) if pair.path in visible else -1
    before = visible[place - 1] if place > 0 else None
    after = visible[place + 1] if place + 1 < len(visible) else None
    st.button(
        "Previous", key=f"previous-{name}", shortcut="P", disabled=before is None, on_click=_open, args=(before or "",)
    )
    st.button("Next", key=f"next-{name}", shortcut="N", disabled=after is None, on_click=_open, args=(after or "",))
    st.button("Queue", key=f"queue-{name}", shortcut="Q", on_click=_open, args=("",))


def _open(path: str) -> None:
    state.go(pair=path)
