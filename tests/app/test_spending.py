from decimal import Decimal

import pytest
from dashboard import spending

from reviewlib.model.review import Totals
from tests.app.reviews import AT, ORDER, POLICY, conversation, pair, review, story


@pytest.mark.parametrize(
    ("before", "after", "absolute", "percent", "times"),
    [(100, 150, 50, 0.5, 1.5), (200, 100, -100, -0.5, 0.5), (0, 5, 5, None, None), (7, 7, 0, 0, 1)],
)
def test_a_move_has_three_units(before, after, absolute, percent, times):
    shifts = [spending.shift(before, after, unit) for unit in spending.UNITS]
    assert shifts == [absolute, percent, times]


@pytest.mark.parametrize(
    ("before", "after", "unit", "text"),
    [
        (100, 150, "absolute", "+50"),
        (2_000, 1_000, "absolute", "−1,000"),
        (100, 150, "percent", "+50%"),
        (150, 100, "percent", "−33%"),
        (100, 150, "times", "1.50×"),
        (0, 5, "percent", "new"),
        (5, 5, "percent", ""),
        (None, 5, "absolute", ""),
        (5, None, "times", ""),
    ],
)
def test_a_move_is_written_in_its_unit(before, after, unit, text):
    assert spending.written_shift(before, after, unit) == text


def test_money_moves_in_dollars():
    measure = spending.BY_NAME["cost"]
    assert spending.written_shift(0.01, 0.0112, "absolute", measure.written) == "+$0.0012"
    assert measure.written(-1.5) == "−$1.50"


def test_a_cassette_that_does_not_say_is_in_no_figure():
    paths = {point.path.rpartition("/")[2] for point in spending.points(story(), spending.BY_NAME["tokens"])}
    assert paths == {
        "refund.yaml",
        "amount.yaml",
        "order.yaml",
        "prompt.yaml",
        "prompt-too.yaml",
        "wording.yaml",
        "noise.yaml",
    }


def test_turns_are_known_where_tokens_are_not():
    paths = {point.path.rpartition("/")[2] for point in spending.points(story(), spending.BY_NAME["turns"])}
    assert "denied.yaml" in paths
    assert "new.yaml" not in paths


def test_totals_are_over_the_same_cassettes_on_both_sides():
    totals = {measure.name: (line.before, line.after, count) for measure, line, count in spending.in_total(story())}
    assert totals["turns"] == (28, 26, 8)
    assert totals["output"][2] == 7
    assert "reasoning" not in totals


def test_the_biggest_movers_come_first_and_what_stayed_is_none():
    found = spending.points(story(), spending.BY_NAME["tokens"])
    most = spending.movers(found, "absolute")
    assert [point.path.rpartition("/")[2] for point in most] == ["refund.yaml"]
    assert spending.movers(found, "times")[0].moved("times") < 1


def test_tools_are_counted_on_both_sides():
    lines = {line.name: (line.before, line.after) for line in spending.by_tool(story())}
    assert lines["check_refund_policy"] == (6, 5)
    assert lines["get_order"] == (9, 8)


def test_stop_reasons_are_counted():
    lines = {line.name: (line.before, line.after) for line in spending.by_stop_reason(story())}
    assert lines["error"] == (0, 1)


def test_models_are_told_apart_by_side_and_an_unknown_sum_is_unknown():
    one = review(
        pair("a.yaml", conversation([ORDER], "Done."), conversation([ORDER], "Done.", model="claude-sonnet-5")),
        pair("b.yaml", conversation("HTTP 401"), conversation([POLICY], "Done.")),
    )
    lines = {(line.model, line.side): line for line in spending.by_model(one, AT)}
    assert lines["claude-sonnet-5", "head"].turns == 2
    assert lines["claude-sonnet-4-5", "baseline"].input_tokens is None
    assert isinstance(lines["claude-sonnet-4-5", "head"].cost, Decimal)


def test_latency_is_a_measure_of_the_cassettes_that_tell_it_on_both_sides():
    measure = spending.BY_NAME["latency"]
    pairs = [one for one in story().pairs if one.significance is not None and one.status == "modified"]
    sides = [(Totals(seconds=1.5), Totals(seconds=3)), (Totals(seconds=1), Totals())]
    known = [
        one.model_copy(update={"baseline_totals": before, "head_totals": after})
        for one, (before, after) in zip(pairs, sides, strict=False)
    ]
    (point,) = spending.points(review(*known), measure)
    assert (point.before, point.after) == (1.5, 3)
    assert measure.written(-0.25) == "−250 ms"
    assert "latency" not in {line.name for _, line, _ in spending.in_total(story())}
