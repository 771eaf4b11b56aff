"""What the tests of the screens share."""

import pytest
import streamlit as st

from tests.app.desk import Table
from tests.app.reviews import story


@pytest.fixture
def table(monkeypatch):
    """The story of one pull request on the desk, with an empty ledger."""
    st.cache_resource.clear()
    placed = Table(story())
    placed.install(monkeypatch)
    return placed
