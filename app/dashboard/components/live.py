"""Verdicts of others appear without a reload: a fragment asks for the ledger's commit, and starts a run where it has moved."""

import streamlit as st

from dashboard import load, state
from reviewlib.sources.git import Repository

EVERY = 2.0
"""Seconds between two questions; each costs one git call of 2 ms."""


def watch(desk: load.Desk) -> None:
    """Keep asking while the page is shown. To be called by every page that shows states."""
    if desk.repository is not None:
        state.remember_ledger(desk.ledger_head)
        _ask(desk.repository)


@st.fragment(run_every=EVERY)
def _ask(repository: Repository) -> None:
    if load.ledger(repository, str(repository.root)).head() != state.known_ledger():
        st.rerun()
