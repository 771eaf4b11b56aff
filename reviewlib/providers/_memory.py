"""Equal objects are read once: histories grow with every turn, and every request repeats its tools.

Of 40,000 messages and tools in 2,600 public cassettes 8,000 are distinct. Readers are pure and values frozen, so one value may stand
in many requests.
"""

import marshal
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from reviewlib.providers._plain import Tree

_T = TypeVar("_T")

MAX_HELD = 8 * 2**20
"""How many bytes of objects one reader remembers before it starts anew."""

_MARSHAL = 2  # this version writes no references, so that what was written depends on the value alone


class Remembered(Generic[_T]):
    """A reader of objects that remembers what it has read. Objects are told apart by content and type: 1, 1.0 and True are three."""

    def __init__(self, read: Callable[[Tree], _T]) -> None:
        self._read = read
        self._known: dict[bytes, _T] = {}
        self._held = 0
        _READERS.append(self)

    def __call__(self, item: Tree) -> _T:
        try:
            key = marshal.dumps(item, _MARSHAL)
        except ValueError:  # no decoded value holds what cannot be written
            return self._read(item)
        try:
            return self._known[key]
        except KeyError:
            value = self._read(item)
        if self._held + len(key) > MAX_HELD:
            self.forget()
        self._held += len(key)
        self._known[key] = value
        return value

    def forget(self) -> None:
        """Start anew."""
        self._known, self._held = {}, 0


_READERS: list[Remembered[Any]] = []


def remembered(read: Callable[[Tree], _T]) -> Remembered[_T]:
    """Make a pure reader remember (a decorator)."""
    return Remembered(read)


def forget() -> None:
    """Make every reader start anew, for measurements."""
    for reader in _READERS:
        reader.forget()
