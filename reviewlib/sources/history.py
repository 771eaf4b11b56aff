"""The versions of one cassette: who recorded it anew, when, and in which commit; and the last commit that recorded any."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from reviewlib.sources.command import Git, display_path

MOST = 40
"""Versions that are listed, the newest first."""

_LOOKED_BACK = 300
"""Commits that are searched for a recording."""

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


def last_recording(git: Git, is_cassette: Callable[[str], bool]) -> str | None:
    """Find the newest commit behind HEAD that changed a cassette, in short; None where there is none. The first commit has nothing before
    it to compare with, and a merge recorded nothing by itself: neither counts.
    """
    words = ("-z", f"--max-count={_LOOKED_BACK}", "--no-show-signature", "--min-parents=1", "--max-parents=1")
    found = git.attempt("log", *words, "--format=%x1e%h", "--name-only", "HEAD", "--")
    for record in found.out.split(b"\x1e")[1:]:
        commit, *names = record.split(b"\0")
        if any(is_cassette(display_path(name.removeprefix(b"\n"))) for name in names if name):
            return commit.decode()
    return None
