"""A change before its cause is known, with the place where it stands in its conversation."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from reviewlib.model.change import Change, ChangeKind, Detail, Edit, Significance
from reviewlib.model.trajectory import Step
from reviewlib.values import MAX_DETAILS, listed


@dataclass(frozen=True)
class Place:
    """Where a change stands: the conversation pair, and the slot (turn in reading order); slot -1 is before all turns."""

    conversation: int
    slot: int = -1


@dataclass(frozen=True)
class Sides:
    """The conversation numbers of both sides, for step references."""

    baseline: int
    head: int


@dataclass(frozen=True)
class Draft:
    """A change at its place. ``ends`` says that the run of that side broke off there: what is missing later follows from it."""

    place: Place
    change: Change
    ends: str = ""

    def with_edits(self, edits: Iterable[Edit]) -> "Draft":
        """Return the draft with these edits added to its own."""
        return replace(self, change=self.change.model_copy(update={"edits": (*self.change.edits, *edits)}))


Told: TypeAlias = Draft | Edit
"""What a comparison yields: a change, or an edit that counts as none."""


def draft(
    kind: ChangeKind,
    significance: Significance,
    place: Place,
    sides: Sides,
    baseline: Step | None = None,
    head: Step | None = None,
    *,
    tool: str | None = None,
    details: tuple[Detail, ...] = (),
    note: str = "",
    marked: bool = False,
    ends: str = "",
    edits: tuple[Edit, ...] = (),
) -> Draft:
    """Make a draft; the steps of both sides become references, and details beyond those that are shown are kept aside."""
    change = Change(
        kind=kind,
        significance=significance,
        tool=tool,
        baseline_step=(sides.baseline, baseline.index) if baseline is not None else None,
        head_step=(sides.head, head.index) if head is not None else None,
        details=listed(details),
        note=note,
        marked=marked,
        edits=edits,
        unlisted=details[MAX_DETAILS:],
    )
    return Draft(place, change, ends)
