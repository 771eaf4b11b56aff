"""Groups, usage and inspect, run without a browser: what they show, what they say where there is nothing, and where they lead."""

import json

import pytest
from dashboard import look, state
from streamlit.testing.v1 import AppTest

from reviewlib import pipeline
from reviewlib.model.cassette import Exchange, Request
from reviewlib.policy import DEFAULT_POLICY
from reviewlib.verdicts import verdict_entry
from tests.app.desk import ME
from tests.app.reviews import AT, ORDER, broken, conversation, recording, review, story
from tests.app.reviews import pair as compared
from tests.app.test_pages import button, opened, press, text

pytestmark = pytest.mark.usefixtures("table")
REFUND, NEW = "tests/cassettes/refund.yaml", "tests/cassettes/new.yaml"


def groups_page():
    from dashboard.components import page
    from dashboard.pages import groups

    page.style()
    groups.render()


def usage_page():
    from dashboard.components import page
    from dashboard.pages import usage

    page.style()
    usage.render()


def inspect_page():
    from dashboard.components import page
    from dashboard.pages import inspect

    page.style()
    inspect.render()


def shown(page, **params):
    app = AppTest.from_function(page, default_timeout=20)
    for name, value in params.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def charts(app):
    return app.get("vega_lite_chart") + app.get("arrow_vega_lite_chart")


# Groups


def test_a_group_is_a_card_with_what_it_shares_and_how_many_wait():
    said = text(shown(groups_page))
    assert "<h1>1 group of cassettes that changed alike</h1>" in said
    assert "<b>2</b> cassettes" in said
    assert "<b>2</b> waiting for a decision" in said
    assert "system prompt edited" in said


def test_where_nothing_changed_alike_the_groups_lead_to_the_queue(table):
    table.review = review(compared("a", conversation([ORDER], "Done."), conversation("Done.")))
    app = shown(groups_page)
    assert "No two cassettes changed alike" in text(app)
    press(app, "Open the queue")
    assert app.session_state["jump"] == state.Jump("review", {})


def test_a_decided_group_says_so(table):
    for number, path in enumerate(("tests/cassettes/prompt.yaml", "tests/cassettes/prompt-too.yaml")):
        entry = verdict_entry(table.desk().pair(path), "approve", ME, at=AT, entry_id=f"{number}")
        table.ledger.append([entry], {})
    assert "all decided" in text(shown(groups_page))


# Usage


def test_usage_adds_both_sides_up_over_the_same_cassettes():
    app = shown(usage_page)
    said = text(app)
    assert "<h1>Usage of 10 changed cassettes</h1>" in said
    assert "<caption>In total, over 8 cassettes</caption>" in said
    assert "<th scope='row'>check_refund_policy</th><td>6</td><td>5</td><td>−1</td>" in said
    assert len(charts(app)) == 3


@pytest.mark.parametrize(("unit", "written"), [("percent", "−17%"), ("times", "0.83×")])
def test_differences_flip_between_absolute_percent_and_times(unit, written):
    said = text(shown(usage_page, unit=unit))
    assert f"<th scope='row'>check_refund_policy</th><td>6</td><td>5</td><td>{written}</td>" in said


def test_the_measure_of_the_charts_is_in_the_address():
    app = shown(usage_page, measure="calls")
    assert app.selectbox[0].value == "calls"
    app.selectbox[0].set_value("output").run()
    assert app.query_params["measure"] in ("output", ["output"])


def test_without_any_usage_the_page_says_so(table):
    table.review = review(broken("tests/cassettes/cut-off.json"))
    assert "No usage recorded" in text(shown(usage_page))


def test_where_nothing_moved_no_chart_pretends_so(table):
    same = conversation([ORDER], "Done.")
    table.review = review(compared("a", same, same))
    assert "Nothing moved." in text(shown(usage_page))


# Inspect


def test_a_search_inside_keeps_the_steps_that_hold_all_words():
    said = text(shown(inspect_page, path=REFUND, side="baseline", find="policy refundable"))
    assert "1 of 6 steps hold “policy refundable”." in said


def test_a_side_that_is_not_there_is_said():
    assert "There is no baseline" in text(shown(inspect_page, pair=NEW, side="baseline"))


def test_an_unreadable_cassette_says_why_and_where_its_text_is():
    said = text(shown(inspect_page, path="tests/cassettes/cut-off.json"))
    assert "cannot be read at stage decode: JSON ends in the middle" in said


