from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reviewlib.words import Segment, compare, condensed, side


def marked(segments):
    signs = {"same": "{}", "removed": "[-{}-]", "added": "[+{}+]"}
    return "".join(signs[segment.mark].format(segment.text) for segment in segments)


@pytest.mark.parametrize(
    ("baseline", "head", "shown"),
    [
        ("", "", ""),
        ("same", "same", "same"),
        ("", "new", "[+new+]"),
        ("old", "", "[-old-]"),
        ("refund $39.00 now", "refund $390.00 now", "refund $[-39.00-][+390.00+] now"),
        ("total 1,200 EUR", "total 1,300 EUR", "total [-1,200-][+1,300+] EUR"),
        ("Check the policy.", "Always check the policy.", "[-Check-][+Always check+] the policy."),
        ("be nice", "be nice, and brief", "be nice[+, and brief+]"),
        ("one\ntwo\nthree", "one\n2\nthree", "one\n[-two-][+2+]\nthree"),
        ("- one\n- two", "- one\n- new\n- two", "- one\n[+- new\n+]- two"),
        ("- one\n- two", "- two", "[-- one\n-]- two"),
        ("a quick brown fox", "a slow red fox", "a [-quick brown-][+slow red+] fox"),
        ("one two", "uno due", "[-one two-][+uno due+]"),
        ("a\nb\n", "a\n", "a\n[-b\n-]"),
    ],
)
def test_words_are_marked_where_they_differ(baseline, head, shown):
    assert marked(compare(baseline, head)) == shown


texts = st.text(alphabet="ab .\n$0", max_size=60)


@given(texts, texts)
def test_each_side_can_be_read_off_the_comparison(baseline, head):
    segments = compare(baseline, head)
    assert "".join(item.text for item in side(segments, "removed")) == baseline
    assert "".join(item.text for item in side(segments, "added")) == head


@given(texts, texts)
@example(".0.", "0.\n.0")  # the change slides to the beginning of its line, and meets the one before it
def test_neighbours_are_joined_and_nothing_is_empty(baseline, head):
    segments = compare(baseline, head)
    assert all(item.text for item in segments)
    assert all(one.mark != other.mark for one, other in pairwise(segments))


def test_very_long_texts_are_compared_by_lines():
    baseline = "".join(f"line {number} of many words here\n" for number in range(4_000))
    head = (
        baseline.replace("line 7 of", "line seven of")
        .replace("line 3990 of", "line x of")
        .replace("line 50 of", "line L of")
    )
    assert [item for item in compare(baseline, head) if item.mark != "same"][2:4] == [
        Segment("removed", "line 50 of many words here"),
        Segment("added", "line L of many words here"),
    ]


def test_one_edit_in_a_very_long_text_is_found_word_by_word():
    baseline = "".join(f"line {number} of many words here\n" for number in range(40_000))
    head = baseline.replace("line 7 of", "line seven of")
    assert [item for item in compare(baseline, head) if item.mark != "same"] == [
        Segment("removed", "7"),
        Segment("added", "seven"),
    ]


def test_texts_without_end_are_shown_one_after_the_other():
    baseline, head = "a\n" * 30_000 + "a", "b\n" * 30_000 + "b"
    assert compare(baseline, head) == (Segment("removed", baseline), Segment("added", head))


@pytest.mark.parametrize(
    ("baseline", "head", "shown"),
    [
        (
            "a\nb\nc\nd\nkeep x here\ne\nf\ng",
            "a\nb\nc\nd\nkeep y here\ne\nf\ng",
            "⋯ 4 unchanged lines\nkeep [-x-][+y+] here\n⋯ 3 unchanged lines\n",
        ),
        ("x\na\nb\nc\nd\nz", "y\na\nb\nc\nd\nw", "[-x-][+y+]\n⋯ 4 unchanged lines\n[-z-][+w+]"),
        ("one line x", "one line y", "one line [-x-][+y+]"),
        ("a\nx", "a\ny", "a\n[-x-][+y+]"),
    ],
)
def test_a_condensed_comparison_keeps_the_changed_lines_and_counts_the_others(baseline, head, shown):
    assert marked(condensed(compare(baseline, head))) == shown
