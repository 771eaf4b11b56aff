"""The versions of one cassette: who recorded it anew, when, and in which commit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reviewlib.sources.command import Git

MOST = 40
"""Versions that are listed, the newest first."""

_FIELDS = "%H%x1f%an%x1f%aI%x1f%s%x1e"


@dataclass(frozen=True, slots=True)
class Version:
    """One commit that changed the cassette."""

    commit: str
    author: str
    at: datetime
    subject: str


def versions(git: Git, path: str, tips: Sequence[str]) -> tuple[Version, ...]:
    """List the commits that changed a file or folder, reachable from any of the ``tips`` (commit ids), the newest first."""
    out = git.run(
        "log", f"--max-count={MOST}", "--no-show-signature", f"--format={_FIELDS}", *tips, "--", path.strip("/") or "."
    )
    records = (record.strip("\n").split("\x1f") for record in out.decode("utf-8", "replace").split("\x1e"))
    return tuple(
        Version(commit, author, datetime.fromisoformat(at), subject)
        for commit, author, at, subject in (record for record in records if len(record) == 4)
    )
