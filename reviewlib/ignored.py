"""What differs between two recordings and means nothing: counted, so that nothing is hidden for good."""

from collections import Counter
from collections.abc import Iterator, Sequence

from reviewlib.model.cassette import Exchange
from reviewlib.model.review import Ignored
from reviewlib.model.trajectory import Reasoning, Recording, Turn
from reviewlib.values import same
from reviewlib.volatile import Rule, settled


def ignored(baseline: Recording, head: Recording, rules: Sequence[Rule] = ()) -> tuple[Ignored, ...]:
    """Count the volatile values that differ, in the order of the recordings; ``rules`` are the policy's own."""
    return tuple(item for item in _counted(baseline, head, rules) if item.count)


def _counted(baseline: Recording, head: Recording, rules: Sequence[Rule]) -> Iterator[Ignored]:
    turns = list(zip(_turns(baseline), _turns(head), strict=False))
    yield Ignored(what="ids of answers", count=sum(one.response_id != other.response_id for one, other in turns))
    yield Ignored(what="times", count=sum(one.recorded_at != other.recorded_at for one, other in turns))
    headers = Counter(_headers(baseline, head))
    names = tuple(name for name, _ in headers.most_common(6))
    yield Ignored(what="headers", count=headers.total(), names=names)
    thoughts = [
        [step.text for item in side.conversations for step in item.steps if isinstance(step, Reasoning)]
        for side in (baseline, head)
    ]
    yield Ignored(what="reasoning", count=sum(one != other for one, other in zip(*thoughts, strict=False)))
    tries = [sum(len(turn.attempts) for turn in _turns(side)) for side in (baseline, head)]
    yield Ignored(what="failed tries before an answer", count=abs(tries[0] - tries[1]))
    yield Ignored(what="fields that the policy calls volatile", count=_by_rule(baseline, head, rules))


def _turns(recording: Recording) -> list[Turn]:
    return [turn for conversation in recording.conversations for turn in conversation.turns]


def _headers(baseline: Recording, head: Recording) -> Iterator[str]:
    """Yield the name of each header whose value differs, of the exchanges at the same place."""
    for one, other in zip(baseline.cassette.interactions, head.cassette.interactions, strict=False):
        if isinstance(one, Exchange) and isinstance(other, Exchange):
            for left, right in ((one.request, other.request), (one.response, other.response)):
                if left is not None and right is not None:
                    names = left.headers.keys() | right.headers.keys()
                    yield from (name for name in sorted(names) if left.headers.get(name) != right.headers.get(name))


def _by_rule(baseline: Recording, head: Recording, rules: Sequence[Rule]) -> int:
    """Count the calls and turns of which a rule took something away that differed."""
    if not rules:
        return 0
    count = 0
    pairs = [(side, settled(side, rules)) for side in (baseline, head)]
    calls = [[(old, new) for was, now in zip(whole.conversations, bare.conversations, strict=True) for old, new in zip(was.calls, now.calls, strict=True)] for whole, bare in pairs]  # fmt: skip
    for (one, one_bare), (other, other_bare) in zip(*calls, strict=False):
        for field in ("arguments", "result"):
            differed = not same(getattr(one, field), getattr(other, field))
            count += differed and same(getattr(one_bare, field), getattr(other_bare, field))
    return count
