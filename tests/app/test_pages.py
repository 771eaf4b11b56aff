"""The pages, run without a browser."""

from pathlib import Path

import pytest
import streamlit as st
from dashboard import decide, state
from streamlit.testing.v1 import AppTest

from reviewlib.errors import RepositoryError
from reviewlib.verdicts import Reviewer
from tests.app.desk import ME
from tests.app.reviews import ORDER, conversation, pair, review, story

MAIN = Path(__file__).parents[2] / "app" / "main.py"
pytestmark = pytest.mark.usefixtures("table")

AMOUNT = "tests/cassettes/amount.yaml"
REFUND = "tests/cassettes/refund.yaml"


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """Most tests are not about the time that a pair must have been shown."""
    monkeypatch.setattr(state, "SETTLE_SECONDS", 0.0)


def opened(**params):
    app = AppTest.from_file(str(MAIN), default_timeout=20)
    for name, value in params.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def text(app):
    return "\n".join(element.proto.body for element in app.get("html"))


def button(app, label):
    return next(one for one in app.button if one.label == label)


def press(app, label):
    button(app, label).click()
    app.run()
    assert not app.exception
    return app


def param(app, name):
    value = app.query_params.get(name)
    return value[0] if isinstance(value, list) else value


def test_the_queue_shows_what_the_comparison_comes_to():
    app = opened()
    assert "main (1111111111) → working tree" in text(app)
    assert "<b>10</b> changed cassettes" in text(app)
    assert "<b>2 cassettes</b> share: system prompt edited" in text(app)


def test_a_pair_shows_its_evidence_before_its_buttons():
    app = opened(pair=AMOUNT)
    assert "<h1>issue_refund.amount 39 → 390</h1>" in text(app)
    assert "<del>39</del>" in text(app)
    assert "<ins>390</ins>" in text(app)
    assert [one.label for one in app.button][:3] == ["View", "Approve", "Flag"]


def test_an_approval_is_written_and_the_next_open_pair_opens(table):
    app = press(opened(pair=REFUND), "Approve")
    (entry,) = table.ledger.written
    assert (entry.verdict, entry.pair.path, entry.reviewer) == ("approve", REFUND, ME)
    assert table.ledger.contents["b" * 40].startswith(b"interactions: []")
    assert param(app, "pair") == AMOUNT
    assert f"Approved {REFUND}" in text(app)


def test_a_flag_carries_the_comment(table):
    app = opened(pair=REFUND)
    app.text_input[0].input("  the policy check is gone ")
    press(app, "Flag")
    (entry,) = table.ledger.written
    assert (entry.verdict, entry.comment) == ("flag", "the policy check is gone")
    shown = text(opened(pair=REFUND))
    assert "flagged by Mona Reviewer" in shown
    assert "the policy check is gone" in shown


def test_a_comment_leaves_the_pair_open_and_on_the_screen(table):
    app = opened(pair=REFUND)
    app.text_input[0].input("why?")
    press(app, "Comment")
    assert [entry.kind for entry in table.ledger.written] == ["comment"]
    assert param(app, "pair") == REFUND


def test_an_empty_comment_is_refused_with_a_sentence(table):
    app = press(opened(pair=REFUND), "Comment")
    assert table.ledger.written == []
    assert "Type the comment first" in text(app)


def test_skipping_leaves_the_pair_open(table):
    app = press(opened(pair=REFUND), "Skip")
    assert table.ledger.written == []
    assert param(app, "pair") == AMOUNT


def test_undo_takes_the_last_entry_back_and_returns_to_its_pair(table):
    app = press(press(opened(pair=REFUND), "Approve"), "Undo")
    approved, undone = table.ledger.written
    assert (undone.kind, undone.undoes) == ("withdraw", approved.id)
    assert param(app, "pair") == REFUND
    assert "Undo" not in [one.label for one in app.button]


def test_a_verdict_can_be_withdrawn_in_another_session(table):
    press(opened(pair=REFUND), "Approve")
    press(opened(pair=REFUND), "Withdraw")
    assert [entry.kind for entry in table.ledger.written] == ["verdict", "withdraw"]
    assert "Withdraw" not in [one.label for one in opened(pair=AMOUNT).button]


def test_a_second_press_writes_nothing_and_goes_on(table):
    press(opened(pair=REFUND), "Approve")
    app = press(opened(pair=REFUND), "Approve")
    assert len(table.ledger.written) == 1
    assert param(app, "pair") == AMOUNT


