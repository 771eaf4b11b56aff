"""Where the messages of the user stand among the turns: which turn answers each of them, and what tells that it is another one."""

from collections.abc import Iterator, MutableMapping, Sequence
from typing import TypeAlias

from reviewlib.diff.draft import Place, Sides, Told, draft
from reviewlib.diff.requests import placed_prompts, prompt_pairs
from reviewlib.model.change import Absent, Detail, Edit
from reviewlib.model.trajectory import Trajectory, UserMessage

Key: TypeAlias = tuple[str, int]
"""What an edit of the structure is about.

``turn`` or ``call`` with the baseline's number, ``put`` with the place of head's turn; ``dropped`` or ``asked`` with the step of a message of the
baseline or of head.
"""


def answering(place: int, places: Sequence[int | None]) -> int:
    """Return which turn of head answers a message of the baseline, if it stays where it was: the first that stayed, from its own on.

    ``places`` are the places in the baseline of head's turns; None where one did not stay.
    """
    return next((j for j, i in enumerate(places) if i is not None and i >= place), len(places))


def answers(
    partners: dict[int, int], kept: frozenset[tuple[int, int]], number: int, baseline: Trajectory, head: Trajectory
) -> Iterator[tuple[Key, Edit]]:
    """Yield which turns answer the messages of the user, where they are not those that answered them."""
    places: list[int | None] = [None] * len(head.turns)
    for i, j in kept:
        places[j] = i
    moved = {j: i for i, j in partners.items() if (i, j) not in kept}
    for one, other, place in placed_prompts(prompt_pairs(baseline, head, UserMessage)):
        before = None if one is None else answering(one.turn - 1, places)
        after = None if other is None else other.turn - 1
        if before == after:
            continue
        values = [Absent() if value is None else value for value in (before, after)]
        detail = Detail(path=f"[{place}]", baseline=values[0], head=values[1])
        edit = Edit(conversation=number, action="set", what="conversation", field="answered_by", details=(detail,))
        if one is not None and other is None:
            yield ("dropped", one.index), edit
        elif other is not None and (before is None or after is None or _passed(before, after, places)):
            yield ("asked", other.index), edit
        elif after is not None:
            yield ("turn", moved[after]) if after in moved else ("put", after), edit


def _passed(before: int, after: int, places: Sequence[int | None]) -> bool:
    """Tell whether a message passed a turn that stayed, and not only turns that came."""
    return after > before or any(place is not None for place in places[after:before])


def untold_answers(
    shared: MutableMapping[Key, list[Edit]],
    place: Place,
    sides: Sides,
    baseline: Trajectory,
    head: Trajectory,
    *,
    known: bool,
) -> Iterator[Told]:
    """Take out, and tell, what no other change tells: a message that passed a turn. ``known``: both sides record what the user said."""
    keys = [key for key in shared if key[0] in {"dropped", "asked"}]
    if not keys:
        return
    partners = {other.index: one for one, other in prompt_pairs(baseline, head, UserMessage) if other is not None}
    for key in keys:
        edits = tuple(shared.pop(key))
        if not known:
            yield from (edit.model_copy(update={"reason": "unknown"}) for edit in edits)
            continue
        one, other = partners.get(key[1]), head.steps[key[1]]
        if one is not None:
            details = (Detail(path="turn", baseline=one.turn, head=other.turn),)
            note = f"before turn {other.turn}, not turn {one.turn}"
            yield draft("user_message", "request", place, sides, one, other, details=details, note=note, edits=edits)
