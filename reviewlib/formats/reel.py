"""reel: JSON Lines of one HTTP call each, ``{schema_version, provider, request{fingerprint}, response}``; the first line may be ``{_meta}``.

A streamed answer is ``body: null`` beside ``stream_chunks``, the events with their data as trees.
"""

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Response
from reviewlib.model.frozen import Plain


def recognise(lines: Plain) -> bool:
    """Whether every line, the one of ``_meta`` apart, has a request with a ``fingerprint``, and a response."""
    return any(map(_is_call, lines)) and all(_is_call(line) or _is_meta(line) for line in lines)


def parse(lines: Plain, _context: Context) -> Parsed:
    """Read the calls in file order; nothing is missing but the host."""
    calls = [line for line in lines if not _is_meta(line)]
    return Parsed(interactions=tuple(_exchange(index, call) for index, call in enumerate(calls)))


def _is_meta(line: Plain) -> bool:
    return isinstance(line, dict) and line.keys() == {"_meta"}


def _is_call(line: Plain) -> bool:
    if not isinstance(line, dict) or "schema_version" not in line:
        return False
    sent = line.get("request")
    return isinstance(sent, dict) and "fingerprint" in sent and isinstance(line.get("response"), dict)


def _exchange(index: int, call: dict[str, Plain]) -> Exchange:
    sent = call["request"]
    key = sent["fingerprint"]
    return Exchange(
        index=index,
        request=http.request(sent.get("method"), sent.get("path"), sent.get("headers"), sent.get("body")),
        response=_response(call["response"]),
        key=key if isinstance(key, str) else None,
        recorded_at=http.epoch(call.get("ts")),
    )


def _response(got: dict[str, Plain]) -> Response:
    chunks = got.get("stream_chunks")
    response = http.response(got.get("status"), got.get("headers"), got.get("body"))
    if not isinstance(chunks, list) or not chunks:
        return response
    data = tuple(chunk["data"] if isinstance(chunk, dict) and "data" in chunk else chunk for chunk in chunks)
    return response.model_copy(update={"chunks": data, "body": None})


FORMAT = Format(
    "reel",
    "reel",
    frozenset({"jsonl"}),
    recognise,
    parse,
    summary="Written by reel (reel-vcr), JSON Lines, one file a test. It holds every HTTP request and answer, failures and retries too, with "
    "its time, but not the host. It cuts long digits out of texts as if they were phone numbers.",
)
