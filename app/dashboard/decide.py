"""What a reviewer can do about a pair, and the guards that keep a verdict from hitting what was not on the screen.

A verdict carries the digest of what was displayed. It counts when that content has stood on the screen for a while
(``state.SETTLE_SECONDS``), when it still is the content of the pair, and when it would change something.
"""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from threading import Lock
from typing import Literal, NamedTuple, TypeAlias

from dashboard import load, present, state, who
from reviewlib.errors import LedgerError, RefusedVerdict, ReviewError
from reviewlib.model.review import Pair
from reviewlib.rerun import rerun
from reviewlib.sources.git import Repository
from reviewlib.verdicts import (
    Anchor,
    Entry,
    Reviewer,
    Verdict,
    comment_entry,
    contents,
    refusal,
    undo_entry,
    verdict_entry,
    withdraw_entry,
)

Action: TypeAlias = Literal["approve", "flag", "comment", "resolve", "withdraw"]

_DONE = {
    "approve": "Approved",
    "flag": "Flagged",
    "comment": "Commented on",
    "resolve": "Resolved the comments on",
    "withdraw": "Withdrawn:",
}


_one_at_a_time = Lock()
"""Streamlit begins the next run while the callback of the one before still writes. So a held key wrote one verdict up to three times on a
busy machine: each looked before the other had written.
"""


class About(NamedTuple):
    """What was on the screen: the pair with the digest of its content, the comment's field, the queue, and the step that comments are about."""

    path: str
    digest: str
    comment_key: str
    visible: tuple[str, ...]
    target: Anchor | None = None


def act(action: Action, about: About) -> None:
    """Record a verdict, a comment or a withdrawal on the pair that was displayed, and go on to the next open pair of the queue.

    The callback of the buttons. What goes wrong is said on the next screen, in one sentence.
    """
    path, digest = about.path, about.digest
    if not state.has_been_seen(path, digest):
        state.notify(
            "Nothing was decided: this pair had only just appeared. Look at it, then press the key once.", good=False
        )
        return
    try:
        with _one_at_a_time:
            desk = load.desk()
            entry = _entry(action, desk, about, state.typed(about.comment_key))
            if entry is not None:
                _write(desk, [entry])
    except ReviewError as error:
        state.notify(_sentence(error), good=False)
        return
    if entry is not None:
        state.remember_done(state.Done(((entry.id, path),)))
        state.notify(f"{_DONE[action]} {path}. {_flagged_by_others(desk, entry)}U takes it back.")
    # A second press may come from a page that has not moved on yet, and brings its old address along: so go on again.
    if action in ("approve", "flag"):
        _go_on(desk, path, about.visible)


def act_on_all(verdict: str, members: Sequence[tuple[str, str]], comment: str) -> None:
    """Record one verdict on each of several pairs, given by path and displayed digest, as one act with one undo.

    It acts on what was listed, whatever of it was on the screen. A member that may not be decided is left out, and named.
    """
    action: Verdict = "flag" if verdict == "flag" else "approve"
    bulk = uuid.uuid4().hex
    entries: list[Entry] = []
    left_out: list[str] = []
    try:
        with _one_at_a_time:
            desk = load.desk()
            for path, digest in members:
                try:
                    entry = _entry(action, desk, About(path, digest, "", ()), comment)
                except RefusedVerdict as refused:
                    left_out.append(str(refused))
                    continue
                if entry is not None:
                    entries.append(entry.model_copy(update={"bulk": bulk}))
            _write(desk, entries)
    except ReviewError as error:
        state.notify(_sentence(error), good=False)
        return
    if entries:
        state.remember_done(state.Done(tuple((entry.id, entry.pair.path) for entry in entries)))
    state.notify(_told(action, len(entries), left_out), good=bool(entries) or not left_out)


def _told(action: Verdict, count: int, left_out: Sequence[str]) -> str:
    done = (
        f"{_DONE[action]} {count:,} cassette{'' if count == 1 else 's'}. U takes it back as a whole." if count else ""
    )
    if not left_out:
        return done or "Nothing was new: you have said so about all of them."
    others = f" And {len(left_out) - 1} more." if len(left_out) > 1 else ""
    return f"{done} Left out: {left_out[0]}{others}".strip()


def undo() -> None:
    """Take back this session's last act, all of it, and return to its pair where it was about one."""
    done = state.last_done()
    if done is None:
        return
    try:
        with _one_at_a_time:
            desk = load.desk()
            repository = _repository(desk)
            reviewer = who.reviewer(repository)
            notes = load.ledger(repository, str(repository.root))
            wanted = {entry for entry, _ in done.entries}
            bulk = uuid.uuid4().hex if len(wanted) > 1 else None
            notes.append(
                [
                    undo_entry(entry, reviewer, at=datetime.now(UTC), entry_id=uuid.uuid4().hex, bulk=bulk)
                    for entry in notes.entries()
                    if entry.id in wanted
                ],
                {},
            )
    except ReviewError as error:
        state.notify(_sentence(error), good=False)
        return
    state.remember_done(None)
    what = done.pair or f"{len(done.entries):,} verdicts"
    state.notify(f"Taken back: {what} {'is as it was' if done.pair else 'are gone'}.")
    state.go(pair=done.pair)


