"""The straight line: files of two refs → cassettes → trajectories → pairs → diffs → one ``Review``."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TypeAlias

from reviewlib.canonical import behaviour_digest, request_digest
from reviewlib.checks import findings, refuse_unknown, suite_findings
from reviewlib.checks.check import Given
from reviewlib.collector import collector_paused
from reviewlib.costs import totals
from reviewlib.diff import diff
from reviewlib.formats import read_cassettes
from reviewlib.groups import by_risk, group, shared_causes, signature, unreadable_signature
from reviewlib.headline import headline
from reviewlib.ignored import ignored
from reviewlib.leaks.guard import guard, shelves
from reviewlib.model.cassette import File, Unreadable
from reviewlib.model.change import Diff
from reviewlib.model.frozen import Frozen
from reviewlib.model.review import Digests, Ignored, Pair, Review, Status, Totals
from reviewlib.model.surroundings import UNKNOWN, Surroundings
from reviewlib.model.trajectory import Recording
from reviewlib.pairing import pair_cassettes
from reviewlib.policy import Policy
from reviewlib.sources import Snapshot
from reviewlib.trajectory import read_recording
from reviewlib.volatile import Rule, parse, settled

_SAYS_CASSETTE = re.compile(r"cassette|recording|(?:^|/)vcr|\.har$|\.httprr", re.IGNORECASE)

_SAYS_OTHER = re.compile(
    r"\.(?:py|go|rb|rs|java|kt|cs|php|sh|[cm]?[jt]sx?|md|rst|adoc|html?|css)$|(?:^|/)\.(?:git\w+|keep|DS_Store)$",
    re.IGNORECASE,
)
"""Sources and documents that stand beside cassettes: a changed ``conftest.py`` or ``README.md`` there is no broken cassette."""

Read: TypeAlias = Recording | Unreadable


def review(snapshot: Snapshot, policy: Policy, prices_at: datetime) -> Review:
    """Compare the two sides of a snapshot. ``prices_at`` is the day whose prices both sides are costed with."""
    refuse_unknown(policy)
    before, around = snapshot.before, snapshot.around
    matched = pair_cassettes(read(snapshot.baseline_files), read(snapshot.head_files))
    changed = [(one, other) for one, other in matched if _content(one) != _content(other) or _path(one) != _path(other)]
    cassettes = [(one, other) for one, other in changed if _is_cassette(one, other)]
    held = shelves(snapshot.baseline_files), shelves(snapshot.head_files)
    safe = [(_guarded(one, held[0]), _guarded(other, held[1])) for one, other in cassettes]
    ordered = by_risk([compare(one, other, policy, prices_at, before, around) for one, other in safe])
    return Review(
        baseline=snapshot.baseline,
        head=snapshot.head,
        pairs=ordered,
        groups=group(ordered),
        causes=shared_causes(ordered),
        findings=suite_findings(ordered, Given(policy, prices_at, around, before)),
        uncounted=snapshot.skipped + len(changed) - len(cassettes),
    )


def _is_cassette(baseline: Read | None, head: Read | None) -> bool:
    """Tell whether a changed file is listed: an adapter claims a side of it, or its name says that it is a cassette."""
    sides = [side for side in (baseline, head) if side is not None]
    return any(
        isinstance(side, Recording) or (_SAYS_CASSETTE.search(side.path) and not _SAYS_OTHER.search(side.path))
        for side in sides
    )


@collector_paused()
def read(files: Sequence[File]) -> tuple[Read, ...]:
    """Read the files of one side to the end."""
    return tuple(item if isinstance(item, Unreadable) else read_recording(item) for item in read_cassettes(files))


def safely_read(files: Sequence[File]) -> tuple[Read, ...]:
    """Read files to the end, all their secrets masked. ``read`` masks those of well-known shapes: it is for what is not shown."""
    held = shelves(files)
    return tuple(guard(item, held.get(item.path, ())) for item in read(files))


def _guarded(item: Read | None, held: dict[str, list[File]]) -> Read | None:
    return None if item is None else guard(item, held.get(item.path, ()))


def inspect(files: Sequence[File]) -> Read:
    """Read one cassette: its file, or the files that it consists of."""
    cassettes = safely_read(files)
    if len(cassettes) == 1:
        return cassettes[0]
    named = next((item for item in cassettes if item.path == files[0].path), None) if files else None
    return named or Unreadable(
        path=files[0].path if files else "", content="", stage="load", reason="there is no such cassette"
    )


def compare(
    baseline: Read | None,
    head: Read | None,
    policy: Policy,
    prices_at: datetime,
    before: Surroundings = UNKNOWN,
    around: Surroundings = UNKNOWN,
) -> Pair:
    """Compare one cassette with its counterpart; either may be absent or unreadable. ``before`` is what stands around the baseline, ``around``
    around head.
    """
    rules = parse(policy.volatile)
    one, other = _readable(baseline, rules), _readable(head, rules)
    status = _status(baseline, head)
    path = _path(head) or _path(baseline) or ""
    told = _told_unreadable(baseline, head) or _told_changes(one, other, status, policy)
    return Pair(
        path=path,
        baseline_path=_path(baseline),
        head_path=_path(head),
        status=status,
        baseline_content=_content(baseline),
        head_content=_content(head),
        baseline=baseline,
        head=head,
        diff=told.diff,
        significance=told.diff.significance if told.diff else None,
        headline=told.headline,
        signature=told.signature,
        baseline_digests=_digests(one),
        head_digests=_digests(other),
        baseline_totals=totals(one, prices_at) if one else Totals(),
        head_totals=totals(other, prices_at) if other else Totals(),
        findings=findings(one or baseline, other or head, told.diff, Given(policy, prices_at, around, before)),
        ignored=_ignored(baseline, head, rules),
        record_command=policy.record_command_for(path),
    )


class _Told(Frozen):
    """What a comparison says: its changes, in one sentence, under one signature."""

    diff: Diff | None
    headline: str
    signature: str


def _told_unreadable(baseline: Read | None, head: Read | None) -> _Told | None:
    """Say which side could not be read, at which stage and why; None where both could."""
    for side, name in ((head, "head"), (baseline, "baseline")):
        if isinstance(side, Unreadable):
            where = "" if baseline is None or head is None else f" {name}"
            sentence = f"unreadable{where} ({side.stage}): {side.reason}"
            return _Told(diff=None, headline=sentence, signature=unreadable_signature(side.stage, side.reason))
    return None


def _told_changes(one: Recording | None, other: Recording | None, status: Status, policy: Policy) -> _Told:
    found = diff(one, other, policy.usage_tolerance)
    return _Told(
        diff=found,
        headline=headline(found.changes, status, one, other),
        signature=signature(found.changes, _held(status, one or other)),
    )


def _ignored(baseline: Read | None, head: Read | None, rules: Sequence[Rule]) -> tuple[Ignored, ...]:
    if isinstance(baseline, Recording) and isinstance(head, Recording):
        return ignored(baseline, head, rules)
    return ()


def _readable(item: Read | None, rules: Sequence[Rule]) -> Recording | None:
    return settled(item, rules) if isinstance(item, Recording) else None


def _digests(recording: Recording | None) -> Digests:
    if recording is None:
        return Digests()
    return Digests(behaviour=behaviour_digest(recording.conversations), request=request_digest(recording.conversations))


def _held(status: Status, recording: Recording | None) -> str:
    """Return what an added or a removed cassette is told apart by."""
    if recording is None or status not in {"added", "removed"}:
        return ""
    return f"{status} {behaviour_digest(recording.conversations)} {request_digest(recording.conversations)}"


def _status(baseline: Read | None, head: Read | None) -> Status:
    if baseline is None:
        return "added"
    if head is None:
        return "removed"
    return "modified" if _path(baseline) == _path(head) else "renamed"


def _path(item: Read | None) -> str | None:
    return None if item is None else item.path


def _content(item: Read | None) -> str | None:
    return None if item is None else item.content
