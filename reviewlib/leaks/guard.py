"""A recording without its secrets, and where they stood."""

from collections.abc import Callable, Iterable, Sequence

from reviewlib.decode import body_text
from reviewlib.formats import companions
from reviewlib.leaks.document import told
from reviewlib.leaks.marks import MARK, digest, marks
from reviewlib.leaks.masking import hits, masked, masker
from reviewlib.leaks.places import sightings
from reviewlib.leaks.scanner import scan
from reviewlib.leaks.texts import replaced, texts
from reviewlib.model.cassette import File, Unreadable
from reviewlib.model.leak import Leak
from reviewlib.model.trajectory import Recording
from reviewlib.redact import mask_text, mask_userinfo

_TEXT = tuple(bytes([letter]) for letter in range(32, 127) if chr(letter) != "x")
"""How text begins, and nothing compressed (``x`` is how zlib may)."""


def guard(read: Recording | Unreadable, files: Sequence[File] = ()) -> Recording | Unreadable:
    """Return a recording in which every secret that is found is masked, with its ``leaks``.

    ``files`` are those that it was read from: what stands in them and is no part of the recording is looked at too.
    """
    if isinstance(read, Unreadable):
        return read.model_copy(update={"reason": masked(read.reason), "leaks": tuple(_unread(files))})
    text = "\n\n".join(texts(read))
    if found := hits(text):
        read = _without(read, masker(found))
    leaks = sightings(read) if found or MARK.search(text) else ()
    outside = tuple(_elsewhere(files, {leak.digest for leak in leaks}))
    return read.model_copy(update={"leaks": (*leaks, *outside)}) if leaks or outside else read


def shelves(files: Iterable[File]) -> dict[str, list[File]]:
    """Sort the files of a side by the cassettes that they may be: each under its path, and one of many under their folder."""
    shelved: dict[str, list[File]] = {}
    for file in files:
        shelved.setdefault(file.path, []).append(file)
        beside = companions(file.path)
        if beside is not None and beside.holds(file.path):
            shelved.setdefault(beside.folder or ".", []).append(file)
    return shelved


def _without(recording: Recording, change: Callable[[str], str]) -> Recording:
    """Change all texts of a recording but what it is known by."""
    new = replaced(recording, change)
    own = {name: getattr(recording.cassette, name) for name in ("path", "content", "format")}
    return new.model_copy(update={"cassette": new.cassette.model_copy(update=own)})


def _unread(files: Sequence[File]) -> Iterable[Leak]:
    """Find what stands in files that nothing could be read from: by shapes, by rules, and behind names that say so, in whatever the file is."""
    found = dict.fromkeys(found for file in files for found in told(file.data))
    digests: set[str] = set()
    for kind, named in found:
        if named not in digests:
            digests.add(named)
            yield Leak(kind=kind, digest=named, place="a file that could not be read")


def _elsewhere(files: Sequence[File], known: set[str]) -> Iterable[Leak]:
    """Find what stands in the files, and in nothing that was read from them: a recorder's own notes, a field that no adapter keeps."""
    for file in files:
        text = file.data if file.data[:1] in _TEXT else body_text(file.data)
        if next(scan(text), None) is None:
            continue
        # What reading masks by its shape is told by that kind; the rules call it by another.
        clean = mask_userinfo(mask_text(text if isinstance(text, str) else text.decode("utf-8", "replace")))
        leaked = (*marks(clean), *((hit.kind, digest(hit.value)) for hit in scan(clean)))
        for kind, named in dict.fromkeys(leaked):
            if named not in known:
                known.add(named)
                yield Leak(kind=kind, digest=named, place="a part of the file that is not shown")
