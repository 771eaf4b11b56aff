import pytest
from dashboard.state import Selection


@pytest.mark.parametrize(
    "selection",
    [
        Selection(),
        Selection(pair="tests/cassettes/a [x] & b?.yaml"),
        Selection(pair="a", view="usage", side="baseline"),
        Selection(ranks=("behaviour", "request"), states=("open",), cause="abc", search="refund 39"),
    ],
)
def test_a_selection_survives_its_address(selection):
    assert Selection.of(selection.params()) == selection


def test_the_usual_is_not_in_the_address():
    assert Selection().params() == {}
    assert Selection(pair="a").params() == {"pair": "a"}


def test_an_outdated_address_still_opens():
    assert Selection.of({"view": "hologram", "rank": "behaviour,terrible", "state": "", "more": "x"}) == Selection(
        ranks=("behaviour",)
    )


@pytest.mark.parametrize(
    ("selection", "filtered"),
    [
        (Selection(), False),
        (Selection(pair="a"), False),
        (Selection(search="x"), True),
        (Selection(states=("open",)), True),
    ],
)
def test_a_filter_is_told_from_an_open_pair(selection, filtered):
    assert selection.filtered is filtered
