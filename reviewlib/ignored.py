"""What differs between two recordings and means nothing: counted, so that nothing is hidden for good."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from reviewlib.model.cassette import Exchange, Response
from reviewlib.model.frozen import Plain
from reviewlib.model.review import Ignored
from reviewlib.model.trajectory import Reasoning, Recording, Turn
from reviewlib.traffic import differing
from reviewlib.uncompared import SENT, kinds_of
from reviewlib.values import same
from reviewlib.volatile import Rule, settled

_SHOWN = 6
"""Names of a kind that are shown, the most frequent first."""


def ignored(baseline: Recording, head: Recording, rules: Sequence[Rule] = ()) -> tuple[Ignored, ...]:
    """Count the volatile values that differ, in the order of the recordings; ``rules`` are the policy's own."""
    return tuple(item for item in _counted(baseline, head, rules) if item.count)


def _counted(baseline: Recording, head: Recording, rules: Sequence[Rule]) -> Iterator[Ignored]:
    turns = list(zip(_turns(baseline), _turns(head), strict=False))
    found = _inside_answers(baseline, head, turns)
    yield Ignored(what="ids of answers", count=sum(one.response_id != other.response_id for one, other in turns))
    yield _named("ids inside answers", found["ids"])
    recorded = Counter({"recorded at": sum(one.recorded_at != other.recorded_at for one, other in turns)})
    yield Ignored(what="times", count=(found["times"] + recorded).total(), names=_named("", found["times"]).names)
    yield _named("headers", Counter(_headers(baseline, head)))
    yield from (_named(what, found[kind]) for kind, what in _LABELS.items())
    thoughts = [
        [step.text for item in side.conversations for step in item.steps if isinstance(step, Reasoning)]
        for side in (baseline, head)
    ]
    yield Ignored(what="reasoning", count=sum(one != other for one, other in zip(*thoughts, strict=False)))
    tries = [sum(len(turn.attempts) for turn in _turns(side)) for side in (baseline, head)]
    yield Ignored(what="failed tries before an answer", count=abs(tries[0] - tries[1]))
    yield Ignored(what=TRAFFIC, count=differing(baseline, head))
    yield Ignored(what="fields that the policy calls volatile", count=_by_rule(baseline, head, rules))


TRAFFIC = "exchanges that are no model call"
"""The one kind here that is not known to mean nothing."""

_OWN = frozenset({"id", "responseId"})
"""The id of an answer itself, which is counted apart."""

_PADDING, _ORDER, _SENT = "padding", "order", "sent"
_LABELS: Mapping[str, str] = {
    "signatures": "signatures and fingerprints",
    "measurements": "durations",
    "scores": "probabilities and ratings",
    "citations": "citations",
    "transport": "pieces of streams",
    "billing": "tiers and caching",
    _SENT: "fields of requests about transport and billing",
    _PADDING: "keys without a value",
    _ORDER: "objects with their keys in another order",
}
"""How the kinds of ``uncompared``, and what is no field, are called."""


def _named(what: str, names: Counter[str]) -> Ignored:
    return Ignored(
        what=what, count=names.total(), names=tuple(name for name, count in names.most_common(_SHOWN) if name and count)
    )


def _inside_answers(
    baseline: Recording, head: Recording, turns: Sequence[tuple[Turn, Turn]]
) -> defaultdict[str, Counter[str]]:
    """Count what differs in the bodies of corresponding turns and is in the tables of what is not compared, by kind and name."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    sides = [
        {item.index: item for item in side.cassette.interactions if isinstance(item, Exchange)}
        for side in (baseline, head)
    ]
    for one, other in turns:
        left, right = sides[0].get(one.interaction), sides[1].get(other.interaction)
        if left is None or right is None:
            continue
        if left.response and right.response:
            _compare_answers(left.response, right.response, kinds_of(one.provider), found)
        if (
            left.request
            and right.request
            and isinstance(left.request.body, dict)
            and isinstance(right.request.body, dict)
        ):
            sent = left.request.body, right.request.body
            found[_SENT].update(name for name in SENT if sent[0].get(name) != sent[1].get(name))
    return found


def _compare_answers(
    one: Response, other: Response, kinds: Mapping[str, str], found: defaultdict[str, Counter[str]]
) -> None:
    pieces = [
        len(side.chunks or ()) or (side.body.count("data:") if isinstance(side.body, str) else 0)
        for side in (one, other)
    ]
    found["transport"]["chunk boundaries"] += pieces[0] != pieces[1]
    if isinstance(one.body, dict) and isinstance(other.body, dict):
        trees = [{name: value for name, value in body.items() if name not in _OWN} for body in (one.body, other.body)]
        _compare_trees(trees[0], trees[1], kinds, found)


def _compare_trees(one: Plain, other: Plain, kinds: Mapping[str, str], found: defaultdict[str, Counter[str]]) -> None:
    """Compare two trees key by key; what is not in the tables is the diff's business."""
    if isinstance(one, list) and isinstance(other, list):
        for left, right in zip(one, other, strict=False):
            _compare_trees(left, right, kinds, found)
        return
    if not isinstance(one, dict) or not isinstance(other, dict):
        return
    for name in one.keys() | other.keys():
        left, right = one.get(name), other.get(name)
        if name in kinds:
            found[kinds[name]][name] += left != right
        elif name in one and name in other:
            _compare_trees(left, right, kinds, found)
        elif left is None and right is None:
            found[_PADDING][name] += 1
    shared = [[name for name in side if name in one and name in other] for side in (one, other)]
    found[_ORDER][""] += shared[0] != shared[1]


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
