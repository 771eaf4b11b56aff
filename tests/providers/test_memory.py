"""Equal objects are read once, equal values of different types are not, and memory is bounded."""

import pytest

from reviewlib.providers import _memory, forget
from reviewlib.providers._memory import remembered


class Counted:
    """A reader that counts."""

    def __init__(self):
        self.read = []

    def __call__(self, item):
        self.read.append(item)
        return len(self.read)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ({"a": [1, "x"]}, {"a": [1, "x"]}, True),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": 1}, {"a": True}, False),
        ({"a": 0.0}, {"a": -0.0}, False),
        ({"a": "1"}, {"a": 1}, False),
        ({"a": "x"}, {"a": b"x"}, False),
        ({"a": None}, {}, False),
        ({"a": 2**70}, {"a": 2**70}, True),
        ({"a": float("nan")}, {"a": float("nan")}, True),
        ({"a": "\ud83d"}, {"a": "\ud83d"}, True),
    ],
)
def test_objects_are_told_apart_by_content_and_type(one, other, is_same):
    reader = remembered(counted := Counted())
    assert (reader(one) == reader(other)) is is_same
    assert reader(one) == 1
    assert len(counted.read) == (1 if is_same else 2)


def test_an_object_that_shares_parts_is_the_same_as_one_that_does_not():
    reader = remembered(Counted())
    part = ["x" * 50]
    assert reader({"a": part, "b": part}) == reader({"a": ["x" * 50], "b": ["x" * 50]})


def test_two_readers_remember_for_themselves():
    one, other = remembered(lambda _: "one"), remembered(lambda _: "other")
    assert (one({}), other({})) == ("one", "other")


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(_memory, "MAX_HELD", 1000)
    reader = remembered(counted := Counted())
    for number in range(500):
        reader({"text": "x" * 100, "n": number})
    assert reader({"text": "x" * 100, "n": 499}) == 500
    assert reader({"text": "x" * 100, "n": 0}) == 501
    large = {"text": "x" * 5000}
    assert (reader(large), reader(large)) == (502, 502)
    assert len(counted.read) == 502


def test_everything_is_forgotten():
    reader = remembered(counted := Counted())
    reader({})
    forget()
    reader({})
    assert len(counted.read) == 2


def test_what_cannot_be_written_is_read_each_time():
    reader = remembered(counted := Counted())
    odd = {"a": object()}
    assert (reader(odd), reader(odd)) == (1, 2)
    assert len(counted.read) == 2


def test_a_failure_is_not_remembered():
    def failing(_):
        raise KeyError

    reader = remembered(failing)
    for _ in range(2):
        with pytest.raises(KeyError):
            reader({})
