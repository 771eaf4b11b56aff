"""The record that every check is."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reviewlib.model.change import Diff, StepRef
from reviewlib.model.review import Severity
from reviewlib.model.trajectory import Recording


@dataclass(frozen=True)
class Sighting:
    """Something that a check saw. ``key`` is what makes two sightings the same fact on both sides, apart from where it stands."""

    message: str
    step: StepRef | None = None
    key: str = ""


@dataclass(frozen=True)
class Sides:
    """What a check of a pair looks at. Both sides were read; ``diff`` is what differs between them."""

    baseline: Recording
    head: Recording
    diff: Diff


@dataclass(frozen=True)
class Check:
    """A judgement with a stable code.

    ``recording`` looks at one side: what it sees in head alone is new, in both known, in baseline alone gone.
    ``pair`` looks at the two together: what it sees happened between them, and is new. One of the two is set.
    ``severity`` is the default; the policy may set another, or turn the check off.
    """

    code: str
    title: str
    severity: Severity
    recording: Callable[[Recording], Iterable[Sighting]] | None = None
    pair: Callable[[Sides], Iterable[Sighting]] | None = None
