"""The unchanged files that belong to a changed one: the rest of a hash-named folder, the sidecars of a cassette."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from reviewlib.formats import companions
from reviewlib.sources.command import display_path


def siblings(names: Iterable[bytes], files_of: Callable[[Sequence[str]], Mapping[bytes, str]]) -> dict[bytes, str]:
    """List what belongs to the named files on one side, by name with blob ids.

    ``files_of`` lists some folders (``a/b/``, the top is the empty text) of that side, all in one go: any YAML or JSON file might have
    sidecars. A name that is no UTF-8 has no siblings: formats go by text.
    """
    wanted = {found for name in names if (found := companions(display_path(name))) is not None}
    if not wanted:
        return {}
    shelves: defaultdict[str, list[tuple[bytes, str]]] = defaultdict(list)
    for name, oid in files_of(sorted({f"{each.folder}/" if each.folder else "" for each in wanted})).items():
        shelves[display_path(name).rpartition("/")[0]].append((name, oid))
    return {
        name: oid for each in wanted for name, oid in shelves.get(each.folder, ()) if each.holds(display_path(name))
    }
