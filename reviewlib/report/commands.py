"""The commands that a report prints, so that its reader gets to the same screen."""

from collections.abc import Callable
from dataclasses import dataclass

from reviewlib.summary import Waiting


@dataclass(frozen=True)
class Commands:
    """``see`` shows what the gate waits for in the terminal, ``open`` opens the dashboard on it. ``review`` opens the whole comparison."""

    see: Callable[[Waiting], str]
    open: Callable[[Waiting], str]
    review: str
