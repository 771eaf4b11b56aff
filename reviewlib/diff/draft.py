"""A change before its cause is known, with the place where it stands in its conversation."""

from dataclasses import dataclass

from reviewlib.model.change import Change, ChangeKind, Detail, Significance
from reviewlib.model.trajectory import Step


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
) -> Draft:
    """Make a draft; the steps of both sides become references."""
    change = Change(
        kind=kind,
        significance=significance,
        tool=tool,
        baseline_step=(sides.baseline, baseline.index) if baseline is not None else None,
        head_step=(sides.head, head.index) if head is not None else None,
        details=details,
        note=note,
        marked=marked,
    )
    return Draft(place, change, ends)
