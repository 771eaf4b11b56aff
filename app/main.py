"""The dashboard's entry: the pages, and the one place where an error of ours becomes a sentence."""
# ruff: noqa: INP001 - Streamlit runs this file as a script; the package beside it is ``dashboard``

import streamlit as st
from dashboard import state, who
from dashboard.components import help as help_sheet
from dashboard.components import login, page
from dashboard.pages import groups, inspect, review, usage

from reviewlib.errors import ReviewError

PAGES = {
    "review": st.Page(review.render, title="Review", url_path="review", default=True),
    "groups": st.Page(groups.render, title="Groups", url_path="groups"),
    "usage": st.Page(usage.render, title="Usage", url_path="usage"),
    "inspect": st.Page(inspect.render, title="Inspect", url_path="inspect"),
}

st.set_page_config(page_title="cassette-review", page_icon="📼", layout="wide", initial_sidebar_state="collapsed")
page.style()
current = st.navigation(list(PAGES.values()), position="top" if who.may_look() else "hidden")
asked = state.take_jump()
if asked is not None:
    st.switch_page(PAGES[asked.page], query_params=dict(asked.params))
state.enter(next(name for name, each in PAGES.items() if each is current))
help_sheet.show()
try:
    if not login.asked():
        current.run()
except ReviewError as error:
    page.trouble(str(error))
