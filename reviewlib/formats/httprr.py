"""httprr: a text that counts bytes. After ``httprr trace v1`` come, for each exchange, a line of two lengths and as many raw bytes of the
request and of the response, as they went over HTTP/1.1 (the body may be chunked).
"""

import re
from collections.abc import Iterator

from reviewlib.errors import DecodeError
from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain

_FIRST = b"httprr trace v1"
_LENGTHS = re.compile(rb"([0-9]{1,12}) ([0-9]{1,12})\r?\n")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]*\r\n")


def recognise(data: Plain) -> bool:
    """Whether the first line is the one that httprr writes."""
    return isinstance(data, bytes) and data.split(b"\n", 1)[0].rstrip(b"\r") == _FIRST


def parse(data: Plain, _context: Context) -> Parsed:
    """Read the exchanges in file order; the raw bytes are held, so nothing is missing."""
    return Parsed(interactions=tuple(_exchange(index, *pair) for index, pair in enumerate(_pairs(data))))


def _pairs(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Cut the file at its lengths. Raises ``DecodeError`` (parse) where they do not add up."""
    at = data.find(b"\n") + 1 or len(data)
    while at < len(data):
        lengths = _LENGTHS.match(data, at)
        if lengths is None:
            what = f"at byte {at:,} stands no line of two lengths"
            raise DecodeError(
                "parse", f"{what}; were the line ends converted? Mark *.httprr as -text in .gitattributes"
            )
        begin, middle = lengths.end(), lengths.end() + int(lengths[1])
        at = middle + int(lengths[2])
        if at > len(data):
            raise DecodeError(
                "parse", f"the file is cut off: {at - len(data):,} bytes of its last exchange are missing"
            )
        yield data[begin:middle], data[middle:at]


def _exchange(index: int, sent: bytes, got: bytes) -> Exchange:
    (method, uri), fields, content = _message(sent)
    (_, status), got_fields, got_content = _message(got)
    return Exchange(
        index=index,
        request=http.request(method, _absolute(uri, fields), fields, content),
        response=http.response(status, got_fields, got_content),
    )


def _message(raw: bytes) -> tuple[tuple[str, str], list[Plain], bytes]:
    """Split a message into the first two words of its first line, its header fields, and its body."""
    head, _, content = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    fields: list[Plain] = [
        [name.strip(), value.strip()] for name, colon, value in (line.partition(":") for line in lines) if colon
    ]
    words = first.split(" ", 2)
    is_chunked = any(name.lower() == "transfer-encoding" and "chunked" in value.lower() for name, value in fields)
    return (words[0], words[1] if len(words) > 1 else ""), fields, _unchunked(content) if is_chunked else content


def _absolute(target: str, fields: list[Plain]) -> str:
    """Return the address with its host: Go writes the whole address in the first line, others only the path."""
    host = next((value for name, value in fields if name.lower() == "host"), None)
    return f"https://{host}{target}" if host and target.startswith("/") else target


def _unchunked(content: bytes) -> bytes:
    """Join a chunked body; unchanged where it is none, as the header is also kept with bodies that were joined before."""
    pieces: list[bytes] = []
    at = 0
    while size := _CHUNK.match(content, at):
        end = size.end() + int(size[1], 16)
        if end == size.end():
            return b"".join(pieces)
        pieces.append(content[size.end() : end])
        if content[end : end + 2] != b"\r\n":
            break
        at = end + 2
    return content


FORMAT = Format(
    "httprr",
    "httprr",
    frozenset({"text"}),
    recognise,
    parse,
    summary="Written by the Go package httprr (langchaingo, Google's adk-go), as text or gzip, one file a test. It holds every HTTP request "
    "and answer as raw bytes, failures and retries too. It stores no time of its own.",
)
