"""Which cassettes, and which conversations, are compared with which.

Paths come first, then content; record order never counts, and ``git -M`` is never asked (it pairs the files of hash-named folders
wrongly: a final answer with an issued refund).
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, Literal, TypeAlias, TypeVar

from rapidfuzz.fuzz import ratio, token_set_ratio

from reviewlib.acts import acts_of
from reviewlib.align import align
from reviewlib.canonical import behaviour_key, opening_key, request_key
from reviewlib.model.cassette import Unreadable
from reviewlib.model.trajectory import Recording, SystemPrompt, Trajectory, UserMessage

MIN_LIKENESS = 0.4
"""Conversations of one cassette that are less alike than this are not the same scenario."""

MIN_RENAMED = 0.75
"""Cassettes of different paths that are less alike than this were removed and added, not renamed.

Measured (docs/benchmarks.md, "Renamed cassettes"): without their paths, 85 of 100 are found up to here, 74 beyond it.
"""

MIN_RERUN = 0.6
"""A run beside an unchanged copy of the baseline's is a newer recording of it when it is at least this like it."""


MAX_COMPARED = 10_000
"""Beyond this many comparisons only conversations with the same opening are compared: each takes about 0.1 ms."""

Key = TypeVar("Key", int, str)

Side: TypeAlias = Literal["baseline", "head"]


@dataclass(frozen=True)
class ConversationPair:
    """The numbers of two conversations that are compared; None where one side has no counterpart.

    ``leftover``: head still holds the baseline's own recording beside a newer one of the same scenario; it is not compared.
    ``doubt`` is a sentence where another conversation could as well have been its counterpart.
    """

    baseline: int | None
    head: int | None
    leftover: bool = False
    doubt: str = ""


@dataclass(frozen=True)
class _Found(Generic[Key]):
    """Head's keys with those of the baseline, and those of head that could as well have had another (``rivals``), with that one."""

    pairs: dict[Key, Key]
    rivals: dict[Key, tuple[Key, Side]]


def pair_conversations(baseline: Sequence[Trajectory], head: Sequence[Trajectory]) -> tuple[ConversationPair, ...]:
    """Pair the conversations of two cassettes, in head's order, baseline's lone ones last.

    Equal ones first, then those with the same opening by likeness, then the rest by likeness; a single one on both sides always.
    """
    if len(baseline) == len(head) == 1:
        return (ConversationPair(0, 0),)
    found = _reruns(baseline, head)
    leftovers = _leftovers(baseline, head, found)
    mine = [i for i in range(len(baseline)) if i not in found.values()]
    theirs = [j for j in range(len(head)) if j not in found and j not in leftovers]
    for key in (_everything, _done_and_sent, behaviour_key):
        found |= _equal({i: key(baseline[i]) for i in mine}, {j: key(head[j]) for j in theirs})
        mine = [i for i in mine if i not in found.values()]
        theirs = [j for j in theirs if j not in found]
    alike = _alike({i: baseline[i] for i in mine}, {j: head[j] for j in theirs})
    found |= alike.pairs
    pairs = [
        ConversationPair(found.get(number), number, number in leftovers, _doubt(number, alike))
        for number in range(len(head))
    ]
    taken = set(found.values())
    return (*pairs, *(ConversationPair(number, None) for number in range(len(baseline)) if number not in taken))


def _equal(one: Mapping[Key, Hashable], other: Mapping[Key, Hashable]) -> dict[Key, Key]:
    """Return head's keys with those of baseline items that are equal, left to right."""
    waiting: defaultdict[Hashable, list[Key]] = defaultdict(list)
    for number, key in one.items():
        waiting[key].append(number)
    return {number: waiting[key].pop(0) for number, key in other.items() if waiting[key]}


def _doubt(number: int, found: _Found[int]) -> str:
    if number not in found.rivals:
        return ""
    rival, side = found.rivals[number]
    mine = f"conversation {found.pairs[number] + 1} of the baseline"
    if side == "baseline":
        return f"conversation {number + 1} is compared with {mine}; number {rival + 1} there is as much like it"
    return f"conversation {number + 1} is compared with {mine}; number {rival + 1} is as much like that one"


