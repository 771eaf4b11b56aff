"""The door of a shared server: nothing is shown before somebody has signed in."""

import streamlit as st

from dashboard import who
from dashboard.components import page
from dashboard.inert import escaped
from reviewlib.serve import current_spec


def asked() -> bool:
    """Ask for a login where one is needed, and tell whether one was asked for; show who is signed in otherwise."""
    if not current_spec().login:
        return False
    if who.needs_login():
        page.show(
            '<div class="empty"><h1>Sign in to review</h1><p>This server shows recordings to people it knows.</p></div>'
        )
        st.button("Sign in", key="sign-in", type="primary", on_click=st.login)
        return True
    with st.container(horizontal=True, vertical_alignment="center", key="signed-in"):
        page.show(f'<span class="dim">Signed in as {escaped(str(st.user.get("email") or "somebody"))}</span>')
        st.button("Sign out", key="sign-out", type="tertiary", on_click=st.logout)
    return False
