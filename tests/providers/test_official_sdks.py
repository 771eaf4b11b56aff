"""What we read of a recorded answer is what the provider's official SDK reads."""

from dataclasses import replace

import pytest

from tests.corpus import needs_corpus
from tests.providers.official_sdks import BEGIN, DOCS, END, Outcome, compare, difference, written
from tests.providers.sdk_exceptions import EXCEPTIONS, REFUSALS
from tests.providers.sdk_readers import Seen


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return compare()


@needs_corpus
def test_every_answer_that_the_sdk_accepts_reads_the_same(outcome):
    print(f"\n{outcome.table()}", *outcome.refusals.items(), sep="\n")
    assert not outcome.differing
    assert outcome.compared > 1000


@needs_corpus
def test_what_the_sdks_refuse_is_known(outcome):
    assert outcome.refusals.keys() == REFUSALS.keys(), outcome.refusals


@needs_corpus
def test_every_exception_is_still_one(outcome):
    assert outcome.used == set(EXCEPTIONS)


@needs_corpus
def test_the_documentation_holds_the_counts(outcome):
    text = DOCS.read_text(encoding="utf-8")
    assert written(text, outcome.table()) == text, "run `uv run python -m tests.providers.official_sdks`"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", f"{BEGIN}\nT\n{END}\n"),
        ("# Formats\n", f"# Formats\n\n{BEGIN}\nT\n{END}\n"),
        (f"a\n{BEGIN}\nold\n{END}\nb\n", f"a\n{BEGIN}\nT\n{END}\nb\n"),
    ],
)
def test_the_table_goes_between_its_markers(text, expected):
    assert written(text, "T") == expected
    assert written(expected, "T") == expected


@pytest.mark.parametrize(
    "change",
    [
        {"calls": (("f", {"a": 2}),)},
        {"calls": ()},
        {"own_tools": ("search",)},
        {"text": "Hi!"},
        {"stop": "stop"},
        {"normal": None},
        {"usage": (1, 2, 0, None, None)},
    ],
)
def test_every_field_that_differs_is_told(change):
    seen = Seen(
        calls=(("f", {"a": 1}),),
        own_tools=(),
        text="Hi.",
        stop="tool_calls",
        normal="tool_use",
        usage=(1, 2, None, None, None),
    )
    assert difference(seen, seen) == ""
    (name,) = change
    assert difference(seen, replace(seen, **change)).startswith(f"{name}: SDK ")
    assert difference(seen, None)
