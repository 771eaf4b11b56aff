"""The record that every check is, and what a check is given."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reviewlib.model.cassette import Unreadable
from reviewlib.model.change import Diff, StepRef
from reviewlib.model.review import Pair, Severity
from reviewlib.model.surroundings import UNKNOWN, Surroundings
from reviewlib.model.trajectory import Recording
from reviewlib.policy import Policy


@dataclass(frozen=True)
class Sighting:
    """Something that a check saw. ``key`` is what makes two sightings the same fact on both sides, apart from where it stands."""

    message: str
    step: StepRef | None = None
    key: str = ""


@dataclass(frozen=True)
class Given:
    """What a judgement goes by beside what was recorded. ``policy``: the project's rules. ``today``: the day of the judgement, whose prices hold.

    ``around``: what is known around the side that is judged, which is head where the two sides are judged together. ``before``: around the baseline.
    """

    policy: Policy
    today: datetime
    around: Surroundings = UNKNOWN
    before: Surroundings = UNKNOWN

    @property
    def of_baseline(self) -> "Given":
        """The same for a judgement of the baseline by itself."""
        return replace(self, around=self.before)

    def at(self, path: str) -> "Given":
        """The same for one cassette: of the rules only those whose paths name it, which every check would look for again."""
        ruled = self.policy.rules_for(path)
        if len(ruled) == len(self.policy.rules):
            return self
        return replace(self, policy=self.policy.model_copy(update={"rules": ruled}))


@dataclass(frozen=True)
class Sides:
    """What a check of a pair looks at. Both sides were read; ``diff`` is what differs between them."""

    baseline: Recording
    head: Recording
    diff: Diff
    given: Given


@dataclass(frozen=True)
class Check:
    """A judgement with a stable code. One of its functions is set; beside one of a side by itself, ``pair`` or ``unread`` may be.

    ``recording`` looks at one side, ``ruled`` at one side by the project's rules: what they see in head alone is new, in both known, in
    baseline alone gone. ``pair`` looks at the two together: what it sees happened between them, and is new. ``suite`` looks at all pairs
    of a comparison, which may be none. ``unread`` looks at a side that could not be read. ``severity`` is the default; the policy may set another, or turn the check off.
    """

    code: str
    title: str
    severity: Severity
    recording: Callable[[Recording], Iterable[Sighting]] | None = None
    ruled: Callable[[Recording, Given], Iterable[Sighting]] | None = None
    unread: Callable[[Unreadable, Given], Iterable[Sighting]] | None = None
    pair: Callable[[Sides], Iterable[Sighting]] | None = None
    suite: Callable[[Sequence[Pair], Given], Iterable[Sighting]] | None = None
