"""cassetteai: a proxy of the OpenAI API; ``{version, entries}`` in JSON, each a request body and its answer under a ``request_hash``."""

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.model.frozen import Plain


def recognise(tree: Plain) -> bool:
    """Whether every entry has a ``request_hash``, tells ``is_streaming``, and has a request."""
    entries = tree.get("entries") if isinstance(tree, dict) else None
    return isinstance(entries, list) and bool(entries) and all(_is_entry(entry) for entry in entries)


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the entries in the order they were called; the address and the status are not held."""
    return Parsed(
        interactions=tuple(_exchange(index, entry) for index, entry in enumerate(tree["entries"])),
        not_recorded=("http_status",),
    )


def _is_entry(entry: Plain) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("request_hash"), str)
        and "is_streaming" in entry
        and isinstance(entry.get("request"), dict)
    )


def _exchange(index: int, entry: dict[str, Plain]) -> Exchange:
    chunks = entry.get("stream_chunks")
    streamed = tuple(chunks) if isinstance(chunks, list) else ()
    return Exchange(
        index=index,
        request=Request(body=entry["request"]),
        response=Response(chunks=streamed) if streamed else Response(body=http.body(entry.get("response"))),
        key=entry["request_hash"],
    )


FORMAT = Format(
    "cassetteai",
    "cassetteai",
    frozenset({"json"}),
    recognise,
    parse,
    summary="Written by cassetteai, a proxy of the OpenAI API, one JSON file a test. It holds every request body and its answer, but neither "
    "address, status nor time; the request's hash leaves the model out.",
)
