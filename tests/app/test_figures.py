from decimal import Decimal

import pytest
from dashboard import figures

from reviewlib.model.call import Usage
from reviewlib.model.review import Totals
from tests.app.test_present import story_pair


def totals(tokens_in, tokens_out, cost=None):
    usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
    return Totals(usage=usage, cost=None if cost is None else Decimal(cost), turns=2, calls=1)


@pytest.mark.parametrize(
    ("before", "after", "moved", "share"),
    [
        (100, 112, "+12", "+12%"),
        (2_000, 1_000, "−1,000", "−50%"),
        (5, 5, "", ""),
        (None, 5, "", ""),
        (5, None, "", ""),
        (0, 5, "+5", ""),
    ],
)
def test_a_move_is_shown_only_where_both_sides_are_known(before, after, moved, share):
    assert figures.moved(before, after) == moved
    assert figures.share(before, after) == share


@pytest.mark.parametrize(
    ("baseline", "head", "shown"),
    [
        ("0.0100", "0.0112", "+$0.0012"),
        ("2", "1.50", "−$0.5000"),
        ("1", "3", "+$2.00"),
        (None, "1", ""),
        ("1", "1", ""),
        ("1", "1.00001", ""),
    ],
)
def test_the_cost_moves_in_dollars(baseline, head, shown):
    assert figures.moved_cost(totals(1, 1, baseline), totals(1, 1, head)) == shown


def test_missing_usage_is_not_recorded_and_never_0():
    one = story_pair("denied.yaml")
    shown = {figure.name: figure for figure in figures.figures(one)}
    assert shown["input tokens"].head == "not recorded"
    assert shown["input tokens"].delta == ""


def test_the_side_that_is_absent_has_no_figures():
    shown = {figure.name: figure for figure in figures.figures(story_pair("new.yaml"))}
    assert shown["turns"].baseline == "–"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "not recorded"),
        (0.0046, "4.6 ms"),
        (0.47, "470 ms"),
        (1, "1.0 s"),
        (12.44, "12.4 s"),
        (4000, "4,000.0 s"),
    ],
)
def test_a_duration_is_written_in_the_unit_that_one_reads(value, text):
    assert figures.seconds(value) == text


def test_the_latency_of_a_pair_is_shown_where_a_side_tells_it_and_not_recorded_on_the_other():
    one = story_pair("denied.yaml")
    told = one.model_copy(
        update={"baseline_totals": Totals(seconds=1.5), "head_totals": Totals(seconds=2.25), "diff": None}
    )
    assert figures.figures(told)[-1] == figures.Figure("latency", "1.5 s", "2.2 s", "+750 ms", "+50%")
    half = told.model_copy(update={"head_totals": Totals()})
    assert figures.figures(half)[-1] == figures.Figure("latency", "1.5 s", "not recorded", "", "")
    assert "latency" not in {figure.name for figure in figures.figures(one)}
