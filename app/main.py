"""The dashboard's entry: the pages, and the one place where an error of ours becomes a sentence."""
# ruff: noqa: INP001 - Streamlit runs this file as a script; the package beside it is ``dashboard``

import streamlit as st
from dashboard.components import page
from dashboard.pages import inspect, review

from reviewlib.errors import ReviewError

PAGES = [
    st.Page(review.render, title="Review", url_path="review", default=True),
    st.Page(inspect.render, title="Inspect", url_path="inspect"),
]

st.set_page_config(page_title="cassette-review", page_icon="📼", layout="wide", initial_sidebar_state="collapsed")
page.style()
current = st.navigation(PAGES, position="top")
try:
    current.run()
except ReviewError as error:
    page.trouble(str(error))
