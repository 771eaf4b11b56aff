from collections import Counter

import pytest

from reviewlib.diff.facts import facts, negations, run_facts, with_plain_numbers
from tests.trajectories import C, T, trajectory


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I refunded $39.00 for order 4471.", {"39", "4471"}),
        ("That is $1,390.50 in total", {"1390.5"}),
        ("-5 degrees, 3.50", {"-5", "3.5"}),
        ("Refund rf_88 is on its way (ORD-4471-EU)", {"rf_88", "ORD-4471-EU"}),
        ("placed 2026-11-02, shipped 2026-11-03T10:00:00Z", {"2026-11-02", "2026-11-03T10:00:00Z"}),
        ("see https://example.com/a?b=1.", {"https://example.com/a?b=1"}),
        ("nothing to see here", set()),
        ("", set()),
    ],
)
def test_facts_are_found_in_canonical_writing(text, found):
    assert set(facts(text)) == found


def test_facts_are_counted():
    assert facts("39 and 39.00") == Counter({"39": 2})


def test_the_facts_of_a_run_are_those_of_its_user_arguments_and_results():
    run = trajectory(
        T([C("get_order", {"order_id": "4471"}, {"total": 39.0, "ok": True, "note": "by 2026-11-02"})]),
        user="Refund order 4471 at once, 5 times",
    )
    assert run_facts(run) == {"4471", "5", "39", "2026-11-02"}


@pytest.mark.parametrize(
    ("text", "count"), [("I did not refund", 1), ("I can't, never", 2), ("I did refund; nothing else", 0)]
)
def test_negations_are_counted(text, count):
    assert negations(text) == count


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("$1,390.00 of 2,000.50", "$1390 of 2000.5"),
        ("39.0 and 39", "39 and 39"),
        (
            "ORD-007 on 2026-11-02, see https://example.com/1,000.00",
            "ORD-007 on 2026-11-02, see https://example.com/1,000.00",
        ),
        ("v1.20 of 007", "v1.20 of 7"),
        ("", ""),
    ],
)
def test_numbers_are_written_in_one_way_and_ids_dates_and_addresses_stay(text, plain):
    assert with_plain_numbers(text) == plain