def test_the_walk_stays_inside_the_filter_and_ends_in_the_queue():
    app = press(opened(pair="tests/cassettes/wording.yaml", rank="cosmetic"), "Approve")
    assert param(app, "pair") is None
    assert param(app, "rank") == "cosmetic"


def test_previous_and_next_follow_the_order_on_the_screen():
    app = press(opened(pair=REFUND), "Next")
    assert param(app, "pair") == AMOUNT
    app = press(app, "Previous")
    assert param(app, "pair") == REFUND
    assert param(press(app, "Queue"), "pair") is None


def test_an_unreadable_pair_says_where_it_stopped_and_cannot_be_approved(table):
    app = opened(pair="tests/cassettes/cut-off.json")
    assert "at stage <b>decode</b>: JSON ends in the middle of a string at line 41" in text(app)
    assert button(app, "Approve").disabled
    press(app, "Flag")
    assert table.ledger.written[0].verdict == "flag"


def test_a_pair_that_had_only_just_appeared_is_not_approved(table, monkeypatch):
    monkeypatch.setattr(state, "SETTLE_SECONDS", 30.0)
    app = press(opened(pair=REFUND), "Approve")
    assert table.ledger.written == []
    assert "only just appeared" in text(app)
    assert param(app, "pair") == REFUND


def test_content_that_has_moved_since_it_was_shown_is_refused(table):
    app = opened(pair=REFUND)
    changed = pair(REFUND, conversation([ORDER], "Hi."), conversation([ORDER], [ORDER], "Hi."))
    table.review = review(changed, *(one for one in story().pairs if one.path != REFUND))
    press(app, "Approve")
    assert table.ledger.written == []
    assert "has changed since it was shown" in text(app)


def test_a_pair_that_is_gone_is_refused(table):
    app = opened(pair=REFUND)
    table.review = review(*(one for one in story().pairs if one.path != REFUND))
    press(app, "Approve")
    assert "is no longer part of this comparison" in text(app)


def test_a_repository_that_cannot_be_written_gets_a_sentence(table):
    table.ledger.complaint = "the verdict was not recorded: the repository is read-only"
    app = press(opened(pair=REFUND), "Approve")
    assert "The verdict was not recorded: the repository is read-only" in text(app)
    assert param(app, "pair") == REFUND


def test_two_folders_can_be_read_but_take_no_verdict(table):
    table.repository = None
    app = opened(pair=REFUND)
    assert "Verdicts are kept in a git repository" in text(app)
    assert "Approve" not in [one.label for one in app.button]


def test_a_reviewer_without_a_name_is_told_what_to_set(table, monkeypatch):
    def nobody(_self):
        raise RepositoryError("git does not know who you are")

    monkeypatch.setattr(type(table.repository), "reviewer", nobody)
    app = opened(pair=REFUND)
    assert "git does not know who you are" in text(app)
    assert "Approve" not in [one.label for one in app.button]


def test_another_reviewers_flag_stays_until_they_change_it(table):
    press(opened(pair=REFUND), "Flag")
    table.repository.me = Reviewer(name="Nils", email="nils@example.org")
    st.cache_resource.clear()
    press(opened(pair=REFUND), "Approve")
    assert len(table.ledger.written) == 2
    assert "flagged by Mona Reviewer" in text(opened(pair=REFUND))


def test_a_flagged_pair_shows_how_it_is_recorded_anew(table):
    command = "pytest --record-mode=rewrite tests/test_refund.py"
    pairs = [one.model_copy(update={"record_command": command}) for one in story().pairs]
    table.review = review(*pairs)
    assert command not in text(opened(pair=REFUND))
    press(opened(pair=REFUND), "Flag")
    assert command in text(opened(pair=REFUND))


@pytest.mark.parametrize(
    ("params", "shown"),
    [
        ({}, 9),
        ({"rank": "identical"}, 1),
        ({"rank": "behaviour,unreadable"}, 6),
        ({"q": "check_refund_policy amount"}, 5),
        ({"q": "nothing like it"}, 0),
        ({"state": "approved"}, 0),
        ({"rank": "nonsense"}, 9),
    ],
)
def test_the_address_filters_the_queue(table, params, shown):
    from dashboard.pages import queue

    selected = state.Selection.of(params)
    assert len(queue.visible(table.desk(), selected)) == shown
    assert ("No pair matches" in text(opened(**params))) is (shown == 0)


def test_what_must_not_be_merged_stands_above_the_queue_until_it_is_decided(table):
    failed = next(one.path for one in table.review.pairs if any(each.severity == "error" for each in one.findings))
    shown = text(opened())
    assert 0 < shown.index("error: HTTP 401 was recorded in place of an answer, new in 1 of") < shown.index("<h1>")
    press(opened(pair=failed), "Approve")
    assert "error: HTTP 401" not in text(opened())


