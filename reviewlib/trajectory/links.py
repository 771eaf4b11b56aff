"""One model call in its conversation."""

from dataclasses import dataclass

from reviewlib.trajectory.attempts import Move
from reviewlib.trajectory.history import History

CANDIDATES = 32
"""How many open calls with equal histories are weighed, newest first. A file of 10,000 equal requests stays linear."""


@dataclass(frozen=True, slots=True)
class Link:
    """One call in its conversation. ``parent`` is the index of the call that it extends.

    Of its history, atoms before ``start`` were said before; ``start`` to ``end`` is the parent's answer as it was sent back;
    what follows ``end`` is new.
    """

    index: int
    move: Move
    history: History
    parent: int | None = None
    start: int = 0
    end: int = 0


Chain = tuple[Link, ...]
