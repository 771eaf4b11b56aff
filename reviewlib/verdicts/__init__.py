"""Verdicts: what an entry of the ledger says, and what all entries together say about a pair.

Pure. A state is derived from the entries each time, never stored. How long a verdict holds: docs/verdicts.md.

``entry``     one line of the ledger, and how entries are made
``standing``  what is left of the entries on one content: whose word counts, what was taken back or set aside
``state``     where a pair stands
``threads``   comments, by the step that they are about
``judged``    the contents that entries are about, to be pinned
"""

from reviewlib.verdicts.entry import (
    VERSION,
    Anchor,
    Entry,
    PairContent,
    Reviewer,
    Trajectories,
    TrajectoryDigests,
    Verdict,
    comment_entry,
    refusal,
    undo_entry,
    verdict_entry,
    withdraw_entry,
)
from reviewlib.verdicts.judged import contents, members
from reviewlib.verdicts.standing import Fate, fates
from reviewlib.verdicts.state import PairState, explained, states
from reviewlib.verdicts.threads import Thread, threads

__all__ = [
    "VERSION",
    "Anchor",
    "Entry",
    "Fate",
    "PairContent",
    "PairState",
    "Reviewer",
    "Thread",
    "Trajectories",
    "TrajectoryDigests",
    "Verdict",
    "comment_entry",
    "contents",
    "explained",
    "fates",
    "members",
    "refusal",
    "states",
    "threads",
    "undo_entry",
    "verdict_entry",
    "withdraw_entry",
]
