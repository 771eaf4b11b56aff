"""The door of a shared server: nothing is shown before somebody has signed in, nor to whom it is not meant for."""

import streamlit as st

from dashboard import who
from dashboard.components import page
from dashboard.inert import escaped
from reviewlib.serve import current_spec


def asked() -> bool:
    """Tell whether the door stays shut, and say why; show who is signed in otherwise."""
    if not current_spec().login:
        return False
    if who.needs_login():
        _shut("Sign in to review", "This server shows recordings to people it knows.")
        st.button("Sign in", key="sign-in", type="primary", on_click=st.login)
        return True
    person = who.visitor()
    if not person.looks:
        _shut("You may not look here", f"{person.why} Whoever runs this server keeps the list.")
        _sign_out()
        return True
    with st.container(horizontal=True, vertical_alignment="center", key="signed-in"):
        shown = f"Signed in as {st.user.get('email')}{'' if person.reviewer else ', to read'}"
        page.show(f'<span class="dim">{escaped(shown)}</span>')
        _sign_out()
    return False


def _shut(title: str, sentence: str) -> None:
    page.show(f'<div class="empty"><h1>{escaped(title)}</h1><p>{escaped(sentence)}</p></div>')


def _sign_out() -> None:
    st.button("Sign out", key="sign-out", type="tertiary", on_click=st.logout)
