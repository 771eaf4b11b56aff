"""pydantic-ai's recordings of xAI's gRPC API: each call as JSON beside the raw protobuf, which says the same and is not read."""

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.model.frozen import Plain

_PAIRS = {"request_sample": "response_sample", "request_stream": "response_stream"}


def recognise(tree: Plain) -> bool:
    """Whether the interactions are pairs of ``request_sample``/``request_stream`` with their answers, or calls of other methods beside them."""
    items = tree.get("interactions") if isinstance(tree, dict) else None
    if not isinstance(items, list) or not any(_sent(item) for item in items):
        return False
    return all(_sent(item) or _other(item) for item in items)


def parse(tree: Plain, _context: Context) -> Parsed:
    """Every call in file order."""
    exchanges = tuple(_exchange(index, item) for index, item in enumerate(tree["interactions"]))
    return Parsed(interactions=exchanges, not_recorded=("http_status", "tool_errors"))


def _sent(item: Plain) -> str | None:
    """The name under which an interaction holds its request, None where it is no such pair."""
    if not isinstance(item, dict):
        return None
    return next((name for name in _PAIRS if isinstance(item.get(name), dict) and "json" in item[name]), None)


def _other(item: Plain) -> str | None:
    """The name of another method that was called, such as the upload of a document."""
    if not isinstance(item, dict):
        return None
    return next((str(name) for name, call in item.items() if isinstance(call, dict) and "request_json" in call), None)


def _exchange(index: int, item: dict[str, Plain]) -> Exchange:
    sent = _sent(item)
    if sent is None:
        name = _other(item) or ""
        call = item[name]
        request = Request(uri=f"{name}/{call.get('method')}", body=http.body(call["request_json"]))
        return Exchange(index=index, request=request, response=Response(body=http.body(call.get("response_json"))))
    body = http.body(item[sent]["json"])
    return Exchange(index=index, request=Request(body=body), response=_response(item.get(_PAIRS[sent])))


def _response(got: Plain) -> Response | None:
    if not isinstance(got, dict):
        return None
    chunks = got.get("chunks_json")
    if isinstance(chunks, list):
        return Response(chunks=tuple(map(_chunk, chunks)))
    return Response(body=http.body(got["json"])) if "json" in got else None


def _chunk(item: Plain) -> Plain:
    return item["chunk"] if isinstance(item, dict) and "chunk" in item else item


FORMAT = Format(
    "xai-grpc",
    "pydantic-ai's xAI gRPC recorder",
    frozenset({"yaml", "json"}),
    recognise,
    parse,
    summary="Calls of xAI's gRPC API as pydantic-ai's test suite records them: whole requests and answers as JSON, streams as lists of "
    "chunks. gRPC has no HTTP status, and results of tools are marked neither as failed nor as successful.",
)
