"""The contents of the working tree as git would store them: through its filters, with the ids they will have after the commit."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from reviewlib.sources import LARGEST_FILE
from reviewlib.sources.command import Git, quote_path, refusal

_SCRATCH = ("-c", "core.fsync=none", "-c", "core.looseCompression=0")
"""For objects that are thrown away: 1,150 changed files of 30 KB took 9.6 s with git's own settings, and 2.7 s with these."""


class Hashed(NamedTuple):
    """The ids of files by name, and for the files that could not be read why."""

    ids: dict[bytes, str]
    reasons: dict[bytes, str]


def hashed(git: Git, root: Path, names: Sequence[bytes], *options: str) -> Hashed:
    """Compute the ids that files of the working tree will have. Git stops at a file it cannot read, and goes on behind it."""
    ids: dict[bytes, str] = {}
    reasons = {name: reason for name in names if (reason := _too_large(root, name)) is not None}
    rest = [name for name in names if name not in reasons]
    while rest:
        stdin = b"".join(quote_path(name) + b"\n" for name in rest)
        outcome = git.attempt(*_SCRATCH, "hash-object", *options, "--stdin-paths", stdin=stdin)
        done = outcome.out.decode().split()
        ids.update(zip(rest, done, strict=False))
        if len(done) < len(rest):
            reasons[rest[len(done)]] = refusal(outcome.complaint, "hash-object")
        rest = rest[len(done) + 1 :]
    return Hashed(ids, reasons)


@contextmanager
def stored(git: Git, root: Path, names: Sequence[bytes]) -> Iterator[tuple[Git, Hashed]]:
    """Store files of the working tree in a scratch object folder, for as long as the context lasts.

    Gives a ``Git`` that sees these objects beside the repository's, and their ids. Nothing is written to the repository,
    so one that is read-only will do.
    """
    if not names:
        yield git, Hashed({}, {})
        return
    objects = git.line("rev-parse", "--path-format=absolute", "--git-path", "objects")
    with tempfile.TemporaryDirectory(prefix="cassette-review-") as scratch:
        seeing = git.with_environment(
            GIT_OBJECT_DIRECTORY=scratch,
            GIT_ALTERNATE_OBJECT_DIRECTORIES=quote_path(os.fsencode(objects)).decode(),
        )
        yield seeing, hashed(seeing, root, names, "-w")


def _too_large(root: Path, name: bytes) -> str | None:
    try:
        size = (root / os.fsdecode(name)).lstat().st_size
    except OSError:
        return None
    return f"it has {size} bytes, and files are read up to {LARGEST_FILE}" if size > LARGEST_FILE else None
