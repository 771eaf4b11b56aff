"""The rows of the queue: what each pair says in one line, and the order in which they stand. Pure; no streamlit."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from dashboard import present
from dashboard.figures import moved, moved_cost, tokens
from dashboard.inert import one_line
from dashboard.present import SHAPES
from reviewlib.model.review import Finding, Group, Pair, Review, State

Sort: TypeAlias = Literal[
    "", "path", "tokens", "-tokens", "cost", "-cost", "findings", "-findings", "state", "-state", "-path"
]
SORTS: tuple[Sort, ...] = get_args(Sort)
"""What the queue can be sorted by, ``-`` for falling; the empty one is by risk, with what changed alike together."""


@dataclass(frozen=True, slots=True)
class Row:
    """What does not change with a verdict: ``tokens`` and ``cost`` are how they moved, empty where that is unknown or nothing.

    ``group`` is the signature that it shares with others, ``digest`` what a verdict on it is about, ``strip`` marks and names.
    """

    path: str
    rank: present.Rank
    status: str
    headline: str
    strip: tuple[tuple[str, str], ...]
    tools: str
    tokens: str
    cost: str
    findings: str
    codes: str
    group: str
    digest: str


def row(pair: Pair, group: str = "") -> Row:
    """A pair as a row. Every text is on one line, with nothing hidden in it."""
    called = (" → ".join(present.tools(pair, side)) or "no calls" for side in ("baseline", "head"))
    return Row(
        path=pair.path,
        rank=present.rank(pair),
        status="" if pair.status == "modified" else pair.status,
        headline=one_line(pair.headline, 240),
        strip=tuple((bead.mark, one_line(bead.text, 60)) for bead in present.strip(pair)[:12]),
        tools=one_line("  ⇒  ".join(called)),
        tokens=moved(tokens(pair.baseline_totals), tokens(pair.head_totals)),
        cost=moved_cost(pair.baseline_totals, pair.head_totals),
        findings=findings_in_brief(pair.findings),
        codes=one_line(", ".join(dict.fromkeys(item.code for item in pair.findings if item.since == "new"))),
        group=group,
        digest=pair.digest,
    )


def findings_in_brief(findings: Sequence[Finding]) -> str:
    """How many findings are new in head, by severity, worst first."""
    new = [finding.severity for finding in findings if finding.since == "new"]
    return " ".join(f"{SHAPES[severity]}{new.count(severity)}" for severity in present.ALARMS if severity in new)


def groups(review: Review) -> Mapping[str, Group]:
    """The groups of a review, by the path of each member. Pairs in which nothing differs have nothing in common."""
    return {path: group for group in listed_groups(review) for path in group.pairs}


def listed_groups(review: Review) -> tuple[Group, ...]:
    """The groups that changed in something."""
    noise = {pair.signature for pair in review.pairs if pair.significance == "identical"}
    return tuple(group for group in review.groups if group.signature not in noise)


def by_risk(review: Review) -> tuple[Pair, ...]:
    """The pairs, riskiest first: of equal risk the ones that changed like no other before the groups, and each group together."""
    shared = groups(review)
    order: dict[tuple[tuple[bool, bool, present.Rank], bool, str], list[Pair]] = {}
    blocks: dict[str, list[Pair]] = {}
    for pair in review.pairs:
        group = shared.get(pair.path)
        if group is not None and group.signature in blocks:
            blocks[group.signature].append(pair)
            continue
        block = [pair]
        risk = (_fails(pair), "error" in present.alarms(pair), present.rank(pair))
        key = (risk, group is not None, group.signature if group else pair.path)
        order[key] = block
        if group is not None:
            blocks[group.signature] = block
    risks = list(dict.fromkeys(key[0] for key in order))
    ranked = sorted(order.items(), key=lambda item: (risks.index(item[0][0]), item[0][1]))
    return tuple(pair for _, block in ranked for pair in block)


def _fails(pair: Pair) -> bool:
    """Whether the run ends in a failure that is new."""
    changes = pair.diff.changes if pair.diff is not None else ()
    return any(change.kind == "failure" and change.tool is None and change.head_step for change in changes)


def ordered(pairs: Iterable[Pair], sort: Sort, state: Callable[[Pair], State]) -> tuple[Pair, ...]:
    """Pairs that stand by risk, sorted by a column; what a column does not know comes last, whichever way."""
    by = sort.removeprefix("-")
    if not by:
        return tuple(pairs)
    known = {pair.path: _key(pair, by, state) for pair in pairs}
    falling = sort.startswith("-")
    told = sorted(
        (pair for pair in pairs if known[pair.path] is not None),
        key=lambda pair: known[pair.path] or (),
        reverse=falling,
    )
    return (*told, *(pair for pair in pairs if known[pair.path] is None))


def _key(pair: Pair, by: str, state: Callable[[Pair], State]) -> tuple[float, ...] | tuple[str, ...] | None:
    sides = pair.baseline_totals, pair.head_totals
    match by:
        case "tokens":
            counts = tuple(tokens(side) for side in sides)
            return None if counts[0] is None or counts[1] is None else (float(counts[1] - counts[0]),)
        case "cost":
            costs = tuple(side.cost for side in sides)
            return None if costs[0] is None or costs[1] is None else (float(costs[1] - costs[0]),)
        case "findings":
            new = [finding.severity for finding in pair.findings if finding.since == "new"]
            return tuple(-float(new.count(severity)) for severity in present.ALARMS) if new else None
        case "state":
            return (float(present.STATES.index(state(pair))),)
        case _:
            return (pair.path,)
