"""The unchanged files that belong to a changed one: the rest of a hash-named folder, the sidecars of a cassette."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from reviewlib.formats import Companions, companions
from reviewlib.sources.command import Git, display_path
from reviewlib.sources.listing import Changed, tree_files

_FEW = 1000
"""As many folders are named to one git command; of more than these, the whole commit is listed."""

Listing: TypeAlias = Mapping[bytes, str]
"""Files of one side: their names, and their blob ids (``UNHASHED`` where they have to be read from the working tree)."""


class Sides(NamedTuple):
    """The files of both sides."""

    baseline: Listing
    head: Listing


def with_siblings(git: Git, baseline: str, changes: Sequence[Changed], chosen: Sequence[Changed]) -> Sides:
    """The chosen changes of a comparison, and the files beside them that belong to the same cassettes.

    Only folders of the baseline (a commit or tree) are listed, in one call: all its ``changes`` lead from them to the head's.
    """
    names = [change.name for change in chosen]
    folders = sorted({f"{each.folder}/" if each.folder else "" for each in _wanted(names)})
    few = folders if all(folders) and len(folders) <= _FEW else ()
    before = tree_files(git, baseline, few) if folders else {}
    after: dict[bytes, str | None] = {**before, **{change.name: change.head for change in changes}}
    there = {name: oid for name, oid in after.items() if oid is not None}
    return Sides(
        siblings(names, before) | {each.name: each.baseline for each in chosen if each.baseline is not None},
        siblings(names, there) | {each.name: each.head for each in chosen if each.head is not None},
    )


def siblings(names: Iterable[bytes], files: Listing) -> dict[bytes, str]:
    """List what belongs to the named files on one side, by name with blob ids; ``files`` are those of that side, or of their folders.

    A name that is no UTF-8 has no siblings: formats go by text.
    """
    wanted = _wanted(names)
    if not wanted:
        return {}
    shelves: defaultdict[str, list[tuple[bytes, str]]] = defaultdict(list)
    for name, oid in files.items():
        shelves[display_path(name).rpartition("/")[0]].append((name, oid))
    return {
        name: oid for each in wanted for name, oid in shelves.get(each.folder, ()) if each.holds(display_path(name))
    }


def _wanted(names: Iterable[bytes]) -> set[Companions]:
    return {found for name in names if (found := companions(display_path(name))) is not None}
