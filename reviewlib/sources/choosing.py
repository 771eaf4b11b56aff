"""Which files of a side are looked at: those that the policy's globs name, or that somebody named."""

from collections.abc import Iterable

from rapidfuzz import process

from reviewlib.model.cassette import File
from reviewlib.policy import Policy
from reviewlib.sources import LARGEST_UNNAMED, is_readable_name


def is_within(path: str, wanted: str) -> bool:
    """Whether a path is the wanted one, or lies in the wanted folder."""
    wanted = wanted.strip("/")
    return path == wanted or wanted in ("", ".") or path.startswith(f"{wanted}/")


def is_chosen(path: str, policy: Policy, paths: Iterable[str], *, everything: bool) -> bool:
    """Whether a file is to be looked at: in ``paths`` where some are named, else by the policy; ``everything`` adds all readable names."""
    if paths:
        return any(is_within(path, wanted) for wanted in paths)
    return policy.is_cassette_path(path) or (everything and is_readable_name(path))


def is_unlikely(file: File, policy: Policy) -> bool:
    """Whether a file without a suffix, outside the globs, is too large to be looked at."""
    bare_name = "." not in file.path.rpartition("/")[2].lstrip(".")
    return bare_name and not policy.is_cassette_path(file.path) and len(file.data) > LARGEST_UNNAMED


def near(path: str, known: Iterable[str]) -> str:
    """Say which paths are near one that is not there, as the end of a sentence; empty where none is."""
    found = [name for name, _, _ in process.extract(path, list(known), limit=3, score_cutoff=60)]
    return f"; near it are {', '.join(found)}" if found else ""
