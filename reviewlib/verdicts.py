"""Verdicts: what an entry of the ledger says, and what all entries together say about a pair.

Pure. A state is derived from the entries each time, never stored. How long a verdict holds: docs/verdicts.md.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, TypeAlias

from pydantic import AwareDatetime, ConfigDict

from reviewlib.canonical import NORMALISER
from reviewlib.model.change import StepRef
from reviewlib.model.frozen import Frozen
from reviewlib.model.review import Digests, Pair, Review, State
from reviewlib.policy import DEFAULT_POLICY, Policy

Verdict: TypeAlias = Literal["approve", "flag"]


class _Stored(Frozen):
    """A value of the ledger. A later version may add fields; they are passed over, and stay in the stored line."""

    model_config = ConfigDict(extra="ignore")


class Reviewer(_Stored):
    """A named person. The mail address tells reviewers apart, whatever its case."""

    name: str
    email: str

    @property
    def key(self) -> str:
        """What makes two entries those of one reviewer."""
        return self.email.casefold() or self.name


class PairContent(_Stored):
    """The exact content an entry is about: the content ids of both sides (None: that side is absent), and the pair's path."""

    baseline: str | None
    head: str | None
    path: str


class TrajectoryDigests(_Stored):
    """One side's digests, as the pair had them. None where the side is absent or unreadable."""

    behaviour: str | None = None
    request: str | None = None


class Trajectories(_Stored):
    """The digests of both sides' trajectories at the time of the entry."""

    baseline: TrajectoryDigests
    head: TrajectoryDigests


class Anchor(_Stored):
    """The step that a comment is about."""

    side: Literal["baseline", "head"]
    step: StepRef


class Entry(_Stored):
    """One line of the ledger. It is never changed; undo is another entry.

    ``id`` is random, ``at`` is UTC. ``changes`` is the pair's change signature, ``normaliser`` the version its digests were made
    with, ``policy`` the digest of the rules. ``agent`` marks an automated reviewer. ``bulk`` is shared by the
    entries of one group action, ``undoes`` names the entry that a withdrawal takes back; without it, a withdrawal takes back
    whatever its reviewer said before on this content.
    """

    id: str
    kind: Literal["verdict", "comment", "withdraw"]
    verdict: Verdict | None = None
    pair: PairContent
    trajectory: Trajectories
    changes: str = ""
    normaliser: int
    policy: str = ""
    reviewer: Reviewer
    agent: bool = False
    at: AwareDatetime
    comment: str = ""
    step: Anchor | None = None
    bulk: str | None = None
    undoes: str | None = None

    @property
    def subject(self) -> str:
        """The object that the entry is kept on: the head's content, the baseline's where the cassette was removed."""
        subject = self.pair.head or self.pair.baseline
        if subject is None:
            raise ValueError(f"the entry {self.id} is about no content")
        return subject


class PairState(Frozen):
    """What the ledger says about one pair.

    ``entries`` are those on exactly this content, oldest first, comments and withdrawn ones included. ``by`` are the reviewers that
    the state rests on. ``since`` is the earlier entry that a carried or stale state goes back to. ``dismissed`` are the
    flags that another person set aside, each with the withdrawal that gives the reason.
    """

    state: State
    entries: tuple[Entry, ...] = ()
    by: tuple[Reviewer, ...] = ()
    since: Entry | None = None
    dismissed: tuple[tuple[Entry, Entry], ...] = ()


def verdict_entry(
    pair: Pair,
    verdict: Verdict,
    reviewer: Reviewer,
    comment: str = "",
    *,
    at: datetime,
    entry_id: str,
    policy: Policy = DEFAULT_POLICY,
    bulk: str | None = None,
    agent: bool = False,
) -> Entry:
    """Make a verdict on exactly what a pair holds now."""
    entry = _entry(pair, "verdict", reviewer, comment, at=at, entry_id=entry_id, policy=policy)
    return entry.model_copy(update={"verdict": verdict, "bulk": bulk, "agent": agent})