def test_without_any_cassette_one_can_still_type_a_path(table):
    table.review = review()
    assert "Type the path of any cassette" in text(shown(inspect_page))


def test_outside_a_repository_only_what_differs_can_be_opened(table):
    table.repository = None
    assert "only the cassettes that differ can be opened" in text(shown(inspect_page, path="elsewhere.yaml"))
    assert "No history" in text(shown(inspect_page, path=REFUND, view="history"))


def test_two_cassettes_are_compared_by_hand():
    said = text(shown(inspect_page, path=REFUND, view="compare", **{"with": "tests/cassettes/amount.yaml"}))
    assert "compared by hand, no verdict is kept" in said
    assert "drops check_refund_policy" in said


def test_an_other_that_is_unreadable_is_told_beside_the_first():
    said = text(
        shown(inspect_page, path=REFUND, view="compare", with_ref="@head", **{"with": "tests/cassettes/cut-off.json"})
    )
    assert "cannot be read" in said


# Why would a request miss?


def asking(path, *texts):
    """A recording that holds these requests."""
    made = recording(path, conversation([ORDER], "Done."))
    requests = [
        Request(method="POST", uri="https://api.example.org/v1", body={"model": "m", "messages": [{"content": text}]})
        for text in texts
    ]
    exchanges = tuple(Exchange(index=number, request=one, response=None) for number, one in enumerate(requests))
    return made.model_copy(update={"cassette": made.cassette.model_copy(update={"interactions": exchanges})})


@pytest.fixture
def requests(table):
    before, after = asking("a", "Refund 4471", "Thank you"), asking("a", "Refund 4472", "Thank you")
    elsewhere = asking("b", "Refund 39")
    table.review = review(
        pipeline.compare(before, after, DEFAULT_POLICY, AT), pipeline.compare(elsewhere, None, DEFAULT_POLICY, AT)
    )


@pytest.mark.usefixtures("requests")
def test_a_request_of_the_other_side_is_picked_and_compared():
    app = shown(inspect_page, path="a", view="miss")
    picker = app.selectbox(key="picked-request")
    assert picker.options == [
        "Paste a request",
        "1 · POST https://api.example.org/v1 m",
        "2 · POST https://api.example.org/v1 m",
    ]
    picker.set_value(1).run()
    said = text(app)
    assert "<del>Refund 4471</del>" not in said  # recorded is the head's, asked is the baseline's
    assert "body.messages[0].content" in said
    assert "Refund 4472" in said
    assert "Refund 4471" in said


@pytest.mark.usefixtures("requests")
def test_a_request_that_is_held_says_that_nothing_differs():
    assert "Nothing differs in what was asked" in text(shown(inspect_page, path="a", view="miss", request="2"))


@pytest.mark.usefixtures("requests")
def test_a_request_of_any_other_cassette_can_be_asked_for():
    said = text(shown(inspect_page, path="a", view="miss", request="1", **{"with": "b"}))
    assert "Refund 39" in said


@pytest.mark.usefixtures("requests")
def test_from_the_baseline_one_asks_with_the_head():
    said = text(shown(inspect_page, path="a", ref=look.BASELINE, view="miss", request="1"))
    assert "Refund 4472" in said


@pytest.mark.usefixtures("requests")
@pytest.mark.parametrize("number", ["99", "0", "x"])
def test_a_number_that_no_request_has_leaves_the_paste(number):
    app = shown(inspect_page, path="a", view="miss", request=number)
    app.text_area[0].set_value(json.dumps({"model": "m", "messages": [{"content": "Thank you"}]}))
    button(app, "Compare").click()
    app.run()
    assert "Nothing differs in what was asked" in text(app)


def test_a_format_without_requests_says_so():
    assert "holds no requests" in text(shown(inspect_page, path=REFUND, view="miss"))


# The queue without anything in it


def test_the_queue_names_the_last_commit_that_recorded_something(table):
    table.review, table.repository.recorded = review(), "1a2b3c4"
    assert "<pre>cassette-review open 1a2b3c4^..1a2b3c4</pre>" in text(opened())


def test_without_such_a_commit_it_names_two_sides(table):
    table.review = review()
    assert "<pre>cassette-review open main...HEAD</pre>" in text(opened())


def test_a_filter_that_leaves_nothing_can_be_cleared():
    app = opened(q="no such words anywhere")
    assert "No pair matches" in text(app)
    press(app, "Clear all filters")
    assert "No pair matches" not in text(app)


def test_the_story_has_one_group():
    assert [len(group.pairs) for group in story().groups if len(group.pairs) > 1] == [2]
