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
