"""EDGE: where the two sides of a comparison come from: git objects, the working tree, or directories.

``git`` a repository: both sides, one side, its policy, its people · ``directory`` two folders · ``command`` how git is run · ``revisions`` names to commit
ids · ``listing`` which files differ · ``choosing`` which of them are looked at · ``siblings`` the unchanged files that belong to them · ``worktree`` ids before
the commit · ``history`` the versions of a file · ``policy_files`` the files of its policy · ``surroundings`` who committed it, and the prompt files.
"""

from reviewlib.model.cassette import File
from reviewlib.model.frozen import Frozen
from reviewlib.model.review import Side
from reviewlib.model.surroundings import UNKNOWN, Surroundings

READABLE_SUFFIXES = (
    ".json",
    ".jsonl",
    ".ndjson",
    ".yaml",
    ".yml",
    ".toml",
    ".har",
    ".httprr",
    ".snap",
    ".txt",
    ".gz",
)
"""The suffixes that may hold a cassette, for a look beyond the policy's globs."""

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes of one file that are read. The largest cassette met in twenty public repositories had 4.2 MB."""

LARGEST_UNNAMED = 1024 * 1024
"""Bytes of a file without a suffix that are read, in a look beyond the policy's globs."""


class Comparison(Frozen):
    """Two sides, resolved once. ``key`` changes whenever the content of a side may have."""

    baseline: Side
    head: Side
    key: str


class Snapshot(Frozen):
    """The files of both sides that a review looks at: what changed, and the unchanged files that belong to it.

    ``skipped`` counts changed files that the policy does not call cassettes. A file whose bytes are not at hand is there
    with ``File.missing`` saying why. ``around`` is what is known of head's files beyond their bytes, ``before`` of the baseline's.
    """

    baseline: Side
    head: Side
    baseline_files: tuple[File, ...]
    head_files: tuple[File, ...]
    skipped: int = 0
    around: Surroundings = UNKNOWN
    before: Surroundings = UNKNOWN


def is_readable_name(path: str) -> bool:
    """Whether a file of this name may hold a cassette; a name without a suffix may."""
    name = path.rpartition("/")[2].lower()
    return name.endswith(READABLE_SUFFIXES) or "." not in name.lstrip(".")
