"""The comment on a pull request, and what recorded text cannot do to a forge."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.report import markdown
from reviewlib.summary import summarise
from tests.report.hostile import hostile_review
from tests.reviews import (
    example,
    pair,
    review,
    states,
)


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


def test_a_comment_without_pairs_is_a_sentence():
    assert "No cassettes changed.\n_1 other changed file not taken for cassettes._" in commented(
        review(uncounted=1)
    ).replace("\\", "")
