"""What the page of one pair offers beside its verdict, run without a browser."""

import pytest
from dashboard import state

from reviewlib.model.review import Ignored
from tests.app.reviews import review, story
from tests.app.test_pages import AMOUNT, REFUND, button, opened, param, press, text

pytestmark = pytest.mark.usefixtures("table")
PROMPT, PROMPT_TOO = "tests/cassettes/prompt.yaml", "tests/cassettes/prompt-too.yaml"


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(state, "SETTLE_SECONDS", 0.0)


def test_one_goes_from_pair_to_pair_of_one_kind():
    app = press(opened(pair=PROMPT), "Next alike")
    assert (param(app, "pair"), param(app, "kind")) == (PROMPT_TOO, "system_prompt")
    press(app, "Next alike")
    assert param(app, "pair") == PROMPT


def test_the_kind_is_forgotten_when_one_goes_elsewhere():
    app = press(press(opened(pair=PROMPT), "Next alike"), "Previous")
    assert param(app, "kind") is None


def test_without_another_of_its_kind_the_button_says_so():
    alone = button(opened(pair=AMOUNT), "Next alike")
    assert alone.disabled
    assert alone.help == "No other pair here is about: arguments"


def test_what_was_not_compared_is_one_fold_with_its_names(table):
    counted = (Ignored(what="headers", count=14, names=("date", "<cf-ray>")), Ignored(what="times", count=1))
    table.review = review(*(one.model_copy(update={"ignored": counted}) for one in story().pairs))
    shown = text(opened(pair=REFUND))
    assert "<summary>15 differences not compared</summary>" in shown
    assert "<b>14</b> headers" in shown
    assert "date, &lt;cf-ray&gt;" in shown


def test_where_nothing_was_left_out_nothing_is_said():
    assert "not compared" not in text(opened(pair=REFUND))