def _alike(one: Mapping[int, Trajectory], other: Mapping[int, Trajectory]) -> _Found[int]:
    """Return head's numbers with those of the baseline conversations that they are most like."""
    found = _closest(one, other, MIN_LIKENESS)
    mine = [i for i in one if i not in found.pairs.values()]
    theirs = [j for j in other if j not in found.pairs]
    if len(mine) == len(theirs) == 1:  # what is left over on both sides is the scenario that changed most
        found.pairs[theirs[0]] = mine[0]
    return found


def _closest(one: Mapping[Key, Trajectory], other: Mapping[Key, Trajectory], least: float) -> _Found[Key]:
    """Return head's keys with those of the baseline conversations that they are most like, the most alike first."""
    everyone = len(one) * len(other) <= MAX_COMPARED
    openings = [{key: opening_key(item) for key, item in side.items()} for side in (one, other)]
    scored = sorted(
        (-round(likeness(left, right), 3), -_names_alike(i, j), j, i)
        for i, left in one.items()
        for j, right in other.items()
        if everyone or openings[0][i] == openings[1][j]
    )
    found: dict[Key, Key] = {}
    taken: set[Key] = set()
    tied: list[tuple[Key, Key]] = []
    for (negative, _), group in groupby(scored, key=lambda score: score[:2]):
        open_ = [(j, i) for _, _, j, i in group if -negative >= least and j not in found and i not in taken]
        for j, i in open_:
            if j not in found and i not in taken:
                found[j] = i
                taken.add(i)
        tied += open_
    return _Found(found, _rivals(found, tied, one, other))


def _rivals(
    found: Mapping[Key, Key],
    tied: Sequence[tuple[Key, Key]],
    one: Mapping[Key, Trajectory],
    other: Mapping[Key, Trajectory],
) -> dict[Key, tuple[Key, Side]]:
    """Find the pairs that could as well have been others: of those tied for them, ones that are not the same. Identical ones are no doubt."""
    partners = {i: j for j, i in found.items()}
    rivals: dict[Key, tuple[Key, Side]] = {}
    for j, i in tied:
        mine, theirs = found.get(j), partners.get(i)
        if mine is not None and mine != i and _everything(one[mine]) != _everything(one[i]):
            rivals.setdefault(j, (i, "baseline"))
        if theirs is not None and theirs != j and _everything(other[theirs]) != _everything(other[j]):
            rivals.setdefault(theirs, (j, "head"))
    return rivals


def _names_alike(one: Key, other: Key) -> float:
    """Prefer, of equally alike cassettes, those whose paths are alike: a renamed test keeps most of its name."""
    return ratio(one, other) if isinstance(one, str) and isinstance(other, str) else 0.0


def _everything(trajectory: Trajectory) -> Hashable:
    return _done_and_sent(trajectory), tuple(act.text for act in acts_of(trajectory))


def _done_and_sent(trajectory: Trajectory) -> Hashable:
    return behaviour_key(trajectory), request_key(trajectory)


def _reruns(baseline: Sequence[Trajectory], head: Sequence[Trajectory]) -> dict[int, int]:
    """Pair head's new recordings with baseline conversations of which head also keeps the old one.

    Recorders that append, or leave old files in place, keep the old run beside the new one: read naively, the agent does everything twice.
    A new recording that is more like a conversation which head no longer keeps stands in its place, and is no rerun.
    """
    kept = frozenset(i for i, one in enumerate(baseline) if any(_is_copy(one, other) for other in head))
    before = frozenset(name for one in baseline for name in _ids(one))
    newer = {j: other for j, other in enumerate(head) if _ids(other) and not _ids(other) & before}
    if not kept or not newer:
        return {}
    return {j: i for j, i in _closest(dict(enumerate(baseline)), newer, MIN_RERUN).pairs.items() if i in kept}


def _leftovers(baseline: Sequence[Trajectory], head: Sequence[Trajectory], reruns: dict[int, int]) -> frozenset[int]:
    return frozenset(
        j
        for j, other in enumerate(head)
        if j not in reruns and any(_is_copy(baseline[i], other) for i in reruns.values())
    )


def _is_copy(one: Trajectory, other: Trajectory) -> bool:
    """Tell whether two conversations are one recording: an answer of theirs has the same id from the provider."""
    return bool(_ids(one) & _ids(other))


def _ids(trajectory: Trajectory) -> frozenset[str]:
    return frozenset(turn.response_id for turn in trajectory.turns if turn.recorded and turn.response_id)


