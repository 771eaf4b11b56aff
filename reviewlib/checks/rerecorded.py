"""Checks of what happened to a recording between baseline and head: recorded anew, edited by hand, appended, moved."""

import re
from collections.abc import Iterator

from reviewlib.acts import acts_of, call_key
from reviewlib.checks.addresses import host as host_of
from reviewlib.checks.check import Check, Sides, Sighting
from reviewlib.model.cassette import Exchange
from reviewlib.model.change import SENT
from reviewlib.model.trajectory import Recording, Trajectory, Turn

_REGION = re.compile(r"\b[a-z]{2,}(?:-[a-z]+)+-?\d\b")
"""A region in a host's name (``us-east-1``, ``europe-west4``): another one is the same endpoint."""

_OWN = frozenset({"localhost", "127.0.0.1", "0.0.0.0", "::1", "host.docker.internal"})  # noqa: S104 - compared, not bound
"""Names of the machine that recorded: a local model server is the same endpoint under each."""

_BY_MODEL = frozenset({"model"})


def _answers(recording: Recording) -> dict[str, tuple[int, Trajectory, Turn]]:
    """Return the answers of a recording by the provider's id; ids that stand for several answers say nothing."""
    found: dict[str, tuple[int, Trajectory, Turn]] = {}
    twice: set[str] = set()
    for number, conversation in enumerate(recording.conversations):
        for turn in conversation.turns:
            if turn.response_id and turn.recorded:
                known = found.get(turn.response_id)
                if known is not None and known[2].interaction != turn.interaction:
                    twice.add(turn.response_id)
                found[turn.response_id] = (number, conversation, turn)
    return {key: value for key, value in found.items() if key not in twice}


def _same_answers(sides: Sides) -> list[tuple[tuple[int, Trajectory, Turn], tuple[int, Trajectory, Turn]]]:
    if sides.baseline.cassette.synthetic or sides.head.cassette.synthetic:
        return []  # written by hand from the start, under ids that never change
    one, other = _answers(sides.baseline), _answers(sides.head)
    return [(one[key], other[key]) for key in one if key in other]


def renamed_model(sides: Sides) -> Iterator[Sighting]:
    """See re-records in which nothing but the model's name is new: the same answers, by id, under another model."""
    if {change.kind for change in sides.diff.changes} != _BY_MODEL or not (pairs := _same_answers(sides)):
        return
    renamed = {(one[2].model, other[2].model) for one, other in pairs if one[2].model != other[2].model}
    if renamed and len(pairs) == len(_answers(sides.head)):
        names = ", ".join(f"{old} became {new}" for old, new in sorted(renamed, key=str))
        yield Sighting(f"the model was renamed by hand: {names}, and every answer is the baseline's own")


def edited_in_place(sides: Sides) -> Iterator[Sighting]:
    """See answers that kept their id and say something else: they were not recorded, somebody wrote them."""
    pairs = _same_answers(sides)
    if not pairs or any(True for _ in renamed_model(sides)):
        return
    for one, other in pairs:
        if _content(one) != _content(other):
            step = (other[0], other[2].first) if other[2].first < other[2].end else None
            yield Sighting(
                f"turn {other[2].turn} kept its id and changed its content: it was edited, not recorded", step
            )


def _content(answer: tuple[int, Trajectory, Turn]) -> tuple[object, ...]:
    _, conversation, turn = answer
    act = acts_of(conversation)[turn.turn - 1]
    calls = tuple(sorted(map(call_key, act.calls)))
    return (turn.model, turn.stop_reason, act.text, calls, turn.usage)


def requests_edited(sides: Sides) -> Iterator[Sighting]:
    """See changed requests before answers that are the baseline's own: the cassette was edited, not recorded again."""
    if not SENT & {change.kind for change in sides.diff.changes}:
        return
    pairs = _same_answers(sides)
    if not pairs or len(pairs) < len(_answers(sides.head)):
        return
    if not any(True for _ in renamed_model(sides)) and all(_content(one) == _content(other) for one, other in pairs):
        yield Sighting("the requests changed and every answer is the baseline's own: edited by hand, not recorded anew")


def no_effect(sides: Sides) -> Iterator[Sighting]:
    """See files that were written anew and hold the very same recording."""
    if sides.diff.changes:
        return
    pairs = _same_answers(sides)
    if pairs and len(pairs) == len(_answers(sides.head)) == len(_answers(sides.baseline)):
        yield Sighting("the file changed and the recording is the baseline's own: nothing was recorded anew")


def appended(sides: Sides) -> Iterator[Sighting]:
    """See re-records that were written behind the old recording."""
    if sides.diff.leftovers:
        yield Sighting("head still holds the baseline's own recording beside the new one; only the new one is compared")


def trimmed(sides: Sides) -> Iterator[Sighting]:
    """See recordings of which some answers were taken away and none is new."""
    one, other = _answers(sides.baseline), _answers(sides.head)
    gone = len(one.keys() - other.keys())
    if other and gone and other.keys() <= one.keys():
        yield Sighting(f"{gone} of {len(one)} answers were taken out of the recording, and none is new")


def moved_endpoint(sides: Sides) -> Iterator[Sighting]:
    """See runs that now go to another API, or to another host."""
    one, other = _endpoints(sides.baseline), _endpoints(sides.head)
    if one and other and not one & other:
        yield Sighting(f"the calls went to {_listed(one)}, and go to {_listed(other)} now")


def _endpoints(recording: Recording) -> frozenset[str]:
    asked = {
        turn.interaction: turn.provider for item in recording.conversations for turn in item.turns if turn.recorded
    }
    found = set()
    for interaction in recording.cassette.interactions:
        if isinstance(interaction, Exchange) and interaction.index in asked:
            uri = interaction.request.uri if interaction.request else None
            host = _place(host_of(uri)) if uri and "//" in uri else None
            found.add(f"{asked[interaction.index]} at {host}" if host else asked[interaction.index])
    return frozenset(found)


def _place(host: str) -> str:
    return "this machine" if host in _OWN else _REGION.sub("*", host)


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)[:3])


CHECKS = (
    Check("renamed-model", "The model was renamed by hand", "error", pair=renamed_model),
    Check("edited-in-place", "An answer was edited by hand", "warning", pair=edited_in_place),
    Check("requests-edited", "Requests changed, answers did not", "warning", pair=requests_edited),
    Check("moved-endpoint", "The calls go to another API or host", "warning", pair=moved_endpoint),
    Check("trimmed", "Answers were taken out", "warning", pair=trimmed),
    Check("appended", "Recorded behind the old recording", "info", pair=appended),
    Check("no-effect", "Nothing was recorded anew", "info", pair=no_effect),
)
