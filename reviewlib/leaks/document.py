"""The text of a file as it may be shown: its secrets masked where they stand, or not at all where that cannot be done."""

import re
from collections.abc import Iterable, Sequence

from reviewlib.decode import body_text
from reviewlib.leaks.marks import MARK, marks
from reviewlib.leaks.masking import hits, masker
from reviewlib.leaks.texts import unbase64
from reviewlib.model.leak import Leak
from reviewlib.redact import credential, mask_text, mask_userinfo, masked_field

# A name and its value as JSON, YAML, TOML and HTTP write them, the value maybe as the first of a list; and the two of them named as HAR does.
_FIELD = re.compile(
    r"""(?<![\w-])(?<!\[masked:)([A-Za-z][\w-]{2,40})\\?["']?\s{0,3}(?:[:=,]|\n\s{0,80}-\s)\s{0,80}(?:[-\[]\s{0,80})*"""
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


def _text(data: bytes) -> str | None:
    whole = body_text(data)
    return whole if isinstance(whole, str) else None


def _masked(text: str) -> str:
    text = mask_userinfo(mask_text(text))
    if found := hits(text):
        text = masker(found)(text)
    for names, values in ((_QUERY, _PART), (_PAIR, _VALUE), (_FIELD, _VALUE)):
        text = _without_fields(text, names, values)
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
