"""The unchanged files that belong to a changed one: the rest of a hash-named folder, the sidecars of a cassette."""

from collections.abc import Callable, Iterable, Mapping

from reviewlib.formats import companions
from reviewlib.sources.command import display_path


def siblings(names: Iterable[bytes], files_of: Callable[[str], Mapping[bytes, str]]) -> dict[bytes, str]:
    """List what belongs to the named files on one side, by name with blob ids.

    ``files_of`` lists one folder (``a/b/``) of that side. A name that is no UTF-8 has no siblings: formats go by text.
    """
    found: dict[bytes, str] = {}
    for belonging in {wanted for name in names if (wanted := companions(display_path(name))) is not None}:
        folder = f"{belonging.folder}/" if belonging.folder else ""
        found |= {name: oid for name, oid in files_of(folder).items() if belonging.holds(display_path(name))}
    return found
