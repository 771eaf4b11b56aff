import pytest

from reviewlib.model.call import Usage
from reviewlib.usage import add, answered, total_usage
from tests.trajectories import T, trajectory


def test_counts_are_added_bucket_by_bucket_and_unknown_stays_unknown():
    assert add([Usage(input_tokens=1), Usage(input_tokens=2, cache_read_tokens=3)]) == Usage(
        input_tokens=3, cache_read_tokens=3
    )
    assert add([]) == Usage()


def test_a_total_needs_every_turn():
    known, unknown = T(text="x", usage=(10, 1)), T(text="y")
    assert total_usage([trajectory(known, known)]) == Usage(input_tokens=20, output_tokens=2)
    assert total_usage([trajectory(known, unknown)]) is None
    assert total_usage([]) is None


@pytest.mark.parametrize(("sent", "answered", "together"), [(10, 1, 11), (0, 0, 0), (10, None, None), (None, 1, None)])
def test_input_and_output_are_a_sum_only_where_both_are_known(sent, answered, together):
    assert Usage(input_tokens=sent, output_tokens=answered, cache_read_tokens=9).tokens == together


def test_a_failure_has_no_tokens_to_know():
    run = trajectory(T(text="x", usage=(10, 1)), T(failure="no", status=429))
    assert len(answered([run])) == 1
    assert total_usage([run]) == Usage(input_tokens=10, output_tokens=1)


def test_a_turn_that_several_conversations_share_is_counted_once():
    run = trajectory(T(text="x", usage=(10, 1)), T(text="y", usage=(20, 2)))
    assert total_usage([run, run]) == Usage(input_tokens=30, output_tokens=3)


def test_a_turn_that_was_handed_over_was_not_paid_for_here():
    run = trajectory(T(text="x"), T(text="y", usage=(20, 2)))
    handed = run.model_copy(update={"turns": (run.turns[0].model_copy(update={"recorded": False}), run.turns[1])})
    assert total_usage([handed]) == Usage(input_tokens=20, output_tokens=2)
