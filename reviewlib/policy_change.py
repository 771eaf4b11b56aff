"""Rules of review that changed in the branch under review: a pair of its own, which stands first.

A branch is judged by its baseline's rules, so it cannot loosen them for itself; it could loosen them for the next one. That takes a verdict like
any other change, whatever significances need one.
"""

import json

from reviewlib.formats.content import blob_id
from reviewlib.groups import signature, unreadable_signature
from reviewlib.model.cassette import File, Unreadable
from reviewlib.model.change import Change, Detail, Diff
from reviewlib.model.frozen import Frozen, Plain
from reviewlib.model.review import Digests, Pair, Review, Totals
from reviewlib.policy import Policy
from reviewlib.sources import Snapshot


class PolicyChange(Frozen):
    """The pair, and the rules of both sides as the files that its content ids name: JSON, without what is a default."""

    pair: Pair
    baseline: File
    head: File


def policy_change(baseline: Policy, head: Policy | str, path: str, digits: int) -> PolicyChange | None:
    """Compare the rules of both sides; None where they are equal, in whichever file they stand.

    ``head`` is a text where the rules cannot be used: the reason. ``path`` is the file that they stand in, ``digits`` the length of the
    repository's object ids.
    """
    if head == baseline:
        return None
    before = _file(path, baseline.effective, digits)
    after = _file(path, head if isinstance(head, str) else head.effective, digits)
    changes = () if isinstance(head, str) else _changes(baseline, head)
    diff = None if isinstance(head, str) else Diff(changes=changes, rows=(), significance="behaviour")
    broken = Unreadable(path=path, content=after.blob, stage="parse", reason=head) if isinstance(head, str) else None
    told = "; ".join(change.note for change in changes)
    pair = Pair(
        path=path,
        baseline_path=path,
        head_path=path,
        status="modified",
        baseline_content=before.blob,
        head_content=after.blob,
        baseline=None,
        head=broken,
        diff=diff,
        significance=None if diff is None else "behaviour",
        headline=f"the rules of review cannot be used: {head}" if diff is None else f"rules of review: {told}",
        signature=signature(changes, "policy") if diff else unreadable_signature("policy", str(head)),
        baseline_digests=Digests(),
        head_digests=Digests(),
        baseline_totals=Totals(),
        head_totals=Totals(),
        subject="policy",
    )
    return PolicyChange(pair=pair, baseline=before, head=after)


def with_policy_change(review: Review, snapshot: Snapshot, change: PolicyChange | None) -> tuple[Review, Snapshot]:
    """Put a change of the rules before everything else. The snapshot gets its contents, so that they are pinned with a verdict."""
    if change is None:
        return review, snapshot
    files = {
        "baseline_files": (*snapshot.baseline_files, change.baseline),
        "head_files": (*snapshot.head_files, change.head),
    }
    return review.model_copy(update={"pairs": (change.pair, *review.pairs)}), snapshot.model_copy(update=files)


def _changes(baseline: Policy, head: Policy) -> tuple[Change, ...]:
    one, other = baseline.model_dump(mode="json"), head.model_dump(mode="json")
    return tuple(
        Change(
            kind="parameters",
            significance="behaviour",
            details=(Detail(path=key, baseline=one[key], head=other[key]),),
            note=f"{key} {_shown(baseline, key)} → {_shown(head, key)}",
        )
        for key in Policy.model_fields
        if one[key] != other[key]
    )


def _shown(policy: Policy, key: str) -> str:
    """Write a rule in one line; of a table what is no default."""
    whole: Plain = policy.model_dump(mode="json")[key]
    own = policy.model_dump(mode="json", exclude_defaults=True).get(key, {} if isinstance(whole, dict) else whole)
    return json.dumps(own, ensure_ascii=False)


def _file(path: str, rules: str, digits: int) -> File:
    """Make a file whose blob id is the one that git would give it."""
    data = rules.encode()
    return File(path=path, blob=blob_id(data, digits), data=data)
