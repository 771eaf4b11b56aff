"""A diff applied: the baseline's canonical form, edited as the diff says, is head's.

That proves a diff: nothing that differs is left out, and nothing is told that has no part in it. Only the baseline and the diff are read.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from reviewlib.acts import acts_of
from reviewlib.diff.form import Form, call_form, frame_form, sorted_calls, turn_form, usage_form, whole
from reviewlib.diff.messages import answering
from reviewlib.diff.patch import PatchError, patched
from reviewlib.model.change import Change, Detail, Diff, Edit
from reviewlib.model.trajectory import Recording, Trajectory

Given: TypeAlias = tuple[Edit, tuple[Detail, ...]]
"""An edit with the details that it goes by: its own, or those of its change."""


def apply(baseline: Recording | Sequence[Trajectory], diff: Diff) -> Form:
    """Return the canonical form of head (``form.form_of``), made from the baseline and a diff of the two.

    Raises:
        PatchError: the diff is not one of this baseline, or a part of it is missing.

    """
    conversations = baseline.conversations if isinstance(baseline, Recording) else baseline
    by_pair: defaultdict[int, list[Given]] = defaultdict(list)
    totals: list[Given] = []
    for edit, details in _script(diff):
        (totals if edit.what == "usage" else by_pair[edit.conversation]).append((edit, details))
    compared = sorted(i for i, _ in diff.conversations if i is not None)
    if compared != list(range(len(conversations))):
        raise PatchError(f"the diff compares the conversations {compared}, and there are {len(conversations)}")
    made: list[Form] = []
    for number, (i, j) in enumerate(diff.conversations):
        made += _conversation(None if i is None else conversations[i], by_pair[number], here=j is not None)
    usage = usage_form(conversations)
    for _, details in totals:
        usage = patched(usage, details)
    return whole(made, usage)


def _script(diff: Diff) -> Iterator[Given]:
    for change in diff.changes:
        listed = details_of(change)
        yield from ((edit, listed if edit.details is None else edit.details) for edit in change.edits)
    yield from ((edit, edit.details or ()) for edit in diff.silent)


def details_of(change: Change) -> tuple[Detail, ...]:
    """Return all details: where some are not listed, the last one that is only counts them."""
    return (*change.details[:-1], *change.unlisted) if change.unlisted else change.details


def _conversation(baseline: Trajectory | None, edits: list[Given], *, here: bool) -> list[Form]:
    lone = [edit for edit, _ in edits if edit.what == "conversation" and edit.action != "set"]
    if baseline is None or not here:
        if [edit.action for edit in lone] != ["drop" if baseline else "put"] or len(edits) > 1:
            raise PatchError("a conversation of one side alone is not told as such")
        return [edit.content for edit in lone if edit.action == "put"]
    if lone:
        raise PatchError("a conversation of both sides is told as one of one side")
    parts = _Parts.of(baseline)
    settings = {(edit.what, edit.place, edit.field): (edit, details) for edit, details in _settings(edits)}
    _, answers = settings.pop(("conversation", None, "answered_by"), (None, []))
    for edit, details in settings.values():
        parts.set(edit, details)
    turns, places = parts.arranged([edit for edit, _ in edits if edit.action != "set"])
    frame = parts.forms["conversation"][0]
    answered = [answering(place, places) for place in frame["answered_by"]]
    return [{**frame, "answered_by": patched(answered, answers), "turns": turns}]


def _settings(edits: Iterable[Given]) -> Iterator[tuple[Edit, list[Detail]]]:
    """Yield what is set, all details of one field together: places in a list count on one another."""
    found: dict[tuple[str, int | None, str], tuple[Edit, list[Detail]]] = {}
    for edit, details in edits:
        if edit.action == "set":
            found.setdefault((edit.what, edit.place, edit.field), (edit, []))[1].extend(details)
    yield from found.values()


@dataclass
class _Parts:
    """The parts of a baseline conversation by their numbers, as far as they are edited; ``homes`` are the turns of the calls."""

    forms: dict[str, dict[int, Form]]
    homes: dict[int, int]

    @classmethod
    def of(cls, trajectory: Trajectory) -> "_Parts":
        acts = acts_of(trajectory)
        calls = [call for act in acts for call in act.calls]
        return cls(
            forms={
                "conversation": {0: frame_form(trajectory)},
                "turn": {act.place: turn_form(act) for act in acts},
                "call": {call.index: call_form(call) for call in calls},
            },
            homes={call.index: call.turn - 1 for call in calls},
        )

    def set(self, edit: Edit, details: Sequence[Detail]) -> None:
        """Replace leaves of a part, or of one of its fields."""
        place = edit.place or 0
        form = self._part(edit.what, place)
        edited = {**form, edit.field: patched(form[edit.field], details)} if edit.field else patched(form, details)
        self.forms[edit.what][place] = edited

    def arranged(self, edits: Sequence[Edit]) -> tuple[list[Form], list[int | None]]:
        """Return the turns in head's order, each with its calls, and their places in the baseline; None where one did not stay."""
        arriving: defaultdict[int, list[Form]] = defaultdict(list)
        for edit in (edit for edit in edits if edit.what == "call"):
            form = edit.content if edit.action == "put" else self._part("call", edit.place or 0)
            if edit.action != "put":
                self._leave(edit)
            if edit.action != "drop":
                arriving[edit.to or 0].append(form)
        placed: dict[int, Form] = {}
        for edit in (edit for edit in edits if edit.what == "turn"):
            form = edit.content if edit.action == "put" else self._part("turn", edit.place or 0)
            if edit.action != "put":
                self._leave_turn(edit.place or 0)
            if edit.action != "drop":
                placed[edit.to or 0] = form
        staying: defaultdict[int, list[Form]] = defaultdict(list)
        for number, home in self.homes.items():
            staying[home].append(self.forms["call"][number])
        turns = [(form, staying[place]) for place, form in self.forms["turn"].items()]
        places: list[int | None] = list(self.forms["turn"])
        for place in sorted(placed):
            turns.insert(place, (placed[place], []))
            places.insert(place, None)
        if arriving and max(arriving) >= len(turns):
            raise PatchError(f"a call goes to turn {max(arriving) + 1} of {len(turns)}")
        return [
            {**form, "calls": sorted_calls([*calls, *arriving[n]])} for n, (form, calls) in enumerate(turns)
        ], places

    def _part(self, what: str, place: int) -> Form:
        if place not in self.forms[what]:
            raise PatchError(f"the baseline has no {what} {place} any more")
        return self.forms[what][place]

    def _leave(self, edit: Edit) -> None:
        if self.homes.pop(edit.place or 0, None) is None:
            raise PatchError(f"call {edit.place} leaves its turn twice")

    def _leave_turn(self, place: int) -> None:
        left = [number for number, home in self.homes.items() if home == place]
        if left:
            raise PatchError(f"turn {place + 1} goes, and nothing says what becomes of its calls {left}")
        del self.forms["turn"][place]
