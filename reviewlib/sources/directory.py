"""Reads both sides of a comparison from two folders: a nightly job that re-recorded into a scratch folder."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from reviewlib.errors import UsageError
from reviewlib.formats.content import blob_id
from reviewlib.model.cassette import File
from reviewlib.model.review import Side
from reviewlib.policy import Policy
from reviewlib.sources import LARGEST_FILE, Comparison, Snapshot, is_readable_name
from reviewlib.sources.command import display_path
from reviewlib.sources.listing import NO_ID
from reviewlib.sources.siblings import siblings

_NOT_ENTERED = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__"})


def snapshot(baseline_dir: Path, head_dir: Path, policy: Policy, root: Path | None = None) -> Snapshot:
    """Compare two folders, by paths relative to each.

    ``root`` is the top of the repository: where the baseline's folder lies in it, paths are the repository's, so that rules and verdicts mean
    the same as in a comparison of revisions. A folder was named because cassettes are in it, so every file of a readable type is looked at; ``policy`` is asked for
    the others. Ids are git's blob ids of the bytes as they are, so that a verdict holds for the same bytes once committed.

    Raises:
        UsageError: a folder is not there.

    """
    sides = [_ids(folder) for folder in (baseline_dir, head_dir)]
    changed = sorted(name for name in sides[0].keys() | sides[1].keys() if sides[0].get(name) != sides[1].get(name))
    place = place_in(root, baseline_dir)
    chosen = [
        name
        for name in changed
        if is_readable_name(path := f"{place}{display_path(name)}") or policy.is_cassette_path(path)
    ]
    baseline, head = (
        tuple(file.model_copy(update={"path": f"{place}{file.path}"}) for file in _load(folder, side, chosen))
        for folder, side in zip((baseline_dir, head_dir), sides, strict=True)
    )
    comparison = compare(baseline_dir, head_dir)
    return Snapshot(
        baseline=comparison.baseline,
        head=comparison.head,
        baseline_files=baseline,
        head_files=head,
        skipped=len(changed) - len(chosen),
    )


def place_in(root: Path | None, folder: Path) -> str:
    """Say where a folder lies in a repository, as paths in it begin: ``tests/cassettes/``; empty at its top, and outside."""
    resolved = folder.resolve()
    if root is None or not resolved.is_relative_to(root) or resolved == root:
        return ""
    return f"{resolved.relative_to(root).as_posix()}/"


def compare(baseline_dir: Path, head_dir: Path) -> Comparison:
    """Name the two sides. The key changes with any file's size or time; nothing is read."""
    digest = hashlib.sha256()
    for folder in (baseline_dir, head_dir):
        for name, path in _walk(folder):
            found = path.stat()
            digest.update(repr((name, found.st_size, found.st_mtime_ns)).encode() + b"\0")
        digest.update(b"\1")
    return Comparison(
        baseline=Side(label=str(baseline_dir), revision=str(baseline_dir)),
        head=Side(label=str(head_dir), revision=str(head_dir)),
        key=f"{baseline_dir}..{head_dir}-{digest.hexdigest()[:16]}",
    )


def files(folder: Path, path: str) -> tuple[File, ...]:
    """Load one file of a folder with the files that belong to it, itself first.

    Raises:
        UsageError: it is not there.

    """
    side = _ids(folder)
    name = os.fsencode(path)
    if name not in side:
        raise UsageError(f"there is no file {path!r} in {folder}")
    loaded = _load(folder, side, [name])
    return tuple(sorted(loaded, key=lambda file: (file.path != display_path(name), file.path)))


def _walk(folder: Path) -> Iterator[tuple[bytes, Path]]:
    """Regular files, by name relative to the folder; symbolic links are not followed."""
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - _NOT_ENTERED)
        for name in sorted(names):
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield os.fsencode(path.relative_to(folder).as_posix()), path


def _ids(folder: Path) -> dict[bytes, str]:
    return {name: NO_ID if (data := _read(path)) is None else blob_id(data) for name, path in _walk(folder)}


def _read(path: Path) -> bytes | None:
    """Read a file; None where it is too large, or may not be read."""
    try:
        return path.read_bytes() if path.stat().st_size <= LARGEST_FILE else None
    except OSError:
        return None


def _load(folder: Path, side: Mapping[bytes, str], chosen: list[bytes]) -> tuple[File, ...]:
    wanted = {name: side[name] for name in chosen if name in side} | siblings(chosen, side)
    loaded = []
    for name in sorted(wanted):
        data = _read(folder / os.fsdecode(name))
        missing = "it may not be read, or is too large" if data is None else None
        oid = NO_ID if data is None else blob_id(data)
        loaded.append(File(path=display_path(name), blob=oid, data=data or b"", missing=missing))
    return tuple(loaded)
