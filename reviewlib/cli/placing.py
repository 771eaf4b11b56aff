"""Puts reviewed files in the place of others: never through a symbolic link, and each file at once or not at all."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from uuid import uuid4

from reviewlib.errors import UsageError
from reviewlib.formats.content import blob_id
from reviewlib.model.cassette import File


@dataclass(frozen=True)
class Placement:
    """The files of one cassette, by paths below the top of the repository: ``before`` are those that were reviewed as its baseline, ``after`` come in their place."""

    before: tuple[File, ...]
    after: tuple[File, ...]

    @property
    def gone(self) -> tuple[File, ...]:
        """The files that nothing comes in the place of."""
        kept = {file.path for file in self.after}
        return tuple(file for file in self.before if file.path not in kept)


def check(folder: Path, placement: Placement) -> None:
    """Make sure that everything lies inside the folder, and that what is there is still what was reviewed.

    Raises:
        UsageError: it names the file, and what is in the way.

    """
    expected = {file.path: file.blob for file in placement.before}
    arriving = {file.path: file.blob for file in placement.after}
    for path in sorted(expected.keys() | arriving.keys()):
        target = _inside(folder, path)
        there = blob_id(target.read_bytes()) if target.exists() else None
        if there not in {expected.get(path), arriving.get(path)}:
            raise UsageError(f"{target} is not what was reviewed as the baseline; nothing was replaced. Compare again.")


def place(folder: Path, placement: Placement) -> None:
    """Write what comes, then delete what goes. ``check`` has been called."""
    for file in placement.after:
        _replace(_inside(folder, file.path), file.data)
    for file in placement.gone:
        target = _inside(folder, file.path)
        target.unlink(missing_ok=True)
        with suppress(OSError):  # other files are left in it
            target.parent.rmdir()


def _inside(folder: Path, path: str) -> Path:
    """Say where a file lies, which no link may lead away from. ``folder`` has no link in it."""
    *parents, name = _parts(path)
    at = folder
    for part in parents:
        at /= part
        if at.is_symlink() or (at.exists() and not at.is_dir()):
            raise UsageError(f"{at} is no folder but a link or a file; nothing is written through it.")
    target = at / name
    if target.is_symlink() or target.is_dir():
        raise UsageError(f"{target} is a link or a folder; nothing is written in its place.")
    return target


def _parts(path: str) -> Sequence[str]:
    parts = PurePosixPath(path).parts
    wrong = any(part == ".." or part.lower() == ".git" for part in parts)
    # Bytes that are no UTF-8 are shown with backslashes, and such a name would become another one.
    if not parts or PurePosixPath(path).is_absolute() or wrong or "\\" in path:
        raise UsageError(f"{path} is no place for a cassette.")
    return parts


def _replace(target: Path, data: bytes) -> None:
    """Write beside the target, and move it there in one step; who may read it stays as it was."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{uuid4().hex}.part")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as written:
            if target.exists():
                os.fchmod(written.fileno(), target.stat().st_mode & 0o777)
            written.write(data)
            written.flush()
            os.fsync(written.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
