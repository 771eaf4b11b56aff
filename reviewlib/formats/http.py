"""How adapters build HTTP exchanges: names in lower case, credentials masked, bodies unpacked and decoded."""

import base64
import binascii
import math
import re
from collections.abc import Iterable
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from reviewlib.decode import body_text, decode_body
from reviewlib.model.cassette import Request, Response
from reviewlib.model.frozen import Plain
from reviewlib.redact import mask, mask_form, mask_headers, mask_text, mask_uri, suspicious

_HEX = re.compile(r"[0-9A-Fa-f]*")
_HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, ")


def is_pair(item: Plain, address: str) -> bool:
    """Whether an item is an object with a ``request``, whose address stands under that name, and a ``response``."""
    sent, got = (item.get("request"), item.get("response")) if isinstance(item, dict) else (None, None)
    return isinstance(sent, dict) and isinstance(sent.get(address), str) and isinstance(got, dict)


def request(method: Plain, uri: Plain, header_fields: Plain, content: Plain) -> Request:
    """Build a recorded request; ``content`` in whatever shape the recorder stored the body."""
    fields = headers(header_fields)
    value = body(content)
    if isinstance(value, str) and fields.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        value = mask_form(value)
    return Request(
        method=method.upper() if isinstance(method, str) else None,
        uri=mask_uri(uri) if isinstance(uri, str) else None,
        headers=fields,
        body=value,
    )


def response(status: Plain, header_fields: Plain, content: Plain) -> Response:
    """Build a recorded response; ``status`` a number, or a text that starts with one (``200 OK``)."""
    return Response(status=status_code(status), headers=headers(header_fields), body=body(content))


def body(content: Plain) -> Plain:
    """Read a body: bytes and text are unpacked and decoded, the pieces of a stream joined; None where it is empty.

    What was bytes, or in pieces, is masked here: no search of the file finds a secret in it. Text and trees are masked with their file.
    """
    if isinstance(content, str):
        return decode_body(content) if content else None
    if isinstance(content, list) and content and all(isinstance(piece, (bytes, str)) for piece in content):
        content = b"".join(piece if isinstance(piece, bytes) else piece.encode() for piece in content)
    if not isinstance(content, bytes):
        return content
    text = body_text(content)
    if not text:
        return None
    value = decode_body(text)
    return mask(value) if suspicious(text) else value


def headers(fields: Plain) -> dict[str, str]:
    """Read header fields as ``name: value``, masked. Read from ``{name: value}``, ``{name: [values]}``, ``[[name, value]]`` or ``[{name, value}]``."""
    joined: dict[str, str] = {}
    for name, value in _pairs(fields):
        values = value if isinstance(value, list) else [value]
        text = _text(values[0]) if len(values) == 1 else ", ".join(map(_text, values))
        key = _text(name).lower()
        joined[key] = f"{joined[key]}, {text}" if key in joined else text
    return mask_headers(joined)


def status_code(value: Plain) -> int | None:
    """Return an HTTP status as a number, None where there is none."""
    if isinstance(value, str) and value[:3].isascii() and value[:3].isdigit():
        return int(value[:3])
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def from_base64(text: Plain) -> Plain:
    """Return the bytes of a base64 text; what is none stays as it is."""
    try:
        return base64.b64decode("".join(text.split()), validate=True) if isinstance(text, str) else text
    except (binascii.Error, ValueError):
        return text


def from_hex(text: Plain) -> Plain:
    """Return the bytes of a text of hexadecimal digits; what is none stays as it is."""
    is_hex = isinstance(text, str) and len(text) % 2 == 0 and _HEX.fullmatch(text) is not None
    return bytes.fromhex(text) if is_hex else text


def epoch(value: Plain) -> float | None:
    """Return a time in seconds since the epoch, from such a number, from ISO 8601 or from an HTTP date; None where it is none of them."""
    try:
        if isinstance(value, str):
            is_http_date = _HTTP_DATE.match(value)
            return (parsedate_to_datetime(value) if is_http_date else datetime.fromisoformat(value)).timestamp()
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        return None


def took(milliseconds: Plain) -> float | None:
    """Return a duration in seconds, from a number of milliseconds; None where it is none, or one below 0 (HAR: "not applicable")."""
    number = epoch(milliseconds) if not isinstance(milliseconds, str) else None
    return number / 1000 if number is not None and 0 <= number < math.inf else None


def _pairs(fields: Plain) -> Iterable[tuple[Any, Any]]:
    if isinstance(fields, dict):
        return fields.items()
    if not isinstance(fields, list):
        return ()
    named = [(field["name"], field.get("value")) for field in fields if isinstance(field, dict) and "name" in field]
    return named or [(field[0], field[1]) for field in fields if isinstance(field, list) and len(field) == 2]


def _text(value: Plain) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return mask_text(value.decode("latin-1"))
    return "" if value is None else str(value)