def comment_entry(
    pair: Pair,
    reviewer: Reviewer,
    comment: str,
    *,
    at: datetime,
    entry_id: str,
    policy: Policy = DEFAULT_POLICY,
    step: Anchor | None = None,
) -> Entry:
    """Make a remark on a pair, or on one step of it. It leaves the state as it is."""
    return _entry(pair, "comment", reviewer, comment, at=at, entry_id=entry_id, policy=policy).model_copy(
        update={"step": step}
    )


def withdraw_entry(
    pair: Pair,
    reviewer: Reviewer,
    comment: str = "",
    *,
    at: datetime,
    entry_id: str,
    policy: Policy = DEFAULT_POLICY,
    undoes: str | None = None,
    bulk: str | None = None,
) -> Entry:
    """Take back one entry (``undoes``), or all that its reviewer said on this content. It sets another's flag aside where it gives a reason."""
    entry = _entry(pair, "withdraw", reviewer, comment, at=at, entry_id=entry_id, policy=policy)
    return entry.model_copy(update={"undoes": undoes, "bulk": bulk})


def refusal(pair: Pair, shown_digest: str, verdict: Verdict = "flag") -> str | None:
    """Why a verdict may not be recorded, in one sentence; None where it may.

    ``shown_digest`` is the ``Pair.digest`` of what the screen showed when the reviewer decided.
    """
    if shown_digest != pair.digest:
        return f"{pair.path} has changed since it was shown; look at it again, then decide"
    if verdict == "approve" and pair.significance is None:
        return f"{pair.path} could not be read, so there is nothing to approve; it can be flagged"
    return None


def states(entries: Iterable[Entry], review: Review, policy: Policy = DEFAULT_POLICY) -> dict[str, PairState]:
    """Derive the state of every pair of a review, by path."""
    by_path: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.at, entry.id)):
        by_path.setdefault(entry.pair.path, []).append(entry)
    return {pair.path: _state(pair, by_path.get(pair.path, ()), policy) for pair in review.pairs}


def _state(pair: Pair, entries: Sequence[Entry], policy: Policy) -> PairState:
    """In order of precedence: blocked, flagged, approved, carried, resolved, stale, open."""
    exact = tuple(entry for entry in entries if _content(entry) == (pair.baseline_content, pair.head_content))
    here = _standing(exact)
    known = PairState(state="open", entries=exact, dismissed=here.dismissed)
    if any(finding.code in policy.blocking and finding.since == "new" for finding in pair.findings):
        return known.model_copy(update={"state": "blocked"})
    for state, verdict in (("flagged", "flag"), ("approved", "approve")):
        by = tuple(entry.reviewer for entry in here.verdicts if entry.verdict == verdict)
        if by:
            return known.model_copy(update={"state": state, "by": by})
    return known.model_copy(update=_from_earlier(pair, entries))


class _Standing(Frozen):
    """What holds on one content: each reviewer's latest verdict, oldest first, and the flags that were set aside."""

    verdicts: tuple[Entry, ...]
    dismissed: tuple[tuple[Entry, Entry], ...]


def _standing(entries: Sequence[Entry]) -> _Standing:
    """Reduce the entries on one content, given oldest first, to what holds.

    An undo names its entry, so it holds even where a clock ran behind. A flag set aside by another still is its reviewer's
    latest word: it does not bring an earlier approval back.
    """
    by_id = {entry.id: entry for entry in entries}
    undone: set[str] = set()
    aside: dict[str, Entry] = {}
    for entry in reversed([entry for entry in entries if entry.kind == "withdraw" and entry.undoes]):
        target = by_id.get(entry.undoes or "")
        if target is None or entry.id in undone:
            continue
        if target.reviewer.key == entry.reviewer.key:
            undone.add(target.id)
        elif target.verdict == "flag" and entry.comment.strip():
            aside[target.id] = entry
    latest: dict[str, Entry] = {}
    for entry in entries:
        if entry.kind == "verdict" and entry.verdict and entry.id not in undone:
            latest.pop(entry.reviewer.key, None)
            latest[entry.reviewer.key] = entry
        elif entry.kind == "withdraw" and not entry.undoes and entry.id not in undone:
            latest.pop(entry.reviewer.key, None)
    return _Standing(
        verdicts=tuple(entry for entry in latest.values() if entry.id not in aside),
        dismissed=tuple((by_id[flag], why) for flag, why in reversed(aside.items()) if flag not in undone),
    )


