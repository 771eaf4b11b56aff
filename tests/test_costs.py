"""What a recording used and cost."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from reviewlib.costs import Bill, bill, totals, turn_cost
from reviewlib.model.call import Usage
from tests.reviews import recording, tool_call, trajectory, turn

AT = datetime(2025, 11, 1, tzinfo=UTC)
MILLION = 1_000_000


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (Usage(input_tokens=MILLION, output_tokens=0), "3"),
        (Usage(input_tokens=0, output_tokens=MILLION), "15"),
        (Usage(input_tokens=MILLION, output_tokens=0, cache_read_tokens=MILLION), "0.3"),
        (Usage(input_tokens=MILLION, output_tokens=0, cache_write_tokens=MILLION), "3.75"),
        (Usage(input_tokens=1000, output_tokens=1000, reasoning_tokens=900), "0.018"),
    ],
)
def test_a_turn_is_billed_by_direction_and_cache_and_reasoning_is_part_of_the_output(usage, dollars):
    priced = turn(usage=usage, model="claude-3-7-sonnet-20250219", requested_model=None)
    assert turn_cost(priced, AT) == Decimal(dollars)


@pytest.mark.parametrize(
    "more",
    [
        {"usage": None},
        {"usage": Usage(input_tokens=5)},
        {"usage": Usage(output_tokens=5)},
        {"model": "synthetic-1", "requested_model": "synthetic-1"},
        {"model": None, "requested_model": None},
        {"usage": Usage(input_tokens=1, output_tokens=1, cache_read_tokens=50)},
        {"usage": Usage(input_tokens=-1, output_tokens=1)},
    ],
    ids=["no usage", "no output", "no input", "unknown model", "no model", "cache above input", "negative"],
)
def test_what_is_not_known_has_no_price(more):
    assert turn_cost(turn(**more), AT) is None


def test_the_served_model_is_billed_and_the_requested_one_where_the_served_is_unknown():
    served = turn(model="gpt-4o-2024-08-06", requested_model="gpt-4o-mini")
    asked = turn(model="my-deployment", requested_model="gpt-4o-mini")
    assert turn_cost(served, AT) == turn_cost(turn(model="gpt-4o", requested_model=None), AT)
    assert turn_cost(asked, AT) == turn_cost(turn(model="gpt-4o-mini", requested_model=None), AT)
    assert turn_cost(served, AT) != turn_cost(asked, AT)


def test_totals_count_turns_and_calls_over_all_conversations():
    first = trajectory(tool_call("get_order", {"id": 1}), tool_call("issue_refund", {"amount": 39}, index=3))
    result = totals(recording("x", first, trajectory(turns=(turn(interaction=1),))), AT)
    assert (result.turns, result.calls) == (2, 2)
    assert result.usage == Usage(input_tokens=2000, output_tokens=200)
    assert result.cost == 2 * turn_cost(turn(), AT)


def test_an_interaction_that_two_conversations_begin_with_is_paid_once():
    result = totals(recording("x", trajectory(), trajectory()), AT)
    assert result.usage == Usage(input_tokens=1000, output_tokens=100)
    assert result.cost == turn_cost(turn(), AT)


@pytest.mark.parametrize(
    ("second", "known"),
    [
        (turn(2, usage=None, http_status=401), True),
        (turn(2, usage=None, http_status=200), False),
        (turn(2, usage=None, http_status=None), False),
        (turn(2, model="mystery", requested_model=None), False),
    ],
    ids=["refused", "answered", "at the SDK", "unknown model"],
)
def test_one_unknown_price_leaves_the_sum_unknown_but_a_refused_call_is_not_billed(second, known):
    result = totals(recording("x", trajectory(turns=(turn(), second))), AT)
    assert (result.cost == turn_cost(turn(), AT)) if known else result.cost is None


def test_a_recording_without_model_calls_has_neither_usage_nor_cost():
    result = totals(recording("x", trajectory(turns=())), AT)
    assert (result.usage, result.cost, result.turns) == (None, None, 0)


def test_a_bill_sums_what_has_a_price_and_names_the_models_of_the_rest():
    usage = Usage(input_tokens=MILLION, output_tokens=0)
    turns = [
        turn(1, usage=usage, model="claude-3-7-sonnet-20250219", end=2),
        turn(2, usage=usage, model="synthetic-1", requested_model="synthetic-1", first=2, end=3),
        turn(3, usage=None, model=None, requested_model=None, first=3, end=4),
        turn(4, usage=None, http_status=401, first=4, end=5),
    ]
    told = bill(recording("x", trajectory(turns=turns)), AT)
    assert told == Bill(Decimal(3), 1, ("synthetic-1", None))
