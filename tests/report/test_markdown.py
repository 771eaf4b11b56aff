"""The comment on a pull request, and what recorded text cannot do to a forge."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.model.review import Group
from reviewlib.report import markdown
from reviewlib.summary import summarise
from reviewlib.verdicts import Reviewer, Verdict, verdict_entry
from reviewlib.verdicts import states as verdict_states
from tests.report.hostile import hostile_review
from tests.reviews import (
    example,
    pair,
    review,
    states,
)

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def commented(what, known=None):
    known = known or {}
    return markdown.render(what, known, summarise(what, known))


def test_the_comment_is_a_table_with_a_row_for_each_pair_or_group():
    printed = commented(example(), states(**{"tests/cassettes/g1.yaml": "approved"}))
    rows = [line.split(" | ")[0].strip("| ") for line in printed.splitlines() if line.startswith("| ")][1:]
    assert rows == ["unreadable", "behaviour", "behaviour", "request", "cosmetic", "identical"]
    assert "<details><summary>3 cassettes</summary>" in printed
    assert "| decided in part: 2 open, 1 approved |" in printed
    assert all(
        line.count(" | ") == 3 for line in printed.splitlines() if line.startswith("| ") and "cassette" not in line[:4]
    )


@pytest.mark.parametrize(
    ("recorded_text", "harmless"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert\\(1\\)&lt;/script&gt;"),
        ("![x](http://e.org/a.png)", "\\!\\[x\\]\\(http:\u200b//e.org/a.png\\)"),
        ("a | b", "a \\| b"),
        ("ping @octocat", "ping @\u200boctocat"),
        ("fixes #12, GH-3", "fixes \\#\u200b12, GH-\u200b3"),
        ("www.example.org", "www\u200b.example.org"),
        ("&lt;img&gt;", "&amp;\u200blt;img&amp;\u200bgt;"),
        ("`code` *bold* _it_ ~no~ $x$", "\\`code\\` \\*bold\\* \\_it\\_ \\~\u200bno\\~ \\$\u200bx\\$"),
        ("back\\slash\\|", "back\\\\slash\\\\\\|"),
        ("two\n\nlines", "two lines"),
    ],
)
def test_recorded_text_stays_text_in_a_comment(recorded_text, harmless):
    printed = commented(review(pair("x", "behaviour", headline=recorded_text)))
    assert f"| {harmless} |" in printed


@given(st.text(max_size=80))
def test_no_recorded_text_breaks_out_of_its_cell(recorded_text):
    printed = commented(hostile_review(recorded_text))
    (row,) = [line for line in printed.splitlines() if line.startswith("| behaviour")]
    unescaped = re.sub(r"\\.", "", row)
    assert unescaped.count("|") == 5
    assert set(re.findall(r"<[^>]*>", row)) == {"<code>", "</code>"}


def test_a_path_in_a_comment_can_be_copied_as_it_is():
    assert "<code>tests/test\\_a\\[@b\\].yaml</code>" in commented(review(pair("tests/test_a[@b].yaml")))


def test_a_comment_stays_within_the_limit_of_a_forge_and_counts_what_it_leaves_out():
    many = review(*(pair(f"tests/cassettes/{'x' * 80}{number}.yaml", headline="y" * 100) for number in range(1000)))
    printed = commented(many)
    assert len(printed) <= markdown.LIMIT
    rows = printed.count("\n| behaviour")
    assert rows > 200
    assert f"_{1000 - rows} more rows did not fit into a comment; `cassette-review diff` shows all._" in printed


def test_a_group_of_hundreds_leaves_room_for_the_others():
    members = tuple(pair(f"tests/cassettes/{'x' * 100}{number}.yaml", signature="s") for number in range(2000))
    group = Group(signature="s", headline="all alike", pairs=tuple(each.path for each in members))
    printed = commented(review(*members, pair("other.yaml", headline="another change"), groups=(group,)))
    assert len(printed) <= markdown.LIMIT
    assert "<summary>2000 cassettes</summary>" in printed
    assert "and 1960 more</details>" in printed
    assert "another change" in printed


def test_a_row_that_is_too_long_by_itself_leaves_room_for_the_others():
    printed = commented(review(pair("a" * 70_000), pair("b.yaml")))
    assert "<code>b.yaml</code>" in printed
    assert "_1 more row did not fit" in printed


def said(verdict: Verdict, comment: str = "", who: str = "Ada", **more: object):
    number = f"{who} {verdict} {comment}"
    return verdict_entry(
        pair("x"), verdict, Reviewer(name=who, email=f"{who}@example.org"), comment, at=NOON, entry_id=number, **more
    )


@pytest.mark.parametrize(
    ("entries", "cell"),
    [
        ([], "open"),
        ([said("approve"), said("approve", who="Grace")], "approved<br>approved by Ada, Grace"),
        ([said("approve", agent=True)], "approved<br>approved by Ada \\(automated\\)"),
        ([said("flag", "<b>no</b> | @all")], "flagged<br>flagged by Ada: &lt;b&gt;no&lt;/b&gt; \\| @\u200ball"),
        ([said("flag", who="A|B")], "flagged<br>flagged by A\\|B"),
    ],
)
def test_a_state_names_its_reviewers_and_their_reasons(entries, cell):
    one = review(pair("x"))
    assert f"| {cell} |" in commented(one, verdict_states(entries, one))


def test_a_long_reason_is_cut():
    one = review(pair("x"))
    assert "characters" in commented(one, verdict_states([said("flag", "y" * 10_000)], one))


def test_the_command_that_opens_the_same_screen_stands_below():
    one = review(pair("x"))
    printed = markdown.render(one, {}, summarise(one, {}), "cassette-review open --pr 7")
    assert "Open it: <code>cassette-review open --pr 7</code>" in printed
    assert "Open it" not in markdown.render(review(), {}, summarise(review(), {}), "cassette-review open --pr 7")


def test_a_comment_without_pairs_is_a_sentence():
    assert "No cassettes changed.\n_1 other changed file not taken for cassettes._" in commented(
        review(uncounted=1)
    ).replace("\\", "")
