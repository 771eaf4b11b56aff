"""What a reviewer can do about a pair, and the guards that keep a verdict from hitting what was not on the screen.

A verdict carries the digest of what was displayed. It counts when that content has stood on the screen for a while
(``state.SETTLE_SECONDS``), when it still is the content of the pair, and when it would change something.
"""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from dashboard import load, present, state
from reviewlib.errors import LedgerError, RefusedVerdict, ReviewError
from reviewlib.model.review import Pair
from reviewlib.sources.git import Repository
from reviewlib.verdicts import Entry, Reviewer, comment_entry, refusal, verdict_entry, withdraw_entry

Action: TypeAlias = Literal["approve", "flag", "comment", "withdraw"]

_DONE = {"approve": "Approved", "flag": "Flagged", "comment": "Commented on", "withdraw": "Withdrawn:"}


def act(action: Action, path: str, digest: str, comment_key: str, visible: Sequence[str]) -> None:
    """Record a verdict, a comment or a withdrawal on the pair that was displayed, and go on to the next open pair of ``visible``.

    The callback of the buttons. What goes wrong is said on the next screen, in one sentence.
    """
    if not state.has_been_seen(path, digest):
        state.notify(
            "Nothing was decided: this pair had only just appeared. Look at it, then press the key once.", good=False
        )
        return
    try:
        desk = load.desk()
        entry = _entry(action, desk, path, digest, state.typed(comment_key))
        if entry is not None:
            _write(desk, path, entry)
    except ReviewError as error:
        state.notify(_sentence(error), good=False)
        return
    if entry is not None:
        state.remember_done(state.Done(entry.id, path, digest))
        state.notify(f"{_DONE[action]} {path}. U takes it back.")
    # A second press may come from a page that has not moved on yet, and brings its old address along: so go on again.
    if action in ("approve", "flag"):
        _go_on(path, visible)


def undo() -> None:
    """Take back this session's last entry, and return to its pair."""
    done = state.last_done()
    if done is None:
        return
    try:
        desk = load.desk()
        pair = _displayed(desk, done.pair, done.digest)
        repository = _repository(desk)
        entry = withdraw_entry(
            pair,
            repository.reviewer(),
            at=datetime.now(UTC),
            entry_id=uuid.uuid4().hex,
            policy=desk.read.policy,
            undoes=done.entry,
        )
        _write(desk, done.pair, entry)
    except ReviewError as error:
        state.notify(_sentence(error), good=False)
        return
    state.remember_done(None)
    state.notify(f"Taken back: {done.pair} is as it was.")
    state.go(pair=done.pair)


def skip(path: str, visible: Sequence[str]) -> None:
    """Leave a pair open, and go on."""
    _go_on(path, visible)


def next_open(desk: load.Desk, path: str, visible: Sequence[str]) -> str | None:
    """The first pair after this one, in the order on the screen and around its end, that needs a decision."""
    start = visible.index(path) + 1 if path in visible else 0
    for candidate in (*visible[start:], *visible[:start]):
        pair = desk.pair(candidate)
        if pair is not None and candidate != path and present.needs_decision(pair, desk.states):
            return candidate
    return None


def _go_on(path: str, visible: Sequence[str]) -> None:
    following = next_open(load.desk(), path, visible)
    if following is not None:
        state.go(pair=following)
    else:
        state.go(pair="")


def _entry(action: Action, desk: load.Desk, path: str, digest: str, comment: str) -> Entry | None:
    """The entry to write; None where it would say what its reviewer has said already."""
    pair = _displayed(desk, path, digest)
    reviewer = _repository(desk).reviewer()
    at, entry_id, policy = datetime.now(UTC), uuid.uuid4().hex, desk.read.policy
    match action:
        case "approve" | "flag":
            refused = refusal(pair, digest, action)
            if refused is not None:
                raise RefusedVerdict(f"{refused}.")
            if _has_said(desk, pair, reviewer, action) and not comment:
                return None
            return verdict_entry(pair, action, reviewer, comment, at=at, entry_id=entry_id, policy=policy)
        case "comment":
            if not comment:
                raise LedgerError("Type the comment first, then send it.")
            return comment_entry(pair, reviewer, comment, at=at, entry_id=entry_id, policy=policy)
        case "withdraw":
            return withdraw_entry(pair, reviewer, comment, at=at, entry_id=entry_id, policy=policy)


def _displayed(desk: load.Desk, path: str, digest: str) -> Pair:
    pair = desk.pair(path)
    if pair is None:
        raise RefusedVerdict(f"{path} is no longer part of this comparison.")
    refused = refusal(pair, digest)
    if refused is not None:
        raise RefusedVerdict(f"{refused}.")
    return pair


def _has_said(desk: load.Desk, pair: Pair, reviewer: Reviewer, verdict: str) -> bool:
    standing = desk.state(pair)
    said = {"approve": "approved", "flag": "flagged"}[verdict]
    return standing.state == said and any(by.key == reviewer.key for by in standing.by)


def _write(desk: load.Desk, path: str, entry: Entry) -> None:
    """Append to the ledger, with the contents that the entry is about, so that they outlive their branch."""
    repository = _repository(desk)
    pair = desk.pair(path)
    files = [file for side in desk.files(pair) for file in side if file.missing is None] if pair is not None else []
    load.ledger(repository, str(repository.root)).append([entry], {file.blob: file.data for file in files})


def _repository(desk: load.Desk) -> Repository:
    if desk.repository is None:
        raise LedgerError("Verdicts are kept in a git repository, and two folders outside any are compared here.")
    return desk.repository


def _sentence(error: ReviewError) -> str:
    text = str(error)
    return text[:1].upper() + text[1:]
