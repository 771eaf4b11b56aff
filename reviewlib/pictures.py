"""Attached content found again in what was recorded, and pictures told from anything else by their first bytes.

Reading keeps of an attachment its type, size and digest only. Whoever wants to see one asks for it by these, and gets what hashes to
exactly that. A picture is one of four raster formats; SVG is a document with scripts and links in it, and never one.
"""

import binascii
import re
import struct
from base64 import b64decode
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

from reviewlib.decode import decode_body
from reviewlib.model.call import Media
from reviewlib.model.cassette import Cassette, Exchange
from reviewlib.model.frozen import Plain

LARGEST = 4 * 1024 * 1024
"""Bytes of a picture that is shown: it travels to the browser in one message."""

MOST_PIXELS = 40_000_000
"""Pixels of a picture that is shown: a browser needs four bytes for each, whatever the file has."""

_NESTED = 3
"""How often JSON text inside JSON text is read."""

Raster: TypeAlias = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]


class Picture(NamedTuple):
    """A raster picture: its type as its bytes say, whatever was claimed, and its size in pixels."""

    media_type: Raster
    width: int
    height: int


def content(cassette: Cassette, wanted: Media) -> bytes | None:
    """The bytes of an attachment, which hash to its digest; None where they are not recorded as base64 or as bytes."""
    if wanted.size is None or wanted.digest is None:
        return None
    for candidate in _candidates(cassette, wanted.size):
        if len(candidate) == wanted.size and sha256(candidate).hexdigest().startswith(wanted.digest):
            return candidate
    return None


def picture(data: bytes) -> Picture | None:
    """What picture some bytes are; None where they are none of the four formats, or have no size."""
    for magic, media_type, measure in _FORMATS:
        if magic.match(data):
            try:
                width, height = measure(data)
            except (LookupError, ValueError, OverflowError, struct.error):
                return None
            return Picture(media_type, width, height) if width and height else None
    return None


def refusal(data: bytes, found: Picture | None) -> str:
    """Why a picture is not shown, in a sentence; empty where it may be."""
    if found is None:
        return "Its bytes are none of PNG, JPEG, GIF or WebP, so it is not shown."
    if len(data) > LARGEST:
        return f"It has {len(data):,} bytes, and up to {LARGEST:,} are shown."
    if found.width * found.height > MOST_PIXELS:
        return f"It has {found.width:,} × {found.height:,} pixels, more than are shown."
    return ""


def _candidates(cassette: Cassette, size: int) -> Iterator[bytes]:
    for interaction in cassette.interactions:
        if isinstance(interaction, Exchange):
            sides = (interaction.request, interaction.response)
            values = [side.body for side in sides if side is not None]
            values += interaction.response.chunks or () if interaction.response is not None else ()
        else:
            values = [interaction.arguments, interaction.result]
        for value in values:
            yield from _in_value(value, size)


def _in_value(value: Plain, size: int) -> Iterator[bytes]:
    """What may be an attachment of this size, anywhere in a value. A stack, since recorded values may be nested deeply."""
    waiting: list[tuple[Plain, int]] = [(value, 0)]
    while waiting:
        item, nested = waiting.pop()
        if isinstance(item, dict):
            waiting += [(inner, nested) for inner in item.values()]
        elif isinstance(item, list):
            waiting += [(inner, nested) for inner in item]
        elif isinstance(item, bytes):
            yield item
        elif isinstance(item, str) and len(item) >= size:
            found = _decoded(item, size)
            if found is not None:
                yield found
            elif nested < _NESTED and item.lstrip()[:1] in ("{", "["):
                inside = decode_body(item)
                waiting += [(inside, nested + 1)] if not isinstance(inside, str) else []


def _decoded(text: str, size: int) -> bytes | None:
    """Base64, or a ``data:`` URL; None where the text is too long or too short for ``size`` bytes."""
    if text.startswith("data:"):
        text = text.partition(",")[2]
    if not 0 <= len(text) - (size + 2) // 3 * 4 <= 2:
        return None
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _png(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _jpeg(data: bytes) -> tuple[int, int]:
    """The size stands in the frame header; the segments before it say how long they are."""
    place = 2
    while data[place] == 0xFF:
        marker, length = struct.unpack_from(">xBH", data, place)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, place + 5)
            return width, height
        place += 2 + length
    raise ValueError("no frame header")


def _webp(data: bytes) -> tuple[int, int]:
    match data[12:16]:
        case b"VP8X":
            wide, high = (int.from_bytes(data[place : place + 3], "little") for place in (24, 27))
            return wide + 1, high + 1
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", data, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
    raise ValueError("no picture in it")


_FORMATS: tuple[tuple[re.Pattern[bytes], Raster, Callable[[bytes], tuple[int, int]]], ...] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n....IHDR", re.DOTALL), "image/png", _png),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg", _jpeg),
    (re.compile(rb"GIF8[79]a"), "image/gif", _gif),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp", _webp),
)
