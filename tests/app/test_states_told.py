"""Each state is explained where it is shown, and in the documentation."""

import re
from pathlib import Path
from typing import get_args

import pytest
from dashboard import present
from dashboard.components.header import badge

from reviewlib.model.review import State

DOCS = Path(__file__).parents[2] / "docs" / "verdicts.md"
STATES = get_args(State)


def test_every_state_has_its_row_in_the_documentation_in_the_order_that_counts():
    rows = re.findall(r"^\| (\w+) \| \S", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert [row for row in rows if row in STATES] == [
        "blocked",
        "flagged",
        "approved",
        "carried",
        "resolved",
        "stale",
        "open",
    ]
    assert set(present.STATE_WORDS) == set(STATES)


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_explained_in_its_tooltip(state):
    words = present.STATE_WORDS[state]
    assert len(words.split()) >= 6
    assert f'title="{words.replace(chr(39), "&#x27;")}"' in badge(state, tip=words)
