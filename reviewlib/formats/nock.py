"""nock: a JSON list of recorded HTTP calls, ``{scope, method, path, body, status, response, rawHeaders}``.

A JSON body is a tree, a binary one (an AWS event stream) a text of hexadecimal digits, and a compressed one a list of such texts.
"""

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange
from reviewlib.model.frozen import Plain


def recognise(tree: Plain) -> bool:
    """Whether every item of the list has a ``scope``, a ``path`` and a ``status``."""
    return isinstance(tree, list) and bool(tree) and all(_is_call(item) for item in tree)


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the calls in file order; whole requests and answers are held, so nothing is missing."""
    return Parsed(interactions=tuple(_exchange(index, item) for index, item in enumerate(tree)))


def _is_call(item: Plain) -> bool:
    return (
        isinstance(item, dict)
        and isinstance(item.get("scope"), str)
        and isinstance(item.get("path"), str)
        and "status" in item
    )


def _exchange(index: int, item: dict[str, Plain]) -> Exchange:
    uri, fields = item["scope"] + item["path"], _header_fields(item)
    return Exchange(
        index=index,
        request=http.request(item.get("method"), uri, item.get("reqheaders"), item.get("body")),
        response=http.response(item["status"], fields, _answer(item, http.headers(fields))),
    )


def _header_fields(item: dict[str, Plain]) -> Plain:
    """Return header fields; ``rawHeaders`` is a list of names and values in turn, as node writes it."""
    raw = item.get("rawHeaders", item.get("headers"))
    if not isinstance(raw, list):
        return raw
    return [list(pair) for pair in zip(raw[::2], raw[1::2], strict=False)]


def _answer(item: dict[str, Plain], fields: dict[str, str]) -> Plain:
    answer = item.get("response")
    if isinstance(answer, str):
        is_binary = item.get("responseIsBinary") is True or "eventstream" in fields.get("content-type", "")
        return http.from_hex(answer) if is_binary else answer
    if isinstance(answer, list) and "content-encoding" in fields:
        return [http.from_hex(piece) for piece in answer]
    return answer


FORMAT = Format(
    "nock",
    "nock",
    frozenset({"json"}),
    recognise,
    parse,
    summary="Written by the JavaScript library nock (nock.back, nock.recorder), a JSON list of HTTP calls. It holds every request body and "
    "answer whole; request headers only where the project asked for them. It stores no time.",
)
