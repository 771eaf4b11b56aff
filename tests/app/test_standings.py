"""One more verdict is about one pair, and what is derived for it alone is what would be derived for all."""

from datetime import timedelta

import pytest
from dashboard import standings as module
from dashboard.standings import standings

from reviewlib.policy import DEFAULT_POLICY
from reviewlib.summary import summarise
from reviewlib.verdicts import states, verdict_entry
from tests.app.desk import ME
from tests.app.reviews import AT, story

REVIEW = story()


def entry(pair, verdict, number):
    at = AT + timedelta(minutes=number)
    return verdict_entry(pair, verdict, ME, "", at=at, entry_id=f"{number:032}", policy=DEFAULT_POLICY)


ENTRIES = [entry(pair, "flag" if number % 2 else "approve", number) for number, pair in enumerate(REVIEW.pairs)]


@pytest.mark.parametrize("then", range(len(ENTRIES) + 1))
@pytest.mark.parametrize("now", range(len(ENTRIES) + 1))
def test_standings_made_from_earlier_ones_are_those_made_from_nothing(then, now):
    before = standings(REVIEW, ENTRIES[:then])
    made = standings(REVIEW, ENTRIES[:now], before=before)
    assert made.states == states(ENTRIES[:now], REVIEW)
    assert made.summary == summarise(REVIEW, made.states)


def test_one_more_verdict_looks_at_its_pair_alone(monkeypatch):
    before = standings(REVIEW, ENTRIES[:2])
    looked = []

    def spied(entries, review, *rest):
        looked.extend(pair.path for pair in review.pairs)
        return states(entries, review, *rest)

    monkeypatch.setattr(module, "states", spied)
    standings(REVIEW, ENTRIES[:3], before=before)
    assert looked == [REVIEW.pairs[2].path]


def test_a_cassette_that_was_renamed_keeps_what_was_said_under_its_old_name():
    pair = REVIEW.pairs[0]
    renamed = REVIEW.model_copy(
        update={"pairs": (pair.model_copy(update={"path": "tests/new.yaml", "baseline_path": pair.path}),)}
    )
    made = standings(renamed, [entry(pair, "approve", 1)], before=standings(renamed, []))
    assert made.states == states([entry(pair, "approve", 1)], renamed)
    assert made.states["tests/new.yaml"].earlier
