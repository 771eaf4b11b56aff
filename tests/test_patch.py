import pytest

from reviewlib.diff.patch import PatchError, indexed, parsed, patched
from reviewlib.model.change import Absent, Detail
from reviewlib.values import Item, written


@pytest.mark.parametrize(
    "path",
    [
        (),
        ("a", 0, "b"),
        ("a-b", "c d", 'quoted "x"', "x.y", ""),
        ("items", Item("sku", "AB-1"), "qty"),
        (Item("id", 4471), Item("id", "4471"), Item("id", -3)),
        (Item("name", 'a ]"b'), Item("name", ""), Item("name", "ü")),
        ("items", Item("sku", None)),
    ],
)
def test_a_path_is_read_as_it_was_written(path):
    assert parsed(written(path)) == path


@pytest.mark.parametrize("path", ["…", "a[", "a[b", "[=x]", "a b"])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(PatchError, match="is no path"):
        parsed(path)


VALUE = {"a": 1, "items": [{"id": "x", "n": 1}, {"id": "y", "n": 2}]}


def test_leaves_are_replaced_dropped_and_added():
    details = (
        Detail(path="a", baseline=1, head=Absent()),
        Detail(path="b", baseline=Absent(), head=None),
        Detail(path="items[id=x].n", baseline=1, head=5),
        Detail(path="items[id=y]", baseline=VALUE["items"][1], head=Absent()),
        Detail(path="items[1]", baseline=Absent(), head=7),
    )
    assert patched(VALUE, details) == {"b": None, "items": [{"id": "x", "n": 5}, 7]}
    assert VALUE["a"] == 1


def test_items_are_put_into_the_order_of_head():
    details = (Detail(path="items[id]", baseline=["x", "y"], head=["y", "x"]),)
    assert patched(VALUE, details)["items"] == VALUE["items"][::-1]


WRONG = {
    "another value": Detail(path="a", baseline=2, head=3),
    "another type": Detail(path="a", baseline="1", head=3),
    "a key that is not there": Detail(path="z", baseline=1, head=3),
    "a key that is there": Detail(path="a", baseline=Absent(), head=3),
    "an item that is not there": Detail(path="items[9]", baseline=1, head=3),
    "a name that is not there": Detail(path="items[id=z].n", baseline=1, head=3),
    "a place inside a scalar": Detail(path="a.b", baseline=1, head=3),
    "a key of a list": Detail(path="items.b", baseline=1, head=3),
    "another order": Detail(path="items[id]", baseline=["y", "x"], head=["x", "y"]),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_difference_that_is_not_one_of_the_value_is_refused(what):
    with pytest.raises(PatchError):
        patched(VALUE, (WRONG[what],))


def test_a_value_that_is_replaced_twice_is_refused():
    with pytest.raises(PatchError, match="twice"):
        patched(1, (Detail(path="", baseline=1, head=2), Detail(path="", baseline=1, head=3)))


def test_an_item_that_is_named_is_found_at_its_place():
    assert indexed("items[id=y].n", VALUE) == "items[1].n"
    assert indexed("items[1]", VALUE) == "items[1]"
    assert indexed("items[id=z].n", VALUE) == "items[id=z].n"
    assert indexed("… 3 more", VALUE) == "… 3 more"
