"""Attachments in any of the dialects: what they are and a digest of their content, never the content itself."""

import binascii
from base64 import b64decode
from hashlib import sha256

from reviewlib.model.call import Media
from reviewlib.model.frozen import Plain
from reviewlib.providers._plain import Tree, clean, compact, kind, string, tree


def media(media_type: Plain, data: Plain = None, url: Plain = None) -> Media:
    """An attachment: base64 (or plain) text, a ``data:`` URL, or the URL or file id where it lies elsewhere."""
    named, link, content = string(media_type) or "unknown", string(url), data
    if link and link.startswith("data:"):
        head, _, content = link.partition(",")
        named, link = head[5:].split(";")[0] or named, None
    if not isinstance(content, str | bytes) or not content:
        return Media(media_type=named, url=link)
    raw = _decoded(content) if isinstance(content, str) else content
    return Media(media_type=named, url=link, size=len(raw), digest=sha256(raw).hexdigest()[:16])


def attachment(block: Tree) -> Media | None:
    """The media of a content block in any of the dialects, None for a block that is none."""
    named = kind(block)
    if named in {"image", "document"} and isinstance(block.get("source"), dict):
        source = tree(block["source"])
        link = source.get("url") or source.get("file_id")
        return media(source.get("media_type") or named, _source_data(source), link)
    if named in {"image_url", "video_url", "input_image"}:
        link = block.get(named if named != "input_image" else "image_url")
        link = tree(link).get("url") if isinstance(link, dict) else link
        return media("image" if named != "video_url" else "video", url=link or block.get("file_id"))
    if named == "input_audio":
        audio = tree(block.get("input_audio")) or block
        return media(f"audio/{audio.get('format') or 'unknown'}", audio.get("data"))
    if named in {"file", "input_file"}:
        return _file(tree(block.get("file")) or block)
    return None


def _source_data(source: Tree) -> Plain:
    """Anthropic's sources: base64, or words as they are (which could be taken for base64), or blocks of content."""
    words = string(source.get("data")) if kind(source) == "text" else None
    if words is None and source.get("content") is not None:
        words = compact(source["content"])
    return source.get("data") if words is None else words.encode()


def _file(file: Tree) -> Media:
    data = string(file.get("file_data"))
    if data and data.startswith("data:"):
        return media("file", url=data)
    return media("file", data, file.get("file_url") or file.get("file_id"))


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return clean(text).encode()
