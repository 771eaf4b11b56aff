"""Everything one comparison shows. Verdicts are not in it: they are joined after it, on every page run."""

from decimal import Decimal
from typing import Literal, TypeAlias

from reviewlib.model.call import Usage
from reviewlib.model.cassette import Unreadable
from reviewlib.model.change import Diff, Significance
from reviewlib.model.frozen import Frozen
from reviewlib.model.trajectory import Recording

Status: TypeAlias = Literal["modified", "renamed", "added", "removed"]
Severity: TypeAlias = Literal["error", "warning", "info"]
Since: TypeAlias = Literal["new", "known", "gone"]
State: TypeAlias = Literal["open", "approved", "flagged", "carried", "stale", "resolved", "blocked"]


class Side(Frozen):
    """One side of a comparison. ``commit`` is a commit id, None for the working tree and for a directory.

    ``label`` is what the contract prints: the commit id, ``worktree``, or the directory.
    """

    label: str
    commit: str | None = None
    revision: str = ""


class Digests(Frozen):
    """The two digests of a side's trajectories, as hex. None for a side that is absent or unreadable."""

    behaviour: str | None = None
    request: str | None = None


class Finding(Frozen):
    """A judged fact. ``since``: new in head, already in the baseline, or gone."""

    code: str
    severity: Severity
    message: str
    step: tuple[int, int] | None = None
    since: Since = "new"


class Ignored(Frozen):
    """A kind of volatile data that was not compared: how many values of it differ, and some of their names."""

    what: str
    count: int
    names: tuple[str, ...] = ()


class Totals(Frozen):
    """Usage summed over a side's turns, its cost in US dollars where every model's price is known, and the seconds that its calls took."""

    usage: Usage | None = None
    cost: Decimal | None = None
    turns: int = 0
    calls: int = 0
    seconds: float | None = None


class Pair(Frozen):
    """A baseline cassette matched with a head cassette; either may be absent.

    ``path`` is the head's path (the baseline's where it was removed). ``baseline`` and ``head`` are what was read, or why it
    could not be. ``significance`` is None when a side is unreadable. ``signature`` groups pairs that changed alike.
    ``subject`` is ``policy`` where the pair is no cassette but the rules of review, which changed in the same branch: it has
    nothing recorded on either side, and its contents are the rules (see ``policy_change``).
    """

    path: str
    baseline_path: str | None
    head_path: str | None
    status: Status
    baseline_content: str | None
    head_content: str | None
    baseline: Recording | Unreadable | None
    head: Recording | Unreadable | None
    diff: Diff | None
    significance: Significance | None
    headline: str
    signature: str
    baseline_digests: Digests
    head_digests: Digests
    baseline_totals: Totals
    head_totals: Totals
    findings: tuple[Finding, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    record_command: str | None = None
    subject: Literal["cassette", "policy"] = "cassette"

    @property
    def digest(self) -> str:
        """What a verdict is about: the exact content of both sides. The screen sends it back with the decision."""
        return f"{self.baseline_content or '-'}..{self.head_content or '-'}"


class Group(Frozen):
    """The pairs that share one change signature, by path, and what they share in one sentence."""

    signature: str
    headline: str
    pairs: tuple[str, ...]


class Review(Frozen):
    """One comparison: its sides, its pairs (riskiest first), its groups, and the number of changed files that are no cassettes.

    ``causes`` are single edits that several pairs have in common, whatever else each of them changes; most pairs first. ``findings`` are about
    all pairs together.
    """

    baseline: Side
    head: Side
    pairs: tuple[Pair, ...]
    groups: tuple[Group, ...]
    causes: tuple[Group, ...] = ()
    findings: tuple[Finding, ...] = ()
    uncounted: int = 0
    notes: tuple[str, ...] = ()