def push() -> None:
    """Give the remote what was said here, and take in what was said elsewhere."""
    try:
        repository = _repository(load.desk())
        who.reviewer(repository)
        done = load.ledger(repository, str(repository.root)).push()
        again = rerun(repository.shared_policy(), done.address, repository.branch(), repository.head_commit())
    except ReviewError as error:
        state.notify(_sentence(error), good=False)
        return
    state.notify(f"Pushed {done.sent:,}, received {done.received:,} ({done.remote}). {again.sentence}")


def skip(path: str, visible: Sequence[str]) -> None:
    """Leave a pair open, and go on."""
    _go_on(load.desk(), path, visible)


def next_open(desk: load.Desk, path: str, visible: Sequence[str]) -> str | None:
    """The first pair after this one, in the order on the screen and around its end, that needs a decision."""
    start = visible.index(path) + 1 if path in visible else 0
    for candidate in (*visible[start:], *visible[:start]):
        pair = desk.pair(candidate)
        if pair is not None and candidate != path and present.needs_decision(pair, desk.states):
            return candidate
    return None


def _go_on(desk: load.Desk, path: str, visible: Sequence[str]) -> None:
    """Go to the next open pair, as the desk was before the act: this pair is passed over anyway, and no other one changes by it."""
    following = next_open(desk, path, visible)
    if following is not None:
        state.go(pair=following)
    else:
        state.go(pair="")


def _entry(action: Action, desk: load.Desk, about: About, comment: str) -> Entry | None:
    """The entry to write; None where it would say what its reviewer has said already."""
    pair = _displayed(desk, about.path, about.digest)
    _repository(desk)
    reviewer = who.reviewer(desk.repository)
    at, entry_id, policy = datetime.now(UTC), uuid.uuid4().hex, desk.read.policy
    match action:
        case "approve" | "flag":
            refused = refusal(pair, about.digest, action)
            if refused is not None:
                raise RefusedVerdict(f"{refused}.")
            if _has_said(desk, pair, reviewer, action) and not comment:
                return None
            return verdict_entry(pair, action, reviewer, comment, at=at, entry_id=entry_id, policy=policy)
        case "comment" | "resolve":
            if not comment and action == "comment":
                raise LedgerError("Type the comment first, then send it.")
            return comment_entry(
                pair,
                reviewer,
                comment,
                at=at,
                entry_id=entry_id,
                policy=policy,
                step=about.target,
                resolves=action == "resolve",
            )
        case "withdraw":
            return withdraw_entry(pair, reviewer, comment, at=at, entry_id=entry_id, policy=policy)


def _displayed(desk: load.Desk, path: str, digest: str) -> Pair:
    pair = desk.pair(path)
    if pair is None:
        raise RefusedVerdict(f"The pair {path} is no longer part of this comparison.")
    refused = refusal(pair, digest)
    if refused is not None:
        raise RefusedVerdict(f"{refused}.")
    return pair


def _flagged_by_others(desk: load.Desk, entry: Entry) -> str:
    """Say that an approval does not clear the flags of others: they may have come while one looked, and the next pair is on the screen already."""
    standing = desk.states.get(entry.pair.path)
    if entry.verdict != "approve" or standing is None or standing.state != "flagged":
        return ""
    others = [by.name for by in standing.by if by.key != entry.reviewer.key]
    return f"It stays flagged by {', '.join(others)}: a flag wins. " if others else ""


def _has_said(desk: load.Desk, pair: Pair, reviewer: Reviewer, verdict: str) -> bool:
    standing = desk.state(pair)
    said = {"approve": "approved", "flag": "flagged"}[verdict]
    return standing.state == said and any(by.key == reviewer.key for by in standing.by)


def _write(desk: load.Desk, entries: Sequence[Entry]) -> None:
    """Append to the ledger, with the contents that the entries are about, so that they outlive their branch."""
    repository = _repository(desk)
    pairs = [pair for entry in entries if (pair := desk.pair(entry.pair.path)) is not None]
    load.ledger(repository, str(repository.root)).append(entries, contents(pairs, desk.read.snapshot))


def _repository(desk: load.Desk) -> Repository:
    if desk.repository is None:
        raise LedgerError("Verdicts are kept in a git repository, and two folders outside any are compared here.")
    return desk.repository


def _sentence(error: ReviewError) -> str:
    text = str(error)
    return text[:1].upper() + text[1:]
