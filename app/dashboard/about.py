"""What a comparison is made of, in facts: the sides, the counts, what is left out of it, the rules, and the versions. Pure; no streamlit."""

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from dashboard import present
from reviewlib.canonical import NORMALISER
from reviewlib.model.review import Review
from reviewlib.policy import DEFAULT_POLICY, Policy

VOLATILE: tuple[tuple[str, str], ...] = (
    ("ids", "of responses, messages and calls: calls are numbered, and an id only ties a result to its call"),
    ("times", "when something was recorded or created"),
    ("headers", "of requests and responses, with rate limits, cookies and traces"),
    ("signatures", "of reasoning, and reasoning itself: shown, never compared"),
    ("padding", "null where the format writes absent fields; the order of keys; 39 and 39.0"),
    ("chunks", "where a stream was cut into pieces"),
    ("parallel calls", "their order within one turn"),
    ("retries", "a failed try that a success of the same request followed"),
)
"""What is never a difference, whatever the policy says."""


_NAMES = 8
"""Names of what was not compared that are listed."""


class Fact(NamedTuple):
    """A name and what it is."""

    name: str
    value: str


def sides(review: Review) -> tuple[Fact, ...]:
    """The two sides, with their commits in full."""
    return tuple(
        Fact(name, f"{present.side_name(side)} {side.commit or ''}".strip())
        for name, side in (("baseline", review.baseline), ("head", review.head))
    )


def counted(review: Review) -> tuple[Fact, ...]:
    """How many cassettes there are, of which kind."""
    ranks = [present.rank(pair) for pair in review.pairs]
    facts = [Fact("changed cassettes", f"{len(review.pairs):,}")]
    facts += [Fact(rank, f"{ranks.count(rank):,}") for rank in present.RANKS if rank in ranks]
    facts.append(Fact("changed files that are no cassettes", f"{review.uncounted:,}"))
    return (*facts, *(Fact("note", note) for note in review.notes))


def ignored(review: Review) -> tuple[Fact, ...]:
    """What differed in all pairs together and was not compared, most first; of each kind how often, where, and what it was named."""
    counts: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    names: dict[str, dict[str, None]] = {}
    for pair in review.pairs:
        for item in pair.ignored:
            counts[item.what] += item.count
            pairs[item.what] += 1
            names.setdefault(item.what, {}).update(dict.fromkeys(item.names))
    return tuple(
        Fact(
            what, f"{count:,} in {pairs[what]:,} cassette{'' if pairs[what] == 1 else 's'}{_named(tuple(names[what]))}"
        )
        for what, count in counts.most_common()
    )


def _named(names: Sequence[str]) -> str:
    """Some names, in brackets."""
    more = ", …" if len(names) > _NAMES else ""
    return f" ({', '.join(names[:_NAMES])}{more})" if names else ""


def rules(policy: Policy) -> tuple[Fact, ...]:
    """The rules that judge the comparison, the baseline's; what is not set has its default."""
    return tuple(_rules(policy))


def _rules(policy: Policy) -> Iterator[Fact]:
    for name in Policy.model_fields:
        value = getattr(policy, name)
        default = " (default)" if value == getattr(DEFAULT_POLICY, name) else ""
        yield Fact(name, f"{_written(value)}{default}")
    yield Fact("digest", policy.digest)


def _written(value: object) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {item}" for key, item in value.items()) or "none"
    return "none" if value is None else str(value)


def versions() -> tuple[Fact, ...]:
    """The versions of what made the comparison."""
    return (
        Fact("cassette-review", _version("cassette-review")),
        Fact("normalisation", str(NORMALISER)),
        Fact("prices", f"genai-prices {_version('genai-prices')}"),
        Fact("streamlit", _version("streamlit")),
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
