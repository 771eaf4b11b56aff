"""Attachments as type, size and digest; a picture on demand, from what was recorded and never from elsewhere."""

from base64 import b64encode
from collections.abc import Sequence

import streamlit as st

from dashboard.attached import MOST, Attachment, described
from dashboard.components import page
from dashboard.inert import escaped
from reviewlib import pictures

_AT_ONCE = 2
"""Attachments that stand open above the steps; more are folded, since what changed comes first."""

_CLAIMED = "image"
"""What a media type says that is offered to be shown; whether it is a picture is told by its bytes."""


def show(attachments: Sequence[Attachment], token: str) -> None:
    """List attachments; ``token`` names what they belong to, so that a picture shown there is not shown for the next pair."""
    if not attachments:
        return
    if len(attachments) <= _AT_ONCE:
        _rows(attachments, token)
        return
    with st.expander(f"{len(attachments):,} attached", key=f"attachments-{token}"):
        _rows(attachments, token)


def _rows(attachments: Sequence[Attachment], token: str) -> None:
    for number, one in enumerate(attachments[:MOST]):
        _row(one, f"{token}-{number}")
    if len(attachments) > MOST:
        page.show(f'<p class="dim">and {len(attachments) - MOST:,} more</p>')


def _row(one: Attachment, key: str) -> None:
    where = f' <span class="dim">{escaped(one.place)}</span>' if one.place else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"attached-{key}"):
        page.show(f'<span class="dim">attached</span> <span class="mono">{escaped(described(one.media))}</span>{where}')
        if not one.media.media_type.startswith(_CLAIMED):
            return
        if one.media.digest is None:
            page.show('<span class="dim">lies elsewhere, and is not fetched</span>')
            return
        wanted = st.toggle("Show image", key=f"picture-{key}")
    if wanted:
        page.show(picture(one))


def picture(one: Attachment) -> str:
    """An attachment as an image inside the page, or a sentence about why it is not shown."""
    data = pictures.content(one.cassette, one.media)
    if data is None:
        return '<p class="dim">Its bytes are not recorded in a form that can be shown.</p>'
    found = pictures.picture(data)
    refused = pictures.refusal(data, found)
    if found is None or refused:
        return f'<p class="dim">{refused}</p>'
    source = f"data:{found.media_type};base64,{b64encode(data).decode()}"
    size = f"{found.width:,} × {found.height:,} pixels"
    return f'<figure><img src="{source}" alt="Attached picture, {found.media_type}"><figcaption class="dim">{found.media_type}, {size}</figcaption></figure>'
