import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.model.change import Absent
from reviewlib.values import MAX_DETAILS, canonical, differing, leaves, same, similarity, size, written
from tests.patching import applied

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (39, 39.0, True),
        (0, -0.0, True),
        (math.nan, math.nan, True),
        (True, 1, False),
        (False, 0, False),
        ("4471", 4471, False),
        (None, "", False),
        (1234567890123456789, 1234567890123456790, False),
        (10**30, 1e30, False),  # 1e30 is 1000000000000000019884624838656
        (10**30, 10**30, True),
        ({"a": 1, "b": 2}, {"b": 2.0, "a": 1}, True),
        ({"a": None}, {}, False),
        ([1, 2], [2, 1], False),
        (b"x", "x", False),
        (b"x", b"x", True),
        (math.nan, "nan", False),
    ],
)
def test_equality_is_typed(one, other, equal):
    assert same(one, other) is equal
    assert (not differing(one, other)) is equal


@given(VALUES, VALUES)
def test_values_differ_exactly_when_something_is_listed(one, other):
    assert bool(differing(one, other)) is not same(one, other)


@given(VALUES)
def test_a_value_is_the_same_as_itself(one):
    assert same(one, one)
    assert differing(one, one) == ()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({"amount": 39.0, "id": "4471"}, {"amount": 390, "id": "4471"}, [("amount", 39, 390)]),
        ({"id": "4471"}, {"id": 4471}, [("id", "4471", 4471)]),
        ({"x": True}, {"x": 1}, [("x", True, 1)]),
        ({"x": None}, {}, [("x", None, Absent())]),
        ({}, {"x": None}, [("x", Absent(), None)]),
        ({"a": {"b c": 1}}, {"a": {"b c": 2}}, [('a["b c"]', 1, 2)]),
        ([1, 2, 3], [1, 9, 2, 3], [("[1]", Absent(), 9)]),
        ({"items": [{"sku": "a"}, {"sku": "b"}]}, {"items": [{"sku": "b"}]}, [("items[0]", {"sku": "a"}, Absent())]),
        ({"items": [{"sku": "a", "n": 1}]}, {"items": [{"sku": "a", "n": 2}]}, [("items[0].n", 1, 2)]),
        ("a", "b", [("", "a", "b")]),
        ({"a": 1}, [1], [("", {"a": 1}, [1])]),
        ({"n": 1234567890123456789}, {"n": 1234567890123456790}, [("n", 1234567890123456789, 1234567890123456790)]),
    ],
)
def test_the_differing_leaves_are_listed_with_their_paths_and_both_values(one, other, expected):
    assert [(detail.path, detail.baseline, detail.head) for detail in differing(one, other)] == expected


def test_one_insertion_into_a_long_list_is_one_difference():
    rows = [{"id": number, "text": str(number)} for number in range(2600)]
    assert len(differing(rows, [*rows[:100], {"id": -1}, *rows[100:]])) == 1


def test_a_long_list_of_differences_is_cut_and_says_so():
    details = differing({"l": list(range(1000))}, {"l": [str(item) for item in range(1000)]})
    assert len(details) == MAX_DETAILS + 1
    assert details[-1].path == f"… {1000 - MAX_DETAILS} more"


def test_values_too_large_to_list_are_one_difference():
    one = {str(number): number for number in range(30_000)}
    assert [detail.path for detail in differing(one, {**one, "0": -1})] == [""]


def test_a_deeply_nested_value_is_compared_without_recursion_errors():
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    assert canonical(deep) == canonical(deep)


@pytest.mark.parametrize(
    ("path", "text"),
    [(("a", 0, "b"), "a[0].b"), ((0,), "[0]"), (("a-b", "c d"), 'a-b["c d"]'), ((), ""), (("x.y",), '["x.y"]')],
)
def test_a_path_is_written_as_people_do(path, text):
    assert written(path) == text


def test_likeness_counts_the_leaves_in_common():
    assert similarity({"a": 1, "b": 2}, {"a": 1, "b": 2}) == 1
    assert similarity({"a": 1, "b": 2}, {"a": 1, "b": 3}) == pytest.approx(1 / 3)
    assert similarity({"a": 1}, {"b": 1}) == 0
    assert similarity({}, {}) == 1


def test_leaves_and_size_walk_the_whole_value():
    value = {"a": [1, {"b": None}], "c": "x"}
    assert list(leaves(value)) == [1, None, "x"]
    assert size(value) == 6
    assert size(list(range(100)), limit=10) <= 101


@given(VALUES, VALUES)
def test_the_listed_differences_turn_one_value_into_the_other(one, other):
    assert same(applied(one, differing(one, other)), other)
    assert same(applied(other, differing(other, one)), one)


ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), max_size=3), max_size=8)


@given(ROWS, ROWS)
def test_lists_of_records_that_were_edited_turn_into_one_another(one, other):
    assert same(applied({"rows": one}, differing({"rows": one}, {"rows": other})), {"rows": other})
