"""The button that gives the remote what was said here."""

import pytest

from tests.app.test_pages import opened, press, text

pytestmark = pytest.mark.usefixtures("table")


def test_what_is_not_pushed_is_counted_and_a_push_says_how_the_check_starts_again(table):
    table.ledger.waiting = 3
    app = press(opened(), "Push 3 entries")
    assert table.ledger.pushed == 1
    said = text(app)
    assert "Pushed 3, received 0 (origin). A forge checks branches, not notes; start the check again: " in said
    assert "glab ci run --branch re-record" in said
    assert [one.label for one in app.button if one.label.startswith("Push")] == []


def test_a_remote_that_refuses_is_one_sentence_and_nothing_is_lost(table):
    table.ledger.waiting = 1
    app = opened()
    table.ledger.complaint = "the remote 'origin' refused: you may not write there"
    press(app, "Push 1 entry")
    assert "The remote &#x27;origin&#x27; refused" in text(app)
    assert table.ledger.waiting == 1
