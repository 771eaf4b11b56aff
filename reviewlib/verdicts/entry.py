"""One line of the ledger: who said what about exactly which content."""

from datetime import datetime
from typing import Any, Literal, TypeAlias

from pydantic import AwareDatetime, ConfigDict

from reviewlib.canonical import NORMALISER
from reviewlib.model.change import StepRef
from reviewlib.model.frozen import Frozen
from reviewlib.model.review import Pair
from reviewlib.policy import DEFAULT_POLICY, Policy

Verdict: TypeAlias = Literal["approve", "flag"]
Kind: TypeAlias = Literal["verdict", "comment", "withdraw"]

VERSION = 1
"""The form of an entry. It goes up when an older reader would misread one; fields that it may pass over are simply added."""


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

    @property
    def spoken(self) -> str:
        """Name the step for a person, who counts from 1: ``step 5 of the head``."""
        conversation, index = self.step
        where = f", conversation {conversation + 1}" if conversation else ""
        return f"step {index + 1} of the {self.side}{where}"


class Entry(_Stored):
    """One line of the ledger. It is never changed; undo is another entry.

    ``id`` is random, ``at`` is UTC. ``changes`` is the pair's change signature, ``normaliser`` the version its digests were made
    with, ``policy`` the digest of the rules. ``agent`` marks an automated reviewer. ``bulk`` is shared by the
    entries of one group action, ``undoes`` names the entry that a withdrawal takes back; without it, a withdrawal takes back
    whatever its reviewer said before on this content. ``resolves``: this comment closes the thread of its step, until somebody goes on.
    """

    v: int = VERSION
    id: str
    kind: Kind
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
    resolves: bool = False
    bulk: str | None = None
    undoes: str | None = None

    @property
    def subject(self) -> str:
        """The object that the entry is kept on: the head's content, the baseline's where the cassette was removed."""
        subject = self.pair.head or self.pair.baseline
        if subject is None:
            raise ValueError(f"the entry {self.id} is about no content")
        return subject

    @property
    def content(self) -> tuple[str | None, str | None, str]:
        """What makes two entries be about exactly the same."""
        return self.pair.baseline, self.pair.head, self.pair.path

    @property
    def speaker(self) -> tuple[str, bool]:
        """Whose word it is. What automation submits under a person's name does not replace what the person said."""
        return self.reviewer.key, self.agent


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
    return _entry(
        pair, "verdict", reviewer, comment, policy, id=entry_id, at=at, verdict=verdict, bulk=bulk, agent=agent
    )


def comment_entry(
    pair: Pair,
    reviewer: Reviewer,
    comment: str,
    *,
    at: datetime,
    entry_id: str,
    policy: Policy = DEFAULT_POLICY,
    step: Anchor | None = None,
    resolves: bool = False,
    agent: bool = False,
) -> Entry:
    """Make a remark on a pair, or on one step of it. It leaves the state as it is; with ``resolves`` it closes the step's thread."""
    return _entry(
        pair, "comment", reviewer, comment, policy, id=entry_id, at=at, step=step, resolves=resolves, agent=agent
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
    agent: bool = False,
) -> Entry:
    """Take back one entry (``undoes``), or all that its reviewer said on this content. It sets another's flag aside where it gives a reason."""
    return _entry(
        pair, "withdraw", reviewer, comment, policy, id=entry_id, at=at, undoes=undoes, bulk=bulk, agent=agent
    )


def undo_entry(
    target: Entry,
    reviewer: Reviewer,
    comment: str = "",
    *,
    at: datetime,
    entry_id: str,
    bulk: str | None = None,
    agent: bool = False,
) -> Entry:
    """Take back exactly this entry, on the content that it is about, wherever the pair has moved since."""
    return Entry(
        kind="withdraw",
        **target.model_dump(include={"pair", "trajectory", "changes", "normaliser", "policy"}),
        reviewer=reviewer,
        comment=_storable(comment),
        id=entry_id,
        at=at,
        undoes=target.id,
        bulk=bulk,
        agent=agent,
    )


def refusal(
    pair: Pair, shown_digest: str, verdict: Verdict = "flag", *, agent: bool = False, policy: Policy = DEFAULT_POLICY
) -> str | None:
    """Why a verdict may not be recorded, in one sentence; None where it may.

    ``shown_digest`` is the ``Pair.digest`` of what the screen showed when the reviewer decided.
    """
    if agent and policy.agent_verdicts == "refuse":
        return 'the policy of this project takes no verdicts from automation (agent_verdicts = "refuse"); a person has to decide'
    if shown_digest != pair.digest:
        return f"the content of {pair.path} has changed since it was shown; look at it again, then decide"
    if verdict == "approve" and pair.significance is None:
        return f"there is nothing to approve, since {pair.path} could not be read; it can be flagged"
    return None


def _entry(pair: Pair, kind: Kind, reviewer: Reviewer, comment: str, policy: Policy, **said: Any) -> Entry:
    """Make an entry on exactly what a pair holds now; ``said`` are the fields that differ by kind."""
    return Entry(
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
        comment=_storable(comment),
        **said,
    )


def _storable(text: str) -> str:
    """Spell out half surrogates, as a terminal with another encoding passes them: no JSON reader takes them."""
    return text.encode("utf-8", "backslashreplace").decode()