def _from_earlier(pair: Pair, entries: Sequence[Entry]) -> dict[str, object]:
    """Tell what the verdicts on earlier contents of the cassette still say: carried, resolved or stale, with the entry; or nothing."""
    contents = dict.fromkeys(_content(entry) for entry in entries)
    contents.pop((pair.baseline_content, pair.head_content), None)
    held = [
        entry
        for content in contents
        for entry in _standing([entry for entry in entries if _content(entry) == content]).verdicts
    ]
    if not held:
        return {}
    last = max(held, key=lambda entry: (entry.at, entry.id))
    flags = [entry for entry in held if entry.verdict == "flag"]
    approvals = [entry for entry in held if entry.verdict == "approve" and _is_only_noise_away(entry, pair)]
    if approvals:
        approval = max(approvals, key=lambda entry: (entry.at, entry.id))
        if not any(flag.at >= approval.at or _is_only_noise_away(flag, pair) for flag in flags):
            return {"state": "carried", "by": (approval.reviewer,), "since": approval}
    if last.verdict == "flag" and _is_back_to_baseline(pair):
        return {"state": "resolved", "by": (last.reviewer,), "since": last}
    if _has_landed(last, pair):
        return {}
    return {"state": "stale", "since": last}


def _is_only_noise_away(entry: Entry, pair: Pair) -> bool:
    """Whether an earlier content had the same behaviour and requests on both sides. Unknown digests are equal to nothing."""
    then, now = entry.trajectory, (pair.baseline_digests, pair.head_digests)
    same = _equal(then.baseline, now[0], pair.baseline_content, entry.pair.baseline) and _equal(
        then.head, now[1], pair.head_content, entry.pair.head
    )
    return same and entry.normaliser == NORMALISER


def _equal(then: TrajectoryDigests, now: Digests, content: str | None, earlier: str | None) -> bool:
    if content is None or earlier is None:
        return content is None and earlier is None
    return now.behaviour is not None and (then.behaviour, then.request) == (now.behaviour, now.request)


def _is_back_to_baseline(pair: Pair) -> bool:
    return pair.baseline_content == pair.head_content or pair.significance == "identical"


def _has_landed(entry: Entry, pair: Pair) -> bool:
    """Whether what the entry judged has become the baseline: then it is history, and says nothing about a new re-record."""
    if pair.baseline_content is not None and entry.pair.head == pair.baseline_content:
        return True
    now, then = pair.baseline_digests, entry.trajectory.head
    same = (then.behaviour, then.request) == (now.behaviour, now.request)
    return now.behaviour is not None and same and entry.normaliser == NORMALISER and entry.verdict == "approve"


def _content(entry: Entry) -> tuple[str | None, str | None]:
    return entry.pair.baseline, entry.pair.head


def _entry(
    pair: Pair,
    kind: Literal["verdict", "comment", "withdraw"],
    reviewer: Reviewer,
    comment: str,
    *,
    at: datetime,
    entry_id: str,
    policy: Policy,
) -> Entry:
    return Entry(
        id=entry_id,
        kind=kind,
        pair=PairContent(baseline=pair.baseline_content, head=pair.head_content, path=pair.path),
        trajectory=Trajectories(
            baseline=TrajectoryDigests(**pair.baseline_digests.model_dump()),
            head=TrajectoryDigests(**pair.head_digests.model_dump()),
        ),
        changes=pair.signature,
        normaliser=NORMALISER,
        policy=policy.digest,
        reviewer=reviewer,
        at=at,
        comment=comment,
    )