def likeness(one: Trajectory, other: Trajectory) -> float:
    """Return how alike two conversations are, from 0 to 1: half by how they open, half by what they do."""
    opening = 1.0 if opening_key(one) == opening_key(other) else _opening_likeness(one, other)
    keys = [[act.tools for act in acts_of(item)] for item in (one, other)]
    longest = max(len(keys[0]), len(keys[1]), 1)
    common = sum(1 for i, j in align(keys[0], keys[1]) if i is not None and j is not None)
    equal = [[act.calling for act in acts_of(item)] for item in (one, other)]
    strict = sum(1 for i, j in align(equal[0], equal[1]) if i is not None and j is not None)
    return 0.5 * opening + 0.25 * common / longest + 0.25 * strict / longest


def _opening_likeness(one: Trajectory, other: Trajectory) -> float:
    """Compare the beginnings of both prompts by their words: instructions that were added or dropped at the end count little."""
    scores = [
        token_set_ratio(_first(one, kind)[:1000], _first(other, kind)[:1000]) for kind in (SystemPrompt, UserMessage)
    ]
    return sum(scores) / 200


def _first(trajectory: Trajectory, kind: type[SystemPrompt] | type[UserMessage]) -> str:
    return next((step.text for step in trajectory.steps if isinstance(step, kind)), "-")


def pair_cassettes(
    baseline: Sequence[Recording | Unreadable], head: Sequence[Recording | Unreadable]
) -> tuple[tuple[Recording | Unreadable | None, Recording | Unreadable | None], ...]:
    """Pair the cassettes of two sides: by path, then, of those that only one side has, by content."""
    one, other = {_path(item): item for item in baseline}, {_path(item): item for item in head}
    pairs: list[tuple[Recording | Unreadable | None, Recording | Unreadable | None]] = [
        (one[path], other[path]) for path in other if path in one
    ]
    gone = {path: item for path, item in one.items() if path not in other}
    new = {path: item for path, item in other.items() if path not in one}
    renamed = _renamed(gone, new)
    pairs += [(gone[left], _doubted(new[right], right, renamed)) for right, left in renamed.pairs.items()]
    pairs += [(item, None) for path, item in gone.items() if path not in renamed.pairs.values()]
    pairs += [(None, item) for path, item in new.items() if path not in renamed.pairs]
    return tuple(sorted(pairs, key=lambda pair: _path(pair[1] or pair[0])))


def _doubted(item: Recording | Unreadable, path: str, renamed: _Found[str]) -> Recording | Unreadable:
    """Say on a renamed cassette that another one could as well have been its counterpart."""
    if isinstance(item, Unreadable) or path not in renamed.rivals:
        return item
    rival, side = renamed.rivals[path]
    was = renamed.pairs[path]
    sentence = {
        "baseline": f"it is compared with {was}; {rival}, which is gone too, is as much like it",
        "head": f"it is compared with {was}; {rival}, which is new too, is as much like that one",
    }[side]
    return item.model_copy(update={"doubt": sentence})


def _renamed(gone: Mapping[str, Recording | Unreadable], new: Mapping[str, Recording | Unreadable]) -> _Found[str]:
    """Return new paths with the gone paths that they were: equal ones first, then by likeness."""
    one = {path: item for path, item in gone.items() if isinstance(item, Recording) and item.conversations}
    other = {path: item for path, item in new.items() if isinstance(item, Recording) and item.conversations}
    found: dict[str, str] = {}
    for key in (_same_file, _same_story):
        found |= _equal(
            {path: key(item) for path, item in one.items()}, {path: key(item) for path, item in other.items()}
        )
        one = {path: item for path, item in one.items() if path not in found.values()}
        other = {path: item for path, item in other.items() if path not in found}
    closest = _closest(
        {path: item.conversations[0] for path, item in one.items()},
        {path: item.conversations[0] for path, item in other.items()},
        MIN_RENAMED,
    )
    return _Found({**found, **closest.pairs}, closest.rivals)


def _same_file(recording: Recording) -> Hashable:
    return recording.content


def _same_story(recording: Recording) -> Hashable:
    return tuple(_everything(conversation) for conversation in recording.conversations)


def _path(item: Recording | Unreadable | None) -> str:
    return "" if item is None else item.path
