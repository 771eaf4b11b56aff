import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewlib.diff.patch import patched
from reviewlib.model.change import Absent
from reviewlib.values import MAX_DETAILS, canonical, differences, differing, leaves, same, similarity, size, written

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
        (
            {"items": [{"sku": "a"}, {"sku": "b"}]},
            {"items": [{"sku": "b"}]},
            [("items[sku=a]", {"sku": "a"}, Absent())],
        ),
        ({"items": [{"sku": "a", "n": 1}]}, {"items": [{"sku": "a", "n": 2}]}, [("items[sku=a].n", 1, 2)]),
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
    assert same(patched(one, differences(one, other)), other)
    assert same(patched(other, differences(other, one)), one)


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_a_number_that_json_cannot_hold_differs_as_a_whole(number):
    for one, other in (([None, number], [None, {}]), ({"a": {}}, {"a": number})):
        assert same(patched(one, differences(one, other)), other)


ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), max_size=3), max_size=8)


@given(ROWS, ROWS)
def test_lists_of_records_that_were_edited_turn_into_one_another(one, other):
    assert same(patched({"rows": one}, differing({"rows": one}, {"rows": other})), {"rows": other})


ITEMS = [{"sku": "AB-1", "qty": 1}, {"sku": "AB-2", "qty": 2}, {"sku": "AB-3", "qty": 3}]


def edited(*items, where="items"):
    return [(detail.path, detail.baseline, detail.head) for detail in differing({where: ITEMS}, {where: list(items)})]


def test_an_item_is_named_by_what_identifies_it_and_not_by_its_place():
    changed = {"sku": "AB-2", "qty": 5}
    assert edited(ITEMS[0], changed, ITEMS[2]) == [("items[sku=AB-2].qty", 2, 5)]
    assert edited(changed, ITEMS[2]) == [("items[sku=AB-1]", ITEMS[0], Absent()), ("items[sku=AB-2].qty", 2, 5)]


def test_items_moved_by_an_insertion_alone_have_not_moved():
    new = {"sku": "ZZ", "qty": 9}
    assert edited(ITEMS[0], new, *ITEMS[1:]) == [("items[1]", Absent(), new)]


def test_another_order_of_items_is_one_difference():
    assert edited(ITEMS[2], *ITEMS[:2]) == [("items[sku]", ["AB-1", "AB-2", "AB-3"], ["AB-3", "AB-1", "AB-2"])]


def test_a_reordered_and_edited_list_tells_the_edit_and_the_order():
    assert edited(ITEMS[1], {"sku": "AB-1", "qty": 7}) == [
        ("items[sku=AB-1].qty", 1, 7),
        ("items[sku=AB-3]", ITEMS[2], Absent()),
        ("items[sku]", ["AB-1", "AB-2"], ["AB-2", "AB-1"]),
    ]


def test_an_item_that_was_given_another_name_is_the_same_item_where_it_stands_and_is_like_it():
    one = [{"name": "a", "x": 1, "y": 2, "z": 3}, {"name": "b", "x": 0, "y": 0, "z": 0}]
    other = [{"name": "c", "x": 1, "y": 2, "z": 3}, one[1]]
    assert [(d.path, d.baseline, d.head) for d in differing(one, other)] == [("[name=a].name", "a", "c")]
    stranger = [{"name": "c", "x": 7, "y": 8, "z": 9}, one[1]]
    assert [d.path for d in differing(one, stranger)] == ["[name=a]", "[0]"]


NOT_NAMED = {
    "a key that is not unique": ([{"id": 1, "x": 1}, {"id": 1, "x": 2}], [{"id": 1, "x": 1}, {"id": 1, "x": 3}]),
    "a key that the sides do not share": (
        [{"id": 1, "x": 1}, {"id": 2, "x": 2}],
        [{"id": 8, "x": 1}, {"id": 9, "x": 2}],
    ),
    "a key that an item lacks": ([{"id": 1}, {"x": 2}], [{"id": 1}, {"x": 3}]),
    "a key that names nothing": ([{"price": 1, "x": 1}], [{"price": 1, "x": 2}]),
    "a flag": ([{"id": True, "x": 1}], [{"id": True, "x": 2}]),
    "items that are no objects": ([1, {"id": 1}], [2, {"id": 1}]),
}


@pytest.mark.parametrize("what", NOT_NAMED)
def test_an_item_keeps_its_place_for_a_name_where_there_is(what):
    assert all(detail.path.startswith(("[0]", "[1]")) for detail in differing(*NOT_NAMED[what]))


@pytest.mark.parametrize(
    ("name", "path"), [("AB-1", "[id=AB-1]"), ("4471", '[id="4471"]'), (4471, "[id=4471]"), ("a b", '[id="a b"]')]
)
def test_a_name_that_is_no_plain_word_stands_in_quotes(name, path):
    assert [detail.path for detail in differing([{"id": name, "x": 1}], [{"id": name, "x": 2}])] == [f"{path}.x"]


NAMED = st.lists(
    st.fixed_dictionaries(
        {"id": st.sampled_from(["a", "b", "c", "1", 1, 'q"]', ""])}, optional={"x": st.integers(0, 2), "l": ROWS}
    ),
    max_size=6,
)


@given(NAMED, NAMED)
def test_lists_of_named_items_that_were_edited_turn_into_one_another(one, other):
    assert same(patched(one, differences(one, other)), other)
    assert same(patched({"a": [one]}, differences({"a": [one]}, {"a": [other]})), {"a": [other]})
