"""Reasoning tokens belong to the output, whatever the host counts."""

import pytest

from reviewlib.providers._usage import openai_counts, with_reasoning


@pytest.mark.parametrize(
    ("written", "thought", "others", "whole", "expected"),
    [
        (3, 2, (5,), 10, 5),
        (3, 2, (5,), 8, 3),
        (3, 2, (5, 1), 11, 5),
        (3, 2, (None,), 5, 5),
        (3, 2, (5,), None, 3),
        (3, None, (5,), 8, 3),
        (3, 0, (5,), 8, 3),
        (None, 2, (5,), 7, None),
    ],
)
def test_the_whole_tells_whether_reasoning_was_left_out(written, thought, others, whole, expected):
    assert with_reasoning(written, thought, others, whole) == expected


def test_without_counts_the_usage_is_unknown():
    assert openai_counts({}) is None
