"""One file per request hash: ``{request, response}``. A folder of such files is one recording whose order only the histories tell.

Variants: the answer as a list of stream chunks, the hash instead of the request, and gzip.
"""

import re

from reviewlib.formats import http
from reviewlib.formats.format import NO_REQUESTS, Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.model.frozen import Plain

NAMES = r"(?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})\.json(?:\.gz)?"
"""The files of one folder that are one cassette: a request hash, and nothing else, for a name."""

_HASH = re.compile(r"[0-9a-f]{8,64}")
_HASH_KEYS = ("hash", "request_hash", "key", "fp")
_HISTORY_KEYS = {"messages", "input", "contents", "prompt"}


def recognise(tree: Plain) -> bool:
    """Whether the object is exactly a provider's request body with its answer, or a request's hash with its answer."""
    if not isinstance(tree, dict) or len(tree) != 2:
        return False
    if not isinstance(tree.get("response"), (dict, list)):
        return False
    sent = tree.get("request")
    return (
        isinstance(sent, dict) and bool(sent.keys() & _HISTORY_KEYS) if "request" in tree else _hash(tree) is not None
    )


def parse(tree: Plain, context: Context) -> Parsed:
    """One exchange a file, in the order of file names, which means nothing."""
    named = context.files or ((context.path, tree),)
    exchanges = tuple(_exchange(index, path, item) for index, (path, item) in enumerate(named))
    hashed = any(exchange.request is None for exchange in exchanges)
    return Parsed(
        interactions=exchanges,
        not_recorded=(*NO_REQUESTS, "tool_results", "tool_errors", "http_status") if hashed else ("http_status",),
        ordered=len(exchanges) < 2,
    )


def _exchange(index: int, path: str, tree: dict[str, Plain]) -> Exchange:
    name = path.rpartition("/")[2].partition(".")[0]
    sent = tree.get("request")
    return Exchange(
        index=index,
        request=None if sent is None else Request(body=http.body(sent)),
        response=_response(tree["response"]),
        key=_hash(tree) or (name if _HASH.fullmatch(name) else None),
    )


def _response(answer: Plain) -> Response:
    chunks = answer.get("chunks") if isinstance(answer, dict) and answer.keys() == {"chunks"} else answer
    return (
        Response(chunks=tuple(http.body(chunk) for chunk in chunks))
        if isinstance(chunks, list)
        else Response(body=http.body(answer))
    )


def _hash(tree: dict[str, Plain]) -> str | None:
    found = next((tree[key] for key in _HASH_KEYS if key in tree), None)
    return found if isinstance(found, str) and _HASH.fullmatch(found) else None


FORMAT = Format(
    "hash-files",
    "one file per request hash",
    frozenset({"json"}),
    recognise,
    parse,
    gather=NAMES,
    summary="Written by recorders that projects make for themselves, one request with its answer a file, named by a hash of the request. A folder "
    "of them is read as one recording whose order only the requests' histories tell. Of equal requests only one answer is held.",
)