def test_a_shared_cause_filters_to_its_pairs(table):
    from dashboard.pages import queue

    (cause,) = table.review.causes
    found = queue.visible(table.desk(), state.Selection(cause=cause.signature))
    assert {one.path for one in found} == set(cause.pairs)
    app = press(opened(), "Only these")
    assert param(app, "cause") == cause.signature
    assert param(press(app, "Show all"), "cause") is None


def test_counts_filter_when_they_are_clicked():
    app = opened()
    app.button_group[0].set_value(["cosmetic"])
    app.run()
    assert param(app, "rank") == "cosmetic"


def test_next_open_passes_over_what_is_decided(table):
    first, second = (one.path for one in table.review.pairs[:2])
    press(opened(pair=first), "Approve")
    assert param(press(opened(), "Next open"), "pair") == second


def test_the_walk_goes_around_the_end(table):
    desk = table.desk()
    paths = [one.path for one in desk.review.pairs]
    assert decide.next_open(desk, paths[-1], paths) == paths[0]
    assert decide.next_open(desk, paths[0], paths[:1]) is None


def test_without_a_changed_cassette_the_page_says_what_to_do(table):
    table.review = review()
    assert "No cassette differs" in text(opened())
    assert "3 changed files are no cassettes" in text(opened())


def test_a_link_to_a_pair_that_is_gone_leads_to_the_queue():
    shown = text(opened(pair="tests/cassettes/elsewhere.yaml"))
    assert "is not part of this comparison" in shown
    assert "changed cassettes" in shown


def test_an_error_of_ours_is_one_sentence(monkeypatch):
    def broken():
        raise RepositoryError("no revision 'mian'; near it is main")

    monkeypatch.setattr("dashboard.load.desk", broken)
    assert "no revision &#x27;mian&#x27;; near it is main" in text(opened())


def test_usage_is_a_table_and_charts():
    app = opened(pair=REFUND, view="usage")
    assert "<th scope='row'>input tokens</th><td>2,800</td><td>1,920</td><td>−880</td><td>−31%</td>" in text(app)
    assert len(app.get("vega_lite_chart")) + len(app.get("arrow_vega_lite_chart")) == 3


def test_the_raw_text_is_shown_masked():
    app = opened(pair=REFUND, view="raw")
    shown = [one.value for one in app.code]
    assert len(shown) == 2
    assert all("interactions: []" in one and "sk-secret-1234567890abcdef" not in one for one in shown)


def test_inspect_shows_either_side_as_a_conversation():
    def page():
        from dashboard.components import page as frame
        from dashboard.pages import inspect as shown

        frame.style()
        shown.render()

    app = AppTest.from_function(page, default_timeout=20)
    app.query_params["pair"] = REFUND
    app.run()
    assert not app.exception
    assert "check_refund_policy" not in text(app)
    app.query_params["side"] = "baseline"
    app.run()
    assert "check_refund_policy" in text(app)


def test_a_hostile_name_is_text_in_every_message(table):
    name = "tests/cassettes/<img src=x onerror=alert(1)>.yaml"
    table.review = review(pair(name, conversation([ORDER], "Hi."), conversation("Hi.")))
    shown = text(press(opened(pair=name), "Flag")) + text(opened(pair="<script>")) + text(opened(pair=name))
    assert "<img" not in shown
    assert "<script>" not in shown


DENIED = "tests/cassettes/denied.yaml"


def finding_choice(app):
    return next(one for one in app.selectbox if one.key == "filter-code")


def test_the_queue_is_narrowed_to_one_kind_of_finding(table):
    from dashboard.pages import queue

    app = opened()
    assert finding_choice(app).value is None
    assert "1 recorded-failure" in finding_choice(app).options
    finding_choice(app).select("recorded-failure").run()
    assert param(app, "code") == "recorded-failure"
    shown = queue.visible(table.desk(), state.Selection(code="recorded-failure"))
    assert [one.path for one in shown] == [DENIED]
    finding_choice(app).select_index(None).run()
    assert "code" not in app.query_params


def test_a_link_to_a_kind_of_finding_that_is_not_there_says_so_and_lets_go():
    app = opened(code="no-such-finding")
    assert "No pair matches" in text(app)
    assert "No pair matches" not in text(press(app, "Clear all filters"))


def test_a_finding_says_in_its_tooltip_what_it_means():
    assert "More: docs/findings.md, recorded-failure." in text(opened(pair=DENIED))
