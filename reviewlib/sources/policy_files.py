"""The files at the top of a repository in which its policy may stand: of a commit, or of the working tree."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from reviewlib.policy import POLICY_FILES, Policy, read_policy
from reviewlib.sources import LARGEST_FILE
from reviewlib.sources.command import Git
from reviewlib.sources.listing import tree_files

Texts: TypeAlias = Mapping[str, str | None]
"""By name, the text of each of ``POLICY_FILES``; None where there is no such file."""


def at(git: Git, commit: str | None) -> Texts:
    """Read them at a commit; None is before the first, when there are none."""
    files = {} if commit is None else tree_files(git, commit, POLICY_FILES)
    blobs = git.blobs(files.values(), LARGEST_FILE)
    oids = {name: files.get(name.encode()) for name in POLICY_FILES}
    return {
        name: None if oid is None else (blobs[oid].data or b"").decode(errors="replace") for name, oid in oids.items()
    }


def here(root: Path) -> Texts:
    """Read them in a working tree; a link is followed nowhere."""
    found: dict[str, str | None] = {}
    for name in POLICY_FILES:
        path = root / name
        readable = path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST_FILE
        found[name] = path.read_bytes().decode(errors="replace") if readable else None
    return found


def policy_in(texts: Texts) -> Policy:
    """Read the policy that stands in them. Raises ``PolicyError`` where it cannot be used as written."""
    return read_policy(*(texts[name] for name in POLICY_FILES))


def name_in(texts: Texts) -> str:
    """Name the one that the policy stands in, or would stand in."""
    return next((name for name in reversed(POLICY_FILES) if texts[name] is not None), POLICY_FILES[0])
