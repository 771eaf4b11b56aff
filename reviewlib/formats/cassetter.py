"""cassetter: HTTP, gRPC and WebSocket interactions in YAML, HTTP ones in TOML too; the ``status`` is a number.

A body is ``{type, content}`` (in TOML ``body_type`` and ``body_content``): ``json`` is a tree (in TOML its text), ``text`` is text, ``binary`` is
hexadecimal digits, ``none`` is nothing. Compression was undone when it was written.
"""

from itertools import chain

from reviewlib.formats import http
from reviewlib.formats.format import Context, Format, Parsed
from reviewlib.model.cassette import Exchange, Request, Response
from reviewlib.model.frozen import Plain

_LISTS = ("interactions", "grpc_interactions", "ws_interactions")
_TYPES = ("json", "text", "binary", "none")


def recognise(tree: Plain) -> bool:
    """Whether every interaction is one that cassetter writes, and there is one at least."""
    if not isinstance(tree, dict):
        return False
    lists = [tree.get(name, []) for name in _LISTS]
    if not all(isinstance(items, list) for items in lists) or not any(lists):
        return False
    found, grpc, sockets = lists
    return all(map(_is_http, found)) and all(map(_is_grpc, grpc)) and all(map(_is_socket, sockets))


def parse(tree: Plain, _context: Context) -> Parsed:
    """Read the HTTP interactions in file order, then the gRPC ones, then the WebSockets; nothing is missing."""
    readers = (_http, _grpc, _socket)
    found = chain.from_iterable(
        ((read, item) for item in tree.get(name, ())) for name, read in zip(_LISTS, readers, strict=True)
    )
    return Parsed(interactions=tuple(read(index, item) for index, (read, item) in enumerate(found)))


def _is_http(item: Plain) -> bool:
    if not http.is_pair(item, "uri") or "status" not in item["response"]:
        return False
    return all(_type(half) in _TYPES for half in (item["request"], item["response"]))


def _is_grpc(item: Plain) -> bool:
    return http.is_pair(item, "method") and "status_code" in item["response"]


def _is_socket(item: Plain) -> bool:
    if not isinstance(item, dict) or not isinstance(item.get("uri"), str) or not isinstance(item.get("frames"), list):
        return False
    return all(isinstance(frame, dict) and "direction" in frame for frame in item["frames"])


def _type(half: dict[str, Plain]) -> Plain:
    body = half.get("body")
    return body.get("type") if isinstance(body, dict) else half.get("body_type")


def _content(half: dict[str, Plain]) -> Plain:
    body = half.get("body")
    content = body.get("content") if isinstance(body, dict) else half.get("body_content")
    return http.from_hex(content) if _type(half) == "binary" else content


def _http(index: int, item: dict[str, Plain]) -> Exchange:
    sent, got = item["request"], item["response"]
    return Exchange(
        index=index,
        request=http.request(sent.get("method"), sent["uri"], sent.get("headers"), _content(sent)),
        response=http.response(got["status"], got.get("headers"), _content(got)),
        recorded_at=http.epoch(item.get("recorded_at")),
    )


def _grpc(index: int, item: dict[str, Plain]) -> Exchange:
    """A gRPC call: its method stands for the address; its messages are protobuf, or the trees that were stored for reading."""
    sent, got, trees = item["request"], item["response"], item.get("json_debug")
    shown = trees if isinstance(trees, dict) else {}
    response = http.response(None, got.get("metadata"), shown.get("response", _content(got)))
    status = {"grpc-status": str(got["status_code"]), "grpc-message": str(got.get("status_message", ""))}
    return Exchange(
        index=index,
        request=http.request("GRPC", sent["method"], sent.get("metadata"), shown.get("request", _content(sent))),
        response=response.model_copy(update={"headers": {**response.headers, **status}}),
        recorded_at=http.epoch(item.get("recorded_at")),
    )


def _socket(index: int, item: dict[str, Plain]) -> Exchange:
    """A WebSocket: what was sent and what came back, each in its order."""
    sent, got = (
        [http.body(_content(frame)) for frame in item["frames"] if frame["direction"] == direction]
        for direction in ("send", "recv")
    )
    opening = http.request("WEBSOCKET", item["uri"], item.get("headers"), None)
    return Exchange(
        index=index,
        request=Request(method=opening.method, uri=opening.uri, headers=opening.headers, body=sent),
        response=Response(chunks=tuple(got)),
        recorded_at=http.epoch(item.get("recorded_at")),
    )


FORMAT = Format(
    "cassetter",
    "cassetter",
    frozenset({"yaml", "toml", "json"}),
    recognise,
    parse,
    summary="Written by cassetter (Python, TypeScript, Go, Rust) in YAML or TOML, one file a test. It holds every HTTP request and answer "
    "whole, with its time, failures and retries too; secrets were removed when it was written. gRPC and WebSocket interactions are "
    "shown, but not read as model calls.",
)
