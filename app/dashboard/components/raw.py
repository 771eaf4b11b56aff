"""The recorded text as it lies in the file, secrets masked, a part at a time."""

from collections.abc import Sequence

import streamlit as st

from dashboard.components import page
from dashboard.inert import escaped, visible
from reviewlib.model.cassette import File
from reviewlib.redact import mask_text

_PART = 60_000
"""Characters shown at once: three texts of 200 KB on both sides made the page slow."""


def show(baseline: Sequence[File], head: Sequence[File], token: str) -> None:
    """Show the files of both sides beside each other."""
    for column, name, files in zip(st.columns(2), ("baseline", "head"), (baseline, head), strict=True):
        with column:
            if not files:
                page.show(f'<h2>{name}</h2><p class="dim">There is no file on this side.</p>')
            for number, file in enumerate(files):
                show_file(name, file, f"{token}-{name}-{number}")


def show_file(name: str, file: File, key: str) -> None:
    """Show one file, a part at a time."""
    text = readable(file.data)
    page.show(f'<h2>{name}</h2><div class="path">{escaped(file.path)} · {len(file.data):,} bytes</div>')
    parts = max(1, -(-len(text) // _PART))
    part = st.pagination(parts, key=f"part-{key}") if parts > 1 else 1
    st.code(text[(part - 1) * _PART : part * _PART], language=None, wrap_lines=True, height=620)


def readable(data: bytes) -> str:
    """Bytes as masked text in which nothing is hidden; what is no text as the beginning of its hex dump."""
    if b"\0" in data[:8_000] or data[:2] == b"\x1f\x8b":
        return f"{len(data):,} bytes that are no text. They begin with\n{data[:512].hex(' ', 2)}"
    return visible(mask_text(data.decode("utf-8", errors="replace")))
