"""Drawings that are at hand: of what was shown, and of what is likely to be shown next, drawn while the reviewer reads."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock, Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Ahead(Generic[T]):
    """Keeps the latest values by key. May be used by several threads; a value is made at most twice, and never changed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key, made now where it is not at hand."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made

    def prepare(self, key: Hashable, make: Callable[[], T]) -> None:
        """Make a value in a thread of its own, if it is not at hand."""
        with self._lock:
            if key in self._kept:
                return
        Thread(target=self.get, args=(key, make), daemon=True).start()
