"""The recorded text as it lies in the file, secrets masked, a part at a time."""

from collections.abc import Sequence

import streamlit as st

from dashboard.components import page
from dashboard.inert import escaped, visible
from reviewlib.leaks.document import shown
from reviewlib.model.cassette import File, Unreadable
from reviewlib.model.leak import Leak
from reviewlib.model.review import Pair
from reviewlib.model.trajectory import Recording

_PART = 60_000
"""Characters shown at once: three texts of 200 KB on both sides made the page slow."""

_WITHHELD = (
    "Not shown: a secret stands in this file in a way that cannot be masked in place, such as in the pieces of a stream. "
    "The findings say where."
)


def show(pair: Pair, baseline: Sequence[File], head: Sequence[File], token: str) -> None:
    """Show the files of both sides beside each other."""
    for column, name, read, files in zip(
        st.columns(2), ("baseline", "head"), (pair.baseline, pair.head), (baseline, head), strict=True
    ):
        with column:
            if not files:
                page.show(f'<h2>{name}</h2><p class="dim">There is no file on this side.</p>')
            show_files(name, read, files, f"{token}-{name}")


def show_files(name: str, read: Recording | Unreadable | None, files: Sequence[File], key: str) -> None:
    """Show the files of a cassette, a part at a time."""
    leaks = read.leaks if read is not None else ()
    for number, (file, text) in enumerate(
        zip(files, _texts(tuple(each.blob for each in files), files, leaks), strict=True)
    ):
        page.show(f'<h2>{name}</h2><div class="path">{escaped(file.path)} · {len(file.data):,} bytes</div>')
        parts = max(1, -(-len(text) // _PART))
        part = st.pagination(parts, key=f"part-{key}-{number}") if parts > 1 else 1
        st.code(text[(part - 1) * _PART : part * _PART], language=None, wrap_lines=True, height=620)


@st.cache_data(max_entries=16, show_spinner=False)
def _texts(blobs: tuple[str, ...], _files: Sequence[File], _leaks: Sequence[Leak]) -> tuple[str, ...]:  # noqa: ARG001 - the ids are what is cached by
    """Mask files once: 3 MB take 0.8 s."""
    return readable([file.data for file in _files], _leaks)


def readable(files: Sequence[bytes], leaks: Sequence[Leak] = ()) -> tuple[str, ...]:
    """Files as masked text in which nothing is hidden, unpacked where they are compressed; of what is no text, how long it is."""
    texts = shown(files, leaks)
    if texts is None:
        return (_WITHHELD,) * len(files)
    return tuple(
        f"{len(data):,} bytes that are no text." if text is None else visible(text)
        for data, text in zip(files, texts, strict=True)
    )
