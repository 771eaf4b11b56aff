"""What git lists: the files that differ between two sides, and the files of one folder of a side."""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from reviewlib.sources.command import Git, display_path

UNHASHED = ""
"""Stands for the id of a file in the working tree that has not been computed yet."""

NO_ID = "0" * 40
"""The id of a file whose bytes could not be read."""

_RAW = ("--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")


class Changed(NamedTuple):
    """A file that differs: its name in bytes, and its blob id on both sides (None: not there, or no regular file)."""

    name: bytes
    baseline: str | None
    head: str | None

    @property
    def path(self) -> str:
        """The name as text."""
        return display_path(self.name)


def tree_changes(git: Git, baseline: str, head: str) -> tuple[Changed, ...]:
    """List the files that differ between two commits; symbolic links and submodules are left out."""
    return tuple(_changed(git.run("diff-tree", "-r", *_RAW, baseline, head)))


def worktree_changes(git: Git, root: Path, baseline: str) -> tuple[Changed, ...]:
    """List the files that differ between a tree and the working tree, untracked and not ignored ones included.

    A file that git only suspects (a newer time, the same bytes) is among them, as ``UNHASHED``.
    """
    found = {change.name: change for change in _changed(git.run("diff-index", *_RAW, baseline, "--"))}
    for name, baseline_oid, head_oid in list(found.values()):
        if head_oid is not None and not _is_regular(root, name):
            found[name] = Changed(name, baseline_oid, None)
    for name in git.run("ls-files", "--others", "--exclude-standard", "-z").split(b"\0"):
        if name and _is_regular(root, name):
            before = found.get(name)
            found[name] = Changed(name, before.baseline if before else None, UNHASHED)
    return tuple(sorted(change for change in found.values() if change.baseline != change.head))


def tree_files(git: Git, commit: str, within: Sequence[str] = ()) -> dict[bytes, str]:
    """List the regular files of a commit, by name, with their blob ids; only the named ones (a folder: ``a/b/``) where some are named."""
    return dict(_regular(git.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *within)))


def index_files(git: Git) -> dict[bytes, str]:
    """List the same of the index. Unmerged files are left out."""
    listing = git.run("ls-files", "--stage", "-z")
    found: dict[bytes, str] = {}
    for record in filter(None, listing.split(b"\0")):
        fields, name = record.split(b"\t", 1)
        mode, oid, stage = fields.split()
        if mode.startswith(b"100") and stage == b"0":
            found[name] = oid.decode()
    return found


def worktree_key(root: Path, baseline: str, changes: tuple[Changed, ...]) -> str:
    """Name the state of a working tree: it changes with any changed file's size, time or identity. Nothing is read."""
    digest = hashlib.sha256(baseline.encode())
    for change in changes:
        digest.update(b"\0" + change.name + b"\0" + repr(_stamp(root, change)).encode())
    return f"{baseline}..worktree-{digest.hexdigest()[:16]}"


def _stamp(root: Path, change: Changed) -> tuple[int, int, int] | None:
    if change.head is None:
        return None
    try:
        found = os.lstat(root / os.fsdecode(change.name))
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino


def _changed(raw: bytes) -> Iterator[Changed]:
    """``:<mode> <mode> <id> <id> <status>NUL<name>NUL`` for each file. A head id of zeros is one that git did not compute."""
    records = raw.split(b"\0")
    for fields, name in zip(records[::2], records[1::2], strict=False):
        baseline_mode, head_mode, baseline_oid, head_oid, status = fields.removeprefix(b":").split()
        baseline = baseline_oid.decode() if baseline_mode.startswith(b"100") else None
        head = head_oid.decode() if head_mode.startswith(b"100") or status == b"U" else None
        if head is not None and not head.strip("0"):
            head = UNHASHED
        if baseline != head:
            yield Changed(name, baseline, head)


def _regular(listing: bytes) -> Iterator[tuple[bytes, str]]:
    """``<mode> <type> <id>TAB<name>NUL`` for each file."""
    for record in filter(None, listing.split(b"\0")):
        fields, name = record.split(b"\t", 1)
        mode, _, oid = fields.split()
        if mode.startswith(b"100"):
            yield name, oid.decode()


def _is_regular(root: Path, name: bytes) -> bool:
    try:
        return stat.S_ISREG(os.lstat(root / os.fsdecode(name)).st_mode)
    except OSError:
        return False
