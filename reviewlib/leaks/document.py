"""The text of a file as it may be shown: its secrets masked where they stand, or not at all where that cannot be done."""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from reviewlib.decode import body_text
from reviewlib.leaks.marks import MARK, digest, found_mark, marks
from reviewlib.leaks.masking import hits, masker
from reviewlib.leaks.scanner import Hit
from reviewlib.leaks.texts import unbase64
from reviewlib.model.leak import Leak
from reviewlib.redact import credential, mask_text, mask_userinfo, masked_field

# A name and its value as JSON, YAML, TOML and HTTP write them, the value maybe as the first of a list; and the two of them named as HAR does.
_FIELD = re.compile(
    r"""(?<![\w-])(?<!\[masked:)([A-Za-z][\w-]{2,40})\\?["']?\s{0,3}(?:[:=,]|\n\s{0,80}-\s)\s{0,80}(?:(?!\[masked:)[-\[]\s{0,80})*"""
)
_PAIR = re.compile(r"""(?i)["']?name["']?\s?:\s?["']?([\w-]{3,40})["']?,?\s{0,80}["']?value["']?\s?:\s?""")
_VALUE = re.compile(
    r"""(?P<quote>\\?["'])(?P<quoted>(?:(?!(?P=quote)).){1,20000})|[^\s"'\\,\[\]{}&][^"'\\\n\[\]{}&]{0,20000}"""
)
_QUERY = re.compile(r"[?&;]([\w-]{3,40})=")
_PART = re.compile(r"""[^&#;\s"'\\]+""")
_PIECE = re.compile(
    r"""\\*"(?:text|content|delta|partial_json|arguments|thinking|reasoning\w*|token|response|transcript)\\*":\s?\\*"([^"\\]*)\\*\""""
)
_MOST_FIELDS = 4 * 2**20  # letters; fields take up to 0.5 s a million, shapes and rules 0.05 s
_MOST_BROKEN = 64 * 2**20  # bytes that are unpacked of gzip that breaks off
_TELLING = 8  # letters of a secret
_STEP = 2**12  # packed bytes, of which up to 4 MiB come out
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")


def shown(files: Sequence[bytes], leaks: Iterable[Leak] = ()) -> tuple[str | None, ...] | None:
    """Return the texts of a cassette's files with their secrets masked, None for bytes that are no text.

    None for all where one of ``leaks`` stands in them in a way that cannot be masked: in the pieces of a stream, or folded over lines.
    """
    held = tuple(map(_text, files))
    texts = tuple(_BASE64.sub(_without_secret, _masked(text)) if text else text for text in held)
    named = {digest for text in texts if text for _, digest in marks(text)}
    if any(leak.digest not in named for leak in leaks):
        return None
    # One that is masked where it stands whole may be repeated in the pieces of a streamed answer.
    values = {hit.value for text in held if text for hit in hits(text)}
    streamed = "".join(piece for text in texts if text and values for piece in _PIECE.findall(text))
    return None if any(value in streamed for value in values) else texts


def told(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield kind and digest of each secret in a file that is not known to be anything: in bytes that are no text, and in UTF-16, too."""
    whole = body_text(data)
    if whole == data and data[:2] == b"\x1f\x8b":
        whole = _as_far_as_it_goes(data)
    text = (whole if isinstance(whole, str) else whole.decode("utf-8", "replace")).replace("\0", "")
    if len(text) > _MOST_FIELDS:
        yield from dict.fromkeys((hit.kind, digest(hit.value)) for hit in hits(text))
    else:
        yield from marks(_BASE64.sub(_without_secret, _masked(text)))


def _as_far_as_it_goes(data: bytes) -> bytes:
    """Unpack gzip that breaks off, or is damaged further on."""
    unpacker, unpacked = zlib.decompressobj(wbits=31), bytearray()
    with suppress(zlib.error):
        for start in range(0, len(data), _STEP):
            unpacked += unpacker.decompress(data[start : start + _STEP])
            if unpacker.eof or len(unpacked) > _MOST_BROKEN:
                break
    return bytes(unpacked)


def _text(data: bytes) -> str | None:
    whole = body_text(data)
    return whole if isinstance(whole, str) else None


def _masked(text: str) -> str:
    text = mask_userinfo(mask_text(text))
    if found := hits(text):
        text = _without_beginning(masker(found)(text), found)
    for names, values in ((_QUERY, _PART), (_PAIR, _VALUE), (_FIELD, _VALUE)):
        text = _without_fields(text, names, values)
    return text


def _without_beginning(text: str, secrets: Iterable[Hit]) -> str:
    """Mask the beginning of a secret with which a file breaks off that holds it whole elsewhere."""
    for hit in secrets:
        for length in range(len(hit.value) - 1, _TELLING - 1, -1):
            if text.endswith(hit.value[:length]):
                return text[:-length] + found_mark(hit.kind, hit.value)
    return text


def _without_fields(text: str, names: re.Pattern[str], values: re.Pattern[str]) -> str:
    """Mask the values behind names that say that these are secrets."""
    parts: list[str] = []
    end = 0
    for name in names.finditer(text):
        kind = credential(name[1])
        value = values.match(text, name.end()) if kind and name.start() >= end else None
        if kind and value:
            start = value.start("quoted") if value.groupdict().get("quoted") else value.start()
            parts += (text[end:start], masked_field(text[start : value.end()], kind))
            end = value.end()
    return "".join((*parts, text[end:]))


def _without_secret(hit: re.Match[str]) -> str:
    """Replace base64 of a text that holds a secret by the mark of that."""
    inside = unbase64(hit[0])
    found = MARK.findall(_masked(inside)) if inside else ()
    return "".join(f"[masked:{kind}:{digest}]" for kind, digest in found) or hit[0]
