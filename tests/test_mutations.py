"""Known edits of real and synthetic runs: what is reported is what was edited."""

import random

import pytest

from reviewlib.diff import diff
from tests.benchmarks.mutations import Score, mutants, reported, runs
from tests.mutations import Mutant, mutated, noisy
from tests.trajectories import recording, trajectory


@pytest.fixture(scope="module")
def stories():
    return runs()


def test_at_least_three_hundred_runs_of_up_to_two_hundred_turns_are_mutated(stories):
    assert len(stories) >= 300
    assert max(len(story) for story in stories) >= 200


def test_recall_and_precision_of_known_edits_are_at_least_99_in_100(stories):
    score = Score()
    for story, mutant in mutants(stories):
        score.add(mutant.edits, reported(story, mutant))
    assert score.applied.total() >= 2000
    assert {"text", "usage", "system_prompt", "user_message", "model", "tool_moved"} <= score.applied.keys()
    assert score.recall() >= 0.99
    assert score.precision() >= 0.99


def test_every_kind_of_edit_is_found_and_none_is_reported_that_was_not_made(stories):
    score = Score()
    for story, mutant in mutants(stories):
        score.add(mutant.edits, reported(story, mutant))
    weak = {kind: (score.recall(kind), score.precision(kind)) for kind in score.applied}
    assert all(min(figures) >= 0.98 for figures in weak.values()), weak


def test_noise_alone_reports_nothing(stories):
    for number, story in enumerate(stories):
        other = noisy(story, random.Random(number))
        found = diff(recording(trajectory(*story)), recording(trajectory(*other)), 0.1)
        assert found.changes == (), story


def test_a_missed_edit_and_a_false_one_lower_the_score(stories):
    story = next(story for story in stories if len(story) > 10)
    mutant = next(mutant for seed in range(50) if (mutant := mutated(story, seed, 3)).edits.total() >= 2)
    score = Score()
    score.add(mutant.edits, reported(story, Mutant(story, mutant.edits)))
    assert score.recall() < 1
    score.add(mutant.edits - mutant.edits, reported(story, mutant))
    assert score.precision() < 1
