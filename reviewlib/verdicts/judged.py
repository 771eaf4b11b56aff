"""The contents that verdicts are about, as the ledger pins them: under the content's id, or, of a cassette that is several files, under the id
of their tree and the path in it.
"""

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from reviewlib.formats import companions
from reviewlib.formats.content import tree_id
from reviewlib.model.cassette import File
from reviewlib.model.review import Pair
from reviewlib.sources import Snapshot


def contents(pairs: Iterable[Pair], snapshot: Snapshot) -> dict[str, bytes]:
    """Give what ``Ledger.append`` pins for entries on these pairs.

    A file whose bytes are not at hand is left out, and so is a cassette that holds a secret: the ledger is pushed and exported.
    """
    found: dict[str, bytes] = {}
    for pair in pairs:
        for path, content, read, files in (
            (pair.baseline_path, pair.baseline_content, pair.baseline, snapshot.baseline_files),
            (pair.head_path, pair.head_content, pair.head, snapshot.head_files),
        ):
            if path is not None and content is not None and not (read is not None and read.leaks):
                found.update(_side(path, content, files))
    return found


def members(path: str, content: str, files: Sequence[File]) -> tuple[File, ...]:
    """Give the files of a side that a cassette's content id stands for; none where they are not all at hand."""
    for some in _meanings(path, files):
        if some and not any(file.missing for file in some) and _is(some, content):
            return tuple(some)
    return ()


def _is(some: Sequence[File], content: str) -> bool:
    alone = len(some) == 1 and some[0].blob == content
    return alone or tree_id((file.path, file.blob) for file in some) == content


def _side(path: str, content: str, files: Sequence[File]) -> Iterator[tuple[str, bytes]]:
    some = members(path, content, files)
    if len(some) == 1 and some[0].blob == content:
        yield content, some[0].data
    elif some:
        folder = posixpath.commonpath([posixpath.dirname(file.path) for file in some])
        yield from ((f"{content}/{file.path.removeprefix(f'{folder}/')}", file.data) for file in some)
    else:
        # What was read is not exactly these files; each of them still outlives its branch.
        yield from ((file.blob, file.data) for file in files if file.path == path and not file.missing)


def _meanings(path: str, files: Sequence[File]) -> Iterator[list[File]]:
    """What a cassette's path may stand for: its file, the file with its sidecars, or the files of a folder."""
    own = [file for file in files if file.path == path]
    yield own
    beside = companions(path)
    if beside is not None:
        yield [*own, *(file for file in files if file.path != path and beside.holds(file.path))]
    yield [file for file in files if posixpath.dirname(file.path) == path]
