"""Recorded text and values made harmless, and shown as what they are."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.model.change import Absent, Detail
from reviewlib.report import neutral, wording
from reviewlib.report.values import plain
from tests.report.hostile import UNSEEN


@given(st.text())
def test_no_character_without_a_glyph_is_left_in_visible_text(recorded_text):
    seen = neutral.visible(recorded_text)
    assert not {unicodedata.category(char) for char in seen if char not in "\u200c\u200d"} & UNSEEN


@given(st.text(alphabet=":#[]vso \n\t\x0b\x1c\u2028\x85error"))
def test_no_recorded_text_becomes_a_command_of_a_ci_log(recorded_text):
    for printed in (neutral.one_line(recorded_text), *neutral.lines(recorded_text)):
        for line in neutral.log_safe(printed).split("\n"):
            assert not line.strip().startswith("::")
            assert "##[" not in line
            assert "##vso[" not in line


@pytest.mark.parametrize(
    ("given_text", "seen"),
    [
        ("plain", "plain"),
        ("Grüße, 日本語 👩‍👩‍👧", "Grüße, 日本語 👩‍👩‍👧"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\u202eb", r"a\u202eb"),
        ("a\nb\tc", r"a\nb\tc"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_visible_text_spells_out_what_has_no_glyph(given_text, seen):
    assert neutral.visible(given_text) == seen


def test_a_cut_says_how_much_was_cut():
    assert neutral.capped("abc", 3) == "abc"
    assert neutral.capped("x" * 1500, 3) == "xxx… (+1,497 characters)"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (b"abc", {"bytes": 3}),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (Absent(), None),
        ({"a": [b"", (1, 2.5)]}, {"a": [{"bytes": 0}, [1, 2.5]]}),
        (True, True),
        (2**64, 2**64),
        ([1 << 20_000], [hex(1 << 20_000)]),
        (None, None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_recorded_values_are_put_into_words_that_json_has(value, written):
    assert plain(value) == written


@pytest.mark.parametrize(
    ("detail", "line"),
    [
        (Detail(path="amount", baseline=39, head=390), "amount: 39 → 390"),
        (Detail(path="", baseline="a", head=None), '"a" → null'),
        (Detail(path="x", baseline=Absent(), head={"b": 1}), 'x: absent → {"b": 1}'),
        (Detail(path="x", baseline=b"ab", head=b"a"), "x: 2 bytes → 1 byte"),
        (Detail(path="x", baseline="1", head=1), 'x: "1" → 1'),
        (Detail(path="x", baseline="a" * 200, head=1), f'x: "{"a" * 119}… (+82 characters) → 1'),
    ],
)
def test_a_detail_shows_both_values_typed(detail, line):
    assert wording.detail_line(detail) == line
