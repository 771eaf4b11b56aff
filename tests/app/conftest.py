"""What the tests of the screens share."""

import pytest

from tests.app.desk import Table
from tests.app.reviews import story


@pytest.fixture
def table(monkeypatch):
    """The story of one pull request on the desk, with an empty ledger."""
    placed = Table(story())
    placed.install(monkeypatch)
    return placed
